//! The same motion through the C interface and in Rust: every choice arrives, every number comes back, to the last bit.
#![allow(unsafe_code)]

mod scenes;

use scenes::{Ball, Block, DoublePendulum};
use std::ffi::{c_int, c_void};
use std::ptr::null_mut;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};
use stiction::ffi::stn_status::*;
use stiction::ffi::*;
use stiction::impact::Law;
use stiction::model::{Answer, Dims, Model, Refusal};
use stiction::step::{
    EventLevel, Jacobian, MethodKind, Options, Outcome, Stabilization, Stats, Stepper,
};

/// What C is handed as `user`: a model, and its sizes.
struct Host {
    model: Arc<dyn Model>,
    dims: Dims,
    released: Arc<AtomicI32>,
}

/// The host, and views of numbers in the sizes that the header promises.
unsafe fn host<'a>(user: *mut c_void) -> &'a Host {
    // SAFETY: every model of these tests is made with a `Host` that lives until its release.
    unsafe { &*user.cast::<Host>() }
}

unsafe fn read<'a>(p: *const f64, n: usize) -> &'a [f64] {
    // SAFETY: the library promises n numbers.
    if n == 0 { &[] } else { unsafe { std::slice::from_raw_parts(p, n) } }
}

unsafe fn write<'a>(p: *mut f64, n: usize) -> &'a mut [f64] {
    // SAFETY: as `read`; and zeroed, which is checked here.
    let x = if n == 0 { &mut [] } else { unsafe { std::slice::from_raw_parts_mut(p, n) } };
    assert!(x.iter().all(|x| *x == 0.0), "outputs are zeroed before each call");
    x
}

fn code(answer: Answer) -> c_int {
    match answer {
        Ok(()) => 0,
        Err(Refusal::Point(code) | Refusal::Stop(code)) => code,
        Err(Refusal::Later) => panic!("only passive models answer later"),
    }
}

unsafe extern "C-unwind" fn mass(t: f64, q: *const f64, m: *mut f64, user: *mut c_void) -> c_int {
    // SAFETY: sizes as the header says.
    unsafe {
        let (h, d) = (host(user), host(user).dims);
        code(h.model.mass(t, read(q, d.nq), write(m, d.nv * d.nv)))
    }
}

unsafe extern "C-unwind" fn force(
    t: f64,
    q: *const f64,
    v: *const f64,
    f: *mut f64,
    user: *mut c_void,
) -> c_int {
    // SAFETY: sizes as the header says.
    unsafe {
        let (h, d) = (host(user), host(user).dims);
        code(h.model.force(t, read(q, d.nq), read(v, d.nv), write(f, d.nv)))
    }
}

unsafe extern "C-unwind" fn joint(
    t: f64,
    q: *const f64,
    phi: *mut f64,
    jt: *mut f64,
    user: *mut c_void,
) -> c_int {
    // SAFETY: sizes as the header says.
    unsafe {
        let (h, d) = (host(user), host(user).dims);
        let (phi, jt) = (write(phi, d.n_joint), write(jt, d.nv * d.n_joint));
        code(h.model.joint(t, read(q, d.nq), phi, jt))
    }
}

unsafe extern "C-unwind" fn gap(
    t: f64,
    q: *const f64,
    g: *mut f64,
    normal: *mut f64,
    user: *mut c_void,
) -> c_int {
    // SAFETY: sizes as the header says.
    unsafe {
        let (h, d) = (host(user), host(user).dims);
        let (g, normal) = (write(g, d.n_contact), write(normal, d.nv * d.n_contact));
        code(h.model.gap(t, read(q, d.nq), g, normal))
    }
}

unsafe extern "C-unwind" fn tangent(
    t: f64,
    q: *const f64,
    d: *mut f64,
    user: *mut c_void,
) -> c_int {
    // SAFETY: sizes as the header says.
    unsafe {
        let (h, n) = (host(user), host(user).dims);
        code(h.model.tangent(t, read(q, n.nq), write(d, n.nv * n.n_contact * n.n_dir)))
    }
}

unsafe extern "C-unwind" fn brake(
    t: f64,
    q: *const f64,
    bound: *mut f64,
    d: *mut f64,
    user: *mut c_void,
) -> c_int {
    // SAFETY: sizes as the header says.
    unsafe {
        let (h, n) = (host(user), host(user).dims);
        let (bound, d) = (write(bound, n.n_brake), write(d, n.nv * n.n_brake));
        code(h.model.brake(t, read(q, n.nq), bound, d))
    }
}

