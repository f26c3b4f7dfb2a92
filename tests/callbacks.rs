//! Functions that a host may add to its model: positions moved on their manifold, accelerations in
//! closed form. Through the C face, as a host in C gives them.
#![allow(unsafe_code)]

use std::ffi::{c_int, c_void};
use std::ptr::{null, null_mut};
use std::sync::atomic::{AtomicUsize, Ordering};
use stiction::ffi::stn_status::*;
use stiction::ffi::*;

fn last_error() -> String {
    let mut buf = [0u8; 2048];
    // SAFETY: the buffer is ours and has the size stated.
    let n = unsafe { stn_last_error(buf.as_mut_ptr().cast(), buf.len() as i32) };
    String::from_utf8(buf[..n as usize].to_vec()).unwrap()
}

/// A motion of a model of functions.
struct Motion {
    model: *mut stn_model,
    s: *mut stn_stepper,
    nq: usize,
    nv: usize,
}

impl Motion {
    fn new(
        [nq, nv, n_joint, n_contact, n_dir]: [i32; 5],
        fns: &stn_model_fns,
        mu: f64,
        q: &[f64],
        v: &[f64],
        user: *mut c_void,
    ) -> Self {
        let dims = stn_dims { nq, nv, n_joint, n_contact, n_dir, ..stn_dims::default() };
        let (mut model, mut s) = (null_mut(), null_mut());
        // SAFETY: structs and arrays are ours and have the sizes stated.
        unsafe {
            let status = stn_model_create(&dims, fns, &mu, null(), user, &mut model);
            assert_eq!(status, STN_OK, "{}", last_error());
            assert_eq!(stn_stepper_create(model, null(), &mut s), STN_OK, "{}", last_error());
            let status = stn_stepper_set_state(s, 0.0, q.as_ptr(), nq, v.as_ptr(), nv);
            assert_eq!(status, STN_OK);
        }
        Self { model, s, nq: nq as usize, nv: nv as usize }
    }

    fn advance(&self, t_end: f64, h: f64) -> (Vec<f64>, Vec<f64>) {
        // SAFETY: the stepper lives.
        let status = unsafe { stn_stepper_advance(self.s, t_end, h) };
        assert!(status as i32 >= 0, "{}", last_error());
        self.state()
    }

    fn state(&self) -> (Vec<f64>, Vec<f64>) {
        let (mut q, mut v) = (vec![0.0; self.nq], vec![0.0; self.nv]);
        let (nq, nv) = (self.nq as i32, self.nv as i32);
        let (to_q, to_v) = (q.as_mut_ptr(), v.as_mut_ptr());
        // SAFETY: the stepper lives, the arrays have the sizes stated.
        let status = unsafe { stn_stepper_get_state(self.s, null_mut(), to_q, nq, to_v, nv) };
        assert_eq!(status, STN_OK);
        (q, v)
    }

    fn first_event(&self) -> stn_event {
        // SAFETY: a struct of numbers, which may be zero; the stepper lives.
        unsafe {
            let mut event: stn_event = std::mem::zeroed();
            event.struct_size = size_of::<stn_event>();
            assert_eq!(stn_stepper_get_event(self.s, 0, &mut event), STN_OK, "{}", last_error());
            event
        }
    }

    /// The worst of stn_model_check, and its text.
    fn check(&self, q: &[f64], v: &[f64]) -> (f64, String) {
        let mut worst = -1.0;
        // SAFETY: the model lives, the arrays have the sizes stated.
        let status = unsafe {
            let (nq, nv) = (self.nq as i32, self.nv as i32);
            stn_model_check(self.model, 0.0, q.as_ptr(), nq, v.as_ptr(), nv, &mut worst)
        };
        assert_eq!(status, STN_OK);
        (worst, last_error())
    }
}

impl Drop for Motion {
    fn drop(&mut self) {
        // SAFETY: made here, destroyed once.
        unsafe {
            stn_stepper_destroy(self.s);
            stn_model_destroy(self.model);
        }
    }
}

