//! Complementarity problems through the C interface, against answers found by hand.
#![allow(unsafe_code)]

use std::ptr::null_mut;
use stiction::ffi::stn_status::*;
use stiction::ffi::*;

struct Workspace(*mut stn_lcp);

impl Workspace {
    fn new(n_max: i32) -> Self {
        let mut lcp = null_mut();
        // SAFETY: `lcp` can be written.
        assert_eq!(unsafe { stn_lcp_create(n_max, &mut lcp) }, STN_OK);
        Self(lcp)
    }

    /// Status, x, w and the report of the mixed problem whose matrix has these rows.
    fn mixed<const N: usize>(
        &self,
        n_free: usize,
        rows: [[f64; N]; N],
        q: [f64; N],
    ) -> (stn_status, [f64; N], Vec<f64>, stn_lcp_info) {
        // Columns lie N + 2 apart, with NaN between them, which nobody may read.
        let mut m = vec![f64::NAN; N * (N + 2)];
        for (i, row) in rows.iter().enumerate() {
            row.iter().enumerate().for_each(|(j, x)| m[i + j * (N + 2)] = *x);
        }
        let (mut x, mut w) = ([UNTOUCHED; N], vec![UNTOUCHED; N - n_free + 1]);
        let mut info =
            stn_lcp_info { pivots: -1, warm: -1, residual: f64::NAN, ..stn_lcp_info::default() };
        let (free, comp, ldm) = (n_free as i32, (N - n_free) as i32, N as i32 + 2);
        // SAFETY: every array has the length its count says.
        #[rustfmt::skip]
        let status = unsafe {
            stn_mlcp_solve(self.0, free, comp, m.as_ptr(), ldm, q.as_ptr(), x.as_mut_ptr(), w.as_mut_ptr(), &mut info)
        };
        assert_eq!(w.pop(), Some(UNTOUCHED), "w has one entry per complementary row");
        (status, x, w, info)
    }
}

impl Drop for Workspace {
    fn drop(&mut self) {
        // SAFETY: ours, once.
        unsafe { stn_lcp_destroy(self.0) }
    }
}

const UNTOUCHED: f64 = -7.5;

#[track_caller]
fn close(got: &[f64], expected: &[f64]) {
    assert_eq!(got.len(), expected.len());
    for (g, e) in got.iter().zip(expected) {
        assert!((g - e).abs() <= 1e-13, "{got:?} instead of {expected:?}");
    }
}

/// Nearest point to (1, 2) on the line a + b = 2 with b <= `bound`: unknowns a, b, the multiplier of the
/// line, then the multiplier of the bound. The first two rows are stationarity, the third is the line.
fn nearest_point(bound: f64) -> ([[f64; 4]; 4], [f64; 4]) {
    let rows = [[2., 0., 1., 0.], [0., 2., 1., 1.], [1., 1., 0., 0.], [0., -1., 0., 0.]];
    (rows, [-2., -4., -2., bound])
}

#[test]
fn a_bound_that_holds_pushes_and_one_that_does_not_is_silent() {
    let work = Workspace::new(4);
    // b = 1.2 is forced: a = 0.8, line 2 - 2 a = 0.4, bound 4 - 2 b - 0.4 = 1.2.
    let (rows, q) = nearest_point(1.2);
    let (status, x, w, info) = work.mixed(3, rows, q);
    assert_eq!(status, STN_OK);
    close(&x, &[0.8, 1.2, 0.4, 1.2]);
    close(&w, &[0.0]);
    assert!(info.residual <= 1e-9 && info.pivots >= 0);
    // Free, b would be 1.5: the bound 1.7 is 0.2 away.
    let (rows, q) = nearest_point(1.7);
    let (status, x, w, _) = work.mixed(3, rows, q);
    assert_eq!(status, STN_OK);
    close(&x, &[0.5, 1.5, 1.0, 0.0]);
    close(&w, &[0.2]);
}

/// The same with the line given twice, the second time as a + b = `again`.
fn line_twice(again: f64) -> ([[f64; 5]; 5], [f64; 5]) {
    let rows = [
        [2., 0., 1., 1., 0.],
        [0., 2., 1., 1., 1.],
        [1., 1., 0., 0., 0.],
        [1., 1., 0., 0., 0.],
        [0., -1., 0., 0., 0.],
    ];
    (rows, [-2., -4., -2., -again, 1.2])
}

