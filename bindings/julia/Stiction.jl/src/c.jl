# The C interface, generated from stiction.h by gen/generate.py; do not edit.

const STN_ABI_VERSION = 1

# stn_status
const STN_OK = Int32(0)
const STN_EVENT = Int32(1)
const STN_REJECTED = Int32(2)
const STN_WANTED = Int32(3)
const STN_ERR_NULL = Int32(-1)
const STN_ERR_DIMENSION = Int32(-2)
const STN_ERR_VALUE = Int32(-3)
const STN_ERR_NONFINITE = Int32(-4)
const STN_ERR_ABI = Int32(-5)
const STN_ERR_CAPACITY = Int32(-6)
const STN_ERR_BUSY = Int32(-7)
const STN_ERR_CALLBACK = Int32(-20)
const STN_ERR_LCP_RAY = Int32(-40)
const STN_ERR_LCP_PIVOTS = Int32(-41)
const STN_ERR_SINGULAR = Int32(-42)
const STN_ERR_RESIDUAL = Int32(-43)
const STN_ERR_STEP_TOO_SMALL = Int32(-44)
const STN_ERR_STEP_LIMIT = Int32(-45)
const STN_ERR_MEMORY = Int32(-90)
const STN_ERR_PANIC = Int32(-98)
const STN_ERR_POISONED = Int32(-99)

# stn_impact_law
const STN_IMPACT_PLASTIC = Int32(0)
const STN_IMPACT_NEWTON = Int32(1)
const STN_IMPACT_POISSON = Int32(2)
const STN_IMPACT_REFLECTION = Int32(3)

# stn_lcp_engine
const STN_LCP_ENGINE_AUTO = Int32(0)
const STN_LCP_ENGINE_TABLEAU = Int32(1)
const STN_LCP_ENGINE_FACTORED = Int32(2)

# stn_hypothesis
const STN_HYPOTHESIS_UNKNOWN = Int32(1)
const STN_HYPOTHESIS_ROWS = Int32(2)
const STN_HYPOTHESIS_JOINTS = Int32(4)
const STN_HYPOTHESIS_SLIP = Int32(8)
const STN_HYPOTHESIS_NORMALS = Int32(16)

# stn_method
const STN_METHOD_EULER = Int32(1)
const STN_METHOD_STEWART_TRINKLE = Int32(2)
const STN_METHOD_IMPLICIT_EULER = Int32(3)
const STN_METHOD_TRAPEZOID = Int32(4)
const STN_METHOD_TRAPEZOID_I = Int32(5)
const STN_METHOD_TRAPEZOID_II = Int32(6)
const STN_METHOD_MOREAU = Int32(7)
const STN_METHOD_SCHATZMAN_PAOLI = Int32(8)
const STN_METHOD_LOBATTO_IIIA_2 = Int32(20)
const STN_METHOD_LOBATTO_IIIA_4 = Int32(21)
const STN_METHOD_LOBATTO_IIIA_6 = Int32(22)
const STN_METHOD_RADAU_IIA_3 = Int32(23)
const STN_METHOD_RADAU_IIA_5 = Int32(24)
const STN_METHOD_HALF_EXPLICIT_2 = Int32(25)
const STN_METHOD_HALF_EXPLICIT_4 = Int32(26)

# stn_event_level
const STN_EVENTS_NONE = Int32(0)
const STN_EVENTS_COLLISIONS = Int32(1)
const STN_EVENTS_ALL = Int32(2)

# stn_many_contacts
const STN_MANY_SAFE = Int32(0)
const STN_MANY_FULL = Int32(1)
const STN_MANY_AGGRESSIVE = Int32(2)
const STN_MANY_LEMKE = Int32(3)

# stn_stabilization
const STN_BY_METHOD = Int32(-1)
const STN_STABILIZE_NONE = Int32(0)
const STN_STABILIZE_VELOCITY = Int32(1)
const STN_STABILIZE_PROJECT = Int32(2)

# stn_event_kind
const STN_EVENT_IMPACT = Int32(1)
const STN_EVENT_STICK = Int32(2)
const STN_EVENT_SLIP = Int32(3)
const STN_EVENT_TAKEOFF = Int32(4)
const STN_EVENT_CLOSE = Int32(5)
const STN_EVENT_ENERGY = Int32(6)

# stn_want
const STN_WANT_MASS = Int32(1)
const STN_WANT_FORCE = Int32(2)
const STN_WANT_DFDQ = Int32(4)
const STN_WANT_DFDV = Int32(8)
const STN_WANT_RATE = Int32(16)
const STN_WANT_PHI = Int32(32)
const STN_WANT_JT = Int32(64)
const STN_WANT_GAP = Int32(128)
const STN_WANT_NORMAL = Int32(256)
const STN_WANT_TANGENT = Int32(512)
const STN_WANT_MOVED = Int32(1024)
const STN_WANT_JOINT_ACCEL = Int32(2048)
const STN_WANT_NORMAL_ACCEL = Int32(4096)
const STN_WANT_TANGENT_ACCEL = Int32(8192)
const STN_WANT_BRAKE_BOUND = Int32(16384)
const STN_WANT_BRAKE = Int32(32768)

# stn_ledger_span
const STN_LEDGER_STEP = Int32(0)
const STN_LEDGER_SUM = Int32(1)

# stn_contact_mode
const STN_CONTACT_OPEN = Int32(0)
const STN_CONTACT_TOUCH = Int32(1)
const STN_CONTACT_STICK = Int32(2)
const STN_CONTACT_SLIP = Int32(3)

# stn_ground
const STN_GROUND = Int32(-1)

# stn_joint_kind
const STN_JOINT_SPHERICAL = Int32(1)
const STN_JOINT_REVOLUTE = Int32(2)
const STN_JOINT_UNIVERSAL = Int32(3)
const STN_JOINT_CYLINDRICAL = Int32(4)
const STN_JOINT_PRISMATIC = Int32(5)
const STN_JOINT_FIXED = Int32(6)

