# Built-in bodies: one function for each of stn_builder_*.

"The world, which does not move, where a body is asked for."
const GROUND = STN_GROUND

"""
    Builder(; gravity = nothing)

Collects bodies and what acts between them; [`build`](@ref Stiction.build) makes a [`Model`](@ref) of it. Bodies, joints,
shapes and materials are the numbers of the library, counted from zero; [`GROUND`](@ref) is the world. Points are in body
coordinates, `nothing` is the center of mass.

```julia
b = Builder(; gravity = [0, 0, -9.81])
Stiction.set_surface!(b, 0, 0; mu = 0.3, restitution = 0.5)
ball = Stiction.add_point3!(b, 2.0, [0, 0, 0.6])
Stiction.add_ball!(b, ball, 0.1)
Stiction.add_half_space!(b, GROUND, [0, 0, 1])
stepper = Stepper(Stiction.build(b))
```
"""
mutable struct Builder
    handle::Ptr{Cvoid}
    signals::Vector{Any} # functions of time, which the library knows by their addresses
    function Builder(; gravity = nothing)
        out = Ref{Ptr{Cvoid}}(C_NULL)
        GC.@preserve out check(stn_builder_create(to(out)))
        b = finalizer(close, new(out[], Any[]))
        gravity === nothing || set_gravity!(b, gravity)
        return b
    end
end

function Base.close(b::Builder)
    stn_builder_destroy(b.handle)
    b.handle = C_NULL
    return nothing
end

"""
    build(builder)

A model of everything added so far; the builder can be used further.
"""
function build(b::Builder)
    out = Ref{Ptr{Cvoid}}(C_NULL)
    GC.@preserve b out check(stn_builder_build(b.handle, to(out)))
    return Model(out[], copy(b.signals)) # they must live as long as the model
end

# A function of time, as `user` of what the library calls; reachable from the builder and from its models.
mutable struct Signal
    f::Any
end
signal_of(user::Ptr{Cvoid}) = unsafe_pointer_to_objref(user)::Signal

# A value that is no number stops the step; the exception behind it then comes out.
function call_signal(t::Cdouble, user::Ptr{Cvoid})::Cdouble
    value = Ref(NaN)
    trapped(() -> value[] = signal_of(user).f(t))
    return value[]
end

function call_vector_signal(t::Cdouble, value::Ptr{Cdouble}, user::Ptr{Cvoid})::Cvoid
    out = unsafe_wrap(Array, value, 3)
    trapped(() -> copyto!(out, vector(signal_of(user).f(t), 3, "a force or torque"))) == 0 || (out[1] = NaN)
    return nothing
end

# Keeps a function, and forgets it when the library does not take it.
function give(add, b::Builder, f)
    signal = Signal(f)
    push!(b.signals, signal)
    try
        GC.@preserve b signal check(add(pointer_from_objref(signal)))
    catch
        pop!(b.signals)
        rethrow()
    end
    return nothing
end

number_signal() = @cfunction(call_signal, Cdouble, (Cdouble, Ptr{Cvoid}))
vector_signal() = @cfunction(call_vector_signal, Cvoid, (Cdouble, Ptr{Cdouble}, Ptr{Cvoid}))

"Prescribes a free coordinate of a joint, `STN_FREEDOM_...`, as a function of time."
function add_drive!(b::Builder, joint::Integer, freedom::Integer, motion)
    n = Ref{Int32}(0)
    GC.@preserve n give(b, motion) do user
        stn_builder_add_drive(b.handle, joint, freedom, number_signal(), user, C_NULL, to(n))
    end
    return n[]
end

"A force or torque along a free coordinate of a joint, given in time."
function add_motor!(b::Builder, joint::Integer, freedom::Integer, force)
    give(b, force) do user
        stn_builder_add_motor(b.handle, joint, freedom, number_signal(), user, C_NULL)
    end
    return b
end

"A force on a body as a function of time, three numbers in world axes."
function add_force!(b::Builder, body::Integer, force; at = nothing)
    x = maybe(at, 3, "at")
    GC.@preserve x give(b, force) do user
        stn_builder_add_force(b.handle, body, address(x), vector_signal(), user, C_NULL)
    end
    return b
end

"A torque on a body as a function of time, three numbers in world axes."
function add_torque!(b::Builder, body::Integer, torque)
    give(b, torque) do user
        stn_builder_add_torque(b.handle, body, vector_signal(), user, C_NULL)
    end
    return b
end

maybe(::Nothing, n, what) = nothing
maybe(x, n, what) = vector(x, n, what)

# A place alone stands along the axes.
full_pose(::Nothing) = nothing
full_pose(x) = length(x) == 3 ? [doubles(x); 1.0; 0.0; 0.0; 0.0] : vector(x, 7, "pose")

"Acceleration of gravity, m/s^2; zero before."
function set_gravity!(b::Builder, g)
    x = vector(g, 3, "gravity")
    GC.@preserve b x check(stn_builder_set_gravity(b.handle, pointer(x)))
    return b
