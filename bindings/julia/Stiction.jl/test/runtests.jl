# What the binding promises beyond stiction.h: ownership, exceptions, sizes.
using Stiction
using Test

# 2 kg under 10 m/s^2, e = 0.5: dropped from 1 m it lands after sqrt(0.2) s.
function ball(; force = (f, t, q, v) -> (f[1] = -20.0), normal = 1.0)
    return Model(; nv = 1, n_contact = 1, restitution = 0.5, mass = fill(2.0, 1, 1), force = force,
                 gap = (gap, n, t, q) -> (gap[1] = q[1]; n[1, 1] = normal))
end

function dropped(model; options...)
    stepper = Stepper(model; options...)
    return set_state!(stepper, 0.0, [1.0], [0.0])
end

status_of(f) =
    try
        f()
        STN_OK
    catch error
        error isa StictionError ? error.status : rethrow()
    end

@testset "problems agree with closed forms" begin
    # Unsymmetric: transposed by mistake, z would be (4, 0).
    M, q = [1.0 2.0; 0.0 1.0], [-4.0, -1.0]
    @test solve_lcp(M, q).z ≈ [2.0, 1.0]
    large = zeros(3, 4)
    large[1:2, 2:3] = M
    @test solve_lcp(view(large, 1:2, 2:3), q).z ≈ [2.0, 1.0]
    @test solve_lcp(view(large, 1:2, 2:3), [-4, -1]; tolerance = 1e-10).info.residual <= 1e-10
    @test lcp_residual(M, q, [2.0, 1.0]) <= 1e-9
    lcp = Lcp(2)
    @test Stiction.solve(lcp, M, q).info.warm == 0
    @test Stiction.solve_again(lcp, M, q).info.warm == 1
    @test Stiction.solve_mixed(lcp, [1.0 1.0; 1.0 2.0], [-3.0, -4.0], 1).x ≈ [2.0, 1.0]
    @test status_of(() -> Stiction.solve(lcp, fill(-1.0, 1, 1), [-1.0])) == STN_ERR_LCP_RAY
    @test Stiction.ray(lcp, 1).infeasible
    # README of the library: a sliding ball rolls after the impact, v = 5/7 of before.
    m, r = 0.5, 0.1
    hit = solve_impact([m 0 0; 0 m 0; 0 0 0.4*m*r*r], [2, -3, 0]; normal = [0, 1, 0],
                       tangent = [1 -1; 0 0; r -r], mu = 0.3, restitution = 0.8)
    @test hit.v ≈ [10 / 7, 2.4, -100 / 7]
    @test hit.normal_impulse ≈ [2.7]
    held = solve_contact([1.0 0.0; 0.0 1.0], [2, -2]; normal = [0, 1], tangent = [1 -1; 0 0], mu = 0.5)
    @test held.friction_impulse ≈ [0, 1]
    @test solve_trapezoid(0.1, fill(2.0, 1, 1), [-20], [-20], [0]).v ≈ [-1]
    @test_throws DimensionMismatch solve_lcp(M, [1.0])
    @test_throws ArgumentError Lcp(1; tol = 1.0)
end

@testset "a ball lands when it must" begin
    s = dropped(ball(); method = STN_METHOD_TRAPEZOID)
    @test advance!(s, 0.7, 0.01) == STN_EVENT
    @test length(events(s)) == 1 && events(s)[1].kind == STN_EVENT_IMPACT
    @test events(s)[1].t ≈ sqrt(0.2)
    flight = 0.7 - sqrt(0.2)
    @test state(s).q[1] ≈ sqrt(5) * flight - 5 * flight^2
    @test stats(s).impacts == 1
    @test Stiction.check_derivatives(ball(), 0.0, [1.0], [1.0]) < 1e-6
    @test Stiction.check_derivatives(ball(; normal = 2.0), 0.0, [1.0], [1.0]) > 0.1
    @test Stiction.energy(s.model, 0.0, [1.0], [3.0]).kinetic ≈ 9.0
    @test status_of(() -> Stepper(ball(); method = 99)) == STN_ERR_VALUE
