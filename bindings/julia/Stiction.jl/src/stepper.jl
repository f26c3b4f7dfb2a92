# Motion of a model in time.

"""
    Stepper(model; method = STN_METHOD_TRAPEZOID, options...)

State and workspace of one motion, for one task at a time. Options are the members of `stn_stepper_options`.

```julia
s = Stepper(ball)
set_state!(s, 0.0, [1.0], [0.0])
advance!(s, 0.7, 0.01) == STN_EVENT
[e.t for e in events(s)]
```
"""
mutable struct Stepper
    handle::Ptr{Cvoid}
    model::Model
    nq::Int
    nv::Int
    function Stepper(model::Model; options...)
        o, out = Ref(sized(stn_stepper_options)), Ref{Ptr{Cvoid}}(C_NULL)
        GC.@preserve model o out begin
            check(stn_stepper_options_init(to(o), sizeof(stn_stepper_options)))
            o[] = changed(o[], options)
            check(stn_stepper_create(model.handle, to(o), to(out)))
        end
        d = dims(model)
        return finalizer(close, new(out[], model, d.nq, d.nv))
    end
end

function Base.close(s::Stepper)
    stn_stepper_destroy(s.handle)
    s.handle = C_NULL
    return nothing
end

"""
    set_state!(stepper, t, q, v)

Puts the motion at `(t, q, v)`.
"""
function set_state!(s::Stepper, t::Real, q, v)
    x, y = vector(q, s.nq, "q"), vector(v, s.nv, "v")
    GC.@preserve s x y check(stn_stepper_set_state(s.handle, t, pointer(x), s.nq, pointer(y), s.nv))
    return s
end

"""
    state(stepper)

`(t, q, v)`, arrays of your own.
"""
function state(s::Stepper)
    q, v = Vector{Float64}(undef, s.nq), Vector{Float64}(undef, s.nv)
    return (t = state!(q, v, s), q = q, v = v)
end

# Writes into arrays of the caller and gives the time.
function state!(q::Vector{Float64}, v::Vector{Float64}, s::Stepper)
    expect(q, s.nq, "q")
    expect(v, s.nv, "v")
    t = Ref{Cdouble}(0)
    GC.@preserve s q v t check(stn_stepper_get_state(s.handle, to(t), pointer(q), s.nq, pointer(v), s.nv))
    return t[]
end

"""
    step!(stepper, h)

One step: `STN_OK`, `STN_EVENT` or, with the state as before, `STN_REJECTED`.
"""
step!(s::Stepper, h::Real) = GC.@preserve s check(stn_stepper_step(s.handle, h))

"""
    advance!(stepper, t_end, h)

Steps of `h` to `t_end`; [`events`](@ref) then holds those of all steps.
"""
advance!(s::Stepper, t_end::Real, h::Real) = GC.@preserve s check(stn_stepper_advance(s.handle, t_end, h))

"""
    events(stepper)

What happened in the last step or advance, in order of time: a vector of `stn_event`.
"""
function events(s::Stepper)
    n = GC.@preserve s stn_stepper_event_count(s.handle)
    n < 0 && check(n)
    found = Vector{stn_event}(undef, n)
    event = Ref(sized(stn_event))
    for i in 1:n
        GC.@preserve s event check(stn_stepper_get_event(s.handle, i - 1, to(event)))
        found[i] = event[]
    end
    return found
end

"""
    stats(stepper)

Counters since creation, worst residual, gap and joint drift.
"""
function stats(s::Stepper)
    out = Ref(sized(stn_stats))
    GC.@preserve s out check(stn_stepper_get_stats(s.handle, to(out)))
    return out[]
end

"""
    state_at(stepper, t)

The state at any time inside the last step: `(q, v)`.
"""
function state_at(s::Stepper, t::Real)
    q, v = Vector{Float64}(undef, s.nq), Vector{Float64}(undef, s.nv)
    GC.@preserve s q v done(stn_stepper_get_state_at(s.handle, t, pointer(q), s.nq, pointer(v), s.nv))
    return (q = q, v = v)
end

"""
    ledger(stepper, span = STN_LEDGER_SUM)

Where kinetic energy came from and where it went, J: since the state was set, or in the last step.
"""
function ledger(s::Stepper, span::Integer = STN_LEDGER_SUM)
    out = Ref(sized(stn_ledger))
    GC.@preserve s out check(stn_stepper_get_ledger(s.handle, span, to(out)))
    return out[]
end

