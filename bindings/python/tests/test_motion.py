"""Models, steppers and builders; what happens to exceptions, memory and threads."""

import gc
import math
import subprocess
import sys
import threading
import traceback
import weakref
from pathlib import Path

import numpy as np
import pytest

import stiction
from stiction import EventKind, Freedom, JointKind, Status

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
sys.path.insert(0, str(EXAMPLES))


def ball(**changed):
    """2 kg, gravity 10 m/s^2, e = 0.5: from 1 m it hits at sqrt(0.2) s."""
    given = dict(nv=1, n_contact=1, restitution=0.5, mass=[[2.0]])
    given.update(force=lambda t, q, v: [-20.0], gap=lambda t, q: (q, [[1.0]]))
    given.update(changed)
    return stiction.Model(**given)


def dropped(model, **options):
    stepper = stiction.Stepper(model, **options)
    stepper.set_state(0.0, [1.0], [0.0])
    return stepper


def test_pendulum_hits_the_wall_when_the_reference_says():
    from pendulum import swing

    run = swing()
    # The reference of c_examples/05: two angles with 34 digits.
    hit = [0.545508051442001, 0.707932699995982, 1.284726645954996, 2.097739454881154, 2.131640284303554]
    assert [e.kind for e in run.events] == [EventKind.IMPACT] * 5
    np.testing.assert_allclose([e.t for e in run.events], hit, atol=5e-5)
    np.testing.assert_allclose(run.q[-1, :2], [0.02196211769492439, -0.99975880360532674], atol=1e-5)


def test_block_sticks_and_slips_when_the_closed_form_says():
    from stick_slip import shake

    run = shake()
    # The closed form of c_examples/06.
    change = [0.33860818467198062, 2.94634679122386296, 3.53283460888699945, 6.08793944481365620]
    change += [6.67442726247679269, 9.22953209840344943, 9.81601991606658593]
    assert [e.kind for e in run.events] == [EventKind.STICK, EventKind.SLIP] * 3 + [EventKind.STICK]
    np.testing.assert_allclose([e.t for e in run.events], change, atol=2e-5)
    held = (run.t > change[0] + 0.01) & (run.t < change[1] - 0.01)
    assert np.ptp(run.q[held, 0]) == 0.0  # while it sticks it does not creep


@pytest.mark.parametrize("name", ["lemke", "pendulum", "stick_slip"])
def test_examples_run_and_draw(name, tmp_path):
    files = [] if name == "lemke" else ["--csv", tmp_path / "a.csv", "--png", tmp_path / "a.png"]
    subprocess.run([sys.executable, EXAMPLES / f"{name}.py", *files], check=True, stdout=subprocess.DEVNULL)
    if files:
        assert np.loadtxt(tmp_path / "a.csv", delimiter=",").shape[0] >= 640
        assert (tmp_path / "a.png").read_bytes()[1:4] == b"PNG"


def test_run_gives_the_bits_of_advance():
    stepwise, whole = dropped(ball()), dropped(ball())
    run = stepwise.run(1.0, 0.01)
    whole.advance(1.0, 0.01)
    assert run.t.shape == (101,) and run.t[-1] == 1.0
    assert run.q[-1].tobytes() == whole.q.tobytes() and run.v[-1].tobytes() == whole.v.tobytes()
    assert run.events == whole.events
    table = stiction.event_array(run.events)
    assert table["kind"][0] == EventKind.IMPACT and abs(table["t"][0] - math.sqrt(0.2)) < 1e-12
    ends = dropped(ball()).run(1.0, 0.01, record=False)
    assert ends.t.tolist() == [0.0, 1.0] and ends.q[1] == run.q[-1]