/// `n` numbers of a host's array.
///
/// # Safety
/// The library hands over at least `n`.
unsafe fn numbers<'a>(p: *const f64, n: usize) -> &'a [f64] {
    // SAFETY: the promise of this function.
    unsafe { std::slice::from_raw_parts(p, n) }
}

/// `n` numbers that the host writes.
///
/// # Safety
/// As [`numbers`].
unsafe fn writable<'a>(p: *mut f64, n: usize) -> &'a mut [f64] {
    // SAFETY: the promise of this function.
    unsafe { std::slice::from_raw_parts_mut(p, n) }
}

// ---- a free body: unit quaternion and body rates, moments of inertia 1, 2, 3 ----

const INERTIA: [f64; 3] = [1.0, 2.0, 3.0];

/// -w x (J w)
fn gyroscopic(w: &[f64]) -> [f64; 3] {
    let l: [f64; 3] = std::array::from_fn(|i| INERTIA[i] * w[i]);
    [l[1] * w[2] - l[2] * w[1], l[2] * w[0] - l[0] * w[2], l[0] * w[1] - l[1] * w[0]]
}

/// q (0, w) / 2
fn spin(q: &[f64], w: &[f64]) -> [f64; 4] {
    [
        0.5 * (-q[1] * w[0] - q[2] * w[1] - q[3] * w[2]),
        0.5 * (q[0] * w[0] + q[2] * w[2] - q[3] * w[1]),
        0.5 * (q[0] * w[1] + q[3] * w[0] - q[1] * w[2]),
        0.5 * (q[0] * w[2] + q[1] * w[1] - q[2] * w[0]),
    ]
}

unsafe extern "C-unwind" fn top_mass(
    _: f64,
    _: *const f64,
    mass: *mut f64,
    _: *mut c_void,
) -> c_int {
    // SAFETY: nv by nv numbers.
    let mass = unsafe { writable(mass, 9) };
    (0..3).for_each(|i| mass[4 * i] = INERTIA[i]);
    0
}

unsafe extern "C-unwind" fn top_force(
    _: f64,
    _: *const f64,
    v: *const f64,
    force: *mut f64,
    _: *mut c_void,
) -> c_int {
    // SAFETY: nv numbers each.
    unsafe { writable(force, 3).copy_from_slice(&gyroscopic(numbers(v, 3))) };
    0
}

unsafe extern "C-unwind" fn top_rate(
    _: f64,
    q: *const f64,
    v: *const f64,
    qdot: *mut f64,
    _: *mut c_void,
) -> c_int {
    // SAFETY: nq and nv numbers.
    unsafe { writable(qdot, 4).copy_from_slice(&spin(numbers(q, 4), numbers(v, 3))) };
    0
}

/// The exponential map: turned by |d| about d.
unsafe extern "C-unwind" fn top_displace(
    _: f64,
    q: *const f64,
    d: *const f64,
    moved: *mut f64,
    _: *mut c_void,
) -> c_int {
    // SAFETY: nq and nv numbers.
    let (q, d, moved) = unsafe { (numbers(q, 4), numbers(d, 3), writable(moved, 4)) };
    let angle = d.iter().map(|x| x * x).sum::<f64>().sqrt();
    // 2 sin(angle/2)/angle, 1 at rest
    let part = if angle > 0.0 { 2.0 * (0.5 * angle).sin() / angle } else { 1.0 };
    let along = spin(q, d);
    (0..4).for_each(|i| moved[i] = (0.5 * angle).cos() * q[i] + part * along[i]);
    // Rounding of the product does not gather.
    let size = moved.iter().map(|x| x * x).sum::<f64>().sqrt();
    moved.iter_mut().for_each(|x| *x /= size);
    0
}

fn top(displaces: bool) -> Motion {
    top_with(if displaces { Some(top_displace) } else { None })
}

fn top_with(displace: stn_displace_fn) -> Motion {
    let fns = stn_model_fns {
        mass: Some(top_mass),
        force: Some(top_force),
        rate: Some(top_rate),
        displace,
        ..stn_model_fns::default()
    };
    Motion::new([4, 3, 0, 0, 0], &fns, 0.0, &TOP_Q, &TOP_W, null_mut())
}