unsafe extern "C-unwind" fn release(user: *mut c_void) {
    // SAFETY: boxed by `through_c`, released once.
    let host = unsafe { Box::from_raw(user.cast::<Host>()) };
    host.released.fetch_add(1, Ordering::SeqCst);
}

/// Everything a run shows: statuses as outcomes, state, events as numbers, statistics, energies,
/// impulses, contacts.
#[derive(Debug, PartialEq)]
struct Shown {
    eventful: Vec<bool>,
    state: Vec<u64>,
    events: Vec<(i32, i32, [u64; 4], i64)>,
    counts: [i64; 13],
    worst: [u64; 3],
    /// Of the last step and summed, then impulses, then gap, rates and impulses of the contacts, then a
    /// state inside the last step.
    report: Vec<u64>,
    modes: Vec<i32>,
}

const STEPS: i32 = 90;
const H: f64 = 0.03;

fn in_rust(model: Arc<dyn Model>, options: &Options, q: &[f64]) -> Option<Shown> {
    let nv = model.dims().nv;
    let mut s = Stepper::new(model, options).ok()?;
    s.set_state(0.25, q, &vec![0.0; nv]).unwrap();
    let mut shown = Shown {
        eventful: vec![],
        state: vec![],
        events: vec![],
        counts: [0; 13],
        worst: [0; 3],
        report: vec![],
        modes: vec![],
    };
    for _ in 0..STEPS {
        shown.eventful.push(s.step(H).unwrap() == Outcome::Eventful);
        shown.events.extend(s.events().iter().map(|e| {
            let numbers = [e.t, e.speed_before, e.speed_after, e.impulse].map(f64::to_bits);
            (e.kind as i32, e.contact, numbers, e.key)
        }));
    }
    shown.state = [s.t()].iter().chain(s.q()).chain(s.v()).map(|x| x.to_bits()).collect();
    let Stats { steps, substeps, rejected, lcp_solves, warm_solves, pivots, .. } = *s.stats();
    let Stats { impacts, force_evals, check_solves, scheme_fallbacks, .. } = *s.stats();
    let Stats { capped_steps, events_lost, worst_residual, worst_gap, .. } = *s.stats();
    shown.counts = [
        steps,
        substeps,
        rejected,
        lcp_solves,
        warm_solves,
        pivots,
        impacts,
        force_evals,
        check_solves,
        scheme_fallbacks,
        capped_steps,
        events_lost,
        s.stats().jacobian_fallbacks,
    ];
    shown.worst = [worst_residual, worst_gap, s.stats().worst_joint_drift].map(f64::to_bits);
    (shown.report, shown.modes) = report_in_rust(&mut s);
    Some(shown)
}

fn report_in_rust(s: &mut Stepper) -> (Vec<u64>, Vec<i32>) {
    let mut numbers = Vec::new();
    for l in [s.ledger(), s.ledger_sum()] {
        let gains = [l.kinetic, l.external, l.drive, l.friction];
        numbers.extend(gains.into_iter().chain([l.impact, l.stabilization, l.residue]));
    }
    for x in [s.joint_impulses(), s.normal_impulses(), s.friction_impulses()] {
        numbers.extend_from_slice(x);
    }
    let mut modes = Vec::new();
    for i in 0..s.dims().n_contact {
        let c = s.contact(i).unwrap();
        numbers.extend([c.gap, c.gap_rate, c.slip_speed, c.normal_impulse, c.tangential_impulse]);
        modes.push(c.mode as i32);
        assert_eq!(c.mode, s.contact_mode(i));
    }
    let t = s.t();
    let (q, v) = s.state_at(t - 0.3 * H).unwrap_or_default();
    numbers.extend(q.iter().chain(v));
    (numbers.iter().map(|x| x.to_bits()).collect(), modes)
}