# stn_freedom
const STN_FREEDOM_ANGLE = Int32(1)
const STN_FREEDOM_SLIDE = Int32(2)

struct stn_lcp_info
    struct_size::Csize_t
    pivots::Int32
    warm::Int32
    residual::Cdouble
    refactorizations::Int32
    attempts::Int32
    engine::Int32
    uncovered::Int32
    growth::Cdouble
end

struct stn_lcp_options
    struct_size::Csize_t
    max_pivots::Int32
    engine::Int32
    warm::Int32
    reserved0::Int32
    tolerance::Cdouble
end

struct stn_dims
    struct_size::Csize_t
    nq::Int32
    nv::Int32
    n_joint::Int32
    n_contact::Int32
    n_dir::Int32
    reserved0::Int32
    n_brake::Int32
    n_element::Int32
end

struct stn_model_fns
    struct_size::Csize_t
    mass::Ptr{Cvoid}
    force::Ptr{Cvoid}
    force_jac::Ptr{Cvoid}
    rate::Ptr{Cvoid}
    joint::Ptr{Cvoid}
    gap::Ptr{Cvoid}
    tangent::Ptr{Cvoid}
    release::Ptr{Cvoid}
    brake::Ptr{Cvoid}
    displace::Ptr{Cvoid}
    accel::Ptr{Cvoid}
    contacts::Ptr{Cvoid}
    max_contacts::Int32
    reserved0::Int32
    element::Ptr{Cvoid}
end

struct stn_stepper_options
    struct_size::Csize_t
    method::Int32
    events::Int32
    impact_law::Int32
    stabilization::Int32
    max_events::Int32
    max_pivots::Int32
    jacobian::Int32
    energy_fallback::Int32
    event_capacity::Int32
    reserved0::Int32
    length_scale::Cdouble
    active_gap::Cdouble
    active_gap_h3::Cdouble
    restitution_speed::Cdouble
    closing::Cdouble
    lcp_tolerance::Cdouble
    theta::Cdouble
    gamma::Cdouble
    abs_tol::Cdouble
    rel_tol::Cdouble
    stop_at_event::Int32
    damping_steps::Int32
    contact_margin::Cdouble
    many_contacts::Int32
    reserved1::Int32
    critical::Cdouble
    max_step::Cdouble
    max_steps::Int32
    island_threads::Int32
end

struct stn_event
    struct_size::Csize_t
    kind::Int32
    contact::Int32
    t::Cdouble
    speed_before::Cdouble
    speed_after::Cdouble
    impulse::Cdouble
    key::Int64
end

struct stn_stats
    struct_size::Csize_t
    steps::Int64
    substeps::Int64
    rejected::Int64
    lcp_solves::Int64
    warm_solves::Int64
    pivots::Int64
    impacts::Int64
    force_evals::Int64
    worst_residual::Cdouble
    worst_gap::Cdouble
    worst_joint_drift::Cdouble
    check_solves::Int64
    scheme_fallbacks::Int64
    capped_steps::Int64
    events_lost::Int64
    jacobian_fallbacks::Int64
    stage_iterations::Int64
    tolerance_rejections::Int64
    body_solves::Int64
    repeated_steps::Int64
end

struct stn_ledger
    struct_size::Csize_t
    kinetic::Cdouble
    external::Cdouble
    drive::Cdouble
    friction::Cdouble
    impact::Cdouble
    stabilization::Cdouble
    residue::Cdouble
end

struct stn_contact_state
    struct_size::Csize_t
    mode::Int32
    reserved0::Int32
    key::Int64
    gap::Cdouble
    gap_rate::Cdouble
    slip_speed::Cdouble
    normal_impulse::Cdouble
    tangential_impulse::Cdouble
end

struct stn_consistency
    struct_size::Csize_t
    joint::Cdouble
    joint_speed::Cdouble
    depth::Cdouble
    at_joint::Int32
    at_joint_speed::Int32
    at_depth::Int32
    reserved0::Int32
    depth_key::Int64
end

# Addresses, found when the package is loaded; C_NULL for what the library does not have.
const ADDRESSES = Pair{Symbol,Base.RefValue{Ptr{Cvoid}}}[]

const _stn_status_name = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_status_name => _stn_status_name)
stn_status_name(status) =
    ccall(_stn_status_name[], Ptr{UInt8}, (Int32,), status)

const _stn_last_error = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_last_error => _stn_last_error)
stn_last_error(buf, cap) =
    ccall(_stn_last_error[], Int32, (Ptr{UInt8}, Int32), buf, cap)

const _stn_version_number = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_version_number => _stn_version_number)
stn_version_number() =
    ccall(_stn_version_number[], Int32, ())

const _stn_abi_version = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_abi_version => _stn_abi_version)
stn_abi_version() =
    ccall(_stn_abi_version[], Int32, ())

const _stn_version_string = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_version_string => _stn_version_string)
stn_version_string() =
    ccall(_stn_version_string[], Ptr{UInt8}, ())

const _stn_lcp_create = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_lcp_create => _stn_lcp_create)
stn_lcp_create(n_max, out) =
    ccall(_stn_lcp_create[], Int32, (Int32, Ptr{Ptr{Cvoid}}), n_max, out)

const _stn_lcp_destroy = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_lcp_destroy => _stn_lcp_destroy)
stn_lcp_destroy(lcp) =
    ccall(_stn_lcp_destroy[], Cvoid, (Ptr{Cvoid},), lcp)

const _stn_lcp_solve = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_lcp_solve => _stn_lcp_solve)
stn_lcp_solve(lcp, n, m, ldm, q, z, w, info) =
    ccall(_stn_lcp_solve[], Int32, (Ptr{Cvoid}, Int32, Ptr{Cdouble}, Int32, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{stn_lcp_info}), lcp, n, m, ldm, q, z, w, info)