const TOP_Q: [f64; 4] = [1.0, 0.0, 0.0, 0.0];
/// Near the unstable axis: it tumbles.
const TOP_W: [f64; 3] = [0.2, 2.0, 0.3];

/// The motion at t = 2 by the classical rule of fourth order in 20000 steps, good to 1e-12.
fn top_reference() -> ([f64; 4], [f64; 3]) {
    let (mut q, mut w) = (TOP_Q, TOP_W);
    let n = 20000;
    let h = 2.0 / n as f64;
    let slope = |q: &[f64; 4], w: &[f64; 3]| {
        let f = gyroscopic(w);
        (spin(q, w), std::array::from_fn::<f64, 3, _>(|i| f[i] / INERTIA[i]))
    };
    for _ in 0..n {
        let mut sum = ([0.0; 4], [0.0; 3]);
        let mut k = ([0.0; 4], [0.0; 3]);
        for (part, weight) in [(0.0, 1.0), (0.5, 2.0), (0.5, 2.0), (1.0, 1.0)] {
            let at = std::array::from_fn(|i| q[i] + part * h * k.0[i]);
            let rates = std::array::from_fn(|i| w[i] + part * h * k.1[i]);
            k = slope(&at, &rates);
            (0..4).for_each(|i| sum.0[i] += weight * k.0[i]);
            (0..3).for_each(|i| sum.1[i] += weight * k.1[i]);
        }
        (0..4).for_each(|i| q[i] += h / 6.0 * sum.0[i]);
        (0..3).for_each(|i| w[i] += h / 6.0 * sum.1[i]);
    }
    (q, w)
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
}

#[test]
fn a_free_top_of_functions_turns_to_second_order() {
    let (q_end, w_end) = top_reference();
    let energy = |w: &[f64]| (0..3).map(|i| 0.5 * INERTIA[i] * w[i] * w[i]).sum::<f64>();
    for displaces in [false, true] {
        let mut errors = Vec::new();
        for h in [0.04, 0.02, 0.01] {
            let (q, w) = top(displaces).advance(2.0, h);
            let norm = distance(&q, &[0.0; 4]);
            // On the manifold to rounding; by the midpoint rule |q|^2 grows by |w h|^4/16 a step.
            let speed = 2.2f64;
            let drift = if displaces { 1e-14 } else { 2.0 * speed.powi(4) * h.powi(3) / 16.0 };
            assert!((norm - 1.0).abs() < drift, "{displaces} {h}: {norm}");
            errors.push([
                distance(&q, &q_end),
                distance(&w, &w_end),
                (energy(&w) - energy(&TOP_W)).abs(),
            ]);
        }
        for kind in 0..3 {
            let order = (errors[1][kind] / errors[2][kind]).log2();
            assert!(order > 1.85, "{displaces} {kind}: {order} {errors:?}");
        }
        assert!(errors[2][0] < 2e-3, "{errors:?}");
    }
}

#[test]
fn a_displacement_is_checked_against_the_rate() {
    let q = [0.5, 0.5, -0.5, 0.5];
    let (worst, text) = top(true).check(&q, &[0.3, 1.0, -0.4]);
    assert!(worst < 1e-6, "{worst} {text}");
    /// Turns half as far.
    unsafe extern "C-unwind" fn short(
        t: f64,
        q: *const f64,
        d: *const f64,
        moved: *mut f64,
        user: *mut c_void,
    ) -> c_int {
        // SAFETY: nv numbers, then as the library handed over.
        unsafe {
            let half: Vec<f64> = numbers(d, 3).iter().map(|x| 0.5 * x).collect();
            top_displace(t, q, half.as_ptr(), moved, user)
        }
    }
    let (worst, text) = top_with(Some(short)).check(&q, &[0.3, 1.0, -0.4]);
    assert!(worst > 0.1 && text.contains("displace"), "{worst} {text}");
}

// ---- a bead of 1 kg on a ball of radius 1, in the plane of its fall ----

const G: f64 = 9.81;

unsafe extern "C-unwind" fn bead_mass(
    _: f64,
    _: *const f64,
    mass: *mut f64,
    _: *mut c_void,
) -> c_int {
    // SAFETY: nv by nv numbers.
    let mass = unsafe { writable(mass, 4) };
    (mass[0], mass[3]) = (1.0, 1.0);
    0
}