end

"Friction directions per contact; by default 8, and 2 in the plane."
function set_facets!(b::Builder, n::Integer)
    GC.@preserve b check(stn_builder_set_facets(b.handle, n))
    return b
end

"Initial velocity of a body, world axes."
function set_velocity!(b::Builder, body::Integer, linear, angular = nothing)
    x, y = vector(linear, 3, "linear"), maybe(angular, 3, "angular")
    GC.@preserve b x y check(stn_builder_set_velocity(b.handle, body, pointer(x), address(y)))
    return b
end

"How two materials meet; with an axis, friction is mu along it and mu_across across it."
function set_surface!(b::Builder, first::Integer, second::Integer; mu = 0.0, restitution = 0.0, axis = nothing,
                      mu_across = 0.0)
    x = maybe(axis, 3, "axis")
    GC.@preserve b x check(stn_builder_set_surface(b.handle, first, second, mu, restitution, address(x), mu_across))
    return b
end

"Bits of the groups that a shape belongs to, and of those that it meets."
function set_groups!(b::Builder, shape::Integer, group::Integer, meets::Integer)
    GC.@preserve b check(stn_builder_set_groups(b.handle, shape, group, meets))
    return b
end

"A point mass in the plane: q = (x, y)."
function add_point2!(b::Builder, mass, at)
    x, n = vector(at, 2, "at"), Ref{Int32}(0)
    GC.@preserve b x n check(stn_builder_add_point2(b.handle, mass, pointer(x), to(n)))
    return n[]
end

"A point mass in space: q = (x, y, z)."
function add_point3!(b::Builder, mass, at)
    x, n = vector(at, 3, "at"), Ref{Int32}(0)
    GC.@preserve b x n check(stn_builder_add_point3(b.handle, mass, pointer(x), to(n)))
    return n[]
end

"A rigid body in the plane: q = (x, y, theta)."
function add_planar!(b::Builder, mass, inertia, at, angle = 0.0)
    x, n = vector(at, 2, "at"), Ref{Int32}(0)
    GC.@preserve b x n check(stn_builder_add_planar(b.handle, mass, inertia, pointer(x), angle, to(n)))
    return n[]
end

"A rigid body in space; inertia 3 by 3, at: x y z, or x y z and a unit quaternion w x y z."
function add_spatial!(b::Builder, mass, inertia, at)
    i, p, n = vector(inertia, 9, "inertia"), full_pose(at), Ref{Int32}(0)
    GC.@preserve b i p n check(stn_builder_add_spatial(b.handle, mass, pointer(i), pointer(p), to(n)))
    return n[]
end

"Joins two bodies at a point of the pose, world axes; kind is a `STN_JOINT_...`."
function add_joint!(b::Builder, kind::Integer, first::Integer, second::Integer, at; axis = nothing, axis_b = nothing)
    x, u, w, n = vector(at, 3, "at"), maybe(axis, 3, "axis"), maybe(axis_b, 3, "axis_b"), Ref{Int32}(0)
    GC.@preserve b x u w n check(
        stn_builder_add_joint(b.handle, kind, first, second, pointer(x), address(u), address(w), to(n)))
    return n[]
end

"Keeps two points at a distance; 0: that of the pose."
function add_rod!(b::Builder, first::Integer, second::Integer; at_a = nothing, at_b = nothing, length = 0.0)
    x, y, n = maybe(at_a, 3, "at_a"), maybe(at_b, 3, "at_b"), Ref{Int32}(0)
    GC.@preserve b x y n check(
        stn_builder_add_rod(b.handle, first, address(x), second, address(y), length, to(n)))
    return n[]
end

"Keeps a free coordinate of a joint, `STN_FREEDOM_...`, between two ends."
function add_limit!(b::Builder, joint::Integer, freedom::Integer; low = -Inf, high = Inf, restitution = 0.0)
    GC.@preserve b check(stn_builder_add_limit(b.handle, joint, freedom, low, high, restitution))
    return b
end

"Keeps the distance of two points between two ends: a rope has no lower end."
function add_distance_limit!(b::Builder, first::Integer, second::Integer; at_a = nothing, at_b = nothing, low = -Inf,
                             high = Inf, restitution = 0.0)
    x, y = maybe(at_a, 3, "at_a"), maybe(at_b, 3, "at_b")
    GC.@preserve b x y check(
        stn_builder_add_distance_limit(b.handle, first, address(x), second, address(y), low, high, restitution))
    return b
end

"A spring and damper between two points; rest 0: their distance at the pose."
function add_spring!(b::Builder, first::Integer, second::Integer, stiffness, damping = 0.0; at_a = nothing,
                     at_b = nothing, rest = 0.0)
    x, y = maybe(at_a, 3, "at_a"), maybe(at_b, 3, "at_b")
    GC.@preserve b x y check(
        stn_builder_add_spring(b.handle, first, address(x), second, address(y), stiffness, damping, rest))
    return b
end