const _stn_mlcp_solve = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_mlcp_solve => _stn_mlcp_solve)
stn_mlcp_solve(lcp, n_free, n_comp, m, ldm, q, x, w, info) =
    ccall(_stn_mlcp_solve[], Int32, (Ptr{Cvoid}, Int32, Int32, Ptr{Cdouble}, Int32, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{stn_lcp_info}), lcp, n_free, n_comp, m, ldm, q, x, w, info)

const _stn_lcp_residual = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_lcp_residual => _stn_lcp_residual)
stn_lcp_residual(n, m, ldm, q, z, residual) =
    ccall(_stn_lcp_residual[], Int32, (Int32, Ptr{Cdouble}, Int32, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}), n, m, ldm, q, z, residual)

const _stn_lcp_options_init = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_lcp_options_init => _stn_lcp_options_init)
stn_lcp_options_init(opt, struct_size) =
    ccall(_stn_lcp_options_init[], Int32, (Ptr{stn_lcp_options}, Csize_t), opt, struct_size)

const _stn_lcp_set_options = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_lcp_set_options => _stn_lcp_set_options)
stn_lcp_set_options(lcp, opt) =
    ccall(_stn_lcp_set_options[], Int32, (Ptr{Cvoid}, Ptr{stn_lcp_options}), lcp, opt)

const _stn_lcp_set_progress = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_lcp_set_progress => _stn_lcp_set_progress)
stn_lcp_set_progress(lcp, progress, user) =
    ccall(_stn_lcp_set_progress[], Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), lcp, progress, user)

const _stn_lcp_solve_again = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_lcp_solve_again => _stn_lcp_solve_again)
stn_lcp_solve_again(lcp, n, m, ldm, q, z, w, info) =
    ccall(_stn_lcp_solve_again[], Int32, (Ptr{Cvoid}, Int32, Ptr{Cdouble}, Int32, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{stn_lcp_info}), lcp, n, m, ldm, q, z, w, info)

const _stn_lcp_get_basis = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_lcp_get_basis => _stn_lcp_get_basis)
stn_lcp_get_basis(lcp, n, keys, basis, cap, needed) =
    ccall(_stn_lcp_get_basis[], Int32, (Ptr{Cvoid}, Int32, Ptr{Int64}, Ptr{Int64}, Int32, Ptr{Int32}), lcp, n, keys, basis, cap, needed)

const _stn_lcp_set_basis = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_lcp_set_basis => _stn_lcp_set_basis)
stn_lcp_set_basis(lcp, n, keys, basis, n_basis) =
    ccall(_stn_lcp_set_basis[], Int32, (Ptr{Cvoid}, Int32, Ptr{Int64}, Ptr{Int64}, Int32), lcp, n, keys, basis, n_basis)

const _stn_lcp_get_ray = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_lcp_get_ray => _stn_lcp_get_ray)
stn_lcp_get_ray(lcp, n, z, w, infeasible) =
    ccall(_stn_lcp_get_ray[], Int32, (Ptr{Cvoid}, Int32, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Int32}), lcp, n, z, w, infeasible)

const _stn_contact_solve = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_contact_solve => _stn_contact_solve)
stn_contact_solve(lcp, nv, n_joint, n_contact, n_dir, mass, joint, normal, tangent, mu, p, v, joint_impulse, normal_impulse, friction_impulse, info) =
    ccall(_stn_contact_solve[], Int32, (Ptr{Cvoid}, Int32, Int32, Int32, Int32, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{stn_lcp_info}), lcp, nv, n_joint, n_contact, n_dir, mass, joint, normal, tangent, mu, p, v, joint_impulse, normal_impulse, friction_impulse, info)

const _stn_impact_solve = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_impact_solve => _stn_impact_solve)
stn_impact_solve(lcp, law, nv, n_joint, n_contact, n_dir, mass, joint, normal, tangent, mu, restitution, v_minus, v_compression, v_plus, joint_impulse, normal_impulse, friction_impulse, info) =
    ccall(_stn_impact_solve[], Int32, (Ptr{Cvoid}, Int32, Int32, Int32, Int32, Int32, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{stn_lcp_info}), lcp, law, nv, n_joint, n_contact, n_dir, mass, joint, normal, tangent, mu, restitution, v_minus, v_compression, v_plus, joint_impulse, normal_impulse, friction_impulse, info)

const _stn_trapezoid_solve = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_trapezoid_solve => _stn_trapezoid_solve)
stn_trapezoid_solve(lcp, nv, n_joint, n_contact, n_dir, h, mass, force_start, force_end, dfdq, dfdv, v, joint, normal, tangent, joint_row, normal_row, tangent_row, joint_offset, normal_offset, mu, v_plus, joint_impulse, normal_impulse, friction_impulse, info) =
    ccall(_stn_trapezoid_solve[], Int32, (Ptr{Cvoid}, Int32, Int32, Int32, Int32, Cdouble, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{stn_lcp_info}), lcp, nv, n_joint, n_contact, n_dir, h, mass, force_start, force_end, dfdq, dfdv, v, joint, normal, tangent, joint_row, normal_row, tangent_row, joint_offset, normal_offset, mu, v_plus, joint_impulse, normal_impulse, friction_impulse, info)

const _stn_contact_push = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_contact_push => _stn_contact_push)
stn_contact_push(sink, key, gap, normal, n_dir, tangent, mu, restitution) =
    ccall(_stn_contact_push[], Int32, (Ptr{Cvoid}, Int64, Cdouble, Ptr{Cdouble}, Int32, Ptr{Cdouble}, Cdouble, Cdouble), sink, key, gap, normal, n_dir, tangent, mu, restitution)