#[test]
fn an_equation_given_twice_is_no_obstacle() {
    let work = Workspace::new(5);
    let (rows, q) = line_twice(2.0);
    let (status, x, w, _) = work.mixed(4, rows, q);
    assert_eq!(status, STN_OK);
    // How the two lines share their multiplier is not unique.
    close(&[x[0], x[1], x[2] + x[3], x[4]], &[0.8, 1.2, 0.4, 1.2]);
    close(&w, &[0.0]);
}

#[test]
fn equations_that_contradict_each_other_are_refused() {
    let work = Workspace::new(5);
    let (rows, q) = line_twice(3.0);
    let (status, x, w, info) = work.mixed(4, rows, q);
    assert_eq!((status, x), (STN_ERR_SINGULAR, [UNTOUCHED; 5]));
    assert_eq!(w, [UNTOUCHED]);
    assert_eq!((info.pivots, info.warm), (-1, -1));
    // And the handle has forgotten it.
    let (rows, q) = line_twice(2.0);
    assert_eq!(work.mixed(4, rows, q).0, STN_OK);
}

#[test]
fn without_free_unknowns_it_is_the_complementarity_problem() {
    let work = Workspace::new(3);
    // z = (2, 0, 1), w = (0, 7, 0) by insertion.
    let rows = [[2., 1., 0.], [1., 3., 2.], [0., 1., 4.]];
    let (status, x, w, _) = work.mixed(0, rows, [-4., 3., -4.]);
    assert_eq!(status, STN_OK);
    close(&x, &[2.0, 0.0, 1.0]);
    close(&w, &[0.0, 7.0, 0.0]);
}

#[test]
fn without_complementary_unknowns_it_is_a_linear_system() {
    let work = Workspace::new(2);
    // 3 a + b = 5, a + 2 b = 5: a = 1, b = 2. Negative answers are fine for free unknowns.
    let (status, x, w, _) = work.mixed(2, [[3., 1.], [1., 2.]], [-5., -5.]);
    assert_eq!(status, STN_OK);
    close(&x, &[1.0, 2.0]);
    assert!(w.is_empty());
    let (status, x, ..) = work.mixed(2, [[3., 1.], [1., 2.]], [5., 5.]);
    assert_eq!(status, STN_OK);
    close(&x, &[-1.0, -2.0]);
}

#[test]
fn a_ball_on_the_floor_carries_its_weight() {
    // w = z - 9.8: the floor pushes with g per kilogram.
    let (work, mut z, mut w) = (Workspace::new(1), 0.0, 1.0);
    // SAFETY: one number each.
    let status = unsafe { stn_lcp_solve(work.0, 1, &1.0, 1, &-9.8, &mut z, &mut w, null_mut()) };
    assert_eq!((status, z, w), (STN_OK, 9.8, 0.0));
}

#[test]
fn a_problem_solved_again_is_warm() {
    let work = Workspace::new(2);
    let (m, q) = ([2.57023, -0.580137, -0.580137, 2.59027], [-0.938699, -0.938699]);
    let mut answers = Vec::new();
    for _ in 0..2 {
        let mut z = [0.0; 2];
        let mut info =
            stn_lcp_info { pivots: -1, warm: -1, residual: 1.0, ..stn_lcp_info::default() };
        // SAFETY: two numbers each, four for the matrix.
        let status = unsafe {
            stn_lcp_solve(
                work.0,
                2,
                m.as_ptr(),
                2,
                q.as_ptr(),
                z.as_mut_ptr(),
                null_mut(),
                &mut info,
            )
        };
        assert_eq!(status, STN_OK);
        answers.push((z, info.warm));
    }
    // Cramer's rule; both are positive, so both rows hold with w = 0.
    let det = m[0] * m[3] - m[1] * m[2];
    let expected = [(m[2] * q[1] - m[3] * q[0]) / det, (m[1] * q[0] - m[0] * q[1]) / det];
    close(&answers[0].0, &expected);
    close(&answers[1].0, &expected);
    assert_eq!((answers[0].1, answers[1].1), (0, 1));
}
