# Who carries the plank? Lemke's method on a contact problem; c_examples/01_lcp.c derives it.
#
# A plank of 12 kg, 4 m long, lies loosely on two trestles 1 m left and right of its middle. A load of 400 N walks
# outwards to the right; past 1.294 m the left trestle would have to pull, which it cannot, so the plank lifts off.
using Printf
using Stiction

function lemke()
    mass, inertia, gravity, load = 12.0, 16.0, 9.81, 400.0  # kg, kg m^2, m/s^2, N
    trestle = [-1.0, 1.0]                                   # m from the middle
    M = 1 / mass .+ trestle * trestle' / inertia
    lcp = Lcp(2)
    println("load at   push left   push right   lift left")
    for x in (0.0, 0.5, 1.0, 1.25, 1.5, 2.0)
        q = (-gravity - load / mass) .- trestle * (load * x / inertia)
        z, w, info = Stiction.solve(lcp, M, q)
        @printf("%5.2f m %9.3f N %10.3f N %6.3f m/s^2\n", x, z[1], z[2], abs(w[1]))
    end
end

lemke()
