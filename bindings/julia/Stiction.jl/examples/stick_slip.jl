# A block that sticks and slips. The same as c_examples/06_stick_slip_block.c.
#
#     julia --project=. examples/stick_slip.jl [CSV file]
#
# A block of 1 kg on a plane, mu = 0.8, is pushed to and fro by 8 cos t newtons. Friction can hold 7.848 N, so it moves only
# near the peaks. To see it: gnuplot -p -e "set datafile separator ','; plot 'FILE' using 1:2 with lines"
using Printf
using Stiction

function shake(h = 2.0^-8)
    block = Model(; nv = 2, n_contact = 1, n_dir = 2, mu = 0.8, mass = [1.0 0.0; 0.0 1.0],
                  force = (f, t, q, v) -> (f[1] = 8.0 * cos(t); f[2] = -9.81),
                  gap = (gap, normal, t, q) -> (gap[1] = q[2]; normal[2, 1] = 1.0),
                  tangent = [1.0 -1.0; 0.0 0.0])
    stepper = Stepper(block)
    set_state!(stepper, 0.0, [3.0, 0.0], [0.0, 0.0])
    return run!(stepper, 10.0, h)
end

function main()
    motion = shake()
    for e in motion.events
        @printf("%9.6f s  %s\n", e.t, e.kind == STN_EVENT_STICK ? "stick" : "slip")
    end
    if !isempty(ARGS)
        open(ARGS[1], "w") do file
            for k in 2:length(motion.t)
                println(file, motion.t[k], ",", motion.q[1, k], ",", motion.v[1, k])
            end
        end
    end
end

abspath(PROGRAM_FILE) == @__FILE__() && main()