const _stn_contact_push_tangents = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_contact_push_tangents => _stn_contact_push_tangents)
stn_contact_push_tangents(sink, key, gap, normal, facets, first, second, mu, restitution) =
    ccall(_stn_contact_push_tangents[], Int32, (Ptr{Cvoid}, Int64, Cdouble, Ptr{Cdouble}, Int32, Ptr{Cdouble}, Ptr{Cdouble}, Cdouble, Cdouble), sink, key, gap, normal, facets, first, second, mu, restitution)

const _stn_contact_push_sparse = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_contact_push_sparse => _stn_contact_push_sparse)
stn_contact_push_sparse(sink, key, gap, n_index, index, normal, n_dir, tangent, mu, restitution) =
    ccall(_stn_contact_push_sparse[], Int32, (Ptr{Cvoid}, Int64, Cdouble, Int32, Ptr{Int32}, Ptr{Cdouble}, Int32, Ptr{Cdouble}, Cdouble, Cdouble), sink, key, gap, n_index, index, normal, n_dir, tangent, mu, restitution)

const _stn_contact_join = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_contact_join => _stn_contact_join)
stn_contact_join(sink, group, n_key, key) =
    ccall(_stn_contact_join[], Int32, (Ptr{Cvoid}, Int64, Int32, Ptr{Int64}), sink, group, n_key, key)

const _stn_stepper_contact_count = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_stepper_contact_count => _stn_stepper_contact_count)
stn_stepper_contact_count(s) =
    ccall(_stn_stepper_contact_count[], Int32, (Ptr{Cvoid},), s)

const _stn_stepper_get_contact_key = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_stepper_get_contact_key => _stn_stepper_get_contact_key)
stn_stepper_get_contact_key(s, contact, key, taken) =
    ccall(_stn_stepper_get_contact_key[], Int32, (Ptr{Cvoid}, Int32, Ptr{Int64}, Ptr{Int32}), s, contact, key, taken)

const _stn_stepper_find_contact = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_stepper_find_contact => _stn_stepper_find_contact)
stn_stepper_find_contact(s, key, contact) =
    ccall(_stn_stepper_find_contact[], Int32, (Ptr{Cvoid}, Int64, Ptr{Int32}), s, key, contact)

const _stn_model_create = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_model_create => _stn_model_create)
stn_model_create(dims, fns, mu, restitution, user, out) =
    ccall(_stn_model_create[], Int32, (Ptr{stn_dims}, Ptr{stn_model_fns}, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cvoid}, Ptr{Ptr{Cvoid}}), dims, fns, mu, restitution, user, out)

const _stn_model_check = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_model_check => _stn_model_check)
stn_model_check(model, t, q, nq, v, nv, worst) =
    ccall(_stn_model_check[], Int32, (Ptr{Cvoid}, Cdouble, Ptr{Cdouble}, Int32, Ptr{Cdouble}, Int32, Ptr{Cdouble}), model, t, q, nq, v, nv, worst)

const _stn_model_destroy = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_model_destroy => _stn_model_destroy)
stn_model_destroy(model) =
    ccall(_stn_model_destroy[], Cvoid, (Ptr{Cvoid},), model)

const _stn_stepper_options_init = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_stepper_options_init => _stn_stepper_options_init)
stn_stepper_options_init(opt, struct_size) =
    ccall(_stn_stepper_options_init[], Int32, (Ptr{stn_stepper_options}, Csize_t), opt, struct_size)

const _stn_stepper_create = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_stepper_create => _stn_stepper_create)
stn_stepper_create(model, opt, out) =
    ccall(_stn_stepper_create[], Int32, (Ptr{Cvoid}, Ptr{stn_stepper_options}, Ptr{Ptr{Cvoid}}), model, opt, out)

const _stn_stepper_destroy = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_stepper_destroy => _stn_stepper_destroy)
stn_stepper_destroy(s) =
    ccall(_stn_stepper_destroy[], Cvoid, (Ptr{Cvoid},), s)

const _stn_stepper_set_state = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_stepper_set_state => _stn_stepper_set_state)
stn_stepper_set_state(s, t, q, nq, v, nv) =
    ccall(_stn_stepper_set_state[], Int32, (Ptr{Cvoid}, Cdouble, Ptr{Cdouble}, Int32, Ptr{Cdouble}, Int32), s, t, q, nq, v, nv)

const _stn_stepper_get_state = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_stepper_get_state => _stn_stepper_get_state)
stn_stepper_get_state(s, t, q, nq, v, nv) =
    ccall(_stn_stepper_get_state[], Int32, (Ptr{Cvoid}, Ptr{Cdouble}, Ptr{Cdouble}, Int32, Ptr{Cdouble}, Int32), s, t, q, nq, v, nv)

const _stn_stepper_get_state_at = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_stepper_get_state_at => _stn_stepper_get_state_at)
stn_stepper_get_state_at(s, t, q, nq, v, nv) =
    ccall(_stn_stepper_get_state_at[], Int32, (Ptr{Cvoid}, Cdouble, Ptr{Cdouble}, Int32, Ptr{Cdouble}, Int32), s, t, q, nq, v, nv)

const _stn_stepper_step = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_stepper_step => _stn_stepper_step)
stn_stepper_step(s, h) =
    ccall(_stn_stepper_step[], Int32, (Ptr{Cvoid}, Cdouble), s, h)

const _stn_stepper_advance = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_stepper_advance => _stn_stepper_advance)
stn_stepper_advance(s, t_end, h) =
    ccall(_stn_stepper_advance[], Int32, (Ptr{Cvoid}, Cdouble, Cdouble), s, t_end, h)

const _stn_stepper_save = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_stepper_save => _stn_stepper_save)
stn_stepper_save(s, buf, cap, needed) =
    ccall(_stn_stepper_save[], Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Csize_t, Ptr{Csize_t}), s, buf, cap, needed)

const _stn_stepper_restore = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_stepper_restore => _stn_stepper_restore)
stn_stepper_restore(s, buf, len) =
    ccall(_stn_stepper_restore[], Int32, (Ptr{Cvoid}, Ptr{Cvoid}, Csize_t), s, buf, len)

