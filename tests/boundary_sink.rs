//! Contacts that come and go through the C interface: everything that a host can do wrong with a sink has its status, in the push and
//! in the step, and a sink that is not open is never followed.
#![allow(unsafe_code)]

use std::cell::Cell;
use std::ffi::{c_int, c_void};
use std::ptr::{null, null_mut};
use stiction::ffi::stn_status::*;
use stiction::ffi::*;

fn last_error() -> String {
    let mut buf = [0u8; 1024];
    // SAFETY: the buffer is ours and has the size stated.
    let n = unsafe { stn_last_error(buf.as_mut_ptr().cast(), buf.len() as i32) };
    String::from_utf8(buf[..n as usize].to_vec()).unwrap()
}

const NAN: f64 = f64::NAN;
const UP: [f64; 2] = [0.0, 1.0];
const SIDES: [f64; 4] = [1.0, 0.0, -1.0, 0.0];
const BOTH: [i32; 2] = [0, 1];

/// A push that a test makes, and what came of it.
type Push = Box<dyn Fn(*mut stn_contact_sink) -> stn_status>;

/// A point of 1 kg above the ground; the ground has the key 5 and is pushed first.
struct Host {
    push: Push,
    got: Cell<stn_status>,
    kept: Cell<*mut stn_contact_sink>,
    returns: c_int,
}

extern "C-unwind" fn mass(_: f64, _: *const f64, mass: *mut f64, _: *mut c_void) -> c_int {
    // SAFETY: 2 by 2 numbers.
    unsafe { (*mass, *mass.add(3)) = (1.0, 1.0) };
    0
}

extern "C-unwind" fn contacts(
    _: f64,
    q: *const f64,
    _: f64,
    sink: *mut stn_contact_sink,
    user: *mut c_void,
) -> c_int {
    // SAFETY: two numbers, and the host of the test.
    let (y, host) = unsafe { (*q.add(1), &*user.cast::<Host>()) };
    // SAFETY: arrays of the sizes stated.
    let good = unsafe { stn_contact_push(sink, 5, y, UP.as_ptr(), 2, SIDES.as_ptr(), 0.5, 0.0) };
    assert_eq!(good, STN_OK);
    host.kept.set(sink);
    host.got.set((host.push)(sink));
    host.returns
}

fn host(push: impl Fn(*mut stn_contact_sink) -> stn_status + 'static) -> Host {
    Host {
        push: Box::new(push),
        got: STN_OK.into(),
        kept: null_mut::<stn_contact_sink>().into(),
        returns: 0,
    }
}

fn dims() -> stn_dims {
    let struct_size = size_of::<stn_dims>();
    stn_dims { struct_size, nq: 2, nv: 2, n_dir: 4, ..stn_dims::default() }
}

fn fns() -> stn_model_fns {
    stn_model_fns {
        struct_size: size_of::<stn_model_fns>(),
        mass: Some(mass),
        contacts: Some(contacts),
        max_contacts: 2,
        ..stn_model_fns::default()
    }
}

fn with_stepper(host: &Host, f: impl FnOnce(*mut stn_stepper)) {
    let (mut model, mut s) = (null_mut(), null_mut());
    let user = std::ptr::from_ref(host).cast_mut().cast();
    // SAFETY: structs and handles are ours; the host outlives the stepper.
    unsafe {
        let st = stn_model_create(&dims(), &fns(), null(), null(), user, &mut model);
        assert_eq!(st, STN_OK, "{}", last_error());
        assert_eq!(stn_stepper_create(model, null(), &mut s), STN_OK);
        stn_model_destroy(model);
        let (q, v) = ([0.0, 1.0], [0.0, -0.1]);
        assert_eq!(stn_stepper_set_state(s, 0.0, q.as_ptr(), 2, v.as_ptr(), 2), STN_OK);
        f(s);
        stn_stepper_destroy(s);
    }
}

/// The push fails with `status` and a text that begins as given, and the step fails with the same although the host does not care.
#[track_caller]
fn fails(
    status: stn_status,
    text: &str,
    push: impl Fn(*mut stn_contact_sink) -> stn_status + 'static,
) {
    let host = host(push);
    with_stepper(&host, |s| {
        // SAFETY: the stepper lives.
        let step = unsafe { stn_stepper_step(s, 0.1) };
        assert_eq!((host.got.get(), step), (status, status), "{}", last_error());
        let said = last_error();
        assert!(said.starts_with(text), "{said}");
    });
}