unsafe fn report_in_c(s: *mut stn_stepper, dims: &stn_dims) -> (Vec<u64>, Vec<i32>) {
    let mut numbers = Vec::new();
    let n = |n: i32| vec![0.0; n as usize];
    let (mut joint, mut normal) = (n(dims.n_joint), n(dims.n_contact));
    let mut friction = n(dims.n_contact * dims.n_dir);
    let mut modes = Vec::new();
    // SAFETY: a live stepper, arrays of the sizes of its model, whole structs.
    unsafe {
        for span in [stn_ledger_span::STN_LEDGER_STEP, stn_ledger_span::STN_LEDGER_SUM] {
            let mut l = std::mem::MaybeUninit::<stn_ledger>::zeroed().assume_init();
            l.struct_size = size_of::<stn_ledger>();
            assert_eq!(stn_stepper_get_ledger(s, span as i32, &mut l), STN_OK);
            let gains = [l.kinetic, l.external, l.drive, l.friction];
            numbers.extend(gains.into_iter().chain([l.impact, l.stabilization, l.residue]));
        }
        let status = stn_stepper_get_impulses(
            s,
            joint.as_mut_ptr(),
            dims.n_joint,
            normal.as_mut_ptr(),
            dims.n_contact,
            friction.as_mut_ptr(),
            dims.n_contact * dims.n_dir,
        );
        assert_eq!(status, STN_OK);
        [joint, normal, friction].iter().for_each(|x| numbers.extend_from_slice(x));
        for i in 0..dims.n_contact {
            let mut c = std::mem::MaybeUninit::<stn_contact_state>::zeroed().assume_init();
            c.struct_size = size_of::<stn_contact_state>();
            assert_eq!(stn_stepper_get_contact(s, i, &mut c), STN_OK);
            numbers.extend([c.gap, c.gap_rate, c.slip_speed]);
            numbers.extend([c.normal_impulse, c.tangential_impulse]);
            modes.push(c.mode);
            assert_eq!(c.key, i64::from(i));
        }
        let (mut t, mut q, mut v) = (0.0, n(dims.nq), n(dims.nv));
        assert_eq!(
            stn_stepper_get_state(s, &mut t, null_mut(), dims.nq, null_mut(), dims.nv),
            STN_OK
        );
        t -= 0.3 * H;
        let (qp, vp) = (q.as_mut_ptr(), v.as_mut_ptr());
        match stn_stepper_get_state_at(s, t, qp, dims.nq, vp, dims.nv) {
            STN_OK => numbers.extend(q.iter().chain(&v)),
            // A step that was stopped early.
            status => assert_eq!(status, STN_ERR_VALUE),
        }
    }
    (numbers.iter().map(|x| x.to_bits()).collect(), modes)
}

/// A model of C functions that forwards to `model`, and the count of its releases.
fn model_in_c(model: Arc<dyn Model>) -> (*mut stn_model, stn_dims, Arc<AtomicI32>) {
    let dims = model.dims();
    let released = Arc::new(AtomicI32::new(0));
    let mu: Vec<f64> = (0..dims.n_contact).map(|i| model.mu(i)).collect();
    let e: Vec<f64> = (0..dims.n_contact).map(|i| model.restitution(i)).collect();
    let size = |n: usize| n as i32;
    let c_dims = stn_dims {
        struct_size: size_of::<stn_dims>(),
        nq: size(dims.nq),
        nv: size(dims.nv),
        n_joint: size(dims.n_joint),
        n_contact: size(dims.n_contact),
        n_dir: size(dims.n_dir),
        n_brake: size(dims.n_brake),
        ..stn_dims::default()
    };
    let fns = stn_model_fns {
        struct_size: size_of::<stn_model_fns>(),
        mass: Some(mass),
        force: Some(force),
        joint: Some(joint),
        gap: Some(gap),
        tangent: Some(tangent),
        release: Some(release),
        brake: Some(brake),
        ..stn_model_fns::default()
    };
    let user = Box::into_raw(Box::new(Host { model, dims, released: Arc::clone(&released) }));
    let mut m = null_mut();
    // SAFETY: structs of the sizes they state, arrays of the sizes of the model.
    let made =
        unsafe { stn_model_create(&c_dims, &fns, mu.as_ptr(), e.as_ptr(), user.cast(), &mut m) };
    assert_eq!(made, STN_OK);
    (m, c_dims, released)
}

fn through_c(model: Arc<dyn Model>, opt: &stn_stepper_options, q: &[f64]) -> Option<Shown> {
    let (m, dims, released) = model_in_c(model);
    let mut s = null_mut();
    // SAFETY: a live model and a whole struct of options.
    let shown = unsafe {
        let status = stn_stepper_create(m, opt, &mut s);
        stn_model_destroy(m);
        if status != STN_OK {
            assert_eq!((status, s.is_null()), (STN_ERR_VALUE, true));
            None
        } else {
            Some(step_in_c(s, &dims, q))
        }
    };
    assert_eq!(released.load(Ordering::SeqCst), 1);
    shown
}

