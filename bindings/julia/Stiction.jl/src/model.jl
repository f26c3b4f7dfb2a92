# Mechanical systems: from Julia functions, or as a Builder makes them.

# What the library hands back as `user`. It is reachable from the Model, which every stepper holds and every call
# preserves; so it lives as long as the library may ask for it.
mutable struct Functions
    nq::Int
    nv::Int
    n_joint::Int
    n_contact::Int
    n_dir::Int
    n_brake::Int
    n_element::Int
    mass::Any
    force::Any
    force_jac::Any
    rate::Any
    joint::Any
    gap::Any
    tangent::Any
    brake::Any
    displace::Any
    accel::Any
    element::Any
    contacts::Any
end

# The library's memory as an array, for the time of the call.
lent(p::Ptr{Cdouble}, n...) = unsafe_wrap(Array, p, n)
functions_of(user::Ptr{Cvoid}) = unsafe_pointer_to_objref(user)::Functions

function call_mass(t::Cdouble, q::Ptr{Cdouble}, mass::Ptr{Cdouble}, user::Ptr{Cvoid})::Cint
    f = functions_of(user)
    return trapped(() -> f.mass(lent(mass, f.nv, f.nv), t, lent(q, f.nq)))
end

function call_force(t::Cdouble, q::Ptr{Cdouble}, v::Ptr{Cdouble}, force::Ptr{Cdouble}, user::Ptr{Cvoid})::Cint
    f = functions_of(user)
    return trapped(() -> f.force(lent(force, f.nv), t, lent(q, f.nq), lent(v, f.nv)))
end

function call_force_jac(t::Cdouble, q::Ptr{Cdouble}, v::Ptr{Cdouble}, dfdq::Ptr{Cdouble}, dfdv::Ptr{Cdouble},
                        user::Ptr{Cvoid})::Cint
    f = functions_of(user)
    return trapped(() -> f.force_jac(lent(dfdq, f.nv, f.nq), lent(dfdv, f.nv, f.nv), t, lent(q, f.nq), lent(v, f.nv)))
end

function call_rate(t::Cdouble, q::Ptr{Cdouble}, v::Ptr{Cdouble}, qdot::Ptr{Cdouble}, user::Ptr{Cvoid})::Cint
    f = functions_of(user)
    return trapped(() -> f.rate(lent(qdot, f.nq), t, lent(q, f.nq), lent(v, f.nv)))
end

function call_joint(t::Cdouble, q::Ptr{Cdouble}, phi::Ptr{Cdouble}, jt::Ptr{Cdouble}, user::Ptr{Cvoid})::Cint
    f = functions_of(user)
    return trapped(() -> f.joint(lent(phi, f.n_joint), lent(jt, f.nv, f.n_joint), t, lent(q, f.nq)))
end

function call_gap(t::Cdouble, q::Ptr{Cdouble}, gap::Ptr{Cdouble}, normal::Ptr{Cdouble}, user::Ptr{Cvoid})::Cint
    f = functions_of(user)
    return trapped(() -> f.gap(lent(gap, f.n_contact), lent(normal, f.nv, f.n_contact), t, lent(q, f.nq)))
end

function call_tangent(t::Cdouble, q::Ptr{Cdouble}, tangent::Ptr{Cdouble}, user::Ptr{Cvoid})::Cint
    f = functions_of(user)
    return trapped(() -> f.tangent(lent(tangent, f.nv, f.n_contact * f.n_dir), t, lent(q, f.nq)))
end

function call_brake(t::Cdouble, q::Ptr{Cdouble}, bound::Ptr{Cdouble}, direction::Ptr{Cdouble}, user::Ptr{Cvoid})::Cint
    f = functions_of(user)
    return trapped(() -> f.brake(lent(bound, f.n_brake), lent(direction, f.nv, f.n_brake), t, lent(q, f.nq)))
end

function call_displace(t::Cdouble, q::Ptr{Cdouble}, d::Ptr{Cdouble}, moved::Ptr{Cdouble}, user::Ptr{Cvoid})::Cint
    f = functions_of(user)
    return trapped(() -> f.displace(lent(moved, f.nq), t, lent(q, f.nq), lent(d, f.nv)))
end

function call_accel(t::Cdouble, q::Ptr{Cdouble}, v::Ptr{Cdouble}, joint::Ptr{Cdouble}, normal::Ptr{Cdouble},
                    tangent::Ptr{Cdouble}, user::Ptr{Cvoid})::Cint
    f = functions_of(user)
    return trapped(() -> f.accel(lent(joint, f.n_joint), lent(normal, f.n_contact), lent(tangent, f.n_contact * f.n_dir),
                                 t, lent(q, f.nq), lent(v, f.nv)))
end