#[test]
fn every_wrong_push_has_its_status_and_fails_the_step() {
    let push =
        |key: i64, gap: f64, normal: *const f64, n_dir: i32, d: *const f64, mu: f64, e: f64| {
            // SAFETY: arrays of the sizes stated, or what the test is about.
            move |s: *mut stn_contact_sink| unsafe {
                stn_contact_push(s, key, gap, normal, n_dir, d, mu, e)
            }
        };
    let (up, sides) = (UP.as_ptr(), SIDES.as_ptr());
    fails(STN_ERR_NONFINITE, "gap[1] is NaN", push(1, NAN, up, 0, null(), 0.0, 0.0));
    fails(STN_ERR_NULL, "normal is missing", push(1, 1.0, null(), 0, null(), 0.0, 0.0));
    fails(STN_ERR_NULL, "tangent is missing", push(1, 1.0, up, 2, null(), 0.0, 0.0));
    fails(STN_ERR_DIMENSION, "n_dir is -2", push(1, 1.0, up, -2, sides, 0.0, 0.0));
    fails(STN_ERR_VALUE, "mu[1] is -1", push(1, 1.0, up, 2, sides, -1.0, 0.0));
    fails(STN_ERR_VALUE, "mu[1] is 1, must be 0 without", push(1, 1.0, up, 0, null(), 1.0, 0.0));
    fails(STN_ERR_VALUE, "restitution[1] is 2", push(1, 1.0, up, 2, sides, 0.0, 2.0));
    const ODD: [f64; 6] = [1.0, 0.0, -1.0, 0.0, 0.0, 0.0];
    fails(
        STN_ERR_VALUE,
        "directions of a contact is 3",
        push(1, 1.0, up, 3, ODD.as_ptr(), 0.0, 0.0),
    );
    const MANY: [f64; 12] = [0.0; 12];
    let many = push(1, 1.0, up, 6, MANY.as_ptr(), 0.0, 0.0);
    fails(STN_ERR_CAPACITY, "directions of a contact needs 6, there is room for 4", many);
    const ASKEW: [f64; 4] = [1.0, 0.0, -1.0, 0.5];
    fails(STN_ERR_VALUE, "tangent[3] is 0.5", push(1, 1.0, up, 2, ASKEW.as_ptr(), 0.0, 0.0));
    const HOLE: [f64; 2] = [0.0, NAN];
    fails(STN_ERR_NONFINITE, "normal[1] is NaN", push(1, 1.0, HOLE.as_ptr(), 0, null(), 0.0, 0.0));
    let odd_address = up.cast::<u8>().wrapping_add(1).cast();
    fails(
        STN_ERR_VALUE,
        "contact is normal is at an address",
        push(1, 1.0, odd_address, 0, null(), 0.0, 0.0),
    );
    // A NULL sink reaches no sink: the push fails, the step does not.
    let host =
        // SAFETY: arrays of the sizes stated.
        host(|_| unsafe { stn_contact_push(null_mut(), 1, 1.0, UP.as_ptr(), 0, null(), 0.0, 0.0) });
    with_stepper(&host, |s| {
        // SAFETY: the stepper lives.
        assert_eq!(unsafe { stn_stepper_step(s, 0.1) }, STN_OK);
        assert_eq!((host.got.get(), last_error()), (STN_ERR_NULL, "sink is NULL".to_string()));
    });
}

#[test]
fn tangents_and_sparse_columns_are_checked_alike() {
    let tangents = |facets: i32, a: *const f64, b: *const f64| {
        // SAFETY: arrays of the sizes stated, or what the test is about.
        move |s: *mut stn_contact_sink| unsafe {
            stn_contact_push_tangents(s, 1, 1.0, UP.as_ptr(), facets, a, b, 0.1, 0.0)
        }
    };
    let (up, side) = (UP.as_ptr(), SIDES.as_ptr());
    fails(STN_ERR_NULL, "first is missing", tangents(4, null(), side));
    fails(STN_ERR_NULL, "second is missing", tangents(4, side, null()));
    fails(STN_ERR_DIMENSION, "facets is -1", tangents(-1, side, up));
    fails(STN_ERR_VALUE, "directions of a contact is 3", tangents(3, side, up));
    fails(STN_ERR_VALUE, "mu[1] is 0.1, must be 0", tangents(0, null(), null()));
    let sparse = |n: i32, index: *const i32, normal: *const f64, n_dir: i32, d: *const f64| {
        // SAFETY: as above.
        move |s: *mut stn_contact_sink| unsafe {
            stn_contact_push_sparse(s, 1, 1.0, n, index, normal, n_dir, d, 0.0, 0.0)
        }
    };
    const BEYOND: [i32; 2] = [1, 2];
    const BEFORE: [i32; 2] = [1, -1];
    fails(STN_ERR_DIMENSION, "coordinate is 2", sparse(2, BEYOND.as_ptr(), up, 0, null()));
    fails(STN_ERR_DIMENSION, "coordinate is -1", sparse(2, BEFORE.as_ptr(), up, 0, null()));
    fails(STN_ERR_DIMENSION, "number of coordinates is 0", sparse(0, null(), null(), 0, null()));
    fails(STN_ERR_DIMENSION, "n_index is -1", sparse(-1, null(), null(), 0, null()));
    fails(STN_ERR_NULL, "index is missing", sparse(2, null(), up, 0, null()));
    fails(STN_ERR_NULL, "normal is missing", sparse(2, BOTH.as_ptr(), null(), 0, null()));
    fails(STN_ERR_NULL, "tangent is missing", sparse(2, BOTH.as_ptr(), up, 2, null()));
}

