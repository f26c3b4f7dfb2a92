//! Request and answer through the C face, with everything wrong, one thing at a time: the named
//! status, a text that names the culprit, nothing changed, and a loop that goes on afterwards.
#![allow(unsafe_code)]

use std::ptr::{null, null_mut};
use stiction::ffi::stn_status::*;
use stiction::ffi::stn_want::*;
use stiction::ffi::*;

fn last_error() -> String {
    let mut buf = [0u8; 2048];
    // SAFETY: the buffer is ours and has the size stated.
    let n = unsafe { stn_last_error(buf.as_mut_ptr().cast(), buf.len() as i32) };
    String::from_utf8(buf[..n as usize].to_vec()).unwrap()
}

#[track_caller]
fn refused(status: stn_status, expected: stn_status, text: &str) {
    assert_eq!(status, expected, "{}", last_error());
    assert!(last_error().contains(text), "{} does not say {text}", last_error());
}

fn dims(nq: i32, nv: i32, n_contact: i32, n_dir: i32) -> stn_dims {
    let struct_size = size_of::<stn_dims>();
    stn_dims { struct_size, nq, nv, n_contact, n_dir, ..stn_dims::default() }
}

/// A model of these sizes; NULL on failure.
fn create(
    dims: &stn_dims,
    gives: i32,
    moving: i32,
    max_points: i32,
    mu: &[f64],
    e: &[f64],
) -> (stn_status, *mut stn_model) {
    let mut out = std::ptr::without_provenance_mut(64);
    let (mu, e) = [mu, e].map(|x| if x.is_empty() { null() } else { x.as_ptr() }).into();
    // SAFETY: the arrays have n_contact entries, or are NULL.
    let status = unsafe { stn_passive_create(dims, gives, moving, max_points, mu, e, &mut out) };
    (status, out)
}

const FORCE: i32 = STN_WANT_FORCE as i32;
const MASS: i32 = STN_WANT_MASS as i32;

/// A ball of 1 kg at x = 1 above the ground, e = 0.5.
struct Ball {
    s: *mut stn_stepper,
}

impl Ball {
    fn new(max_points: i32) -> Self {
        let (status, model) = create(&dims(1, 1, 1, 0), FORCE, 0, max_points, &[], &[0.5]);
        assert_eq!(status, STN_OK, "{}", last_error());
        let mut s = null_mut();
        // SAFETY: handles that live; one number each.
        unsafe {
            assert_eq!(stn_stepper_create(model, null(), &mut s), STN_OK);
            stn_model_destroy(model);
            assert_eq!(stn_stepper_set_state(s, 0.0, &1.0, 1, &0.0, 1), STN_OK);
        }
        Self { s }
    }

    fn count(&self) -> i32 {
        // SAFETY: the stepper lives; so below.
        unsafe { stn_passive_request_count(self.s) }
    }

    fn step(&self) -> stn_status {
        // SAFETY: as above.
        unsafe { stn_passive_step(self.s, 0.125) }
    }

    fn put(&self, i: i32, what: i32, x: f64) -> stn_status {
        // SAFETY: as above, one number.
        unsafe { stn_passive_put(self.s, i, what, &x, 1) }
    }

    fn request(&self, i: i32) -> (i32, f64, f64, f64) {
        let (mut what, mut t, mut q, mut v) = (0, 0.0, 0.0, 0.0);
        // SAFETY: as above, one number each.
        let status =
            unsafe { stn_passive_get_request(self.s, i, &mut what, &mut t, &mut q, 1, &mut v, 1) };
        assert_eq!(status, STN_OK, "{}", last_error());
        (what, t, q, v)
    }

    fn answer(&self) {
        for i in 0..self.count() {
            let (what, _, q, _) = self.request(i);
            for bit in (0..14).map(|k| 1 << k).filter(|bit| what & bit != 0) {
                let x = match bit {
                    FORCE => -2.0,
                    b if b == STN_WANT_GAP as i32 => q,
                    b if b == MASS || b == STN_WANT_NORMAL as i32 => 1.0,
                    b if b == STN_WANT_DFDQ as i32 || b == STN_WANT_DFDV as i32 => 0.0,
                    other => panic!("{other} was never offered"),
                };
                assert_eq!(self.put(i, bit, x), STN_OK, "{}", last_error());
            }
        }
    }

