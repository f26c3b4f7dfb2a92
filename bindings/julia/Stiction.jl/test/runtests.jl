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
