# Complementarity, contact and impact problems on plain arrays.

"""
    Lcp(n_max; max_pivots, engine, warm, tolerance)

A workspace for problems of up to `n_max` unknowns; it remembers its last basis, which makes related problems cheap.

```julia
lcp = Lcp(2)
z, w, info = Stiction.solve(lcp, [2.0 1.0; 1.0 2.0], [-5.0, 1.0])
```
"""
mutable struct Lcp
    handle::Ptr{Cvoid}
    function Lcp(n_max::Integer; options...)
        out = Ref{Ptr{Cvoid}}(C_NULL)
        GC.@preserve out check(stn_lcp_create(n_max, to(out)))
        lcp = finalizer(close, new(out[]))
        isempty(options) || set_options!(lcp; options...)
        return lcp
    end
end

function Base.close(lcp::Lcp)
    stn_lcp_destroy(lcp.handle)
    lcp.handle = C_NULL
    return nothing
end

"""
    set_options!(lcp; max_pivots, engine, warm, tolerance)

Choices for the solves to come; what is not named gets its default.
"""
function set_options!(lcp::Lcp; options...)
    o = Ref(sized(stn_lcp_options))
    GC.@preserve lcp o begin
        check(stn_lcp_options_init(to(o), sizeof(stn_lcp_options)))
        o[] = changed(o[], options)
        check(stn_lcp_set_options(lcp.handle, to(o)))
    end
    return lcp
end

# The matrix where it lies, with the distance of its columns, or a copy.
function columns(M::StridedMatrix{Float64})
    stride(M, 1) == 1 && stride(M, 2) >= max(size(M, 1), 1) && return M, stride(M, 2)
    return Matrix{Float64}(M), max(size(M, 1), 1)
end
columns(M::AbstractMatrix) = Matrix{Float64}(M), max(size(M, 1), 1)

function solve_by(call, lcp::Lcp, M, q)
    m, ldm = columns(M)
    n = size(m, 1)
    size(m, 2) == n || throw(DimensionMismatch("M is $n by $(size(m, 2)), must be square"))
    b = vector(q, n, "q")
    z, w, info = Vector{Float64}(undef, n), Vector{Float64}(undef, n), Ref(sized(stn_lcp_info))
    GC.@preserve lcp m b z w info check(
        call(lcp.handle, n, pointer(m), ldm, pointer(b), pointer(z), pointer(w), to(info)))
    return (z = z, w = w, info = info[])
end

"""
    solve(lcp, M, q)

Solves `w = M z + q`, `0 <= z`, `0 <= w`, `z'w = 0`. A dense matrix of doubles, or a view of its columns, is used where
it lies. Gives `(z, w, info)`.
"""
solve(lcp::Lcp, M, q) = solve_by(stn_lcp_solve, lcp, M, q)

"""
    solve_again(lcp, M, q)

As [`solve`](@ref) for another `q` and the matrix of the last call, which is not examined again.
"""
solve_again(lcp::Lcp, M, q) = solve_by(stn_lcp_solve_again, lcp, M, q)

"""
    solve_mixed(lcp, M, q, n_free)

As [`solve`](@ref), where the first `n_free` rows are equations and their unknowns are free. Gives `(x, w, info)`.
"""
function solve_mixed(lcp::Lcp, M, q, n_free::Integer)
    m, ldm = columns(M)
    n = size(m, 1)
    0 <= n_free <= n == size(m, 2) || throw(DimensionMismatch("$n_free free unknowns of $n"))
    b = vector(q, n, "q")
    x, w, info = Vector{Float64}(undef, n), Vector{Float64}(undef, n - n_free), Ref(sized(stn_lcp_info))
    GC.@preserve lcp m b x w info check(stn_mlcp_solve(
        lcp.handle, n_free, n - n_free, pointer(m), ldm, pointer(b), pointer(x), pointer(w), to(info)))
    return (x = x, w = w, info = info[])
end

