"""Bases and stacks by DART, for the bench of many contacts: reads the text of a scene, prints one line.

Its own collision detection and Dantzig's method, as a world has them by default; the ground is a large box."""

import math
import time

import dartpy as dart
import numpy as np
import scene as text

# The radius of the balls that stand for points, m.
POINT = 1e-6


def attach(node, shape, at, mu):
    part = node.createShapeNode(shape)
    part.setRelativeTranslation(at)
    part.createCollisionAspect()
    part.createDynamicsAspect()
    part.getDynamicsAspect().setFrictionCoeff(mu)


def make(scene):
    world = dart.simulation.World()
    world.setTimeStep(scene.h)
    world.setGravity([0, 0, -scene.g])
    world.getConstraintSolver().setCollisionDetector(dart.collision.DARTCollisionDetector())
    ground = dart.dynamics.Skeleton("ground")
    _, node = ground.createWeldJointAndBodyNodePair()
    attach(node, dart.dynamics.BoxShape([1000, 1000, 2]), [0, 0, -1], scene.mu)
    ground.setMobile(False)
    world.addSkeleton(ground)
    nodes = []
    for b, data in enumerate(scene.bodies):
        skeleton = dart.dynamics.Skeleton(f"b{b}")
        joint, node = skeleton.createFreeJointAndBodyNodePair()
        i = data["inertia"]
        node.setInertia(dart.dynamics.Inertia(data["mass"], [0, 0, 0], np.diag(i)))
        for word, body, at, s in scene.shapes:
            if body != b:
                continue
            if word == "box":
                attach(node, dart.dynamics.BoxShape([2 * x for x in s]), at, scene.mu)
            else:
                attach(node, dart.dynamics.SphereShape(POINT), at, scene.mu)
        place = dart.math.Isometry3()
        place.set_translation(data["at"])
        joint.setRelativeTransform(place)
        world.addSkeleton(skeleton)
        nodes.append(node)
    return world, nodes


def main():
    scene = text.read()
    world, nodes = make(scene)
    where = lambda: np.array([n.getWorldTransform().translation() for n in nodes])
    start = where()
    spent, done, most, depth = 0.0, 0, 0, 0.0
    while done < scene.steps and spent < scene.limit:
        if scene.push:
            body, at, along, rate = scene.push
            force = np.array(along) * math.cos(rate * scene.h * done)
            nodes[body].setExtForce(force, at, False, True)
        begin = time.thread_time()
        world.step(True)
        spent += time.thread_time() - begin
        done += 1
        result = world.getLastCollisionResult()
        most = max(most, result.getNumContacts())
        if done % 10 == 0:
            depths = [c.penetrationDepth for c in result.getContacts()]
            depth = max([depth] + depths)
    end = where()
    text.answer(spent, done, most, depth, float(np.abs(end - start).max()), end[0][0])


main()