unsafe extern "C-unwind" fn bead_force(
    _: f64,
    _: *const f64,
    _: *const f64,
    force: *mut f64,
    _: *mut c_void,
) -> c_int {
    // SAFETY: nv numbers.
    unsafe { writable(force, 2)[1] = -G };
    0
}

/// Counts its calls in `user`.
unsafe extern "C-unwind" fn bead_gap(
    _: f64,
    q: *const f64,
    gap: *mut f64,
    normal: *mut f64,
    user: *mut c_void,
) -> c_int {
    // SAFETY: the sizes of the model, and the counter of the test.
    unsafe {
        (*user.cast::<AtomicUsize>()).fetch_add(1, Ordering::Relaxed);
        let q = numbers(q, 2);
        let r = q[0].hypot(q[1]);
        *gap = r - 1.0;
        writable(normal, 2).copy_from_slice(&[q[0] / r, q[1] / r]);
    }
    0
}

unsafe extern "C-unwind" fn bead_tangent(
    _: f64,
    q: *const f64,
    tangent: *mut f64,
    _: *mut c_void,
) -> c_int {
    // SAFETY: the sizes of the model.
    let (q, tangent) = unsafe { (numbers(q, 2), writable(tangent, 4)) };
    let r = q[0].hypot(q[1]);
    tangent.copy_from_slice(&[-q[1] / r, q[0] / r, q[1] / r, -q[0] / r]);
    0
}

/// (dn/dt)'v = (v^2 - (n'v)^2)/r and (dd/dt)'v = -(d'v)(n'v)/r for d at a right angle to n.
unsafe extern "C-unwind" fn bead_accel(
    _: f64,
    q: *const f64,
    v: *const f64,
    _: *mut f64,
    normal: *mut f64,
    tangent: *mut f64,
    _: *mut c_void,
) -> c_int {
    // SAFETY: the sizes of the model.
    let (q, v, tangent) = unsafe { (numbers(q, 2), numbers(v, 2), writable(tangent, 2)) };
    let r = q[0].hypot(q[1]);
    let out = (q[0] * v[0] + q[1] * v[1]) / r;
    let along = (q[0] * v[1] - q[1] * v[0]) / r;
    // SAFETY: as above.
    unsafe { *normal = (v[0] * v[0] + v[1] * v[1] - out * out) / r };
    (tangent[0], tangent[1]) = (-along * out / r, along * out / r);
    0
}

/// The bead at (q, v); gaps asked for are counted.
fn bead(accel: stn_accel_fn, mu: f64, q: &[f64], v: &[f64], asks: &mut AtomicUsize) -> Motion {
    let fns = stn_model_fns {
        mass: Some(bead_mass),
        force: Some(bead_force),
        gap: Some(bead_gap),
        tangent: Some(bead_tangent),
        accel,
        ..stn_model_fns::default()
    };
    let user = std::ptr::from_mut(asks).cast();
    Motion::new([2, 2, 0, 1, 2], &fns, mu, q, v, user)
}

/// The bead `angle` from the top, at rest.
fn bead_at(gives: bool, mu: f64, angle: f64, asks: &mut AtomicUsize) -> Motion {
    let accel: stn_accel_fn = if gives { Some(bead_accel) } else { None };
    bead(accel, mu, &[angle.sin(), angle.cos()], &[0.0; 2], asks)
}