const _stn_batch_step = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_batch_step => _stn_batch_step)
stn_batch_step(steppers, n, h, threads, status) =
    ccall(_stn_batch_step[], Int32, (Ptr{Ptr{Cvoid}}, Int32, Cdouble, Int32, Ptr{Int32}), steppers, n, h, threads, status)

const _stn_batch_advance = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_batch_advance => _stn_batch_advance)
stn_batch_advance(steppers, n, t_end, h, threads, status) =
    ccall(_stn_batch_advance[], Int32, (Ptr{Ptr{Cvoid}}, Int32, Cdouble, Cdouble, Int32, Ptr{Int32}), steppers, n, t_end, h, threads, status)

const _stn_passive_create = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_passive_create => _stn_passive_create)
stn_passive_create(dims, gives, moving, max_points, mu, restitution, out) =
    ccall(_stn_passive_create[], Int32, (Ptr{stn_dims}, Int32, Int32, Int32, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Ptr{Cvoid}}), dims, gives, moving, max_points, mu, restitution, out)

const _stn_passive_step = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_passive_step => _stn_passive_step)
stn_passive_step(s, h) =
    ccall(_stn_passive_step[], Int32, (Ptr{Cvoid}, Cdouble), s, h)

const _stn_passive_request_count = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_passive_request_count => _stn_passive_request_count)
stn_passive_request_count(s) =
    ccall(_stn_passive_request_count[], Int32, (Ptr{Cvoid},), s)

const _stn_passive_get_request = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_passive_get_request => _stn_passive_get_request)
stn_passive_get_request(s, i, what, t, q, nq, v, nv) =
    ccall(_stn_passive_get_request[], Int32, (Ptr{Cvoid}, Int32, Ptr{Int32}, Ptr{Cdouble}, Ptr{Cdouble}, Int32, Ptr{Cdouble}, Int32), s, i, what, t, q, nq, v, nv)

const _stn_passive_put = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_passive_put => _stn_passive_put)
stn_passive_put(s, i, what, values, n) =
    ccall(_stn_passive_put[], Int32, (Ptr{Cvoid}, Int32, Int32, Ptr{Cdouble}, Int32), s, i, what, values, n)

const _stn_passive_cancel = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_passive_cancel => _stn_passive_cancel)
stn_passive_cancel(s) =
    ccall(_stn_passive_cancel[], Int32, (Ptr{Cvoid},), s)

const _stn_stepper_event_count = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_stepper_event_count => _stn_stepper_event_count)
stn_stepper_event_count(s) =
    ccall(_stn_stepper_event_count[], Int32, (Ptr{Cvoid},), s)

const _stn_stepper_get_event = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_stepper_get_event => _stn_stepper_get_event)
stn_stepper_get_event(s, i, out) =
    ccall(_stn_stepper_get_event[], Int32, (Ptr{Cvoid}, Int32, Ptr{stn_event}), s, i, out)

const _stn_stepper_get_stats = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_stepper_get_stats => _stn_stepper_get_stats)
stn_stepper_get_stats(s, out) =
    ccall(_stn_stepper_get_stats[], Int32, (Ptr{Cvoid}, Ptr{stn_stats}), s, out)

const _stn_stepper_get_ledger = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_stepper_get_ledger => _stn_stepper_get_ledger)
stn_stepper_get_ledger(s, span, out) =
    ccall(_stn_stepper_get_ledger[], Int32, (Ptr{Cvoid}, Int32, Ptr{stn_ledger}), s, span, out)

const _stn_stepper_get_impulses = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_stepper_get_impulses => _stn_stepper_get_impulses)
stn_stepper_get_impulses(s, joint, n_joint, normal, n_contact, friction, n_friction) =
    ccall(_stn_stepper_get_impulses[], Int32, (Ptr{Cvoid}, Ptr{Cdouble}, Int32, Ptr{Cdouble}, Int32, Ptr{Cdouble}, Int32), s, joint, n_joint, normal, n_contact, friction, n_friction)

const _stn_stepper_get_brake_impulses = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_stepper_get_brake_impulses => _stn_stepper_get_brake_impulses)
stn_stepper_get_brake_impulses(s, brake, n_brake) =
    ccall(_stn_stepper_get_brake_impulses[], Int32, (Ptr{Cvoid}, Ptr{Cdouble}, Int32), s, brake, n_brake)

const _stn_stepper_get_contact = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_stepper_get_contact => _stn_stepper_get_contact)
stn_stepper_get_contact(s, i, out) =
    ccall(_stn_stepper_get_contact[], Int32, (Ptr{Cvoid}, Int32, Ptr{stn_contact_state}), s, i, out)

const _stn_stepper_get_forces = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_stepper_get_forces => _stn_stepper_get_forces)
stn_stepper_get_forces(s, acceleration, nv, joint, n_joint, normal, slip_speed, n_contact, friction, n_friction) =
    ccall(_stn_stepper_get_forces[], Int32, (Ptr{Cvoid}, Ptr{Cdouble}, Int32, Ptr{Cdouble}, Int32, Ptr{Cdouble}, Ptr{Cdouble}, Int32, Ptr{Cdouble}, Int32), s, acceleration, nv, joint, n_joint, normal, slip_speed, n_contact, friction, n_friction)

const _stn_builder_create = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_builder_create => _stn_builder_create)
stn_builder_create(out) =
    ccall(_stn_builder_create[], Int32, (Ptr{Ptr{Cvoid}},), out)

const _stn_builder_destroy = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_builder_destroy => _stn_builder_destroy)
stn_builder_destroy(builder) =
    ccall(_stn_builder_destroy[], Cvoid, (Ptr{Cvoid},), builder)