    fn finish(&self) -> stn_status {
        loop {
            match self.step() {
                STN_WANTED => self.answer(),
                done => return done,
            }
        }
    }

    fn state(&self) -> [f64; 3] {
        let (mut t, mut q, mut v) = (0.0, 0.0, 0.0);
        // SAFETY: as above, one number each.
        let status = unsafe { stn_stepper_get_state(self.s, &mut t, &mut q, 1, &mut v, 1) };
        assert_eq!(status, STN_OK);
        [t, q, v]
    }
}

impl Drop for Ball {
    fn drop(&mut self) {
        // SAFETY: created here, destroyed once.
        unsafe { stn_stepper_destroy(self.s) }
    }
}

#[test]
fn a_passive_model_that_cannot_be_is_refused() {
    let good = dims(1, 1, 1, 2);
    for ((d, gives, moving, max_points, mu, e), status, text) in [
        ((dims(-1, 1, 0, 0), FORCE, 0, 0, vec![], vec![]), STN_ERR_DIMENSION, "nq is -1"),
        ((dims(2, 1, 0, 0), FORCE, 0, 0, vec![], vec![]), STN_ERR_DIMENSION, "nq is 2"),
        ((dims(1, 1, 1, 3), FORCE, 0, 0, vec![], vec![]), STN_ERR_VALUE, "n_dir is 3"),
        ((good, 1 << 20, 0, 0, vec![], vec![]), STN_ERR_VALUE, "gives is 1048576"),
        ((good, -1, 0, 0, vec![], vec![]), STN_ERR_VALUE, "gives is -1"),
        ((good, STN_WANT_DFDQ as i32, 0, 0, vec![], vec![]), STN_ERR_VALUE, "dfdq alone"),
        ((good, STN_WANT_DFDV as i32, 0, 0, vec![], vec![]), STN_ERR_VALUE, "dfdv alone"),
        ((good, FORCE, 2, 0, vec![], vec![]), STN_ERR_VALUE, "moving is 2"),
        ((good, FORCE, 0, -1, vec![], vec![]), STN_ERR_DIMENSION, "max_points is -1"),
        ((good, FORCE, 0, 0, vec![-0.5], vec![]), STN_ERR_VALUE, "mu[0] is -0.5"),
        ((good, FORCE, 0, 0, vec![f64::NAN], vec![]), STN_ERR_NONFINITE, "mu[0] is NaN"),
        ((good, FORCE, 0, 0, vec![], vec![1.5]), STN_ERR_VALUE, "restitution[0] is 1.5"),
        ((dims(1, 1, 1, 0), FORCE, 0, 0, vec![0.5], vec![]), STN_ERR_VALUE, "mu[0] is 0.5"),
    ] {
        let attempt = create(&d, gives, moving, max_points, &mu, &e);
        refused(attempt.0, status, text);
        assert!(attempt.1.is_null(), "{text}");
    }
    let most = i32::MAX;
    let attempt = create(&dims(most, most, 1, most - 1), FORCE, 0, 0, &[], &[]);
    refused(attempt.0, STN_ERR_MEMORY, "cannot allocate");
    // SAFETY: NULL is refused.
    unsafe {
        refused(
            stn_passive_create(&good, FORCE, 0, 0, null(), null(), null_mut()),
            STN_ERR_NULL,
            "out is NULL",
        );
        let mut out = null_mut();
        refused(
            stn_passive_create(null(), FORCE, 0, 0, null(), null(), &mut out),
            STN_ERR_NULL,
            "dims is NULL",
        );
    }
}