def test_the_ledger_adds_up_and_contacts_tell_what_they_do():
    run = dropped(ball()).run(0.6, 0.01, ledger=True)
    books, v = run.ledger[-1], run.v[-1, 0]
    # Gravity gave 2 * 10 * (1 - q); the impact at sqrt(20) m/s kept a quarter of the energy.
    assert math.isclose(books["kinetic"], v * v, rel_tol=1e-12)
    assert math.isclose(books["external"], 20.0 * (1.0 - run.q[-1, 0]), rel_tol=1e-9)
    assert math.isclose(books["impact"], 0.75 * 20.0, rel_tol=1e-9)
    stepper = dropped(ball(restitution=0.0))
    stepper.advance(1.0, 0.01)
    assert stepper.contact(0).mode in (stiction.ContactMode.SLIP, stiction.ContactMode.TOUCH)
    assert abs(stepper.contact(0).gap) < 1e-9
    assert math.isclose(stepper.impulses().normal[0], 20.0 * 0.01, rel_tol=1e-9)  # the weight of one step
    assert stepper.ledger(stiction.LedgerSpan.STEP).kinetic == 0.0
    assert math.isclose(stepper.forces().normal[0], 20.0, rel_tol=1e-9) and stepper.forces().acceleration[0] == 0.0
    free = dropped(ball(n_contact=0, restitution=None, gap=None))
    free.step(0.1)
    assert math.isclose(free.state_at(0.05).q[0], 1.0 - 5.0 * 0.05**2, rel_tol=1e-12)
    with pytest.raises(stiction.Error):
        free.state_at(0.5)


def test_given_displacements_and_accelerations_are_asked():
    asked = set()

    def displace(t, q, d):
        asked.add("displace")
        return q + d

    def accel(t, q, v):
        asked.add("accel")
        return [2.0 * (v[0] ** 2 + v[1] ** 2)], [], []

    # A bead on a circle of 1 m; the rate of 2 q'v along the motion is 2 v'v.
    bead = stiction.Model(
        nv=2, n_joint=1, mass=np.eye(2), force=lambda t, q, v: [0.0, -9.81], rate=lambda t, q, v: v,
        joint=lambda t, q: ([q @ q - 1.0], 2.0 * q.reshape(2, 1)), displace=displace, accel=accel,
    )
    stepper = stiction.Stepper(bead)
    stepper.set_state(0.0, [0.0, -1.0], [3.0, 0.0])
    stepper.advance(0.1, 0.01)
    # Joint force at the lowest point: along 2 q it is half of m (g + v^2).
    stepper.set_state(0.0, [0.0, -1.0], [3.0, 0.0])
    assert math.isclose(abs(stepper.forces().joint[0]), 0.5 * (9.81 + 9.0), rel_tol=1e-9)
    assert asked == {"displace", "accel"}


def test_a_brake_holds_up_to_its_bound():
    def pushed(by):
        model = stiction.Model(
            nv=1, n_brake=1, mass=[[1.0]], force=lambda t, q, v: [by], brake=lambda t, q: ([3.0], [[1.0]])
        )
        stepper = stiction.Stepper(model)
        stepper.advance(1.0, 0.01)
        assert math.isclose(stepper.brake_impulses()[0], -0.01 * min(by, 3.0))
        return stepper.q[0]

    assert pushed(2.9) == 0.0
    assert math.isclose(pushed(5.0), 0.5 * 2.0, rel_tol=1e-9)  # a = (5 - 3) / 1


def test_a_passive_model_moves_with_the_bits_of_functions():
    from stiction import Want

    passive = stiction.PassiveModel(nv=1, n_contact=1, restitution=0.5, gives=Want.FORCE)
    a, b, rounds = dropped(passive), dropped(ball()), 0
    answers = {Want.MASS: lambda r: [[2.0]], Want.FORCE: lambda r: [-20.0]}
    answers.update({Want.GAP: lambda r: r.q, Want.NORMAL: lambda r: [[1.0]]})
    for _ in range(100):
        while a.passive_step(0.01) is Status.WANTED:
            rounds += 1
            for request in a.requests:
                for what, answer in answers.items():
                    if request.what & what:
                        a.put(request, what, answer(request))
        b.step(0.01)
    assert a.q.tobytes() == b.q.tobytes() and rounds >= 100
    assert a.passive_step(0.01) is Status.WANTED
    a.cancel()
    assert a.requests == []
    with pytest.raises(stiction.Error) as caught:
        a.step(0.01)
    assert caught.value.status is Status.ERR_VALUE


