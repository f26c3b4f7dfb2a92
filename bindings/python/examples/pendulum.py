"""A double pendulum swings against a wall: a model as a class. The same as c_examples/05_double_pendulum.c.

    python pendulum.py [--csv FILE] [--png FILE]
"""

import argparse
import math

import numpy as np

import stiction


class Pendulum(stiction.Model):
    """Two bobs of 1 kg on rods of 1 m, by their plain coordinates; the wall x = 0 stops either, e = 0.1."""

    nv, n_joint, n_contact, restitution = 4, 2, 2, 0.1
    mass = np.eye(4)

    def force(self, t, q, v):
        return [0.0, -9.8, 0.0, -9.8]

    def joint(self, t, q):
        x1, y1, x2, y2 = q.tolist()
        dx, dy = x1 - x2, y1 - y2
        phi = [x1 * x1 + y1 * y1 - 1.0, dx * dx + dy * dy - 1.0]
        jt = [[2.0 * x1, 2.0 * dx], [2.0 * y1, 2.0 * dy], [0.0, -2.0 * dx], [0.0, -2.0 * dy]]
        return phi, jt

    def gap(self, t, q):
        return q[[0, 2]], [[1.0, 0.0], [0.0, 0.0], [0.0, 1.0], [0.0, 0.0]]


def swing(h=2.0**-8, t_end=2.5):
    """From rest at 60 and 36 degrees."""
    a, b = math.acos(-1.0) / 3.0, math.acos(-1.0) / 5.0
    x, y = math.sin(a), -math.cos(a)
    with stiction.Stepper(Pendulum()) as stepper:
        stepper.set_state(0.0, [x, y, x + math.sin(b), y - math.cos(b)], np.zeros(4))
        return stepper.run(t_end, h)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--csv")
    parser.add_argument("--png")
    files = parser.parse_args()
    run = swing()
    for event in run.events:
        print(f"bob {event.contact + 1}  {event.t:8.5f} s   {event.speed_before:7.4f} -> {event.speed_after:6.4f} m/s")
    if files.csv:
        np.savetxt(files.csv, np.column_stack([run.t, run.q])[1:], fmt="%.17g", delimiter=",")
    if files.png:
        from stiction import plot

        ax = plot.path(run.q[:, 0], run.q[:, 1], "first bob")
        plot.path(run.q[:, 2], run.q[:, 3], "second bob", ax)
        ax.axvline(0.0, color="black")
        ax.figure.savefig(files.png)