"""
    ray(lcp, n)

The ray on which the last solve, of `n` unknowns, failed with `STN_ERR_LCP_RAY`: `(z, w, infeasible)`.
"""
function ray(lcp::Lcp, n::Integer)
    z, w, infeasible = Vector{Float64}(undef, n), Vector{Float64}(undef, n), Ref{Int32}(0)
    GC.@preserve lcp z w infeasible check(
        stn_lcp_get_ray(lcp.handle, n, pointer(z), pointer(w), to(infeasible)))
    return (z = z, w = w, infeasible = infeasible[] != 0)
end

"""
    solve_lcp(M, q; options...)

Solves one problem on a workspace of its own; see [`solve`](@ref) and [`Lcp`](@ref).

```julia
solve_lcp([2.0 1.0; 1.0 2.0], [-5.0, 1.0]).z == [2.5, 0.0]
```
"""
solve_lcp(M, q; options...) = solve(Lcp(size(M, 1); options...), M, q)

"""
    lcp_residual(M, q, z)

How far `z` is from solving the problem, without units: at most 1e-9 is a solution.
"""
function lcp_residual(M, q, z)
    m, ldm = columns(M)
    n = size(m, 1)
    size(m, 2) == n || throw(DimensionMismatch("M must be square"))
    b, x, r = vector(q, n, "q"), vector(z, n, "z"), Ref{Cdouble}(0)
    GC.@preserve m b x r check(stn_lcp_residual(n, pointer(m), ldm, pointer(b), pointer(x), to(r)))
    return r[]
end

# Inputs and outputs that contact problems share. Directions are columns; nothing: there are none.
struct Contacts
    nv::Int
    n_joint::Int
    n_contact::Int
    n_dir::Int
    mass::Matrix{Float64}
    joint::Union{Nothing,Matrix{Float64}}
    normal::Union{Nothing,Matrix{Float64}}
    tangent::Union{Nothing,Matrix{Float64}}
    mu::Vector{Float64}
    v::Vector{Float64}
    joint_impulse::Vector{Float64}
    normal_impulse::Vector{Float64}
    friction_impulse::Vector{Float64}
end

directions(::Nothing, nv, what) = nothing
function directions(x, nv, what)
    m = x isa AbstractVector ? reshape(doubles(x), :, 1) : doubles(x)
    size(m, 1) == nv || throw(DimensionMismatch("columns of $what have $(size(m, 1)) numbers, must have $nv"))
    return m
end

count_columns(::Nothing) = 0
count_columns(x) = size(x, 2)

each(x::Real, n) = fill(Float64(x), n)
each(x, n) = vector(x, n, "a coefficient per contact")

function Contacts(mass; joint = nothing, normal = nothing, tangent = nothing, mu = 0.0)
    nv = size(mass, 1)
    j, n, t = directions(joint, nv, "joint"), directions(normal, nv, "normal"), directions(tangent, nv, "tangent")
    nj, nc, nt = count_columns(j), count_columns(n), count_columns(t)
    nd = nc == 0 ? 0 : div(nt, nc)
    nd * nc == nt || throw(DimensionMismatch("$nt columns of tangent cannot be shared by $nc contacts"))
    room(k) = Vector{Float64}(undef, k)
    return Contacts(nv, nj, nc, nd, matrix(mass, nv, nv, "mass"), j, n, t, each(mu, nc),
                    room(nv), room(nj), room(nc), room(nt))
end

workspace(c::Contacts) = Lcp(max(c.nv + c.n_joint, c.n_contact * (c.n_dir + 2)))

answer(c::Contacts, info) = (v = c.v, joint_impulse = c.joint_impulse, normal_impulse = c.normal_impulse,
                             friction_impulse = c.friction_impulse, info = info)