const _stn_builder_build = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_builder_build => _stn_builder_build)
stn_builder_build(builder, out) =
    ccall(_stn_builder_build[], Int32, (Ptr{Cvoid}, Ptr{Ptr{Cvoid}}), builder, out)

const _stn_builder_set_gravity = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_builder_set_gravity => _stn_builder_set_gravity)
stn_builder_set_gravity(builder, g) =
    ccall(_stn_builder_set_gravity[], Int32, (Ptr{Cvoid}, Ptr{Cdouble}), builder, g)

const _stn_builder_add_point2 = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_builder_add_point2 => _stn_builder_add_point2)
stn_builder_add_point2(builder, mass, at, body) =
    ccall(_stn_builder_add_point2[], Int32, (Ptr{Cvoid}, Cdouble, Ptr{Cdouble}, Ptr{Int32}), builder, mass, at, body)

const _stn_builder_add_point3 = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_builder_add_point3 => _stn_builder_add_point3)
stn_builder_add_point3(builder, mass, at, body) =
    ccall(_stn_builder_add_point3[], Int32, (Ptr{Cvoid}, Cdouble, Ptr{Cdouble}, Ptr{Int32}), builder, mass, at, body)

const _stn_builder_add_planar = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_builder_add_planar => _stn_builder_add_planar)
stn_builder_add_planar(builder, mass, inertia, at, angle, body) =
    ccall(_stn_builder_add_planar[], Int32, (Ptr{Cvoid}, Cdouble, Cdouble, Ptr{Cdouble}, Cdouble, Ptr{Int32}), builder, mass, inertia, at, angle, body)

const _stn_builder_add_spatial = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_builder_add_spatial => _stn_builder_add_spatial)
stn_builder_add_spatial(builder, mass, inertia, pose, body) =
    ccall(_stn_builder_add_spatial[], Int32, (Ptr{Cvoid}, Cdouble, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Int32}), builder, mass, inertia, pose, body)

const _stn_builder_set_velocity = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_builder_set_velocity => _stn_builder_set_velocity)
stn_builder_set_velocity(builder, body, linear, angular) =
    ccall(_stn_builder_set_velocity[], Int32, (Ptr{Cvoid}, Int32, Ptr{Cdouble}, Ptr{Cdouble}), builder, body, linear, angular)

const _stn_builder_set_facets = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_builder_set_facets => _stn_builder_set_facets)
stn_builder_set_facets(builder, n) =
    ccall(_stn_builder_set_facets[], Int32, (Ptr{Cvoid}, Int32), builder, n)

const _stn_builder_add_joint = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_builder_add_joint => _stn_builder_add_joint)
stn_builder_add_joint(builder, kind, a, b, at, axis, axis_b, joint) =
    ccall(_stn_builder_add_joint[], Int32, (Ptr{Cvoid}, Int32, Int32, Int32, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Cdouble}, Ptr{Int32}), builder, kind, a, b, at, axis, axis_b, joint)

const _stn_builder_add_rod = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_builder_add_rod => _stn_builder_add_rod)
stn_builder_add_rod(builder, a, at_a, b, at_b, length, joint) =
    ccall(_stn_builder_add_rod[], Int32, (Ptr{Cvoid}, Int32, Ptr{Cdouble}, Int32, Ptr{Cdouble}, Cdouble, Ptr{Int32}), builder, a, at_a, b, at_b, length, joint)

const _stn_builder_add_drive = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_builder_add_drive => _stn_builder_add_drive)
stn_builder_add_drive(builder, joint, freedom, motion, user, release, drive) =
    ccall(_stn_builder_add_drive[], Int32, (Ptr{Cvoid}, Int32, Int32, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Int32}), builder, joint, freedom, motion, user, release, drive)

const _stn_builder_add_limit = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_builder_add_limit => _stn_builder_add_limit)
stn_builder_add_limit(builder, joint, freedom, low, high, restitution) =
    ccall(_stn_builder_add_limit[], Int32, (Ptr{Cvoid}, Int32, Int32, Cdouble, Cdouble, Cdouble), builder, joint, freedom, low, high, restitution)

const _stn_builder_add_distance_limit = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_builder_add_distance_limit => _stn_builder_add_distance_limit)
stn_builder_add_distance_limit(builder, a, at_a, b, at_b, low, high, restitution) =
    ccall(_stn_builder_add_distance_limit[], Int32, (Ptr{Cvoid}, Int32, Ptr{Cdouble}, Int32, Ptr{Cdouble}, Cdouble, Cdouble, Cdouble), builder, a, at_a, b, at_b, low, high, restitution)

const _stn_builder_add_spring = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_builder_add_spring => _stn_builder_add_spring)
stn_builder_add_spring(builder, a, at_a, b, at_b, stiffness, damping, rest) =
    ccall(_stn_builder_add_spring[], Int32, (Ptr{Cvoid}, Int32, Ptr{Cdouble}, Int32, Ptr{Cdouble}, Cdouble, Cdouble, Cdouble), builder, a, at_a, b, at_b, stiffness, damping, rest)

const _stn_builder_add_bushing = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_builder_add_bushing => _stn_builder_add_bushing)
stn_builder_add_bushing(builder, a, at_a, b, at_b, stiffness, damping) =
    ccall(_stn_builder_add_bushing[], Int32, (Ptr{Cvoid}, Int32, Ptr{Cdouble}, Int32, Ptr{Cdouble}, Cdouble, Cdouble), builder, a, at_a, b, at_b, stiffness, damping)

const _stn_builder_add_joint_spring = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_builder_add_joint_spring => _stn_builder_add_joint_spring)
stn_builder_add_joint_spring(builder, joint, freedom, stiffness, damping, rest) =
    ccall(_stn_builder_add_joint_spring[], Int32, (Ptr{Cvoid}, Int32, Int32, Cdouble, Cdouble, Cdouble), builder, joint, freedom, stiffness, damping, rest)

