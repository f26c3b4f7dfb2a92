# The loaded library: finding it, turning a status into an exception, small helpers around ccall.

"""
A call that failed; nothing was changed by it. `status` is a number of `stn_status`, `text` what the library says.
"""
struct StictionError <: Exception
    status::Int32
    text::String
end

Base.showerror(io::IO, e::StictionError) = print(io, "StictionError: ", status_name(e.status), ": ", e.text)

"""
Throw it in a function of a model to refuse a point: the step gives `STN_REJECTED`, the state stays as it was.
"""
struct Refuse <: Exception end

"""
    status_name(status)

The name of a status, such as `"STN_ERR_LCP_RAY"`.
"""
status_name(status::Integer) = unsafe_string(stn_status_name(status))

const LIBRARY = Ref{Ptr{Cvoid}}(C_NULL)

function find_library()
    given = get(ENV, "STICTION_LIBRARY", "")
    isempty(given) || return [given]
    # The build folder of the repository this package lies in, then where the system looks.
    built = normpath(@__DIR__, "..", "..", "..", "..", "build", "lib", "libstiction." * Libdl.dlext)
    return [built, "libstiction"]
end

function __init__()
    places = find_library()
    for place in places
        handle = Libdl.dlopen(place; throw_error = false)
        if handle !== nothing
            LIBRARY[] = handle
            break
        end
    end
    LIBRARY[] == C_NULL && error(
        "the Stiction library was not found as ", join(places, " or "),
        ": build it with scripts/demo.sh, or name it in the environment variable STICTION_LIBRARY")
    for (name, address) in ADDRESSES
        found = Libdl.dlsym(LIBRARY[], name; throw_error = false)
        address[] = found === nothing ? C_NULL : found
    end
    abi = _stn_abi_version[] == C_NULL ? -1 : stn_abi_version()
    abi == STN_ABI_VERSION ||
        error("the Stiction library has the binary interface $abi; this package needs $STN_ABI_VERSION")
    return nothing
end

"""
    version()

Version of the library that is loaded.
"""
version() = VersionNumber(unsafe_string(stn_version_string()))

# An exception that waits for its call to come back; each task has its own.
const WAITING = :stiction_waiting

# Runs what the library calls; nothing gets out of it but a number.
function trapped(f)::Cint
    try
        f()
        return Cint(0)
    catch exception
        exception isa Refuse && return Cint(1)
        task_local_storage(WAITING, exception)
        return Cint(-1)
    end
end

function last_error()
    buffer = Vector{UInt8}(undef, stn_last_error(C_NULL, 0) + 1)
    GC.@preserve buffer begin
        stn_last_error(pointer(buffer), length(buffer))
        return unsafe_string(pointer(buffer))
    end
end

# STN_OK and the soft outcomes pass; failures throw what a function threw, else an error with the library's text.
function check(status::Integer)
    status >= 0 && return Int32(status)
    storage = task_local_storage()
    if haskey(storage, WAITING)
        exception = storage[WAITING]
        delete!(storage, WAITING)
        throw(exception)
    end
    throw(StictionError(status, last_error()))
end

# As check where a refused point leaves no answer.
function done(status::Integer)
    check(status) == STN_OK || throw(Refuse())
    return nothing
end

function expect(array, n::Integer, what::AbstractString)
    length(array) == n || throw(DimensionMismatch("$what has $(length(array)) numbers, must have $n"))
    return array
end

# Contiguous doubles: the array itself when it is that already, else a copy.
doubles(x::Vector{Float64}) = x
doubles(x::Matrix{Float64}) = x
doubles(x::Real) = [Float64(x)]
doubles(x::AbstractArray{<:Real}) = collect(Float64, x)

vector(x, n::Integer, what::AbstractString) = expect(vec(doubles(x)), n, what)

function matrix(x, rows::Integer, columns::Integer, what::AbstractString)
    m = doubles(x)
    (size(m, 1), size(m, 2)) == (rows, columns) ||
        throw(DimensionMismatch("$what is $(size(m, 1)) by $(size(m, 2)), must be $rows by $columns"))
    return m isa Matrix ? m : reshape(m, rows, columns)
end

# The address of an array that the caller preserves; C_NULL for nothing.
address(::Nothing) = Ptr{Cdouble}(C_NULL)
address(x::Array) = pointer(x)

# A pointer to what a Ref holds, for the time of GC.@preserve.
to(ref::Ref{T}) where {T} = Base.unsafe_convert(Ptr{T}, ref)

# A struct of the library with its size and zeros.
zero_of(::Type{T}) where {T<:Real} = zero(T)
zero_of(::Type{T}) where {T<:Ptr} = T(C_NULL)
sized(::Type{T}) where {T} = T(sizeof(T), map(zero_of, fieldtypes(T)[2:end])...)

# The same struct with members changed by name.
function changed(struct_::T, options) where {T}
    known, given = fieldnames(T), (; options...)
    for name in keys(given)
        name in known || throw(ArgumentError("no option $name; there are $(join(known[2:end], ", "))"))
    end
    return T((get(given, name, getfield(struct_, name)) for name in known)...)
end