#[test]
fn a_null_stepper_is_named() {
    let (mut what, mut t, mut q, mut v) = (7, 7.0, 7.0, 7.0);
    // SAFETY: NULL is refused.
    unsafe {
        refused(stn_passive_step(null_mut(), 0.1), STN_ERR_NULL, "s is NULL");
        refused(stn_passive_put(null_mut(), 0, MASS, &1.0, 1), STN_ERR_NULL, "s is NULL");
        refused(stn_passive_cancel(null_mut()), STN_ERR_NULL, "s is NULL");
        assert_eq!(stn_passive_request_count(null()), STN_ERR_NULL as i32);
        let status = stn_passive_get_request(null(), 0, &mut what, &mut t, &mut q, 1, &mut v, 1);
        refused(status, STN_ERR_NULL, "s is NULL");
    }
    assert_eq!((what, t, q, v), (7, 7.0, 7.0, 7.0));
}

#[test]
fn answers_are_given_in_full_before_a_step_goes_on() {
    let ball = Ball::new(0);
    assert_eq!(ball.count(), 0);
    refused(ball.put(0, MASS, 1.0), STN_ERR_DIMENSION, "i is 0, expected less than 0");
    assert_eq!(ball.step(), STN_WANTED);
    assert_eq!(ball.count(), 1);
    let (what, t, q, v) = ball.request(0);
    assert_eq!((t, q, v), (0.0, 1.0, 0.0));
    let all = [STN_WANT_MASS, STN_WANT_FORCE, STN_WANT_GAP, STN_WANT_NORMAL];
    assert_eq!(what, all.iter().map(|w| *w as i32).sum::<i32>());
    refused(ball.step(), STN_ERR_VALUE, "request 0 still lacks mass");
    assert_eq!(ball.put(0, MASS, 1.0), STN_OK);
    refused(ball.step(), STN_ERR_VALUE, "request 0 still lacks force");
    // A failure has neither answered nor forgotten anything.
    assert_eq!(ball.count(), 1);
    assert_eq!(ball.request(0).0, what);
    ball.answer();
    assert_eq!(ball.finish(), STN_OK);
    assert_eq!(ball.count(), 0);
    // Free fall: x = 1 - h^2, v = -2 h, exact for a rule of second order.
    assert_eq!(ball.state(), [0.125, 1.0 - 0.015625, -0.25]);
}

#[test]
fn an_answer_that_cannot_be_changes_nothing() {
    let ball = Ball::new(0);
    assert_eq!(ball.step(), STN_WANTED);
    let two = [1.0, 1.0];
    for what in [0, -1, 3, 1 << 16, i32::MIN] {
        refused(ball.put(0, what, 1.0), STN_ERR_VALUE, &format!("what is {what}"));
    }
    refused(ball.put(1, MASS, 1.0), STN_ERR_DIMENSION, "i is 1, expected less than 1");
    refused(ball.put(-1, MASS, 1.0), STN_ERR_DIMENSION, "i is -1");
    refused(ball.put(0, STN_WANT_DFDV as i32, 0.0), STN_ERR_VALUE, "what is dfdv");
    refused(ball.put(0, MASS, f64::NAN), STN_ERR_NONFINITE, "mass[0] is NaN");
    refused(ball.put(0, FORCE, f64::INFINITY), STN_ERR_NONFINITE, "force[0] is inf");
    // SAFETY: NULL and wrong lengths are refused.
    unsafe {
        refused(stn_passive_put(ball.s, 0, MASS, null(), 1), STN_ERR_NULL, "values is NULL");
        let long = stn_passive_put(ball.s, 0, MASS, two.as_ptr(), 2);
        refused(long, STN_ERR_DIMENSION, "mass is 2, expected 1");
        refused(
            stn_passive_put(ball.s, 0, MASS, two.as_ptr(), -1),
            STN_ERR_DIMENSION,
            "mass is -1",
        );
        refused(stn_passive_step(ball.s, 0.0), STN_ERR_VALUE, "h is 0");
        refused(stn_passive_step(ball.s, f64::NAN), STN_ERR_NONFINITE, "h is NaN");
    }
    refused(ball.step(), STN_ERR_VALUE, "request 0 still lacks mass");
    ball.answer();
    // The last answer counts.
    assert_eq!(ball.put(0, FORCE, 7.0), STN_OK);
    assert_eq!(ball.put(0, FORCE, -2.0), STN_OK);
    assert_eq!(ball.finish(), STN_OK);
    assert_eq!(ball.state()[2], -0.25);
}