const _stn_builder_add_joint_friction = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_builder_add_joint_friction => _stn_builder_add_joint_friction)
stn_builder_add_joint_friction(builder, joint, freedom, bound) =
    ccall(_stn_builder_add_joint_friction[], Int32, (Ptr{Cvoid}, Int32, Int32, Cdouble), builder, joint, freedom, bound)

const _stn_builder_add_motor = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_builder_add_motor => _stn_builder_add_motor)
stn_builder_add_motor(builder, joint, freedom, force, user, release) =
    ccall(_stn_builder_add_motor[], Int32, (Ptr{Cvoid}, Int32, Int32, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), builder, joint, freedom, force, user, release)

const _stn_builder_add_force = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_builder_add_force => _stn_builder_add_force)
stn_builder_add_force(builder, body, at, force, user, release) =
    ccall(_stn_builder_add_force[], Int32, (Ptr{Cvoid}, Int32, Ptr{Cdouble}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), builder, body, at, force, user, release)

const _stn_builder_add_torque = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_builder_add_torque => _stn_builder_add_torque)
stn_builder_add_torque(builder, body, torque, user, release) =
    ccall(_stn_builder_add_torque[], Int32, (Ptr{Cvoid}, Int32, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}), builder, body, torque, user, release)

const _stn_builder_add_material = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_builder_add_material => _stn_builder_add_material)
stn_builder_add_material(builder, material) =
    ccall(_stn_builder_add_material[], Int32, (Ptr{Cvoid}, Ptr{Int32}), builder, material)

const _stn_builder_set_surface = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_builder_set_surface => _stn_builder_set_surface)
stn_builder_set_surface(builder, a, b, mu, restitution, axis, mu_across) =
    ccall(_stn_builder_set_surface[], Int32, (Ptr{Cvoid}, Int32, Int32, Cdouble, Cdouble, Ptr{Cdouble}, Cdouble), builder, a, b, mu, restitution, axis, mu_across)

const _stn_builder_add_ball = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_builder_add_ball => _stn_builder_add_ball)
stn_builder_add_ball(builder, body, radius, pose, material, shape) =
    ccall(_stn_builder_add_ball[], Int32, (Ptr{Cvoid}, Int32, Cdouble, Ptr{Cdouble}, Int32, Ptr{Int32}), builder, body, radius, pose, material, shape)

const _stn_builder_add_capsule = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_builder_add_capsule => _stn_builder_add_capsule)
stn_builder_add_capsule(builder, body, half_length, radius, pose, material, shape) =
    ccall(_stn_builder_add_capsule[], Int32, (Ptr{Cvoid}, Int32, Cdouble, Cdouble, Ptr{Cdouble}, Int32, Ptr{Int32}), builder, body, half_length, radius, pose, material, shape)

const _stn_builder_add_box = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_builder_add_box => _stn_builder_add_box)
stn_builder_add_box(builder, body, half, pose, material, shape) =
    ccall(_stn_builder_add_box[], Int32, (Ptr{Cvoid}, Int32, Ptr{Cdouble}, Ptr{Cdouble}, Int32, Ptr{Int32}), builder, body, half, pose, material, shape)

const _stn_builder_add_polygon = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_builder_add_polygon => _stn_builder_add_polygon)
stn_builder_add_polygon(builder, body, n, vertices, pose, material, shape) =
    ccall(_stn_builder_add_polygon[], Int32, (Ptr{Cvoid}, Int32, Int32, Ptr{Cdouble}, Ptr{Cdouble}, Int32, Ptr{Int32}), builder, body, n, vertices, pose, material, shape)

const _stn_builder_add_half_space = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_builder_add_half_space => _stn_builder_add_half_space)
stn_builder_add_half_space(builder, body, normal, pose, material, shape) =
    ccall(_stn_builder_add_half_space[], Int32, (Ptr{Cvoid}, Int32, Ptr{Cdouble}, Ptr{Cdouble}, Int32, Ptr{Int32}), builder, body, normal, pose, material, shape)

const _stn_builder_set_groups = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_builder_set_groups => _stn_builder_set_groups)
stn_builder_set_groups(builder, shape, group, meets) =
    ccall(_stn_builder_set_groups[], Int32, (Ptr{Cvoid}, Int32, UInt32, UInt32), builder, shape, group, meets)

const _stn_builder_add_hull = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_builder_add_hull => _stn_builder_add_hull)
stn_builder_add_hull(builder, body, n, points, pose, material, shape) =
    ccall(_stn_builder_add_hull[], Int32, (Ptr{Cvoid}, Int32, Int32, Ptr{Cdouble}, Ptr{Cdouble}, Int32, Ptr{Int32}), builder, body, n, points, pose, material, shape)

const _stn_builder_add_mesh = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_builder_add_mesh => _stn_builder_add_mesh)
stn_builder_add_mesh(builder, body, n_vertices, vertices, n_triangles, triangles, pose, material, shape) =
    ccall(_stn_builder_add_mesh[], Int32, (Ptr{Cvoid}, Int32, Int32, Ptr{Cdouble}, Int32, Ptr{Int32}, Ptr{Cdouble}, Int32, Ptr{Int32}), builder, body, n_vertices, vertices, n_triangles, triangles, pose, material, shape)

const _stn_builder_add_height_field = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_builder_add_height_field => _stn_builder_add_height_field)
stn_builder_add_height_field(builder, body, nx, ny, size_x, size_y, heights, pose, material, shape) =
    ccall(_stn_builder_add_height_field[], Int32, (Ptr{Cvoid}, Int32, Int32, Int32, Cdouble, Cdouble, Ptr{Cdouble}, Ptr{Cdouble}, Int32, Ptr{Int32}), builder, body, nx, ny, size_x, size_y, heights, pose, material, shape)

