"""The text of a scene of many contacts, as Python programs read it."""

import sys


class Scene:
    """Bodies, shapes, joints and a push; see tests/support/many."""

    def __init__(self, lines):
        self.bodies, self.shapes, self.joints, self.push = [], [], [], None
        for line in lines:
            word, *rest = line.split()
            x = [float(w) for w in rest]
            if word == "run":
                self.h, self.steps, self.limit = x[0], int(x[1]), x[2]
            elif word == "world":
                self.g, self.mu = x
            elif word == "body":
                self.bodies.append({"mass": x[0], "inertia": x[1:4], "at": x[4:7], "v": x[7:10], "omega": x[10:13]})
            elif word == "joint":
                self.joints.append((int(x[0]), int(x[1]), x[2:5]))
            elif word == "push":
                self.push = (int(x[0]), x[1:4], x[4:7], x[7])
            else:
                self.shapes.append((word, int(x[0]), x[1:4], x[4:]))


def read():
    return Scene(sys.stdin.read().splitlines())


def answer(seconds, done, contacts, depth, moved, x):
    print(f"{seconds:.9e} {done} {contacts} {depth:.6e} {moved:.6e} {x:.17g}")