"""
    solve_contact(mass, p; joint, normal, tangent, mu)

One velocity-impulse problem: `mass v = p + impulses`, joints kept, contacts not penetrated, friction in its cone.
`tangent` has the same even number of columns for each contact, in angular order. Gives `(v, joint_impulse,
normal_impulse, friction_impulse, info)`.
"""
function solve_contact(mass, p; given...)
    c = Contacts(mass; given...)
    lcp, b, info = workspace(c), vector(p, c.nv, "p"), Ref(sized(stn_lcp_info))
    GC.@preserve lcp c b info check(stn_contact_solve(
        lcp.handle, c.nv, c.n_joint, c.n_contact, c.n_dir, pointer(c.mass), address(c.joint), address(c.normal),
        address(c.tangent), pointer(c.mu), pointer(b), pointer(c.v), pointer(c.joint_impulse),
        pointer(c.normal_impulse), pointer(c.friction_impulse), to(info)))
    return answer(c, info[])
end

"""
    solve_impact(mass, v; law = STN_IMPACT_POISSON, restitution = 0, joint, normal, tangent, mu)

The velocity after an impact with velocity `v` before.

```julia
solve_impact([2.0;;], [-3.0]; normal = [1.0], restitution = 0.5).v == [1.5]
```
"""
function solve_impact(mass, v; law::Integer = STN_IMPACT_POISSON, restitution = 0.0, given...)
    c = Contacts(mass; given...)
    lcp, before, e = workspace(c), vector(v, c.nv, "v"), each(restitution, c.n_contact)
    between, info = Vector{Float64}(undef, c.nv), Ref(sized(stn_lcp_info))
    GC.@preserve lcp c before e between info check(stn_impact_solve(
        lcp.handle, law, c.nv, c.n_joint, c.n_contact, c.n_dir, pointer(c.mass), address(c.joint), address(c.normal),
        address(c.tangent), pointer(c.mu), pointer(e), pointer(before), pointer(between), pointer(c.v),
        pointer(c.joint_impulse), pointer(c.normal_impulse), pointer(c.friction_impulse), to(info)))
    return merge(answer(c, info[]), (v_compression = between,))
end

"""
    solve_trapezoid(h, mass, force_start, force_end, v; dfdq, dfdv, joint_row, normal_row, tangent_row, joint_offset,
                    normal_offset, joint, normal, tangent, mu)

One step of the trapezoidal rule for a program that evaluates its own model; see `stn_trapezoid_solve`.
"""
function solve_trapezoid(h::Real, mass, force_start, force_end, v; dfdq = nothing, dfdv = nothing, joint_row = nothing,
                         normal_row = nothing, tangent_row = nothing, joint_offset = nothing, normal_offset = nothing,
                         given...)
    c = Contacts(mass; given...)
    nv, nt = c.nv, c.n_contact * c.n_dir
    maybe(x, columns, what) = x === nothing ? nothing : matrix(x, nv, columns, what)
    offset(x, n, what) = x === nothing ? nothing : vector(x, n, what)
    lcp, info = workspace(c), Ref(sized(stn_lcp_info))
    f0, f1, v0 = vector(force_start, nv, "force_start"), vector(force_end, nv, "force_end"), vector(v, nv, "v")
    K, B = maybe(dfdq, nv, "dfdq"), maybe(dfdv, nv, "dfdv")
    jr, nr = maybe(joint_row, c.n_joint, "joint_row"), maybe(normal_row, c.n_contact, "normal_row")
    tr = maybe(tangent_row, nt, "tangent_row")
    jo = offset(joint_offset, c.n_joint, "joint_offset")
    no = offset(normal_offset, c.n_contact, "normal_offset")
    GC.@preserve lcp c info f0 f1 v0 K B jr nr tr jo no check(stn_trapezoid_solve(
        lcp.handle, nv, c.n_joint, c.n_contact, c.n_dir, h, pointer(c.mass), pointer(f0), pointer(f1), address(K),
        address(B), pointer(v0), address(c.joint), address(c.normal), address(c.tangent), address(jr), address(nr),
        address(tr), address(jo), address(no), pointer(c.mu), pointer(c.v), pointer(c.joint_impulse),
        pointer(c.normal_impulse), pointer(c.friction_impulse), to(info)))
    return answer(c, info[])
end
