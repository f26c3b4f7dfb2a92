"""A double pendulum swings against a wall: a model as a class. The same as c_examples/05_double_pendulum.c.

    python pendulum.py [--csv FILE] [--png FILE] [--html FILE]
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


def page(run, path):
    """The motion in three dimensions: each body is a rod with its bob at the lower end."""
    from stiction import viewer

    joints = np.stack([np.zeros_like(run.q[:, :2]), run.q[:, :2], run.q[:, 2:]], axis=1)  # frames, points, x y
    along = np.diff(joints, axis=1)
    half = 0.5 * np.arctan2(along[..., 0], -along[..., 1])  # of the angle from hanging straight down
    poses = np.zeros((run.t.size, 2, 7))
    poses[..., :2] = joints[:, 1:]
    poses[..., 3], poses[..., 6] = np.cos(half), np.sin(half)
    scene = viewer.Scene("A double pendulum against a wall", up=[0, 1, 0], view=[0.4, 0.2, 1])
    scene.ground(viewer.shape("box", half=[0.05, 1.2, 0.4], pose=[-0.15, -1, 0, 1, 0, 0, 0]))
    rod = viewer.shape("box", half=[0.02, 0.5, 0.02], pose=[0, 0.5, 0, 1, 0, 0, 0])
    for name, color in ("first bob", "#8fb3d9"), ("second bob", "#d98f8f"):
        scene.body(name, rod, viewer.shape("sphere", radius=0.1), color=color)
    scene.write(path, run.t[::4], poses[::4])


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--csv")
    parser.add_argument("--png")
    parser.add_argument("--html")
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
    if files.html:
        page(run, files.html)