/// A model that other threads may use, as the header says.
#[derive(Clone, Copy)]
struct Shared(*mut stn_model);
// SAFETY: models are shared between threads by contract.
unsafe impl Send for Shared {}
// SAFETY: as above.
unsafe impl Sync for Shared {}

#[test]
fn steppers_on_several_threads_share_one_model() {
    let pendulum: Arc<dyn Model> = Arc::new(DoublePendulum { g: 9.8, e: 0.6 });
    let q = DoublePendulum::start();
    let alone = in_rust(Arc::clone(&pendulum), &Options::default(), &q);
    let (m, dims, released) = model_in_c(pendulum);
    let model = Shared(m);
    let run = || {
        let Shared(m) = { model };
        let mut s = null_mut();
        // SAFETY: the model lives until every thread has made its stepper and ended.
        unsafe {
            assert_eq!(stn_stepper_create(m, &defaults(), &mut s), STN_OK);
            Some(step_in_c(s, &dims, &q))
        }
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(run)).collect();
        threads.into_iter().for_each(|t| assert_eq!(t.join().unwrap(), alone));
    });
    assert_eq!(released.load(Ordering::SeqCst), 0);
    // SAFETY: ours, once.
    unsafe { stn_model_destroy(m) };
    assert_eq!(released.load(Ordering::SeqCst), 1);
}

unsafe fn step_in_c(s: *mut stn_stepper, dims: &stn_dims, q: &[f64]) -> Shown {
    let (mut q, mut v, mut t) = (q.to_vec(), vec![0.0; dims.nv as usize], 0.25);
    let (mut eventful, mut events) = (vec![], vec![]);
    // SAFETY: a live stepper, arrays of the sizes of its model.
    unsafe {
        assert_eq!(stn_stepper_set_state(s, t, q.as_ptr(), dims.nq, v.as_ptr(), dims.nv), STN_OK);
        for _ in 0..STEPS {
            let status = stn_stepper_step(s, H);
            assert!(matches!(status, STN_OK | STN_EVENT), "{status:?}");
            eventful.push(status == STN_EVENT);
            for i in 0..stn_stepper_event_count(s) {
                let mut e = stn_event {
                    struct_size: size_of::<stn_event>(),
                    kind: 0,
                    contact: 0,
                    t: 0.0,
                    speed_before: 0.0,
                    speed_after: 0.0,
                    impulse: 0.0,
                    key: 0,
                };
                assert_eq!(stn_stepper_get_event(s, i, &mut e), STN_OK);
                let numbers = [e.t, e.speed_before, e.speed_after, e.impulse].map(f64::to_bits);
                events.push((e.kind, e.contact, numbers, e.key));
            }
        }
        let (qp, vp) = (q.as_mut_ptr(), v.as_mut_ptr());
        assert_eq!(stn_stepper_get_state(s, &mut t, qp, dims.nq, vp, dims.nv), STN_OK);
        let mut stats = std::mem::MaybeUninit::<stn_stats>::zeroed().assume_init();
        stats.struct_size = size_of::<stn_stats>();
        assert_eq!(stn_stepper_get_stats(s, &mut stats), STN_OK);
        let (report, modes) = report_in_c(s, dims);
        stn_stepper_destroy(s);
        let state = [t].iter().chain(&q).chain(&v).map(|x| x.to_bits()).collect();
        let counts = [
            stats.steps,
            stats.substeps,
            stats.rejected,
            stats.lcp_solves,
            stats.warm_solves,
            stats.pivots,
            stats.impacts,
            stats.force_evals,
            stats.check_solves,
            stats.scheme_fallbacks,
            stats.capped_steps,
            stats.events_lost,
            stats.jacobian_fallbacks,
        ];
        let worst = [stats.worst_residual, stats.worst_gap, stats.worst_joint_drift];
        let worst = worst.map(f64::to_bits);
        Shown { eventful, state, events, counts, worst, report, modes }
    }
}

fn defaults() -> stn_stepper_options {
    let mut opt = std::mem::MaybeUninit::<stn_stepper_options>::uninit();
    // SAFETY: filled by the call.
    unsafe {
        let size = size_of::<stn_stepper_options>();
        assert_eq!(stn_stepper_options_init(opt.as_mut_ptr(), size), STN_OK);
        opt.assume_init()
    }
}

/// A slider of 1 kg with a brake of 5 N.
struct Slider;