#[test]
fn a_bead_leaves_the_ball_at_two_thirds_of_its_height_either_way() {
    // Energy against centripetal force: it leaves where cos is 2/3 of that of the start, at the
    // speed v^2 = 2 g/3 cos(0.3).
    let height = 2.0 / 3.0 * 0.3f64.cos();
    let speed = (G * height).sqrt();
    let mut errors = Vec::new();
    for h in [0.01, 0.005, 0.0025] {
        let mut ends = Vec::new();
        let mut asked = Vec::new();
        for gives in [false, true] {
            let mut asks = AtomicUsize::new(0);
            let motion = bead_at(gives, 0.0, 0.3, &mut asks);
            let mut last = (vec![0.0; 2], vec![0.0; 2], 0.0);
            for k in 1.. {
                let (q, v) = motion.advance(k as f64 * h, h);
                // SAFETY: the stepper lives.
                if unsafe { stn_stepper_event_count(motion.s) } > 0 {
                    let event = motion.first_event();
                    assert_eq!(event.kind, stn_event_kind::STN_EVENT_TAKEOFF as i32);
                    // Straight back along the parabola to the moment of departure.
                    let back = k as f64 * h - event.t;
                    let y = q[1] - v[1] * back - 0.5 * G * back * back;
                    let vy = v[1] + G * back;
                    last = (vec![y], vec![v[0].hypot(vy)], event.t);
                    break;
                }
                assert!(k < 1000, "it never leaves");
            }
            drop(motion);
            asked.push(asks.into_inner());
            ends.push(last);
        }
        let (differences, given) = (&ends[0], &ends[1]);
        errors.push((given.0[0] - height).abs().max((given.1[0] - speed).abs()));
        // Differences of directions are in error by 1e-10 of v^2 per length; the time at which a
        // force vanishes moves by as much, and by what location leaves, a millionth of a step.
        assert!((differences.2 - given.2).abs() < 2e-6 * h, "{h}: {ends:?}");
        assert!((differences.0[0] - given.0[0]).abs() < 1e-8, "{h}: {ends:?}");
        assert!(asked[1] < asked[0], "{asked:?}");
    }
    let order = (errors[1] / errors[2]).log2();
    assert!(order > 1.7 && errors[2] < 1e-3, "{order} {errors:?}");
}

#[test]
fn friction_holds_a_bead_where_it_may_either_way() {
    // Friction holds up to the angle of atan(mu) = 0.2915 for mu = 0.3.
    for gives in [false, true] {
        let mut asks = AtomicUsize::new(0);
        let held = bead_at(gives, 0.3, 0.25, &mut asks);
        let (q, v) = held.advance(1.0, 0.01);
        let moved = distance(&q, &[0.25f64.sin(), 0.25f64.cos()]);
        assert!(moved < 1e-12 && distance(&v, &[0.0; 2]) < 1e-12, "{moved} {v:?}");
        drop(held);
        let slides = bead_at(gives, 0.3, 0.35, &mut asks);
        let (_, v) = slides.advance(0.5, 0.01);
        assert!(v[0] > 0.05, "{v:?}");
    }
}

/// What a host with a fault does from one of its calls on.
#[derive(Clone, Copy, PartialEq)]
enum Fault {
    Returns(c_int),
    WritesNan,
}

/// Gaps asked for, then the fault; the layout lets `bead_gap` count.
#[repr(C)]
struct Faulty {
    gaps: AtomicUsize,
    calls: AtomicUsize,
    /// The first call that fails; a later one heals it.
    from: AtomicUsize,
    fault: Option<Fault>,
}

/// Counts a call; the code to return, after spoiling `x` where that is the fault.
///
/// # Safety
/// `user` is a [`Faulty`], `x` can be written.
unsafe fn faulty(user: *mut c_void, x: *mut f64) -> c_int {
    // SAFETY: the promise of this function.
    unsafe {
        let host = &*user.cast::<Faulty>();
        let call = host.calls.fetch_add(1, Ordering::Relaxed) + 1;
        match host.fault.filter(|_| call >= host.from.load(Ordering::Relaxed)) {
            Some(Fault::Returns(code)) => code,
            Some(Fault::WritesNan) => {
                *x = f64::NAN;
                0
            }
            None => 0,
        }
    }
}

unsafe extern "C-unwind" fn faulty_displace(
    _: f64,
    q: *const f64,
    d: *const f64,
    moved: *mut f64,
    user: *mut c_void,
) -> c_int {
    // SAFETY: the sizes of the model.
    unsafe {
        let (q, d) = (numbers(q, 2), numbers(d, 2));
        writable(moved, 2).copy_from_slice(&[q[0] + d[0], q[1] + d[1]]);
        faulty(user, moved)
    }
}

