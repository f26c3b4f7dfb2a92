"""A block that sticks and slips: a model of functions. The same as c_examples/06_stick_slip_block.c.

A block of 1 kg on a plane, mu = 0.8, is pushed to and fro by 8 cos t newtons. Friction can hold 7.848 N, so it
moves only near the peaks.

    python stick_slip.py [--csv FILE] [--png FILE]
"""

import argparse
import math

import numpy as np

import stiction

block = stiction.Model(
    nv=2,
    n_contact=1,
    n_dir=2,
    mu=0.8,
    mass=np.eye(2),
    force=lambda t, q, v: [8.0 * math.cos(t), -9.81],
    gap=lambda t, q: (q[1], [0.0, 1.0]),
    tangent=[[1.0, -1.0], [0.0, 0.0]],
)


def shake(h=2.0**-8, t_end=10.0):
    with stiction.Stepper(block) as stepper:
        stepper.set_state(0.0, [3.0, 0.0], [0.0, 0.0])
        return stepper.run(t_end, h, progress=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--csv")
    parser.add_argument("--png")
    files = parser.parse_args()
    run = shake()
    for event in run.events:
        print(f"{event.t:9.6f} s  {event.kind.name.lower()}")
    if files.csv:
        np.savetxt(files.csv, np.column_stack([run.t, run.q[:, 0], run.v[:, 0]])[1:], fmt="%.17g", delimiter=",")
    if files.png:
        from stiction import plot

        plot.trajectory(run, [0], ["x, m"]).figure.savefig(files.png)