#[test]
fn a_request_is_read_whole_or_not_at_all() {
    let ball = Ball::new(0);
    assert_eq!(ball.step(), STN_WANTED);
    let (mut what, mut t, mut q, mut v) = (7, 7.0, 7.0, 7.0);
    let (w, s) = (&raw mut what, ball.s);
    // SAFETY: NULL, wrong lengths and overlaps are refused; else one number each.
    unsafe {
        let none = null_mut();
        refused(
            stn_passive_get_request(s, 0, null_mut(), &mut t, &mut q, 1, &mut v, 1),
            STN_ERR_NULL,
            "what is NULL",
        );
        refused(
            stn_passive_get_request(s, 0, w, none, &mut q, 1, &mut v, 1),
            STN_ERR_NULL,
            "t is NULL",
        );
        refused(
            stn_passive_get_request(s, 0, w, &mut t, none, 1, &mut v, 1),
            STN_ERR_NULL,
            "q is NULL",
        );
        refused(
            stn_passive_get_request(s, 0, w, &mut t, &mut q, 1, none, 1),
            STN_ERR_NULL,
            "v is NULL",
        );
        refused(
            stn_passive_get_request(s, 0, w, &mut t, &mut q, 2, &mut v, 1),
            STN_ERR_DIMENSION,
            "nq is 2",
        );
        refused(
            stn_passive_get_request(s, 0, w, &mut t, &mut q, 1, &mut v, -1),
            STN_ERR_DIMENSION,
            "nv is -1",
        );
        refused(
            stn_passive_get_request(s, 1, w, &mut t, &mut q, 1, &mut v, 1),
            STN_ERR_DIMENSION,
            "i is 1",
        );
        let q = &raw mut q;
        refused(
            stn_passive_get_request(s, 0, w, &mut t, q, 1, q, 1),
            STN_ERR_VALUE,
            "q and v overlap",
        );
    }
    assert_eq!((what, t, q, v), (7, 7.0, 7.0, 7.0));
}

#[test]
fn a_point_that_the_host_refuses_is_avoided_by_a_shorter_step() {
    let ball = Ball::new(0);
    assert_eq!(ball.step(), STN_WANTED);
    ball.answer();
    assert_eq!(ball.step(), STN_WANTED);
    // SAFETY: the stepper lives.
    assert_eq!(unsafe { stn_passive_cancel(ball.s) }, STN_OK);
    assert_eq!(ball.count(), 0);
    assert_eq!(ball.state(), [0.0, 1.0, 0.0]);
    loop {
        // SAFETY: as above.
        match unsafe { stn_passive_step(ball.s, 0.0625) } {
            STN_WANTED => ball.answer(),
            done => break assert_eq!(done, STN_OK),
        }
    }
    assert_eq!(ball.state(), [0.0625, 1.0 - 0.00390625, -0.125]);
    // SAFETY: a struct of numbers, which may all be zero.
    let mut stats: stn_stats = unsafe { std::mem::zeroed() };
    stats.struct_size = size_of::<stn_stats>();
    // SAFETY: as above.
    assert_eq!(unsafe { stn_stepper_get_stats(ball.s, &mut stats) }, STN_OK);
    assert_eq!((stats.steps, stats.rejected), (1, 0), "waiting is no rejection");
}

#[test]
fn a_state_that_is_set_ends_the_step_under_way() {
    let ball = Ball::new(0);
    assert_eq!(ball.finish(), STN_OK);
    assert_eq!(ball.step(), STN_WANTED);
    let [t, q, v] = ball.state();
    // SAFETY: the stepper lives, one number each.
    assert_eq!(unsafe { stn_stepper_set_state(ball.s, t, &q, 1, &v, 1) }, STN_OK);
    assert_eq!(ball.count(), 0);
    refused(ball.put(0, MASS, 1.0), STN_ERR_DIMENSION, "i is 0, expected less than 0");
    // Even what was known of this very state is asked for again.
    assert_eq!(ball.step(), STN_WANTED);
    assert_eq!(ball.request(0).1, t);
    assert_eq!(ball.finish(), STN_ERR_VALUE, "the requests were not answered");
    ball.answer();
    assert_eq!(ball.finish(), STN_OK);
}