const _stn_model_get_dims = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_model_get_dims => _stn_model_get_dims)
stn_model_get_dims(model, out) =
    ccall(_stn_model_get_dims[], Int32, (Ptr{Cvoid}, Ptr{stn_dims}), model, out)

const _stn_model_get_initial = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_model_get_initial => _stn_model_get_initial)
stn_model_get_initial(model, q, nq, v, nv) =
    ccall(_stn_model_get_initial[], Int32, (Ptr{Cvoid}, Ptr{Cdouble}, Int32, Ptr{Cdouble}, Int32), model, q, nq, v, nv)

const _stn_model_get_energy = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_model_get_energy => _stn_model_get_energy)
stn_model_get_energy(model, t, q, nq, v, nv, kinetic, potential) =
    ccall(_stn_model_get_energy[], Int32, (Ptr{Cvoid}, Cdouble, Ptr{Cdouble}, Int32, Ptr{Cdouble}, Int32, Ptr{Cdouble}, Ptr{Cdouble}), model, t, q, nq, v, nv, kinetic, potential)

const _stn_model_get_momentum = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_model_get_momentum => _stn_model_get_momentum)
stn_model_get_momentum(model, q, nq, v, nv, linear, angular) =
    ccall(_stn_model_get_momentum[], Int32, (Ptr{Cvoid}, Ptr{Cdouble}, Int32, Ptr{Cdouble}, Int32, Ptr{Cdouble}, Ptr{Cdouble}), model, q, nq, v, nv, linear, angular)

const _stn_model_get_total_mass = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_model_get_total_mass => _stn_model_get_total_mass)
stn_model_get_total_mass(model, mass) =
    ccall(_stn_model_get_total_mass[], Int32, (Ptr{Cvoid}, Ptr{Cdouble}), model, mass)

const _stn_model_get_body_range = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_model_get_body_range => _stn_model_get_body_range)
stn_model_get_body_range(model, body, q_at, n_q, v_at, n_v) =
    ccall(_stn_model_get_body_range[], Int32, (Ptr{Cvoid}, Int32, Ptr{Int32}, Ptr{Int32}, Ptr{Int32}, Ptr{Int32}), model, body, q_at, n_q, v_at, n_v)

const _stn_model_get_joint_range = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_model_get_joint_range => _stn_model_get_joint_range)
stn_model_get_joint_range(model, joint, first, n) =
    ccall(_stn_model_get_joint_range[], Int32, (Ptr{Cvoid}, Int32, Ptr{Int32}, Ptr{Int32}), model, joint, first, n)

const _stn_model_get_pose = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_model_get_pose => _stn_model_get_pose)
stn_model_get_pose(model, body, q, nq, pose) =
    ccall(_stn_model_get_pose[], Int32, (Ptr{Cvoid}, Int32, Ptr{Cdouble}, Int32, Ptr{Cdouble}), model, body, q, nq, pose)

const _stn_model_get_point = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_model_get_point => _stn_model_get_point)
stn_model_get_point(model, body, at, q, nq, v, nv, place, velocity) =
    ccall(_stn_model_get_point[], Int32, (Ptr{Cvoid}, Int32, Ptr{Cdouble}, Ptr{Cdouble}, Int32, Ptr{Cdouble}, Int32, Ptr{Cdouble}, Ptr{Cdouble}), model, body, at, q, nq, v, nv, place, velocity)

const _stn_model_get_joint_coordinate = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_model_get_joint_coordinate => _stn_model_get_joint_coordinate)
stn_model_get_joint_coordinate(model, joint, freedom, q, nq, value) =
    ccall(_stn_model_get_joint_coordinate[], Int32, (Ptr{Cvoid}, Int32, Int32, Ptr{Cdouble}, Int32, Ptr{Cdouble}), model, joint, freedom, q, nq, value)

const _stn_model_get_contact_pair = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_model_get_contact_pair => _stn_model_get_contact_pair)
stn_model_get_contact_pair(model, key, body_a, body_b, shape_a, shape_b) =
    ccall(_stn_model_get_contact_pair[], Int32, (Ptr{Cvoid}, Int64, Ptr{Int32}, Ptr{Int32}, Ptr{Int32}, Ptr{Int32}), model, key, body_a, body_b, shape_a, shape_b)

const _stn_model_check_state = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_model_check_state => _stn_model_check_state)
stn_model_check_state(model, t, q, nq, v, nv, out) =
    ccall(_stn_model_check_state[], Int32, (Ptr{Cvoid}, Cdouble, Ptr{Cdouble}, Int32, Ptr{Cdouble}, Int32, Ptr{stn_consistency}), model, t, q, nq, v, nv, out)

const _stn_model_nearest_state = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_model_nearest_state => _stn_model_nearest_state)
stn_model_nearest_state(model, t, q, nq, v, nv, out) =
    ccall(_stn_model_nearest_state[], Int32, (Ptr{Cvoid}, Cdouble, Ptr{Cdouble}, Int32, Ptr{Cdouble}, Int32, Ptr{stn_consistency}), model, t, q, nq, v, nv, out)

const _stn_model_coriolis = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_model_coriolis => _stn_model_coriolis)
stn_model_coriolis(model, t, q, nq, v, nv, out) =
    ccall(_stn_model_coriolis[], Int32, (Ptr{Cvoid}, Cdouble, Ptr{Cdouble}, Int32, Ptr{Cdouble}, Int32, Ptr{Cdouble}), model, t, q, nq, v, nv, out)

const _stn_model_check_cone = Ref{Ptr{Cvoid}}(C_NULL)
push!(ADDRESSES, :stn_model_check_cone => _stn_model_check_cone)
stn_model_check_cone(model, t, q, nq, near, pointed, margin) =
    ccall(_stn_model_check_cone[], Int32, (Ptr{Cvoid}, Cdouble, Ptr{Cdouble}, Int32, Cdouble, Ptr{Int32}, Ptr{Cdouble}), model, t, q, nq, near, pointed, margin)