"""
    impulses(stepper)

Impulses of the last step, impacts in it included, N s: `(joint, normal, friction)`.
"""
function impulses(s::Stepper)
    d, count = dims(s.model), contact_count(s)
    j, n = Vector{Float64}(undef, d.n_joint), Vector{Float64}(undef, count)
    f = Vector{Float64}(undef, count * d.n_dir)
    GC.@preserve s j n f check(stn_stepper_get_impulses(
        s.handle, pointer(j), length(j), pointer(n), length(n), pointer(f), length(f)))
    return (joint = j, normal = n, friction = f)
end

"""
    brake_impulses(stepper)

Impulses of the brakes over the last step, N s.
"""
function brake_impulses(s::Stepper)
    b = Vector{Float64}(undef, dims(s.model).n_brake)
    GC.@preserve s b check(stn_stepper_get_brake_impulses(s.handle, pointer(b), length(b)))
    return b
end

"""
    forces(stepper)

What acts at the present state: `(acceleration, joint, normal, slip_speed, friction)`.
"""
function forces(s::Stepper)
    d, count = dims(s.model), contact_count(s)
    a, j = Vector{Float64}(undef, d.nv), Vector{Float64}(undef, d.n_joint)
    n, u = Vector{Float64}(undef, count), Vector{Float64}(undef, count)
    f = Vector{Float64}(undef, count * d.n_dir)
    GC.@preserve s a j n u f done(stn_stepper_get_forces(
        s.handle, pointer(a), d.nv, pointer(j), d.n_joint, pointer(n), pointer(u), count, pointer(f), length(f)))
    return (acceleration = a, joint = j, normal = n, slip_speed = u, friction = f)
end

"""
    contact_count(stepper)

Contacts that have an index: those with a gap, then the places of those that come and go.
"""
function contact_count(s::Stepper)
    n = GC.@preserve s stn_stepper_contact_count(s.handle)
    n < 0 && check(n)
    return n
end

"""
    find_contact(stepper, key)

Index of a contact by its key at the present state, counted from zero; `nothing` when it is not there.
"""
function find_contact(s::Stepper, key::Integer)
    out = Ref{Int32}(-1)
    GC.@preserve s out check(stn_stepper_find_contact(s.handle, key, to(out)))
    return out[] < 0 ? nothing : out[]
end

"""
    contact_key(stepper, i)

Key of contact `i`, counted from zero, at the present state; `nothing` for a place that is free.
"""
function contact_key(s::Stepper, i::Integer)
    key, taken = Ref{Int64}(0), Ref{Int32}(0)
    GC.@preserve s key taken check(stn_stepper_get_contact_key(s.handle, i, to(key), to(taken)))
    return taken[] == 0 ? nothing : key[]
end

"""
    contact(stepper, i)

What contact `i`, counted from zero, does at the present state, and its impulses over the last step.
"""
function contact(s::Stepper, i::Integer)
    out = Ref(sized(stn_contact_state))
    GC.@preserve s out done(stn_stepper_get_contact(s.handle, i, to(out)))
    return out[]
end

"""
    save(stepper)

A snapshot as bytes: after [`restore!`](@ref), the following steps give the same bits.
"""
function save(s::Stepper)
    needed = Ref{Csize_t}(0)
    GC.@preserve s needed begin
        stn_stepper_save(s.handle, C_NULL, 0, to(needed))
        bytes = Vector{UInt8}(undef, needed[])
        GC.@preserve bytes check(stn_stepper_save(s.handle, pointer(bytes), length(bytes), to(needed)))
        return bytes
    end
end

"""
    restore!(stepper, bytes)

Takes up a snapshot of a stepper with the same model and options.
"""
function restore!(s::Stepper, bytes::Vector{UInt8})
    GC.@preserve s bytes check(stn_stepper_restore(s.handle, pointer(bytes), length(bytes)))
    return s
end

"""
    run!(stepper, t_end, h)

Advances to `t_end` and keeps the state after every `h`: `(t, q, v, events)` with states by columns.
"""
function run!(s::Stepper, t_end::Real, h::Real)
    start = state(s)
    ratio = (t_end - start.t) / h
    # As the library counts: a remainder below 1e-9 of a step is rounding.
    n = abs(ratio - round(ratio)) <= 1e-9 ? round(Int, ratio) : ceil(Int, ratio)
    t, q, v = [start.t], [start.q], [start.v]
    found = stn_event[]
    for k in 1:n
        status = advance!(s, k == n ? t_end : start.t + k * h, h)
        status == STN_REJECTED && throw(Refuse())
        status == STN_EVENT && append!(found, events(s))
        now = state(s)
        push!(t, now.t)
        push!(q, now.q)
        push!(v, now.v)
    end
    return (t = t, q = reduce(hcat, q), v = reduce(hcat, v), events = found)
end