function call_element(t::Cdouble, q::Ptr{Cdouble}, phi::Ptr{Cdouble}, gradient::Ptr{Cdouble}, stiffness::Ptr{Cdouble},
                      damping::Ptr{Cdouble}, user::Ptr{Cvoid})::Cint
    f = functions_of(user)
    return trapped(() -> f.element(lent(phi, f.n_element), lent(gradient, f.nv, f.n_element), lent(stiffness, f.n_element),
                                   lent(damping, f.n_element), t, lent(q, f.nq)))
end

function call_contacts(t::Cdouble, q::Ptr{Cdouble}, margin::Cdouble, sink::Ptr{Cvoid}, user::Ptr{Cvoid})::Cint
    f = functions_of(user)
    return trapped(() -> f.contacts(ContactSink(sink, f.nv), t, lent(q, f.nq), margin))
end

# A constant is a function too.
filling(::Nothing) = nothing
filling(x::AbstractArray) = (out, t, q) -> copyto!(out, x)
filling(f) = f

"""
    Model(; nv, nq = nv, n_joint = 0, n_contact = 0, n_dir = 0, n_brake = 0, n_element = 0, max_contacts = 0, mu,
          restitution, mass, force, ...)

A mechanical system: `M(t,q) dv/dt = force(t,q,v) + forces of joints and contacts`. The functions write into arrays of the
library, which are zero before and valid during the call only; `mass` and `tangent` may also be constant matrices:

| function | writes |
|---|---|
| `mass(M, t, q)` | nv by nv |
| `force(f, t, q, v)` | nv numbers with every Coriolis term |
| `force_jac(dfdq, dfdv, t, q, v)` | nv by nq, nv by nv; left out: by differences |
| `rate(qdot, t, q, v)` | nq numbers; left out: v |
| `joint(phi, jt, t, q)` | n_joint errors, nv by n_joint directions |
| `gap(gap, normal, t, q)` | n_contact gaps, nv by n_contact normals |
| `tangent(D, t, q)` | nv by n_contact*n_dir friction directions |
| `brake(bound, direction, t, q)` | n_brake bounds, nv by n_brake directions |
| `displace(moved, t, q, d)` | the position reached from q by the displacement d; left out: through rate |
| `accel(joint, normal, tangent, t, q, v)` | what v alone adds to accelerations; left out: by differences |
| `element(phi, gradient, stiffness, damping, t, q)` | n_element springs and dampers that the library adds |
| `contacts(sink, t, q, margin)` | nothing: pushes contacts that come and go, at most max_contacts, into a [`ContactSink`](@ref) |

An exception ends the step, which changes nothing, and comes out of the call that made it; [`Refuse`](@ref) makes the
step give `STN_REJECTED`. A model shared by steppers on several threads is called from all of them.

```julia
ball = Model(; nv = 1, n_contact = 1, restitution = 0.5, mass = [2.0;;],
             force = (f, t, q, v) -> f[1] = -20.0,
             gap = (gap, normal, t, q) -> (gap[1] = q[1]; normal[1, 1] = 1.0))
```
"""
mutable struct Model
    handle::Ptr{Cvoid}
    kept::Any

    # Takes over a handle, with what must live as long as it.
    Model(handle::Ptr{Cvoid}, kept) = finalizer(close, new(handle, kept))
end

function Base.close(model::Model)
    stn_model_destroy(model.handle)
    model.handle = C_NULL
    return nothing
end

function Model(; nv::Integer, nq::Integer = nv, n_joint::Integer = 0, n_contact::Integer = 0, n_dir::Integer = 0,
               n_brake::Integer = 0, n_element::Integer = 0, max_contacts::Integer = 0, mu = nothing,
               restitution = nothing, mass = nothing, force = nothing, force_jac = nothing, rate = nothing,
               joint = nothing, gap = nothing, tangent = nothing, brake = nothing, displace = nothing, accel = nothing,
               element = nothing, contacts = nothing)
    f = Functions(nq, nv, n_joint, n_contact, n_dir, n_brake, n_element, filling(mass), force, force_jac, rate, joint,
                  gap, filling(tangent), brake, displace, accel, element, contacts)
    fns = Ref(changed(table_of(f), (; max_contacts)))
    dims = Ref(changed(sized(stn_dims), (; nq, nv, n_joint, n_contact, n_dir, n_brake, n_element)))
    friction = mu === nothing ? nothing : each(mu, n_contact)
    bounce = restitution === nothing ? nothing : each(restitution, n_contact)
    out = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve f fns dims friction bounce out check(stn_model_create(
        to(dims), to(fns), address(friction), address(bounce), pointer_from_objref(f), to(out)))
    return Model(out[], f)
end