unsafe extern "C-unwind" fn faulty_accel(
    t: f64,
    q: *const f64,
    v: *const f64,
    joint: *mut f64,
    normal: *mut f64,
    tangent: *mut f64,
    user: *mut c_void,
) -> c_int {
    // SAFETY: as the library handed over.
    unsafe {
        bead_accel(t, q, v, joint, normal, tangent, user);
        faulty(user, normal)
    }
}

#[test]
fn functions_that_fail_at_their_tenth_call_leave_no_trace() {
    let start = [0.3f64.sin(), 0.3f64.cos()];
    let motion = |displaces: bool, host: &mut Faulty| {
        let fns = stn_model_fns {
            mass: Some(bead_mass),
            force: Some(bead_force),
            gap: Some(bead_gap),
            tangent: Some(bead_tangent),
            displace: if displaces { Some(faulty_displace) } else { None },
            accel: if displaces { None } else { Some(faulty_accel) },
            ..stn_model_fns::default()
        };
        let user = std::ptr::from_mut(host).cast();
        Motion::new([2, 2, 0, 1, 2], &fns, 0.0, &start, &[0.0; 2], user)
    };
    let no_fault = || Faulty {
        gaps: AtomicUsize::new(0),
        calls: AtomicUsize::new(0),
        from: AtomicUsize::new(10),
        fault: None,
    };
    for displaces in [false, true] {
        let (name, array) =
            if displaces { ("displace", "moved") } else { ("accel", "normal accel") };
        for (fault, status, text) in [
            (Fault::Returns(3), STN_REJECTED, format!("{name} refused the point with 3")),
            (Fault::Returns(-3), STN_ERR_CALLBACK, format!("{name} returned -3")),
            (Fault::WritesNan, STN_ERR_NONFINITE, format!("{array}[0] is NaN")),
        ] {
            let (mut calm, mut host) = (no_fault(), no_fault());
            host.fault = Some(fault);
            let calm_motion = motion(displaces, &mut calm);
            let faulty_motion = motion(displaces, &mut host);
            let mut steps = 0;
            let failed = loop {
                // SAFETY: the stepper lives.
                let done = unsafe { stn_stepper_step(faulty_motion.s, 0.01) };
                if done != STN_OK {
                    break done;
                }
                steps += 1;
                assert!(steps < 20, "{name} is hardly asked");
            };
            assert_eq!(failed, status, "{}", last_error());
            assert_eq!(last_error(), text);
            // As far as the calm one after the same number of steps; healed, as far as that one.
            let calm_step = || {
                // SAFETY: the stepper lives.
                assert_eq!(unsafe { stn_stepper_step(calm_motion.s, 0.01) }, STN_OK);
            };
            (0..steps).for_each(|_| calm_step());
            assert_eq!(faulty_motion.state(), calm_motion.state(), "{text}");
            host.from.store(usize::MAX, Ordering::Relaxed);
            for _ in 0..5 {
                calm_step();
                // SAFETY: the stepper lives.
                assert_eq!(unsafe { stn_stepper_step(faulty_motion.s, 0.01) }, STN_OK);
            }
            assert_eq!(faulty_motion.state(), calm_motion.state(), "{text}");
        }
    }
}

#[test]
fn accelerations_are_checked_against_directions() {
    let mut asks = AtomicUsize::new(0);
    let (q, v) = ([0.4, 1.1], [1.2, -0.7]);
    let (worst, text) = bead_at(true, 0.3, 0.2, &mut asks).check(&q, &v);
    assert!(worst < 1e-6, "{worst} {text}");
    /// Half too much along the normal.
    unsafe extern "C-unwind" fn rough(
        t: f64,
        q: *const f64,
        v: *const f64,
        joint: *mut f64,
        normal: *mut f64,
        tangent: *mut f64,
        user: *mut c_void,
    ) -> c_int {
        // SAFETY: as the library handed over.
        unsafe {
            bead_accel(t, q, v, joint, normal, tangent, user);
            *normal *= 1.5;
        }
        0
    }
    let wrong = bead(Some(rough), 0.3, &q, &v, &mut asks);
    let (worst, text) = wrong.check(&q, &v);
    assert!(worst > 0.3 && text.contains("normal accel"), "{worst} {text}");
}
