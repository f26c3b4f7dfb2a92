# Models that are never called: the stepper lists what it wants, the program computes it in its own loop.

"""
    passive_model(; nv, gives = 0, moving = false, max_points = 0, nq, n_joint, n_contact, n_dir, mu, restitution)

A model that is given arrays. `gives` is a mask of what you give besides mass, joints, gaps and directions, which the sizes
demand: `STN_WANT_FORCE`, `STN_WANT_DFDQ | STN_WANT_DFDV`, `STN_WANT_RATE`, `STN_WANT_MOVED`; `moving` says that joints or
gaps depend on t at fixed q.

```julia
s = Stepper(Stiction.passive_model(; nv = 1, gives = STN_WANT_FORCE))
while Stiction.passive_step!(s, 0.01) == STN_WANTED
    for r in Stiction.requests(s)
        r.what & STN_WANT_MASS != 0 && Stiction.put!(s, r, STN_WANT_MASS, [2.0])
        r.what & STN_WANT_FORCE != 0 && Stiction.put!(s, r, STN_WANT_FORCE, [-20.0])
    end
end
```
"""
function passive_model(; nv::Integer, gives::Integer = 0, moving::Bool = false, max_points::Integer = 0,
                       nq::Integer = nv, n_joint::Integer = 0, n_contact::Integer = 0, n_dir::Integer = 0,
                       mu = nothing, restitution = nothing)
    dims = Ref(changed(sized(stn_dims), (; nq, nv, n_joint, n_contact, n_dir)))
    friction = mu === nothing ? nothing : each(mu, n_contact)
    bounce = restitution === nothing ? nothing : each(restitution, n_contact)
    out = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve dims friction bounce out check(stn_passive_create(
        to(dims), gives, moving, max_points, address(friction), address(bounce), to(out)))
    return Model(out[], nothing)
end

"""
    passive_step!(stepper, h)

One step of a passive model. On `STN_WANTED` answer all [`requests`](@ref Stiction.requests) and call it again with the same
`h`; the rest as [`step!`](@ref).
"""
passive_step!(s::Stepper, h::Real) = GC.@preserve s check(stn_passive_step(s.handle, h))

"""
    requests(stepper)

What the last `passive_step!` wants to know: a vector of `(number, what, t, q, v)`, `what` a mask of `STN_WANT_...`.
"""
function requests(s::Stepper)
    n = GC.@preserve s stn_passive_request_count(s.handle)
    n < 0 && check(n)
    return [request(s, i) for i in 0:(n - 1)]
end

function request(s::Stepper, i::Integer)
    what, t = Ref{Int32}(0), Ref{Cdouble}(0)
    q, v = Vector{Float64}(undef, s.nq), Vector{Float64}(undef, s.nv)
    GC.@preserve s what t q v check(
        stn_passive_get_request(s.handle, i, to(what), to(t), pointer(q), s.nq, pointer(v), s.nv))
    return (number = i, what = what[], t = t[], q = q, v = v)
end

"""
    put!(stepper, request, what, values)

Answers one array of a request.
"""
function put!(s::Stepper, request, what::Integer, values)
    x = doubles(values)
    GC.@preserve s x check(stn_passive_put(s.handle, request.number, what, pointer(x), length(x)))
    return s
end

"""
    cancel!(stepper)

Forgets all requests and answers of a passive step.
"""
function cancel!(s::Stepper)
    GC.@preserve s check(stn_passive_cancel(s.handle))
    return s
end