impl Model for Slider {
    fn dims(&self) -> Dims {
        Dims { nq: 1, nv: 1, n_brake: 1, ..Dims::default() }
    }
    fn mass(&self, _: f64, _: &[f64], mass: &mut [f64]) -> Answer {
        mass[0] = 1.0;
        Ok(())
    }
    fn force(&self, t: f64, _: &[f64], _: &[f64], force: &mut [f64]) -> Answer {
        force[0] = 9.0 * (3.0 * t).cos();
        Ok(())
    }
    fn brake(&self, _: f64, _: &[f64], bound: &mut [f64], direction: &mut [f64]) -> Answer {
        (bound[0], direction[0]) = (5.0, 1.0);
        Ok(())
    }
}

/// Four scenes with the same choices, made in C and in Rust. Gives whether one of them differs from the default.
#[track_caller]
fn same(set: impl Fn(&mut stn_stepper_options), options: Options) -> bool {
    let mut opt = defaults();
    set(&mut opt);
    let push: fn(f64) -> f64 = |t| 9.0 * (3.0 * t).cos();
    let scenes: [(Arc<dyn Model>, Vec<f64>); 4] = [
        (Arc::new(DoublePendulum { g: 9.8, e: 0.6 }), DoublePendulum::start().to_vec()),
        (Arc::new(Block { mu: 0.5, push, gx: 0.0, gy: 9.81 }), vec![3.0, 0.4]),
        (Arc::new(Ball { force: -2.0, e: 0.5 }), vec![0.5]),
        (Arc::new(Slider), vec![0.5]),
    ];
    let mut differs = false;
    for (model, q) in scenes {
        let c = through_c(Arc::clone(&model), &opt, &q);
        assert_eq!(c, in_rust(Arc::clone(&model), &options, &q));
        differs |= c != in_rust(model, &Options::default(), &q);
    }
    differs
}

#[test]
fn the_default_motion_has_the_same_bits_through_c() {
    same(|_| (), Options::default());
}

#[test]
fn every_method_of_c_is_the_one_of_rust() {
    for code in (1..=8).chain(20..=26) {
        let options =
            Options { method: MethodKind::from_code(code).unwrap(), ..Options::default() };
        same(|o| o.method = code, options);
    }
}

#[test]
fn every_choice_made_in_c_arrives() {
    let base = Options::default();
    for (i, events) in
        [EventLevel::None, EventLevel::Collisions, EventLevel::All].iter().enumerate()
    {
        same(|o| o.events = i as i32, Options { events: Some(*events), ..base });
    }
    for (i, law) in [Law::Plastic, Law::Newton, Law::Poisson, Law::Reflection].iter().enumerate() {
        same(|o| o.impact_law = i as i32, Options { impact_law: Some(*law), ..base });
    }
    let all = [Stabilization::None, Stabilization::Velocity, Stabilization::Project];
    for (i, how) in all.iter().enumerate() {
        same(|o| o.stabilization = i as i32, Options { stabilization: Some(*how), ..base });
    }
    let all = [Jacobian::Differences, Jacobian::Explicit, Jacobian::Definite];
    for (i, jacobian) in all.iter().enumerate() {
        same(|o| o.jacobian = i as i32, Options { jacobian: *jacobian, ..base });
    }
    same(|o| o.energy_fallback = 3, Options { energy_fallback: Law::Reflection, ..base });
    same(|o| o.max_pivots = 1000, Options { max_pivots: 1000, ..base });
    same(|o| o.lcp_tolerance = 1e-8, Options { lcp_tolerance: 1e-8, ..base });
    same(|o| o.theta = 0.75, Options { theta: 0.75, ..base });
    same(|o| o.gamma = 0.75, Options { gamma: 0.75, ..base });
    same(|o| o.length_scale = 3.0, Options { length_scale: 3.0, ..base });
    // These change what happens, so that a mix-up of two of them would show.
    assert!(same(|o| o.max_events = 1, Options { max_events: 1, ..base }));
    assert!(same(|o| o.event_capacity = 1, Options { event_capacity: 1, ..base }));
    assert!(same(|o| o.active_gap = 0.02, Options { active_gap: 0.02, ..base }));
    assert!(same(|o| o.active_gap_h3 = 1e3, Options { active_gap_h3: 1e3, ..base }));
    assert!(same(|o| o.restitution_speed = 3.0, Options { restitution_speed: 3.0, ..base }));
    assert!(same(|o| o.closing = 0.9, Options { closing: 0.9, ..base }));
    assert!(same(|o| o.stop_at_event = 1, Options { stop_at_event: true, ..base }));
}