#[test]
fn a_step_that_asks_for_too_much_says_so() {
    let ball = Ball::new(2);
    let status = loop {
        match ball.step() {
            STN_WANTED => ball.answer(),
            done => break done,
        }
    };
    refused(status, STN_ERR_CAPACITY, "the points of a step needs 3, there is room for 2");
    assert_eq!(ball.count(), 0);
    assert_eq!(ball.state(), [0.0, 1.0, 0.0]);
}

#[test]
fn a_passive_model_is_not_asked_outside_its_loop() {
    let ball = Ball::new(0);
    let text = "must come from the host";
    // SAFETY: the stepper lives.
    unsafe {
        refused(stn_stepper_step(ball.s, 0.1), STN_ERR_VALUE, text);
        refused(stn_stepper_advance(ball.s, 1.0, 0.1), STN_ERR_VALUE, text);
    }
    assert_eq!((ball.count(), ball.state()), (0, [0.0, 1.0, 0.0]));
    let (status, model) = create(&dims(1, 1, 1, 0), FORCE, 0, 0, &[], &[]);
    assert_eq!(status, STN_OK);
    let mut worst = 7.0;
    // SAFETY: the model lives, one number each.
    unsafe {
        refused(stn_model_check(model, 0.0, &1.0, 1, &1.0, 1, &mut worst), STN_ERR_VALUE, text);
        stn_model_destroy(model);
    }
    assert_eq!(worst.to_bits(), 7.0f64.to_bits());
}

#[test]
fn a_model_of_functions_is_not_fed() {
    let fns = stn_model_fns { mass: Some(unit_mass), ..stn_model_fns::default() };
    let (mut model, mut s) = (null_mut(), null_mut());
    let text = "must be made by stn_passive_create";
    // SAFETY: the structs are ours, the handles live until the end.
    unsafe {
        let d = dims(1, 1, 0, 0);
        assert_eq!(stn_model_create(&d, &fns, null(), null(), null_mut(), &mut model), STN_OK);
        assert_eq!(stn_stepper_create(model, null(), &mut s), STN_OK);
        refused(stn_passive_step(s, 0.1), STN_ERR_VALUE, text);
        refused(stn_passive_put(s, 0, MASS, &1.0, 1), STN_ERR_VALUE, text);
        refused(stn_passive_cancel(s), STN_ERR_VALUE, text);
        assert_eq!(stn_passive_request_count(s), STN_ERR_VALUE as i32);
        stn_stepper_destroy(s);
        stn_model_destroy(model);
    }
}

#[test]
fn steppers_of_one_passive_model_do_not_share_answers() {
    let (status, model) = create(&dims(1, 1, 1, 0), FORCE, 0, 0, &[], &[0.5]);
    assert_eq!(status, STN_OK);
    let two: [Ball; 2] = std::array::from_fn(|k| {
        let mut s = null_mut();
        let q = 1.0 + k as f64;
        // SAFETY: handles that live; one number each.
        unsafe {
            assert_eq!(stn_stepper_create(model, null(), &mut s), STN_OK);
            assert_eq!(stn_stepper_set_state(s, 0.0, &q, 1, &0.0, 1), STN_OK);
        }
        Ball { s }
    });
    // SAFETY: steppers keep what they need of it.
    unsafe { stn_model_destroy(model) };
    assert_eq!(two[0].step(), STN_WANTED);
    assert_eq!((two[0].count(), two[1].count()), (1, 0));
    assert_eq!(two[1].finish(), STN_OK);
    assert_eq!((two[0].count(), two[1].count()), (1, 0));
    assert_eq!(two[0].request(0).2, 1.0);
}

unsafe extern "C-unwind" fn unit_mass(
    _: f64,
    _: *const f64,
    mass: *mut f64,
    _: *mut std::ffi::c_void,
) -> std::ffi::c_int {
    // SAFETY: the library hands over nv by nv numbers.
    unsafe { *mass = 1.0 };
    0
}