"A spring and damper that pulls two points together in every direction."
function add_bushing!(b::Builder, first::Integer, second::Integer, stiffness, damping = 0.0; at_a = nothing,
                      at_b = nothing)
    x, y = maybe(at_a, 3, "at_a"), maybe(at_b, 3, "at_b")
    GC.@preserve b x y check(
        stn_builder_add_bushing(b.handle, first, address(x), second, address(y), stiffness, damping))
    return b
end

"A spring and damper along a free coordinate of a joint."
function add_joint_spring!(b::Builder, joint::Integer, freedom::Integer, stiffness, damping = 0.0; rest = 0.0)
    GC.@preserve b check(stn_builder_add_joint_spring(b.handle, joint, freedom, stiffness, damping, rest))
    return b
end

"Dry friction along a free coordinate of a joint, of at most `bound`, N m or N."
function add_joint_friction!(b::Builder, joint::Integer, freedom::Integer, bound)
    GC.@preserve b check(stn_builder_add_joint_friction(b.handle, joint, freedom, bound))
    return b
end

"A material besides the default one, which is 0."
function add_material!(b::Builder)
    n = Ref{Int32}(0)
    GC.@preserve b n check(stn_builder_add_material(b.handle, to(n)))
    return n[]
end

"A ball, in the plane a disc; a point when the radius is zero."
function add_ball!(b::Builder, body::Integer, radius; pose = nothing, material::Integer = 0)
    p, n = full_pose(pose), Ref{Int32}(0)
    GC.@preserve b p n check(stn_builder_add_ball(b.handle, body, radius, address(p), material, to(n)))
    return n[]
end

"All points within a radius of a segment along the x axis of its pose."
function add_capsule!(b::Builder, body::Integer, half_length, radius; pose = nothing, material::Integer = 0)
    p, n = full_pose(pose), Ref{Int32}(0)
    GC.@preserve b p n check(
        stn_builder_add_capsule(b.handle, body, half_length, radius, address(p), material, to(n)))
    return n[]
end

"A box by half its edges."
function add_box!(b::Builder, body::Integer, half; pose = nothing, material::Integer = 0)
    x, p, n = vector(half, 3, "half"), full_pose(pose), Ref{Int32}(0)
    GC.@preserve b x p n check(stn_builder_add_box(b.handle, body, pointer(x), address(p), material, to(n)))
    return n[]
end

"The convex hull of points of the plane, one per column."
function add_polygon!(b::Builder, body::Integer, vertices; pose = nothing, material::Integer = 0)
    x, p, n = matrix(vertices, 2, size(vertices, 2), "vertices"), full_pose(pose), Ref{Int32}(0)
    GC.@preserve b x p n check(
        stn_builder_add_polygon(b.handle, body, size(x, 2), pointer(x), address(p), material, to(n)))
    return n[]
end

"Everything below a plane."
function add_half_space!(b::Builder, body::Integer, normal; pose = nothing, material::Integer = 0)
    x, p, n = vector(normal, 3, "normal"), full_pose(pose), Ref{Int32}(0)
    GC.@preserve b x p n check(stn_builder_add_half_space(b.handle, body, pointer(x), address(p), material, to(n)))
    return n[]
end

"The convex hull of 4 to 64 points in space, one per column."
function add_hull!(b::Builder, body::Integer, points; pose = nothing, material::Integer = 0)
    x, p, n = matrix(points, 3, size(points, 2), "points"), full_pose(pose), Ref{Int32}(0)
    GC.@preserve b x p n check(
        stn_builder_add_hull(b.handle, body, size(x, 2), pointer(x), address(p), material, to(n)))
    return n[]
end

"""
A sheet of triangles, solid below: corners by columns, and columns of three numbers of corners, counted from zero,
counterclockwise seen from outside.
"""
function add_mesh!(b::Builder, body::Integer, vertices, triangles; pose = nothing, material::Integer = 0)
    x, p, n = matrix(vertices, 3, size(vertices, 2), "vertices"), full_pose(pose), Ref{Int32}(0)
    size(triangles, 1) == 3 || throw(DimensionMismatch("triangles have $(size(triangles, 1)) rows, must have 3"))
    i = collect(Int32, triangles)
    GC.@preserve b x i p n check(stn_builder_add_mesh(
        b.handle, body, size(x, 2), pointer(x), size(i, 2), pointer(i), address(p), material, to(n)))
    return n[]
end

"Heights over a grid around the pose, of `sizes` along x and y; `heights[i, j]` stands at the i-th x and the j-th y."
function add_height_field!(b::Builder, body::Integer, sizes, heights; pose = nothing, material::Integer = 0)
    l, p, n = vector(sizes, 2, "sizes"), full_pose(pose), Ref{Int32}(0)
    h = matrix(heights, size(heights, 1), size(heights, 2), "heights")
    GC.@preserve b h p n check(stn_builder_add_height_field(
        b.handle, body, size(h, 1), size(h, 2), l[1], l[2], pointer(h), address(p), material, to(n)))
    return n[]
end