def test_a_snapshot_continues_with_the_same_bits():
    a, b = dropped(ball()), dropped(ball())
    a.advance(0.4, 0.01)
    snapshot = a.save()
    assert isinstance(snapshot, bytes)
    b.restore(snapshot)
    for s in (a, b):
        s.advance(1.0, 0.01)
    assert a.q.tobytes() == b.q.tobytes() and a.events == b.events
    with pytest.raises(stiction.Error) as caught:
        b.restore(snapshot[:-1])
    assert caught.value.status is Status.ERR_VALUE


def test_an_exception_in_a_function_comes_out_with_its_traceback():
    def wrong_force(t, q, v):
        return 1 / 0 if t > 0.1 else [-20.0]

    stepper = dropped(ball(force=wrong_force))
    with pytest.raises(ZeroDivisionError) as caught:
        stepper.advance(1.0, 0.01)
    assert "wrong_force" in "".join(traceback.format_tb(caught.value.__traceback__))
    assert 0.08 < stepper.t < 0.11  # it stands at the last completed step
    # And it is gone: the next failure has its own reason.
    with pytest.raises(stiction.Error):
        stepper.step(-1.0)


@pytest.mark.parametrize("result", [[1.0, 2.0], np.ones((2, 1)), "x"])
def test_a_function_that_returns_the_wrong_thing_is_named(result):
    with pytest.raises(ValueError):
        dropped(ball(force=lambda t, q, v: result)).step(0.1)


def test_nan_from_a_function_never_enters_the_state():
    stepper = dropped(ball(force=lambda t, q, v: [math.nan]))
    with pytest.raises(stiction.Error) as caught:
        stepper.step(0.1)
    assert caught.value.status is Status.ERR_NONFINITE and stepper.q == [1.0]


def test_a_refused_point_rejects_the_step():
    def force(t, q, v):
        if q[0] < 0.9:
            raise stiction.Refuse
        return [-20.0]

    stepper = dropped(ball(force=force, n_contact=0, restitution=None, gap=None))
    statuses = [stepper.step(0.1) for _ in range(3)]
    assert statuses[-1] is Status.REJECTED and stepper.q[0] >= 0.9
    with pytest.raises(stiction.Refuse):
        stepper.run(1.0, 0.1)


def test_positions_handed_to_functions_may_be_kept_and_not_written():
    seen = []
    stepper = dropped(ball(force=lambda t, q, v: seen.append(q) or [-20.0]))
    stepper.step(0.1)
    stepper.close()
    assert seen[0] == [1.0]
    with pytest.raises(ValueError):
        seen[0][0] = 2.0


def test_a_wrong_normal_is_found():
    assert ball().check(0.0, [1.0], [1.0]) < 1e-6
    assert ball(gap=lambda t, q: (q, [[2.0]])).check(0.0, [1.0], [1.0]) > 0.1
    assert "normal" in stiction.last_error() or "gap" in stiction.last_error()


def test_options_and_statistics_go_through():
    stepper = dropped(ball(), method=stiction.Method.EULER, events=stiction.EventLevel.NONE, max_pivots=50)
    stepper.advance(1.0, 0.01)
    assert stepper.stats.steps == 100 and stepper.stats.worst_residual <= 1e-9
    with pytest.raises(TypeError, match="no option 'step'"):
        stiction.Stepper(ball(), step=3)
    with pytest.raises(stiction.Error) as caught:
        stiction.Stepper(ball(), method=99)
    assert caught.value.status is Status.ERR_VALUE


