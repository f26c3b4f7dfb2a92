"""Complementarity, contact and impact problems on numpy arrays."""

import os
import subprocess
import sys

import numpy as np
import pytest

import stiction


def test_answer_of_an_unsymmetric_problem_does_not_depend_on_the_order_of_storage():
    # w = (z1 + 2 z2 - 4, z2 - 1): z2 = 1, z1 = 2. Transposed by mistake it would be z1 = 4, w2 = 7.
    M, q = np.array([[1.0, 2.0], [0.0, 1.0]]), [-4.0, -1.0]
    for order in ("C", "F"):
        z, w, info = stiction.solve_lcp(np.array(M, order=order), q)
        np.testing.assert_allclose(z, [2.0, 1.0], rtol=1e-14)
        np.testing.assert_allclose(w, [0.0, 0.0], atol=1e-14)
        assert info.residual <= 1e-9


def test_columns_of_a_larger_matrix_are_used_where_they_lie():
    from stiction._lib import address, square

    large = np.asfortranarray(np.arange(36.0).reshape(6, 6))
    part = large[1:4, 2:5]
    used, distance = square(part, "M")
    assert address(used) == address(part) and distance == 6
    assert square(np.ascontiguousarray(part), "M")[0].flags.f_contiguous


def test_a_sequence_of_problems_starts_from_the_last_basis():
    M = np.asfortranarray(np.eye(3) + 1.0)
    with stiction.Lcp(3) as lcp:
        assert not lcp.solve(M, [-1.0, -1.0, -1.0]).info.warm
        assert lcp.solve(M, [-1.0, -1.1, -1.0]).info.warm
        assert lcp.solve_again(M, [-1.0, -1.0, -1.2]).info.warm
        assert lcp.get_basis([7, 5, 9]) == [5, 7, 9]
        lcp.set_basis([7, 5, 9], [5])
        np.testing.assert_allclose(lcp.solve(M, [-1.0, -1.0, -1.0]).z, 0.25, rtol=1e-14)


def test_a_ray_is_an_error_with_its_status_and_can_be_read():
    with stiction.Lcp(1) as lcp:
        with pytest.raises(stiction.Error) as caught:
            lcp.solve([[-1.0]], [-1.0])
        assert caught.value.status is stiction.Status.ERR_LCP_RAY
        assert caught.value.text and "ERR_LCP_RAY" in str(caught.value)
        assert lcp.get_ray(1).infeasible


def test_progress_is_told_and_its_exception_stops_the_solve():
    n = 300
    random = np.random.default_rng(7)
    a = random.standard_normal((n, n))
    M, q = np.asfortranarray(a @ a.T), random.standard_normal(n)
    with stiction.Lcp(n, warm=0) as lcp:
        told = []
        lcp.set_progress(lambda pivots, artificial: told.append(pivots))
        assert lcp.solve(M, q).info.pivots > 128
        assert len(told) > 1 and told == sorted(told)

        def stop(pivots, artificial):
            raise KeyboardInterrupt

        lcp.set_progress(stop)
        with pytest.raises(KeyboardInterrupt):
            lcp.solve(M, q)
        lcp.set_progress(None)
        assert lcp.solve(M, q).info.residual <= 1e-9


def test_contact_and_impact_agree_with_closed_forms():
    # README of the library: a sliding ball rolls after the impact, v = 5/7 of before.
    m, r = 0.5, 0.1
    mass = np.diag([m, m, 0.4 * m * r * r])
    ball = stiction.solve_impact(
        mass, [2, -3, 0], normal=[0, 1, 0], tangent=[[1, -1], [0, 0], [r, -r]], mu=0.3, restitution=0.8
    )
    np.testing.assert_allclose(ball.v, [10 / 7, 2.4, -100 / 7], rtol=1e-12)
    np.testing.assert_allclose(ball.normal_impulse, [2.7], rtol=1e-12)
    held = stiction.solve_contact(np.eye(2), [1.0, -2.0], normal=[0, 1], tangent=[[1, -1], [0, 0]], mu=0.6)
    np.testing.assert_allclose(held.v, [0, 0], atol=1e-15)
    step = stiction.solve_trapezoid(0.5, [[2.0]], [-20.0], [-20.0], [1.0], normal=[1.0], normal_offset=[0.25])
    np.testing.assert_allclose(step.v, [-0.25], rtol=1e-14)
    np.testing.assert_allclose(step.normal_impulse, [7.5], rtol=1e-14)


@pytest.mark.parametrize(
    "call",
    [
        lambda: stiction.solve_lcp([[1.0, 2.0]], [1.0]),
        lambda: stiction.solve_lcp([[1.0]], [1.0, 2.0]),
        lambda: stiction.solve_contact(np.eye(2), [1.0], normal=[0, 1]),
        lambda: stiction.solve_contact(np.eye(2), [1.0, 1.0], normal=[0, 1, 2]),
        lambda: stiction.solve_contact(np.eye(2), [1.0, 1.0], normal=np.eye(2), tangent=np.ones((2, 3))),
    ],
)
def test_wrong_shapes_are_refused_before_the_library_reads_them(call):
    with pytest.raises(ValueError, match="must be|cannot"):
        call()


def test_unknown_options_are_named():
    with pytest.raises(TypeError, match="no option 'tol'; there are .*tolerance"):
        stiction.Lcp(1, tol=1e-3)


def loaded(library):
    given = {**os.environ, "STICTION_LIBRARY": str(library)}
    return subprocess.run([sys.executable, "-c", "import stiction"], env=given, capture_output=True, text=True)


def test_a_missing_library_is_named_with_the_remedy(tmp_path):
    found = loaded(tmp_path / "nowhere.so")
    assert found.returncode != 0
    assert "nowhere.so" in found.stderr and "pip install" in found.stderr


def test_a_library_of_another_binary_interface_is_refused(tmp_path):
    source, library = tmp_path / "other.c", tmp_path / "other.so"
    source.write_text("int stn_abi_version(void) { return 999; }")
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source], check=True)
    found = loaded(library)
    assert found.returncode != 0 and "binary interface 999" in found.stderr
