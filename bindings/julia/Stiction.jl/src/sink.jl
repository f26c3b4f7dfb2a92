# Contacts that come and go: what a function of a model pushes them into.

"""
    ContactSink

Takes the contacts of one point, each by a key, the whole number that the program knows it by from call to call. Serves
during the call of `contacts` that got it. A push that fails throws, and fails the step.

```julia
contacts = (sink, t, q, margin) ->
    q[2] <= margin && Stiction.push_contact!(sink, 7, q[2], [0.0, 1.0]; tangent = [1.0 -1.0; 0.0 0.0], mu = 0.5)
```
"""
struct ContactSink
    handle::Ptr{Cvoid}
    nv::Int
end

directions(::Nothing, rows::Integer) = (nothing, 0)
function directions(tangent, rows::Integer)
    d = matrix(tangent, rows, size(tangent, 2), "tangent")
    return (d, size(d, 2))
end

"""
    push_contact!(sink, key, gap, normal; tangent = nothing, mu = 0.0, restitution = 0.0)

The rate of the gap is `normal'v`; `tangent` has an even number of columns, the second half opposite to the first.
"""
function push_contact!(sink::ContactSink, key::Integer, gap::Real, normal; tangent = nothing, mu = 0.0, restitution = 0.0)
    n = vector(normal, sink.nv, "normal")
    d, count = directions(tangent, sink.nv)
    GC.@preserve n d check(
        stn_contact_push(sink.handle, key, gap, pointer(n), count, address(d), mu, restitution))
    return sink
end

"""
    push_tangents!(sink, key, gap, normal, facets, first, second; mu, restitution = 0.0)

Friction directions are the corners of a polygon: cos `first` + sin `second`.
"""
function push_tangents!(sink::ContactSink, key::Integer, gap::Real, normal, facets::Integer, first, second; mu,
                        restitution = 0.0)
    n, x, y = vector(normal, sink.nv, "normal"), vector(first, sink.nv, "first"), vector(second, sink.nv, "second")
    GC.@preserve n x y check(stn_contact_push_tangents(
        sink.handle, key, gap, pointer(n), facets, pointer(x), pointer(y), mu, restitution))
    return sink
end

"""
    push_sparse!(sink, key, gap, index, normal; tangent = nothing, mu = 0.0, restitution = 0.0)

Columns on a few velocity coordinates, those of the two bodies that touch, say; `index` counts from zero.
"""
function push_sparse!(sink::ContactSink, key::Integer, gap::Real, index, normal; tangent = nothing, mu = 0.0,
                      restitution = 0.0)
    i = collect(Int32, index)
    n = vector(normal, length(i), "normal")
    d, count = directions(tangent, length(i))
    GC.@preserve i n d check(stn_contact_push_sparse(
        sink.handle, key, gap, length(i), pointer(i), pointer(n), count, address(d), mu, restitution))
    return sink
end

"""
    join_contacts!(sink, group, keys)

Contacts that were pushed become branches of a group: at least one of their gaps must hold. All branches of a group are
pushed and joined, or none.
"""
function join_contacts!(sink::ContactSink, group::Integer, keys)
    k = collect(Int64, keys)
    GC.@preserve k check(stn_contact_join(sink.handle, group, length(k), pointer(k)))
    return sink
end