#[test]
fn too_many_contacts_and_a_key_twice_fail_the_step() {
    // SAFETY: arrays of the sizes stated.
    let push =
        |sink, key| unsafe { stn_contact_push(sink, key, 1.0, UP.as_ptr(), 0, null(), 0.0, 0.0) };
    let twice = host(move |sink| push(sink, 5));
    with_stepper(&twice, |s| {
        // SAFETY: the stepper lives.
        assert_eq!(unsafe { stn_stepper_step(s, 0.1) }, STN_ERR_VALUE);
        assert_eq!(last_error(), "contact key is 5, must be pushed once at each point");
    });
    let many = host(move |sink| (1..=4).fold(STN_OK, |_, key| push(sink, key)));
    with_stepper(&many, |s| {
        // SAFETY: the stepper lives.
        assert_eq!(unsafe { stn_stepper_step(s, 0.1) }, STN_ERR_CAPACITY);
        assert_eq!(last_error(), "contacts pushed at one point needs 5, there is room for 2");
    });
}

#[test]
fn a_group_of_wrong_keys_fails_the_step() {
    let join = |n: i32, keys: *const i64| {
        // SAFETY: an array of the size stated, or what the test is about.
        move |s: *mut stn_contact_sink| unsafe { stn_contact_join(s, -3, n, keys) }
    };
    const GROUND: [i64; 2] = [5, 5];
    const UNKNOWN: [i64; 2] = [5, i64::MIN];
    let ground = GROUND.as_ptr();
    fails(STN_ERR_NULL, "key is missing", join(1, null()));
    fails(STN_ERR_DIMENSION, "n_key is -1", join(-1, ground));
    fails(STN_ERR_DIMENSION, "branches that join a group is 0", join(0, null()));
    fails(STN_ERR_VALUE, "contact key is 5, must be in one group", join(2, ground));
    let unknown = "contact key is -9223372036854775808, must be pushed before it joins a group";
    fails(STN_ERR_VALUE, unknown, join(2, UNKNOWN.as_ptr()));
    let odd_address = ground.cast::<u8>().wrapping_add(1).cast();
    fails(STN_ERR_VALUE, "contact is key is at an address", join(1, odd_address));
    // One branch is a contact like any other; a NULL or closed sink reaches none.
    for (status, null_sink) in [(STN_OK, false), (STN_ERR_NULL, true)] {
        let host = host(move |s| join(1, GROUND.as_ptr())(if null_sink { null_mut() } else { s }));
        with_stepper(&host, |s| {
            // SAFETY: the stepper lives.
            assert_eq!(unsafe { stn_stepper_step(s, 0.1) }, STN_OK);
            assert_eq!(host.got.get(), status);
        });
    }
    assert_eq!(join(1, ground)(8 as *mut stn_contact_sink), STN_ERR_VALUE);
}

#[test]
fn what_the_function_returns_is_taken_when_all_pushes_are_good() {
    for (returns, status) in [(0, STN_OK), (3, STN_REJECTED), (-3, STN_ERR_CALLBACK)] {
        let host = Host { returns, ..host(|_| STN_OK) };
        // SAFETY: the stepper lives.
        with_stepper(&host, |s| assert_eq!(unsafe { stn_stepper_step(s, 0.1) }, status));
    }
}

#[test]
fn a_sink_is_closed_when_its_call_is_over_and_on_other_threads() {
    let quiet = host(|_| STN_OK);
    with_stepper(&quiet, |s| {
        // SAFETY: the stepper lives.
        assert_eq!(unsafe { stn_stepper_step(s, 0.1) }, STN_OK);
        let stale = quiet.kept.get();
        assert!(!stale.is_null());
        for sink in [stale, 8 as *mut stn_contact_sink] {
            // SAFETY: a sink is a name; arrays of the sizes stated.
            let st = unsafe { stn_contact_push(sink, 1, 1.0, UP.as_ptr(), 0, null(), 0.0, 0.0) };
            assert_eq!(st, STN_ERR_VALUE);
            assert!(last_error().starts_with("sink is 0x"), "{}", last_error());
        }
    });
    let elsewhere = host(|sink| {
        let name = sink.addr();
        let push = move || {
            let sink = name as *mut stn_contact_sink;
            // SAFETY: as above.
            unsafe { stn_contact_push(sink, 1, 1.0, UP.as_ptr(), 0, null(), 0.0, 0.0) }
        };
        std::thread::spawn(push).join().unwrap()
    });
    with_stepper(&elsewhere, |s| {
        // SAFETY: the stepper lives.
        assert_eq!(unsafe { stn_stepper_step(s, 0.1) }, STN_OK);
        assert_eq!(elsewhere.got.get(), STN_ERR_VALUE);
    });
}