def test_a_closed_handle_is_refused_and_closing_twice_is_fine():
    stepper = dropped(ball())
    stepper.close()
    stepper.close()
    with pytest.raises(stiction.Error) as caught:
        stepper.step(0.1)
    assert caught.value.status is Status.ERR_NULL


def test_a_stepper_keeps_the_functions_of_its_model_alive():
    stepper = dropped(ball())
    gc.collect()
    assert stepper.advance(1.0, 0.01) is Status.EVENT


def test_a_model_by_class_ends_with_its_last_user():
    class Ball(stiction.Model):
        nv, mass = 1, [[2.0]]

        def force(self, t, q, v):
            return [-20.0]

    gc.disable()  # its end must not wait for the collector
    try:
        model = Ball()
        stepper, gone = dropped(model), weakref.ref(model)
        del model
        stepper.step(0.1)
        assert gone() is not None
        del stepper
        assert gone() is None
    finally:
        gc.enable()


def test_threads_with_their_own_steppers_do_not_disturb_each_other():
    def fly(wrong, out):
        def force(t, q, v):
            if wrong and t > 0.5:
                raise LookupError(wrong)
            return [-20.0]

        try:
            stepper = dropped(ball(force=force))
            stepper.advance(1.0, 1e-3)
            out.append(stepper.q[0])
        except LookupError as error:
            out.append(error.args[0])

    results = [[] for _ in range(6)]
    threads = [threading.Thread(target=fly, args=(k % 2 * k, results[k])) for k in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [r[0] for r in results[1::2]] == [1, 3, 5]
    assert len({r[0] for r in results[0::2]}) == 1


def pendulum_of_bodies():
    b = stiction.Builder(gravity=[0, -9.81, 0])
    rod = b.add_planar(1.0, 1 / 12, at=[0.5, 0.0], angle=math.pi / 2)
    hinge = b.add_joint(JointKind.REVOLUTE, stiction.GROUND, rod, at=[0, 0, 0], axis=[0, 0, 1])
    return b, rod, hinge


def test_bodies_answer_about_themselves():
    b, rod, hinge = pendulum_of_bodies()
    model = b.build()
    assert model.dims == (3, 3, 2, 0, 0, 0)
    q, v = model.initial()
    np.testing.assert_allclose(model.pose(rod, q)[:3], [0.5, 0, 0])
    np.testing.assert_allclose(model.point(rod, q, v, at=[0, -0.5, 0])[0], [1, 0, 0], atol=1e-15)
    assert model.total_mass() == 1.0 and model.body_range(rod) == (slice(0, 3), slice(0, 3))
    assert model.joint_range(hinge) == slice(0, 2)
    assert model.energy(0, q, v) == (0.0, 0.0)
    assert model.check_state(0, q + [0.1, 0, 0], v).joint > 0.09
    near, _, left = model.nearest_state(0, q + [0.01, 0, 0], v)
    assert left.joint < 1e-9 and abs(near - q).max() < 0.02
    with stiction.Stepper(model) as s:
        s.advance(0.5, 1e-3)
        t, q, v = s.state()
    energy = model.energy(t, q, v)
    # The rule is of order two in h = 1e-3.
    assert abs(energy.kinetic + energy.potential) < 1e-4 and energy.kinetic > 1
    assert model.joint_coordinate(hinge, Freedom.ANGLE, q) < -0.5
    assert model.momentum(q, v)[1][2] < 0


def test_everything_that_a_builder_adds_can_be_added():
    b, rod, hinge = pendulum_of_bodies()
    b.set_velocity(rod, [0, -0.5, 0], [0, 0, -1.0])
    b.add_limit(hinge, Freedom.ANGLE, high=1.0, restitution=0.1)
    b.add_joint_spring(hinge, Freedom.ANGLE, 1.0, 0.1)
    b.add_joint_friction(hinge, Freedom.ANGLE, 0.2)
    b.add_motor(hinge, Freedom.ANGLE, lambda t: math.sin(t))
    b.add_force(rod, lambda t: [0.0, 1.0, 0.0], at=[0, -0.5, 0])
    b.add_torque(rod, lambda t: [0.0, 0.0, 0.1])
    bob = b.add_point2(0.5, [1.0, -0.5])
    b.add_rod(rod, bob, at_a=[0, -0.5, 0])
    b.add_spring(rod, bob, 3.0, 0.1)
    b.add_bushing(rod, bob, 0.1, 0.1, at_a=[0, -0.5, 0])
    b.add_distance_limit(rod, bob, high=2.0)
    rubber = b.add_material()
    b.set_surface(0, rubber, mu=0.8, restitution=0.2)
    b.set_surface(rubber, rubber, mu=0.5)
    floor = b.add_half_space(stiction.GROUND, [0, 1, 0], pose=[0, -3, 0], material=rubber)
    bead = b.add_ball(bob, 0.05)
    blade = b.add_polygon(rod, [[-0.05, -0.5], [0.05, -0.5], [0, 0.5]])
    for shape in (bead, blade):
        b.set_groups(shape, 2, 1)
    b.set_groups(floor, 1, 2)
    b.set_facets(2)
    model = b.build()
    assert model.dims.n_contact > 3 and model.check(0.1, *model.initial()) < 1e-6
    with stiction.Stepper(model) as s:
        s.advance(0.2, 1e-3)
        assert s.stats.worst_joint_drift < 1e-8

    space = stiction.Builder(gravity=[0, 0, -9.81])
    box = space.add_spatial(1.0, [1.0, 2.0, 2.5], [0, 0, 1.0])
    cup = space.add_spatial(1.0, np.diag([1.0, 2.0, 2.5]), [0, 0, 3.0, 1, 0, 0, 0])
    ring = space.add_point3(1.0, [5, 0, 1])
    turn = space.add_joint(JointKind.CYLINDRICAL, stiction.GROUND, box, [0, 0, 1], axis=[0, 0, 1])
    space.add_drive(turn, Freedom.ANGLE, lambda t: 0.1 * t)
    space.add_box(box, [0.2, 0.2, 0.2])
    space.set_groups(space.add_capsule(cup, 0.3, 0.1), 2, 4)
    space.set_groups(space.add_ball(ring, 0.1), 2, 4)
    space.add_half_space(stiction.GROUND, [0, 0, 1])
    assert stiction.Stepper(space.build()).advance(0.1, 1e-2) in (Status.OK, Status.EVENT)


def test_an_exception_in_a_signal_comes_out():
    b, rod, hinge = pendulum_of_bodies()
    b.add_motor(hinge, Freedom.ANGLE, lambda t: 0.0 if t < 0.1 else [].pop())
    b.add_force(rod, lambda t: [0.0, 0.0, 0.0] if t < 0.3 else "no")
    with stiction.Stepper(b.build()) as s, pytest.raises(IndexError):
        s.advance(1.0, 0.01)


LEAK = """
import gc, resource, stiction

def some(n):
    for _ in range(n):
        b = stiction.Builder()
        b.add_force(b.add_point2(1.0, [0, 0]), lambda t: [0, 0, 0])
        ball = stiction.Model(nv=1, n_contact=1, mass=[[2.0]], gap=lambda t, q: (q, [[1.0]]))
        with stiction.Stepper(ball) as s, stiction.Lcp(4), b.build():
            s.step(1e-3)
    gc.collect()
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

print(some(4_000), some(10_000))
"""


def test_ten_thousand_handles_leave_nothing_behind():
    printed = subprocess.run([sys.executable, "-c", LEAK], check=True, capture_output=True, text=True).stdout
    before, after = map(int, printed.split())
    # A leaked handle of any kind has more than 100 bytes: 1 MB for ten thousand.
    assert after - before < 900, f"{after - before} KB more"
    print(f"{after - before} KB more after 10,000 of each")