end

@testset "a snapshot continues with the same bits" begin
    a, b = dropped(ball()), dropped(ball())
    advance!(a, 0.4, 0.01)
    restore!(b, save(a))
    advance!(a, 1.0, 0.01)
    advance!(b, 1.0, 0.01)
    @test state(a) == state(b)
    whole = dropped(ball())
    motion = run!(whole, 1.0, 0.01)
    @test motion.q[:, end] == state(a).q && length(motion.t) == 101
end

@testset "what a function throws comes out of the call" begin
    s = dropped(ball(; force = (f, t, q, v) -> t > 0.1 ? error("landslide") : (f[1] = -20.0)))
    @test_throws ErrorException("landslide") advance!(s, 1.0, 0.01)
    @test 0.08 < state(s).t < 0.11
    @test status_of(() -> step!(s, -1.0)) == STN_ERR_VALUE
    s = dropped(ball(; force = (f, t, q, v) -> q[1] < 0.9 ? throw(Refuse()) : (f[1] = -20.0)))
    @test [step!(s, 0.1) for _ in 1:3][end] == STN_REJECTED
    @test state(s).q[1] >= 0.9
end

@testset "books, contacts and impulses are read" begin
    s = dropped(ball())
    advance!(s, 0.6, 0.01)
    @test Stiction.ledger(s).impact ≈ 15.0     # at sqrt(20) m/s a quarter of 20 J is kept
    @test Stiction.state_at(s, 0.6).q == state(s).q
    @test Stiction.contact(s, 0).mode == STN_CONTACT_OPEN
    @test Stiction.impulses(s).normal == [0.0]
end

@testset "a brake holds up to its bound" begin
    for push in (2.9, 5.0)
        model = Model(; nv = 1, n_brake = 1, mass = fill(1.0, 1, 1), force = (f, t, q, v) -> (f[1] = push),
                      brake = (bound, direction, t, q) -> (bound[1] = 3.0; direction[1, 1] = 1.0))
        s = Stepper(model)
        advance!(s, 1.0, 0.01)
        @test state(s).q[1] ≈ max(0.0, 0.5 * (push - 3.0)) atol = 1e-9
        @test Stiction.brake_impulses(s)[1] ≈ -0.01 * min(push, 3.0)
    end
end

@testset "a passive model moves with the bits of functions" begin
    model = Stiction.passive_model(; nv = 1, n_contact = 1, restitution = 0.5, gives = STN_WANT_FORCE)
    a, b = dropped(model), dropped(ball())
    answers = [STN_WANT_MASS => r -> [2.0], STN_WANT_FORCE => r -> [-20.0], STN_WANT_GAP => r -> r.q,
               STN_WANT_NORMAL => r -> [1.0]]
    for _ in 1:100
        while Stiction.passive_step!(a, 0.01) == STN_WANTED
            for r in Stiction.requests(a), (what, answer) in answers
                r.what & what != 0 && Stiction.put!(a, r, what, answer(r))
            end
        end
        step!(b, 0.01)
    end
    @test state(a) == state(b)
    @test Stiction.passive_step!(a, 0.01) == STN_WANTED
    Stiction.cancel!(a)
    @test isempty(Stiction.requests(a))
end

@testset "bodies are built" begin
    b = Builder(; gravity = [0, -9.81, 0])
    rod = Stiction.add_planar!(b, 1.0, 1 / 12, [0.5, 0.0], pi / 2)
    hinge = Stiction.add_joint!(b, STN_JOINT_REVOLUTE, GROUND, rod, [0, 0, 0]; axis = [0, 0, 1])
    model = Stiction.build(b)
    s = Stepper(model)
    advance!(s, 0.5, 1e-3)
    e = Stiction.energy(model, state(s)...)
    @test abs(e.kinetic + e.potential) < 1e-4  # of order two in h = 1e-3
    Stiction.add_limit!(b, hinge, STN_FREEDOM_ANGLE; low = -3.0)
    Stiction.set_surface!(b, 0, 0; mu = 0.3)
    Stiction.add_ball!(b, rod, 0.1; pose = [0, -0.5, 0])
    Stiction.add_half_space!(b, GROUND, [0, 1, 0]; pose = [0, -3, 0])
    @test Stiction.dims(Stiction.build(b)).n_contact == 2
