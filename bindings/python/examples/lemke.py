"""Lemke's method on a contact problem: who carries the plank?

A plank of 12 kg, 4 m long, lies loosely on two trestles 1 m left and right of its middle. A load of 400 N walks
outwards to the right; past 1.294 m the left trestle would have to pull, which it cannot, so the plank lifts off.
c_examples/01_lcp.c derives the problem.
"""

import numpy as np

import stiction

mass, inertia, gravity, load = 12.0, 16.0, 9.81, 400.0  # kg, kg m^2, m/s^2, N
trestle = np.array([-1.0, 1.0])  # m from the middle

# What a push of 1 N at one trestle does to the accelerations at both.
M = np.asfortranarray(1.0 / mass + np.outer(trestle, trestle) / inertia)

with stiction.Lcp(2) as lcp:
    print("load at   push left   push right   lift left")
    for x in (0.0, 0.5, 1.0, 1.25, 1.5, 2.0):
        q = (-gravity - load / mass) - trestle * (load * x / inertia)
        z, w, info = lcp.solve(M, q)
        print(f"{x:5.2f} m {z[0]:9.3f} N {z[1]:10.3f} N {abs(w[0]):6.3f} m/s^2")

assert stiction.lcp_residual(M, q, z) <= 1e-9
