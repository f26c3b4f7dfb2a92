"""Scenes of many contacts by MuJoCo, for the bench of many contacts: reads the text of a scene, prints one line.

Default options but for the step: Newton's method, pyramidal cones, semi-implicit Euler; nothing sleeps. Where nothing is pushed, ten
steps are one call; else every step is one, of which about a microsecond is Python's."""

import math
import time

import mujoco
import numpy as np
import scene as text

# MuJoCo has no points: the radius of the balls that stand for them, m.
POINT = 1e-6


def row(x):
    return " ".join(repr(float(v)) for v in x)


def geom(shape, mu):
    word, _, at, s = shape
    common = f'friction="{mu!r} 0 0" condim="3"'
    if word == "point":
        return f'<geom type="sphere" size="{POINT!r}" pos="{row(at)}" {common}/>'
    if word == "ball":
        return f'<geom type="sphere" size="{row(s)}" pos="{row(at)}" {common}/>'
    if word == "box":
        return f'<geom type="box" size="{row(s)}" pos="{row(at)}" {common}/>'
    if word == "plane":
        return f'<geom type="plane" size="0 0 1" pos="{row(at)}" zaxis="{row(s)}" {common}/>'
    ends = np.array([at, at], dtype=float)
    ends[:, int(s[0])] += [-s[1], s[1]]
    return f'<geom type="capsule" size="{s[2]!r}" fromto="{row(ends.flatten())}" {common}/>'


def xml(scene):
    parent = {b: (a, at) for a, b, at in scene.joints}
    children = {}
    for b, (a, _) in parent.items():
        children.setdefault(a, []).append(b)
    shapes = {}
    for shape in scene.shapes:
        shapes.setdefault(shape[1], []).append(geom(shape, scene.mu))

    def body(b):
        # Jointed bodies are trees here, so that joints cost and drift nothing.
        data = scene.bodies[b]
        at = np.array(data["at"])
        if b in parent:
            a, anchor = parent[b]
            place = at - np.array(scene.bodies[a]["at"])
            joint = f'<joint type="ball" pos="{row(np.array(anchor) - at)}"/>'
        else:
            place, joint = at, "<freejoint/>"
        inertial = f'<inertial pos="0 0 0" mass="{data["mass"]!r}" diaginertia="{row(data["inertia"])}"/>'
        inside = joint + inertial + "".join(shapes.get(b, [])) + "".join(body(c) for c in children.get(b, []))
        return f'<body name="b{b}" pos="{row(place)}">{inside}</body>'

    roots = "".join(body(b) for b in range(len(scene.bodies)) if b not in parent)
    return (
        f'<mujoco><option timestep="{scene.h!r}" gravity="0 0 {-scene.g!r}"/><size memory="256M"/>'
        f'<worldbody>{"".join(shapes.get(-1, []))}{roots}</worldbody></mujoco>'
    )


def main():
    scene = text.read()
    model = mujoco.MjModel.from_xml_string(xml(scene))
    data = mujoco.MjData(model)
    ids = [model.body(f"b{b}").id for b in range(len(scene.bodies))]
    for b, i in enumerate(ids):
        if model.body_dofnum[i] == 6:
            at = model.body_dofadr[i]
            data.qvel[at : at + 6] = scene.bodies[b]["v"] + scene.bodies[b]["omega"]
    mujoco.mj_forward(model, data)
    start = data.xpos[ids].copy()
    points = any(s[0] == "point" for s in scene.shapes)
    slack = POINT if points else 0.0
    spent, done, most, depth = 0.0, 0, 0, 0.0
    while done < scene.steps and spent < scene.limit:
        if scene.push:
            body, at, along, rate = scene.push
            force = np.array(along) * math.cos(rate * scene.h * done)
            arm = data.xmat[ids[body]].reshape(3, 3) @ np.array(at)
            data.xfrc_applied[ids[body]] = np.concatenate([force, np.cross(arm, force)])
            n = 1
        else:
            n = min(10, scene.steps - done)
        begin = time.thread_time()
        mujoco.mj_step(model, data, n)
        spent += time.thread_time() - begin
        done += n
        most = max(most, data.ncon)
        if data.ncon:
            depth = max(depth, -float(data.contact.dist.min()) - slack)
    mujoco.mj_kinematics(model, data)
    # Joints of a tree are exact.
    moved = 0.0 if scene.joints else float(np.abs(data.xpos[ids] - start).max())
    text.answer(spent, done, most, depth, moved, data.xpos[ids[0]][0])


main()