end

@testset "bodies follow functions of time" begin
    b = Builder()
    block = Stiction.add_planar!(b, 2.0, 1.0, [0, 0])
    Stiction.add_force!(b, block, t -> [6t, 0, 0])
    Stiction.add_torque!(b, block, t -> [0, 0, 4])
    rod = Stiction.add_planar!(b, 1.0, 1.0, [5, 0])
    hinge = Stiction.add_joint!(b, STN_JOINT_REVOLUTE, GROUND, rod, [5, 0, 0]; axis = [0, 0, 1])
    Stiction.add_drive!(b, hinge, STN_FREEDOM_ANGLE, sin)
    wheel = Stiction.add_planar!(b, 1.0, 2.0, [9, 0])
    axle = Stiction.add_joint!(b, STN_JOINT_REVOLUTE, GROUND, wheel, [9, 0, 0]; axis = [0, 0, 1])
    Stiction.add_motor!(b, axle, STN_FREEDOM_ANGLE, t -> 3.0)
    model = Stiction.build(b)
    s = Stepper(model)
    advance!(s, 1.0, 0.02)
    @test state(s).v[1] ≈ 1.5 && state(s).v[3] ≈ 4.0    # the rule is exact for a force linear in t
    @test Stiction.joint_coordinate(model, hinge, STN_FREEDOM_ANGLE, state(s).q) ≈ sin(1)
    @test Stiction.joint_coordinate(model, axle, STN_FREEDOM_ANGLE, state(s).q) ≈ 0.75
    @test Stiction.total_mass(model) ≈ 4.0
    @test Stiction.body_range(model, rod) == (q = 4:6, v = 4:6)
    @test Stiction.joint_range(model, hinge) == 1:2
    @test Stiction.point(model, block, [1, 0, 0], zeros(9), [0, 0, 2, zeros(6)...]).velocity ≈ [0, 2, 0]
    @test Stiction.momentum(model, zeros(9), [1, 0, 0, zeros(6)...]).linear ≈ [2, 0, 0]
    Stiction.add_force!(b, block, t -> t > 0.5 ? error("landslide") : [0, 0, 0])
    @test_throws ErrorException("landslide") advance!(Stepper(Stiction.build(b)), 1.0, 0.02)
end

@testset "contacts come and go by key" begin
    aside = [1.0 -1.0; 0.0 0.0]
    ways = [(sink, gap) -> Stiction.push_contact!(sink, 77, gap, [0, 1]; tangent = aside, mu = 0.5),
            (sink, gap) -> Stiction.push_tangents!(sink, 77, gap, [0, 1], 2, [1, 0], [1, 0]; mu = 0.5),
            (sink, gap) -> Stiction.push_sparse!(sink, 77, gap, [0, 1], [0, 1]; tangent = aside, mu = 0.5)]
    ends = map(ways) do way
        model = Model(; nv = 2, n_dir = 2, max_contacts = 1, mass = [1.0 0.0; 0.0 1.0],
                      force = (f, t, q, v) -> (f[2] = -10.0),
                      contacts = (sink, t, q, margin) -> q[2] <= margin && way(sink, q[2]))
        s = Stepper(model)
        set_state!(s, 0.0, [0, 0], [3, 0])
        advance!(s, 0.7, 0.01)
        i = Stiction.find_contact(s, 77)
        @test Stiction.contact_key(s, i) == 77 && i < Stiction.contact_count(s)
        @test Stiction.contact(s, i).mode == STN_CONTACT_STICK
        @test Stiction.impulses(s).normal[i + 1] ≈ 0.1
        return state(s).q[1]
    end
    @test ends[1] ≈ 0.9 && ends[1] == ends[2] == ends[3]    # v^2 / (2 mu g)
