"""Contacts that come and go, solids, and declared springs."""

import math

import numpy as np
import pytest

import stiction
from stiction import ContactMode, Status


def dense(sink, gap):
    sink.push(77, gap, [0, 1], [[1, -1], [0, 0]], mu=0.5)


def polygon(sink, gap):
    sink.push_tangents(77, gap, [0, 1], 2, [1, 0], [1, 0], mu=0.5)


def sparse(sink, gap):
    sink.push_sparse(77, gap, [0, 1], [0, 1], [[1, -1], [0, 0]], mu=0.5)


def block(push):
    def contacts(t, q, margin, sink):
        if q[1] <= margin:
            push(sink, q[1])

    sizes = {"nv": 2, "n_dir": 2, "max_contacts": 1, "mass": np.eye(2)}
    return stiction.Model(force=lambda t, q, v: [0.0, -10.0], contacts=contacts, **sizes)


def test_three_ways_to_push_give_the_same_bits():
    ends = []
    for push in dense, polygon, sparse:
        with stiction.Stepper(block(push)) as s:
            s.set_state(0.0, [0, 0], [3, 0])
            s.advance(1.0, 0.01)
            i = s.find_contact(77)
            assert s.contact_key(i) == 77 and i < s.contact_count and s.find_contact(1) is None
            assert s.contact(i).mode is ContactMode.STICK
            assert s.impulses().normal[i] == pytest.approx(0.1) and s.forces().normal[i] == pytest.approx(10.0)
            ends.append(s.q[0])
            s.set_state(1.0, [0, 5], [0, 0])  # in the air
            s.step(0.01)
            assert s.find_contact(77) is None
    assert ends[0] == pytest.approx(0.9, abs=1e-9)  # v^2 / (2 mu g), closed form
    assert ends[0] == ends[1] == ends[2]


def test_a_push_that_fails_comes_out_of_the_step():
    with stiction.Stepper(block(lambda sink, gap: sink.push(1, math.nan, [0, 1]))) as s:
        with pytest.raises(stiction.Error, match="NONFINITE"):
            s.step(0.01)
    with stiction.Stepper(block(lambda sink, gap: sink.push(1, gap, [0, 1, 2]))) as s:
        with pytest.raises(ValueError, match="normal"):
            s.step(0.01)


def test_a_group_of_unknown_contacts_is_refused():
    with stiction.Stepper(block(lambda sink, gap: sink.join(9, [1]))) as s:
        with pytest.raises(stiction.Error, match="VALUE"):
            s.step(0.01)


def test_a_declared_spring_swings():
    # 1 kg on 4 pi^2 N/m comes back after one second, closed form.
    spring = lambda t, q: (q, [[1.0]], [4 * math.pi**2], [0.0])  # noqa: E731
    s = stiction.Stepper(stiction.Model(nv=1, n_element=1, mass=[[1.0]], element=spring))
    s.set_state(0.0, [1.0], [0.0])
    s.advance(1.0, 1e-3)
    assert s.q[0] == pytest.approx(1.0, abs=1e-4)
    assert s.model.energy(0.0, [0.5], [0.0]).potential == pytest.approx(0.5 * math.pi**2)


def test_a_single_contact_has_a_pointed_cone():
    ball = stiction.Model(nv=1, n_contact=1, mass=[[2.0]], gap=lambda t, q: (q, [[1.0]]))
    assert ball.cone_margin(0.0, [0.0]) == pytest.approx(1.0)  # one edge of length one
    assert ball.cone_margin(0.0, [1.0], near=0.5) == math.inf


def test_solids_rest_on_uneven_ground():
    b = stiction.Builder(gravity=[0, 0, -10])
    b.set_surface(0, 0, mu=0.5)
    box = b.add_spatial(1.0, [0.1] * 3, at=[0, 0, 0.2])
    hull = b.add_spatial(1.0, [0.1] * 3, at=[6, 0, 0.1])
    b.add_height_field(stiction.GROUND, [2, 2], np.zeros((2, 2)))
    b.add_mesh(stiction.GROUND, [[5, -1, 0], [7, -1, 0], [7, 1, 0], [5, 1, 0]], [[0, 1, 2], [0, 2, 3]])
    b.add_box(box, [0.3, 0.3, 0.2])
    b.add_hull(hull, [[0.3, 0, -0.1], [-0.3, 0.3, -0.1], [-0.3, -0.3, -0.1], [0, 0, 0.3]])
    model = b.build()
    with stiction.Stepper(model) as s:
        assert s.advance(0.2, 0.01) in (Status.OK, Status.EVENT)
        assert model.pose(box, s.q)[2] == pytest.approx(0.2) and model.pose(hull, s.q)[2] == pytest.approx(0.1)
        touching = model.contact_pair(s.contact_key(0))
        assert {touching.body_a, touching.body_b} == {stiction.GROUND, box} and touching.shape_a >= 0
        # What the contacts gave in the last step carries two kilograms.
        assert s.impulses().normal.sum() == pytest.approx(2 * 10 * 0.01)
    with pytest.raises(ValueError, match="heights"):
        b.add_height_field(stiction.GROUND, [1, 1], [0, 0])


def test_heights_lie_where_their_indices_say():
    # A ramp along x: a ball dropped on the low side rests lower than one on the high side would.
    b = stiction.Builder(gravity=[0, 0, -10])
    low = b.add_point3(1.0, at=[-0.9, 0, 0.5])
    b.add_ball(low, 0.1)
    b.add_height_field(stiction.GROUND, [2, 2], [[0, 0], [1, 1]])  # x = -1: 0, x = 1: 1
    with stiction.Stepper(b.build()) as s:
        s.advance(0.3, 0.01)
        landed = next(e.t for e in s.events)
    # The gap along the normal is (z - (x + 1)/2) cos - r with cos = 2/sqrt(5): closed form of the fall.
    height = 0.5 - 0.05 - 0.1 * math.sqrt(5) / 2
    assert landed == pytest.approx(math.sqrt(2 * height / 10), abs=1e-6)
