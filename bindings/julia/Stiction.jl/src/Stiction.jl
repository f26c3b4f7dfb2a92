"""
Motion of bodies that touch: hard contact, joints, Coulomb friction and impacts by linear complementarity.

Problems on arrays: [`solve_lcp`](@ref), [`solve_contact`](@ref), [`solve_impact`](@ref), [`Lcp`](@ref).
Motion: a [`Model`](@ref) of functions, or one that a [`Builder`](@ref) makes of bodies, moved by a [`Stepper`](@ref).
SI units throughout; what the library promises is in `stiction.h`, whose constants keep their names (`STN_METHOD_EULER`).
"""
module Stiction

using Libdl

export Lcp, solve_lcp, solve_contact, solve_impact, solve_trapezoid, lcp_residual
export Model, Builder, Stepper, StictionError, Refuse, GROUND
export set_state!, state, step!, advance!, run!, events, stats, save, restore!

include("c.jl")
include("library.jl")
include("lcp.jl")
include("sink.jl")
include("model.jl")
include("builder.jl")
include("questions.jl")
include("stepper.jl")
include("passive.jl")

for name in names(@__MODULE__; all = true)
    startswith(String(name), "STN_") && @eval export $name
end

end