end

@testset "of a group one gap is enough" begin
    corner = (sink, t, q, margin) -> begin
        Stiction.push_contact!(sink, 1, q[2], [0, 1])
        Stiction.push_contact!(sink, 2, q[1], [1, 0])
        Stiction.join_contacts!(sink, 9, [1, 2])
    end
    s = Stepper(Model(; nv = 2, max_contacts = 2, mass = [1.0 0.0; 0.0 1.0], force = (f, t, q, v) -> (f[2] = -10.0),
                      contacts = corner))
    set_state!(s, 0.0, [-1, 0], [2, 0])
    advance!(s, 1.0, 0.07)
    @test state(s).q ≈ [1.0, -1.25]    # over the edge after 1/2 s
end

@testset "solids rest on uneven ground" begin
    b = Builder(; gravity = [0, 0, -10])
    Stiction.set_surface!(b, 0, 0; mu = 0.5)
    still = [0.1 0 0; 0 0.1 0; 0 0 0.1]
    box, hull = Stiction.add_spatial!(b, 1.0, still, [0, 0, 0.2]), Stiction.add_spatial!(b, 1.0, still, [6, 0, 0.1])
    Stiction.add_height_field!(b, GROUND, [2, 2], zeros(2, 2))
    Stiction.add_mesh!(b, GROUND, [5 7 7 5; -1 -1 1 1; 0 0 0 0], [0 0; 1 2; 2 3])
    Stiction.add_box!(b, box, [0.3, 0.3, 0.2])
    Stiction.add_hull!(b, hull, [0.3 -0.3 -0.3 0; 0 0.3 -0.3 0; -0.1 -0.1 -0.1 0.3])
    model = Stiction.build(b)
    s = Stepper(model)
    advance!(s, 0.2, 0.01)
    @test Stiction.pose(model, box, state(s).q)[3] ≈ 0.2 && Stiction.pose(model, hull, state(s).q)[3] ≈ 0.1
    touching = Stiction.contact_pair(model, Stiction.contact_key(s, 0))
    @test Set([touching.body_a, touching.body_b]) == Set([GROUND, box])
    @test sum(Stiction.impulses(s).normal) ≈ 0.2            # carries two kilograms for 0.01 s
end

@testset "a model knows its springs, its Coriolis force and its cone" begin
    spring = Model(; nv = 1, n_element = 1, mass = fill(1.0, 1, 1), element = (phi, g, k, c, t, q) ->
        (phi[1] = q[1]; g[1, 1] = 1.0; k[1] = 4 * pi^2))
    s = Stepper(spring)
    set_state!(s, 0.0, [1], [0])
    advance!(s, 1.0, 0.01)
    @test state(s).q[1] ≈ 1.0 atol = 1e-4                   # back after one second
    bead = Model(; nv = 1, mass = (m, t, q) -> (m[1, 1] = 1 + q[1]^2))
    @test Stiction.coriolis(bead, 0.0, [0.5], [2.0])[1] ≈ -2.0 atol = 1e-6
    @test Stiction.cone_margin(bead, 0.0, [0.5]) == Inf
    @test Stiction.cone_margin(ball(), 0.0, [0.0]) ≈ 1.0
end

@testset "ten thousand handles leave nothing behind" begin
    function some(n)
        for _ in 1:n
            s = dropped(ball())
            step!(s, 1e-3)
            Lcp(4)
        end
        GC.gc()
        return Sys.maxrss()
    end
    before = some(2_000)
    # One leaked handle has more than 100 bytes: 1 MB for ten thousand.
    @test some(10_000) - before < 900_000
end

include(joinpath(@__DIR__, "..", "examples", "pendulum.jl"))
@testset "pendulum hits the wall when the reference says" begin
    # The reference of c_examples/05: two angles with 34 digits.
    hit = [0.545508051442001, 0.707932699995982, 1.284726645954996, 2.097739454881154, 2.131640284303554]
    @test maximum(abs, [e.t for e in swing().events] - hit) < 5e-5
end
