# What a model says about a state.

"""
    coriolis(model, t, q, v)

Coriolis and centrifugal forces that the mass makes, by differences of it; for models without rate.
"""
function coriolis(model::Model, t::Real, q, v)
    x, y = vec(doubles(q)), vec(doubles(v))
    out = Vector{Float64}(undef, length(y))
    GC.@preserve model x y out done(
        stn_model_coriolis(model.handle, t, pointer(x), length(x), pointer(y), length(y), pointer(out)))
    return out
end

"""
    cone_margin(model, t, q, near = 0.0)

Margin of the friction cone of the contacts with gaps up to `near`: 0 where impulses can cancel and bodies may jam, `Inf`
without contacts.
"""
function cone_margin(model::Model, t::Real, q, near::Real = 0.0)
    x, margin = vec(doubles(q)), Ref{Cdouble}(0)
    GC.@preserve model x margin done(stn_model_check_cone(
        model.handle, t, pointer(x), length(x), near, Ptr{Int32}(C_NULL), to(margin)))
    return margin[]
end

# The rest is for models of built-in bodies.

"""
    momentum(model, q, v)

`(linear, angular)`, the latter about the origin.
"""
function momentum(model::Model, q, v)
    x, y = vec(doubles(q)), vec(doubles(v))
    linear, angular = Vector{Float64}(undef, 3), Vector{Float64}(undef, 3)
    GC.@preserve model x y linear angular check(stn_model_get_momentum(
        model.handle, pointer(x), length(x), pointer(y), length(y), pointer(linear), pointer(angular)))
    return (linear = linear, angular = angular)
end

"""
    total_mass(model)

Mass of all bodies, kg.
"""
function total_mass(model::Model)
    mass = Ref{Cdouble}(0)
    GC.@preserve model mass check(stn_model_get_total_mass(model.handle, to(mass)))
    return mass[]
end

"""
    body_range(model, body)

Where the coordinates of a body lie, as indices of Julia: `(q, v)`.
"""
function body_range(model::Model, body::Integer)
    q, nq, v, nv = Ref{Int32}(0), Ref{Int32}(0), Ref{Int32}(0), Ref{Int32}(0)
    GC.@preserve model q nq v nv check(
        stn_model_get_body_range(model.handle, body, to(q), to(nq), to(v), to(nv)))
    return (q = q[] .+ (1:nq[]), v = v[] .+ (1:nv[]))
end

"""
    joint_range(model, joint)

Which joint equations are those of a joint, as indices of Julia.
"""
function joint_range(model::Model, joint::Integer)
    first, n = Ref{Int32}(0), Ref{Int32}(0)
    GC.@preserve model first n check(stn_model_get_joint_range(model.handle, joint, to(first), to(n)))
    return first[] .+ (1:n[])
end

"""
    point(model, body, at, q, v)

World place and velocity of a point of a body; `at` in body coordinates, `nothing`: the center of mass.
"""
function point(model::Model, body::Integer, at, q, v)
    p, x, y = maybe(at, 3, "at"), vec(doubles(q)), vec(doubles(v))
    place, velocity = Vector{Float64}(undef, 3), Vector{Float64}(undef, 3)
    GC.@preserve model p x y place velocity check(stn_model_get_point(
        model.handle, body, address(p), pointer(x), length(x), pointer(y), length(y), pointer(place),
        pointer(velocity)))
    return (place = place, velocity = velocity)
end

"""
    joint_coordinate(model, joint, freedom, q)

A free coordinate of a joint, `STN_FREEDOM_...`, counted from the builder's pose, rad or m.
"""
function joint_coordinate(model::Model, joint::Integer, freedom::Integer, q)
    x, value = vec(doubles(q)), Ref{Cdouble}(0)
    GC.@preserve model x value check(stn_model_get_joint_coordinate(
        model.handle, joint, freedom, pointer(x), length(x), to(value)))
    return value[]
end

"""
    contact_pair(model, key)

The bodies and shapes of a contact, by its key: `(body_a, body_b, shape_a, shape_b)`; shape -1 for a limit.
"""
function contact_pair(model::Model, key::Integer)
    a, b, c, d = Ref{Int32}(0), Ref{Int32}(0), Ref{Int32}(0), Ref{Int32}(0)
    GC.@preserve model a b c d check(
        stn_model_get_contact_pair(model.handle, key, to(a), to(b), to(c), to(d)))
    return (body_a = a[], body_b = b[], shape_a = c[], shape_b = d[])
end