# Plain functions, not closures: what they need comes back in `user`.
function table_of(f::Functions)
    given(function_, pointer_) = function_ === nothing ? C_NULL : pointer_
    mass = @cfunction(call_mass, Cint, (Cdouble, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cvoid}))
    force = @cfunction(call_force, Cint, (Cdouble, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cvoid}))
    force_jac = @cfunction(
        call_force_jac, Cint, (Cdouble, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cvoid}))
    rate = @cfunction(call_rate, Cint, (Cdouble, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cvoid}))
    joint = @cfunction(call_joint, Cint, (Cdouble, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cvoid}))
    gap = @cfunction(call_gap, Cint, (Cdouble, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cvoid}))
    tangent = @cfunction(call_tangent, Cint, (Cdouble, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cvoid}))
    brake = @cfunction(call_brake, Cint, (Cdouble, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cvoid}))
    displace = @cfunction(call_displace, Cint, (Cdouble, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cvoid}))
    accel = @cfunction(
        call_accel, Cint,
        (Cdouble, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cvoid}))
    element = @cfunction(
        call_element, Cint,
        (Cdouble, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cvoid}))
    contacts = @cfunction(call_contacts, Cint, (Cdouble, Ptr{Cdouble}, Cdouble, Ptr{Cvoid}, Ptr{Cvoid}))
    return changed(sized(stn_model_fns), (;
        mass = given(f.mass, mass),
        force = given(f.force, force),
        force_jac = given(f.force_jac, force_jac),
        rate = given(f.rate, rate),
        joint = given(f.joint, joint),
        gap = given(f.gap, gap),
        tangent = given(f.tangent, tangent),
        brake = given(f.brake, brake),
        displace = given(f.displace, displace),
        accel = given(f.accel, accel),
        element = given(f.element, element),
        contacts = given(f.contacts, contacts)))
end

"""
    dims(model)

Sizes: `nq`, `nv`, `n_joint`, `n_contact`, `n_dir`, `n_brake`.
"""
function dims(model::Model)
    d = Ref(sized(stn_dims))
    GC.@preserve model d check(stn_model_get_dims(model.handle, to(d)))
    return d[]
end

"""
    check_derivatives(model, t, q, v)

Largest relative error of the derivatives that the model gives: about 1 for a wrong one, below 1e-6 for correct ones.
"""
function check_derivatives(model::Model, t::Real, q, v)
    x, y, worst = vec(doubles(q)), vec(doubles(v)), Ref{Cdouble}(0)
    GC.@preserve model x y worst done(
        stn_model_check(model.handle, t, pointer(x), length(x), pointer(y), length(y), to(worst)))
    return worst[]
end

"""
    initial(model)

`(q, v)` that a stepper starts from.
"""
function initial(model::Model)
    d = dims(model)
    q, v = Vector{Float64}(undef, d.nq), Vector{Float64}(undef, d.nv)
    GC.@preserve model q v check(stn_model_get_initial(model.handle, pointer(q), d.nq, pointer(v), d.nv))
    return (q = q, v = v)
end

"""
    energy(model, t, q, v)

`(kinetic, potential)`; `potential` is `nothing` for models of functions without elements.
"""
function energy(model::Model, t::Real, q, v)
    x, y = vec(doubles(q)), vec(doubles(v))
    kinetic, potential = Ref{Cdouble}(0), Ref{Cdouble}(0)
    stores = !(model.kept isa Functions) || model.kept.n_element > 0
    GC.@preserve model x y kinetic potential done(stn_model_get_energy(
        model.handle, t, pointer(x), length(x), pointer(y), length(y), to(kinetic),
        stores ? to(potential) : Ptr{Cdouble}(C_NULL)))
    return (kinetic = kinetic[], potential = stores ? potential[] : nothing)
end

"""
    nearest_state(model, t, q, v)

The nearest state that satisfies joints, joint velocities and gaps, and what is left of the distances: `(q, v, left)`.
"""
function nearest_state(model::Model, t::Real, q, v)
    x, y, left = collect(Float64, q), collect(Float64, v), Ref(sized(stn_consistency))
    GC.@preserve model x y left done(
        stn_model_nearest_state(model.handle, t, pointer(x), length(x), pointer(y), length(y), to(left)))
    return (q = x, v = y, left = left[])
end

"""
    check_state(model, t, q, v)

How far a state is from satisfying joints, joint velocities and gaps.
"""
function check_state(model::Model, t::Real, q, v)
    x, y, out = vec(doubles(q)), vec(doubles(v)), Ref(sized(stn_consistency))
    GC.@preserve model x y out done(
        stn_model_check_state(model.handle, t, pointer(x), length(x), pointer(y), length(y), to(out)))
    return out[]
end

"""
    pose(model, body, q)

Center of mass x y z and unit quaternion w x y z of a built-in body.
"""
function pose(model::Model, body::Integer, q)
    x, p = vec(doubles(q)), Vector{Float64}(undef, 7)
    GC.@preserve model x p check(stn_model_get_pose(model.handle, body, pointer(x), length(x), pointer(p)))
    return p
end
