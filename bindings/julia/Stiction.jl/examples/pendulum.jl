# A double pendulum swings against a wall. The same as c_examples/05_double_pendulum.c.
#
#     julia --project=. examples/pendulum.jl [CSV file]
#
# Two bobs of 1 kg on rods of 1 m, by their plain coordinates; the wall x = 0 stops either, e = 0.1.
using Printf
using Stiction

function rods(phi, jt, t, q)
    dx, dy = q[1] - q[3], q[2] - q[4]
    phi[1] = q[1] * q[1] + q[2] * q[2] - 1.0
    phi[2] = dx * dx + dy * dy - 1.0
    jt[1, 1], jt[2, 1] = 2.0 * q[1], 2.0 * q[2]
    jt[1, 2], jt[2, 2], jt[3, 2], jt[4, 2] = 2.0 * dx, 2.0 * dy, -2.0 * dx, -2.0 * dy
end

function wall(gap, normal, t, q)
    gap[1], gap[2] = q[1], q[3]
    normal[1, 1] = normal[3, 2] = 1.0
end

function swing(h = 2.0^-8)
    pendulum = Model(; nv = 4, n_joint = 2, n_contact = 2, restitution = 0.1,
                     mass = [i == j ? 1.0 : 0.0 for i in 1:4, j in 1:4],
                     force = (f, t, q, v) -> (f[2] = f[4] = -9.8), joint = rods, gap = wall)
    a, b = acos(-1.0) / 3.0, acos(-1.0) / 5.0
    x, y = sin(a), -cos(a)
    stepper = Stepper(pendulum)
    set_state!(stepper, 0.0, [x, y, x + sin(b), y - cos(b)], zeros(4))
    return run!(stepper, 2.5, h)
end

function main()
    motion = swing()
    for e in motion.events
        @printf("bob %d  %8.5f s   %7.4f -> %6.4f m/s\n", e.contact + 1, e.t, e.speed_before, e.speed_after)
    end
    if !isempty(ARGS)
        # Julia prints the shortest text that reads back as the same number.
        open(ARGS[1], "w") do file
            for k in 2:length(motion.t)
                println(file, join([motion.t[k]; motion.q[:, k]], ","))
            end
        end
    end
end

abspath(PROGRAM_FILE) == @__FILE__() && main()