#[test]
fn a_host_that_steps_another_model_meanwhile_goes_on_pushing_into_its_own_sink() {
    let outer = host(|sink| {
        let inner = host(|_| STN_OK);
        // SAFETY: the stepper lives.
        with_stepper(&inner, |s| assert_eq!(unsafe { stn_stepper_step(s, 0.1) }, STN_OK));
        // SAFETY: arrays of the sizes stated.
        unsafe { stn_contact_push(sink, 6, 1.0, UP.as_ptr(), 0, null(), 0.0, 0.0) }
    });
    with_stepper(&outer, |s| {
        // SAFETY: the stepper lives.
        assert_eq!(unsafe { stn_stepper_step(s, 0.1) }, STN_OK);
        assert_eq!(outer.got.get(), STN_OK);
    });
}

#[test]
fn a_model_has_contacts_that_come_and_go_with_their_number_or_not_at_all() {
    let with = |change: fn(&mut stn_model_fns)| {
        let mut fns = fns();
        change(&mut fns);
        let mut model = null_mut();
        // SAFETY: structs of their size.
        let st = unsafe { stn_model_create(&dims(), &fns, null(), null(), null_mut(), &mut model) };
        // SAFETY: made above, or NULL.
        unsafe { stn_model_destroy(model) };
        st
    };
    assert_eq!(with(|f| f.max_contacts = 0), STN_ERR_VALUE);
    assert_eq!(with(|f| f.contacts = None), STN_ERR_VALUE);
    assert_eq!(with(|f| f.max_contacts = -1), STN_ERR_DIMENSION);
    assert_eq!(with(|f| f.reserved0 = 1), STN_ERR_VALUE);
    assert_eq!(with(|f| (f.contacts, f.max_contacts) = (None, 0)), STN_OK);
    // A program from before there were such contacts has a shorter struct.
    assert_eq!(with(|f| f.struct_size = std::mem::offset_of!(stn_model_fns, contacts)), STN_OK);
}

#[test]
fn contacts_are_found_by_index_and_by_key() {
    let quiet = host(|_| STN_OK);
    // SAFETY: the stepper lives, outputs are ours.
    with_stepper(&quiet, |s| unsafe {
        let (mut key, mut taken, mut contact) = (-7, -7, -7);
        assert_eq!(stn_stepper_find_contact(s, 5, &mut contact), STN_OK);
        assert_eq!(contact, -1);
        assert_eq!(stn_stepper_step(s, 0.1), STN_OK);
        assert_eq!(stn_stepper_find_contact(s, 5, &mut contact), STN_OK);
        assert_eq!(contact, 0);
        let n = stn_stepper_contact_count(s);
        assert!(n >= 2);
        assert_eq!(stn_stepper_get_contact_key(s, 0, &mut key, &mut taken), STN_OK);
        assert_eq!((key, taken), (5, 1));
        assert_eq!(stn_stepper_get_contact_key(s, 1, &mut key, &mut taken), STN_OK);
        assert_eq!((key, taken), (0, 0));
        assert_eq!(stn_stepper_get_contact_key(s, 0, &mut key, null_mut()), STN_OK);
        assert_eq!(stn_stepper_get_contact_key(s, n, &mut key, null_mut()), STN_ERR_DIMENSION);
        assert_eq!(stn_stepper_get_contact_key(s, -1, &mut key, null_mut()), STN_ERR_DIMENSION);
        assert_eq!(stn_stepper_get_contact_key(s, 0, null_mut(), &mut taken), STN_ERR_NULL);
        let both = (&raw mut key).cast();
        assert_eq!(stn_stepper_get_contact_key(s, 0, &mut key, both), STN_ERR_VALUE);
        assert_eq!(stn_stepper_get_contact_key(null(), 0, &mut key, null_mut()), STN_ERR_NULL);
        assert_eq!(stn_stepper_find_contact(s, 5, null_mut()), STN_ERR_NULL);
        assert_eq!(stn_stepper_find_contact(null(), 5, &mut contact), STN_ERR_NULL);
        assert_eq!(stn_stepper_contact_count(null()), STN_ERR_NULL as i32);
        assert_eq!((key, contact), (5, 0));
    });
}
