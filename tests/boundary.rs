//! Nothing a caller does crashes the library: every bad argument, foreign threads, panics. The arguments
//! are tried by the C programs in tests/boundary, which meet the library as C programs do.
#![cfg(unix)]
#![allow(unsafe_code)]

#[path = "support/c.rs"]
mod c;
#[path = "support/declarations.rs"]
mod declarations;

use std::ffi::{CStr, c_char, c_int, c_void};
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::Command;
use std::ptr::{null, null_mut};
use std::sync::{Mutex, PoisonError};
use stiction::ffi::stn_status::*;
use stiction::ffi::*;

/// Text of the last failure on this thread.
fn last_error() -> String {
    let mut buf = [0u8; 2048];
    // SAFETY: the buffer is ours and has the size stated.
    let n = unsafe { stn_last_error(buf.as_mut_ptr().cast(), buf.len() as i32) };
    String::from_utf8(buf[..n as usize].to_vec()).unwrap()
}

fn create(n_max: i32) -> *mut stn_lcp {
    let mut lcp = null_mut();
    // SAFETY: `lcp` can be written.
    assert_eq!(unsafe { stn_lcp_create(n_max, &mut lcp) }, STN_OK);
    assert!(!lcp.is_null());
    lcp
}

fn destroy(lcp: *mut stn_lcp) {
    // SAFETY: every handle of these tests comes from `create` and is destroyed once.
    unsafe { stn_lcp_destroy(lcp) }
}

/// w = 2 z - 4, solved on `lcp`: the status, and z, which is -7 when untouched.
fn solve(lcp: *mut stn_lcp) -> (stn_status, f64) {
    let mut z = -7.0;
    // SAFETY: one number each, and a handle that lives.
    let status = unsafe { stn_lcp_solve(lcp, 1, &2.0, 1, &-4.0, &mut z, null_mut(), null_mut()) };
    (status, z)
}

/// A handle that other threads may use, which is what these tests are about.
#[derive(Clone, Copy)]
struct Shared(*mut stn_lcp);
// SAFETY: the library guards a handle against use from two threads.
unsafe impl Send for Shared {}

impl Shared {
    fn get(self) -> *mut stn_lcp {
        self.0
    }
}

/// A program of tests/boundary, compiled. Tests that want the same one compile it once.
fn program(name: &str) -> PathBuf {
    static COMPILED: Mutex<Vec<String>> = Mutex::new(Vec::new());
    let path = c::scratch("boundary").join(name.replace('.', "_"));
    let mut compiled = COMPILED.lock().unwrap_or_else(PoisonError::into_inner);
    if !compiled.iter().any(|done| done == name) {
        c::replace(&path, |path| {
            let compiler = &c::compilers()[0];
            let cpp = name.ends_with(".cpp");
            let mut command = Command::new(if cpp { &compiler.cpp } else { &compiler.c });
            command.args([if cpp { "-std=c++11" } else { "-std=c99" }, "-g"]).args(c::STRICT);
            command.arg("-I").arg(c::root().join("include")).arg("-o").arg(path);
            command.arg(c::root().join("tests/boundary").join(name));
            c::run(command.args(c::link(true)));
        });
        compiled.push(name.to_string());
    }
    path
}

/// Runs one section of a program, which says on stderr what is wrong.
#[track_caller]
fn section_of(name: &str, section: &str) {
    let output = c::run(Command::new(program(name)).arg(section));
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[track_caller]
fn section(name: &str) {
    section_of("bad_input.c", name);
}

#[test]
fn a_null_pointer_is_named() {
    section("null");
}

#[test]
fn a_count_that_cannot_be_is_named() {
    section("counts");
}

#[test]
fn an_empty_problem_needs_no_memory() {
    section("nothing");
}

#[test]
fn a_nan_or_infinity_is_named_with_its_place() {
    section("finite");
}

#[test]
fn a_struct_is_written_up_to_its_size_and_no_further() {
    section("structs");
}

#[test]
fn outputs_must_not_overlap_anything() {
    section("overlap");
}

#[test]
fn a_pointer_between_two_numbers_is_refused() {
    section("aligned");
}

#[test]
fn values_out_of_range_are_named() {
    section("values");
}

#[test]
fn a_problem_without_an_answer_leaves_the_outputs_alone() {
    section("no-answer");
}

#[test]
fn a_solve_that_the_host_stops_leaves_no_trace() {
    section_of("progress.c", "progress");
}

#[test]
fn a_model_that_cannot_be_is_refused_and_its_user_left_alone() {
    section_of("stepper.c", "models");
}

#[test]
fn sizes_that_no_memory_holds_are_refused() {
    let mut limited = Command::new("sh");
    limited.args(["-c", "ulimit -v 3000000 && exec \"$0\" sizes"]).arg(program("stepper.c"));
    let output = c::run(&mut limited);
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn options_of_a_stepper_are_checked_one_by_one() {
    section_of("stepper.c", "options");
}

#[test]
fn steps_end_when_they_should_to_the_last_bit() {
    section_of("stepper.c", "times");
}

#[test]
fn a_callback_that_fails_leaves_no_trace() {
    section_of("stepper.c", "callbacks");
    section_of("stepper.c", "half-way");
}

#[test]
fn a_step_that_was_refused_may_be_tried_shorter() {
    section_of("stepper.c", "shorter");
}

#[test]
fn a_mass_that_was_mended_is_asked_for_again() {
    section_of("stepper.c", "mended");
}

#[test]
fn a_model_is_asked_again_when_the_state_is_set() {
    section_of("stepper.c", "asked-again");
}

#[test]
fn a_motion_that_leaves_the_range_of_numbers_fails_before() {
    section_of("stepper.c", "overflow");
}

#[test]
fn an_advance_that_is_refused_keeps_the_events_before_it() {
    section_of("stepper.c", "kept-events");
}

#[test]
fn a_callback_that_uses_its_own_stepper_finds_it_busy() {
    section_of("stepper.c", "reentry");
}

#[test]
fn events_and_statistics_are_written_up_to_their_size() {
    section_of("stepper.c", "happenings");
    section_of("stepper.c", "lost");
}

#[test]
fn what_the_last_step_did_is_asked_for_in_every_wrong_way() {
    section_of("report.c", "ledger");
    section_of("report.c", "contact");
    section_of("report.c", "inside");
    section_of("report.c", "forces");
}

#[test]
fn only_whole_snapshots_are_taken_up_and_then_to_the_last_bit() {
    section_of("stepper.c", "snapshots");
}

/// A host with traps for division by zero, as many set them, ended at the first ratio test.
#[test]
fn the_floating_point_environment_of_the_host_neither_matters_nor_changes() {
    section_of("environment.c", "trapping");
    section_of("environment.c", "rounding");
    section_of("environment.c", "flushing");
}

#[test]
fn an_exception_that_escapes_a_callback_ends_the_process_with_a_message() {
    for who in ["force", "release", "progress"] {
        let output = Command::new(program("throws.cpp")).arg(who).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(
            output.status.signal(),
            Some(libc::SIGABRT),
            "{who}: {:?} {said}",
            output.status
        );
        assert!(said.contains("exception") || said.contains("panic"), "{who}: {said}");
        let out = String::from_utf8_lossy(&output.stdout);
        assert!(!out.contains("went on"), "{who}: {out}");
    }
}

#[test]
fn every_function_is_tried_here_with_what_cannot_be_right() {
    let folder = std::fs::read_dir(c::root().join("tests/boundary")).unwrap();
    let read = |path: PathBuf| std::fs::read_to_string(path).unwrap();
    let mut text: String = folder.map(|f| read(f.unwrap().path())).collect();
    text += include_str!("boundary.rs");
    text += include_str!("boundary_lcp.rs");
    text += include_str!("boundary_builder.rs");
    text += include_str!("boundary_arrays.rs");
    text += include_str!("boundary_sink.rs");
    text += include_str!("boundary_passive.rs");
    for name in declarations::parse(&read(c::root().join("include/stiction.h"))).functions {
        assert!(text.contains(&format!("{name}(")), "{name} is tried nowhere");
    }
}

#[test]
fn a_workspace_that_cannot_be_had_is_null() {
    let stale = std::ptr::without_provenance_mut::<stn_lcp>(64);
    for (n_max, status, text) in [
        (-1, STN_ERR_DIMENSION, "n_max is -1, must not be negative"),
        (i32::MIN, STN_ERR_DIMENSION, "n_max is -2147483648, must not be negative"),
        (i32::MAX, STN_ERR_MEMORY, "cannot allocate"),
    ] {
        let mut lcp = stale;
        // SAFETY: `lcp` can be written.
        assert_eq!(unsafe { stn_lcp_create(n_max, &mut lcp) }, status);
        assert!(lcp.is_null(), "n_max {n_max}");
        assert!(last_error().contains(text), "{}", last_error());
    }
    // SAFETY: NULL and a misaligned address are refused before they are used.
    unsafe {
        assert_eq!(stn_lcp_create(1, null_mut()), STN_ERR_NULL);
        assert_eq!(last_error(), "out is NULL");
        let mut room = [stale; 2];
        let between = room.as_mut_ptr().cast::<u8>().add(1).cast();
        assert_eq!(stn_lcp_create(1, between), STN_ERR_VALUE);
        assert_eq!(room, [stale; 2]);
    }
}

#[test]
fn a_workspace_for_nothing_solves_nothing() {
    let lcp = create(0);
    // SAFETY: nothing is read or written for n = 0.
    unsafe {
        assert_eq!(
            stn_lcp_solve(lcp, 0, null(), 0, null(), null_mut(), null_mut(), null_mut()),
            STN_OK
        );
    }
    assert_eq!(solve(lcp), (STN_ERR_CAPACITY, -7.0));
    assert_eq!(last_error(), "the problem needs 1, there is room for 0");
    destroy(lcp);
    destroy(null_mut());
}

#[test]
fn sizes_whose_product_overflows_are_refused() {
    let (m, q, mut r) = ([1.0], [1.0], 5.0);
    // SAFETY: refused before anything is read.
    let status =
        unsafe { stn_lcp_residual(i32::MAX, m.as_ptr(), i32::MAX, q.as_ptr(), q.as_ptr(), &mut r) };
    assert_eq!((status, r), (STN_ERR_DIMENSION, 5.0));
    let lcp = create(4);
    let (x, mut out) = ([0.0; 4], [7.0; 4]);
    for counts in [[4, 0, i32::MAX, i32::MAX], [i32::MAX, i32::MAX, 0, 0], [0, 0, i32::MAX, 0]] {
        let [nv, nj, nc, nd] = counts;
        let (p, o, no) = (x.as_ptr(), out.as_mut_ptr(), null_mut());
        // SAFETY: as above.
        #[rustfmt::skip]
        let status = unsafe {
            stn_contact_solve(lcp, nv, nj, nc, nd, p, p, p, p, p, p, o, no, no, no, null_mut())
        };
        assert_eq!((status, out), (STN_ERR_CAPACITY, [7.0; 4]), "{counts:?}");
    }
    destroy(lcp);
}

#[test]
fn every_status_has_its_name_and_no_other_number_has_one() {
    let header = std::fs::read_to_string(c::root().join("include/stiction.h")).unwrap();
    let list = header.split_once("typedef enum stn_status {").unwrap().1;
    let list = list.split_once('}').unwrap().0;
    let lines = list.lines().filter_map(|l| l.trim().trim_end_matches(',').split_once(" = "));
    let known: Vec<(&str, i32)> = lines.map(|(name, n)| (name, n.parse().unwrap())).collect();
    assert_eq!(known.len(), 21);
    let name = |n: i32| {
        // SAFETY: static text, never NULL.
        unsafe { CStr::from_ptr(stn_status_name(n)) }.to_str().unwrap()
    };
    for n in (-200..200).chain([i32::MIN, i32::MAX]) {
        let expected = known.iter().find(|(_, k)| *k == n).map_or("STN_UNKNOWN", |(name, _)| name);
        assert_eq!(name(n), expected);
    }
}

#[test]
fn versions_agree_with_the_package() {
    let part = |text: &str| text.parse::<i32>().unwrap();
    let number = 1_000_000 * part(env!("CARGO_PKG_VERSION_MAJOR"))
        + 1000 * part(env!("CARGO_PKG_VERSION_MINOR"))
        + part(env!("CARGO_PKG_VERSION_PATCH"));
    assert_eq!(stn_version_number(), number);
    // SAFETY: static text, never NULL.
    let text = unsafe { CStr::from_ptr(stn_version_string()) };
    assert_eq!(text.to_str().unwrap(), env!("CARGO_PKG_VERSION"));
    assert!(stn_abi_version() >= 1);
}

#[test]
fn the_last_error_is_copied_as_snprintf_would() {
    // SAFETY: NULL is refused.
    assert_eq!(unsafe { stn_lcp_create(1, null_mut()) }, STN_ERR_NULL);
    let whole = "out is NULL";
    let len = whole.len() as i32;
    // SAFETY: each buffer has at least the size stated.
    unsafe {
        assert_eq!(stn_last_error(null_mut(), 0), len);
        assert_eq!(stn_last_error(null_mut(), 100), len);
        for cap in [0, -1, i32::MIN] {
            let mut buf = [b'x' as c_char; 16];
            assert_eq!(stn_last_error(buf.as_mut_ptr(), cap), len);
            assert_eq!(buf, [b'x' as c_char; 16], "cap {cap}");
        }
        for cap in 1..16usize {
            let mut buf = [b'x'; 16];
            assert_eq!(stn_last_error(buf.as_mut_ptr().cast(), cap as i32), len);
            let kept = whole.len().min(cap - 1);
            assert_eq!(&buf[..kept], &whole.as_bytes()[..kept]);
            assert_eq!(buf[kept], 0);
            assert!(buf[kept + 1..].iter().all(|&b| b == b'x'), "cap {cap}");
        }
    }
}

#[test]
fn the_last_error_belongs_to_its_thread_and_survives_success() {
    std::thread::spawn(|| assert_eq!(last_error(), "", "before the first failure")).join().unwrap();
    let lcp = create(1);
    assert_eq!(solve(null_mut()), (STN_ERR_NULL, -7.0));
    assert_eq!(last_error(), "lcp is NULL");
    std::thread::spawn(|| {
        // SAFETY: NULL is refused.
        assert_eq!(unsafe { stn_lcp_create(-3, null_mut()) }, STN_ERR_NULL);
        assert_eq!(last_error(), "out is NULL");
    })
    .join()
    .unwrap();
    assert_eq!(solve(lcp), (STN_OK, 2.0));
    assert_eq!(last_error(), "lcp is NULL");
    destroy(lcp);
}

#[test]
fn a_handle_that_two_threads_want_is_busy_or_right_but_never_wrong() {
    let lcp = Shared(create(1));
    let hammer = move || {
        let mut done = 0;
        for _ in 0..20_000 {
            match solve(lcp.get()) {
                (STN_OK, 2.0) => done += 1,
                (STN_ERR_BUSY, -7.0) => {}
                other => panic!("{other:?}"),
            }
        }
        done
    };
    let threads: Vec<_> = (0..4).map(|_| std::thread::spawn(hammer)).collect();
    let done: i32 = threads.into_iter().map(|t| t.join().unwrap()).sum();
    assert!(done > 0);
    assert_eq!(solve(lcp.get()), (STN_OK, 2.0));
    destroy(lcp.get());
}

#[test]
fn handles_on_different_threads_do_not_disturb_each_other() {
    let threads: Vec<_> = (0..4)
        .map(|_| {
            std::thread::spawn(|| {
                let lcp = create(1);
                for _ in 0..1000 {
                    assert_eq!(solve(lcp), (STN_OK, 2.0));
                }
                destroy(lcp);
            })
        })
        .collect();
    threads.into_iter().for_each(|t| t.join().unwrap());
}

/// A free point of 1 kg, and a stepper for it.
fn point_stepper() -> SharedStepper {
    unsafe extern "C-unwind" fn mass(_: f64, _: *const f64, m: *mut f64, _: *mut c_void) -> c_int {
        // SAFETY: one number, as the sizes say.
        unsafe { *m = 1.0 };
        0
    }
    let dims = stn_dims {
        struct_size: size_of::<stn_dims>(),
        nq: 1,
        nv: 1,
        n_joint: 0,
        n_contact: 0,
        n_dir: 0,
        ..stn_dims::default()
    };
    let fns = stn_model_fns {
        struct_size: size_of::<stn_model_fns>(),
        mass: Some(mass),
        ..stn_model_fns::default()
    };
    let (mut model, mut s) = (null_mut(), null_mut());
    // SAFETY: structs of the sizes they state, outputs that can be written.
    unsafe {
        let made = stn_model_create(&dims, &fns, null(), null(), null_mut(), &mut model);
        assert_eq!(made, STN_OK);
        assert_eq!(stn_stepper_create(model, null(), &mut s), STN_OK);
        stn_model_destroy(model);
        assert_eq!(stn_stepper_set_state(s, 0.0, &0.0, 1, &1.0, 1), STN_OK);
    }
    SharedStepper(s)
}

/// A stepper that other threads may use, which is what these tests are about.
#[derive(Clone, Copy)]
struct SharedStepper(*mut stn_stepper);
// SAFETY: the library guards a handle against use from two threads.
unsafe impl Send for SharedStepper {}
// SAFETY: as above.
unsafe impl Sync for SharedStepper {}

impl SharedStepper {
    /// Status, time and position, which are -7 when untouched.
    fn look(self) -> (stn_status, f64, f64) {
        let (mut t, mut q) = (-7.0, -7.0);
        // SAFETY: one number each, and a handle that lives.
        let status = unsafe { stn_stepper_get_state(self.0, &mut t, &mut q, 1, null_mut(), 1) };
        (status, t, q)
    }

    fn step(self) -> stn_status {
        // SAFETY: a handle that lives.
        unsafe { stn_stepper_step(self.0, 0.125) }
    }

    fn destroy(self) {
        // SAFETY: once, at the end of a test.
        unsafe { stn_stepper_destroy(self.0) }
    }
}

#[test]
fn readers_of_one_stepper_do_not_hinder_each_other() {
    let s = point_stepper();
    assert_eq!(s.step(), STN_OK);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| (0..5000).for_each(|_| assert_eq!(s.look(), (STN_OK, 0.125, 0.125))));
        }
    });
    s.destroy();
}

#[test]
fn a_stepper_that_two_threads_want_is_busy_or_right_but_never_wrong() {
    let s = point_stepper();
    let hammer = || {
        let mut done = 0;
        for _ in 0..5000 {
            match s.step() {
                STN_OK => done += 1,
                STN_ERR_BUSY => {}
                other => panic!("{other:?}"),
            }
            // Position and time are written together or not at all.
            match s.look() {
                (STN_OK, t, q) => assert_eq!(t, q),
                (STN_ERR_BUSY, t, q) => assert_eq!((t, q), (-7.0, -7.0)),
                other => panic!("{other:?}"),
            }
        }
        done
    };
    let done: i32 = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..3).map(|_| scope.spawn(hammer)).collect();
        threads.into_iter().map(|t| t.join().unwrap()).sum()
    });
    assert_eq!(s.look(), (STN_OK, 0.125 * f64::from(done), 0.125 * f64::from(done)));
    s.destroy();
}

#[test]
fn a_caller_that_is_unwinding_may_still_call() {
    struct Tidy(*mut stn_lcp);
    impl Drop for Tidy {
        fn drop(&mut self) {
            destroy(self.0);
        }
    }
    // In a process of its own, where this is the first call that could set up the panic net.
    if std::env::var_os("STN_UNWINDING").is_some() {
        let caught = std::panic::catch_unwind(|| {
            let _tidy = Tidy(std::ptr::without_provenance_mut(1));
            std::panic::resume_unwind(Box::new(()));
        });
        assert!(caught.is_err());
        return;
    }
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", "a_caller_that_is_unwinding_may_still_call"]);
    c::run(child.env("STN_UNWINDING", "1"));
}

#[cfg(feature = "inject-faults")]
mod faults {
    use super::*;
    use std::time::{Duration, Instant};

    /// Every call that takes a handle gives this status and touches nothing.
    fn all_refuse(lcp: *mut stn_lcp, expected: stn_status) {
        let (one, mut x, mut y) = ([1.0], [-7.0], [-7.0]);
        let p = one.as_ptr();
        let (o, o2) = (x.as_mut_ptr(), y.as_mut_ptr());
        let no = null_mut();
        let (none, mut needed) = (null_mut(), -7);
        // SAFETY: every array has one number, and no call needs more.
        #[rustfmt::skip]
        let statuses = unsafe {
            [
                stn_lcp_solve(lcp, 1, p, 1, p, o, o2, none),
                stn_mlcp_solve(lcp, 0, 1, p, 1, p, o, o2, none),
                stn_contact_solve(lcp, 1, 0, 1, 0, p, null(), p, null(), null(), p, o, no, o2, no, none),
                stn_impact_solve(lcp, 2, 1, 0, 1, 0, p, null(), p, null(), null(), p, p, no, o, no, o2, no, none),
                stn_lcp_solve_again(lcp, 1, p, 1, p, o, o2, none),
                stn_lcp_set_options(lcp, null()),
                stn_lcp_set_progress(lcp, None, null_mut()),
                stn_lcp_get_basis(lcp, 0, null(), null_mut(), 0, &mut needed),
                stn_lcp_set_basis(lcp, 0, null(), null(), 0),
                stn_lcp_get_ray(lcp, 1, o, o2, &mut needed),
                stn_inject_wait(lcp, 0),
                stn_inject_panic(lcp),
            ]
        };
        assert_eq!(statuses, [expected; 12]);
        assert_eq!((x, y, needed), ([-7.0], [-7.0], -7));
    }

    /// Runs `f` while another thread holds `lcp`.
    fn while_busy(lcp: Shared, f: impl FnOnce()) {
        // SAFETY: the handle lives until the thread has ended.
        let holder = std::thread::spawn(move || unsafe { stn_inject_wait(lcp.get(), 400) });
        let begin = Instant::now();
        // SAFETY: as above.
        while unsafe { stn_inject_wait(lcp.get(), 0) } != STN_ERR_BUSY {
            assert!(begin.elapsed() < Duration::from_secs(20), "the other thread never came");
            std::thread::yield_now();
        }
        f();
        assert_eq!(holder.join().unwrap(), STN_OK, "held until the end");
    }

    #[test]
    fn a_handle_in_use_is_busy_for_every_call() {
        let lcp = Shared(create(4));
        while_busy(lcp, || {
            all_refuse(lcp.get(), STN_ERR_BUSY);
            assert_eq!(last_error(), "the handle is in use");
        });
        assert_eq!(solve(lcp.get()), (STN_OK, 2.0));
        destroy(lcp.get());
    }

    #[test]
    fn a_handle_in_use_outlives_its_destruction() {
        let lcp = Shared(create(4));
        while_busy(lcp, || destroy(lcp.get()));
        assert_eq!(solve(lcp.get()), (STN_OK, 2.0));
        destroy(lcp.get());
    }

    #[test]
    fn a_defect_closes_the_handle_and_only_that_one() {
        let (lcp, other) = (create(4), create(4));
        // SAFETY: a live handle.
        assert_eq!(unsafe { stn_inject_panic(lcp) }, STN_ERR_PANIC);
        let text = last_error();
        assert!(text.starts_with("defect in the library: ") && text.contains("injected"), "{text}");
        assert!(text.contains("fault.rs"), "where it happened helps whoever mends it: {text}");
        assert!(!text.contains('\n'), "{text:?}");
        all_refuse(lcp, STN_ERR_POISONED);
        assert_eq!(last_error(), "the handle met a defect earlier and can only be destroyed");
        assert_eq!(solve(other), (STN_OK, 2.0));
        destroy(lcp);
        destroy(other);
    }

    #[test]
    fn a_defect_closes_a_stepper_and_only_that_one() {
        let (s, other) = (point_stepper(), point_stepper());
        // SAFETY: a live handle.
        assert_eq!(unsafe { stn_inject_panic_stepper(s.0) }, STN_ERR_PANIC);
        assert!(last_error().starts_with("defect in the library: "), "{}", last_error());
        assert_eq!(s.step(), STN_ERR_POISONED);
        assert_eq!(s.look(), (STN_ERR_POISONED, -7.0, -7.0));
        let (mut needed, byte) = (7, 0u8);
        // SAFETY: live handles, outputs that can be written.
        unsafe {
            assert_eq!(stn_stepper_advance(s.0, 1.0, 0.1), STN_ERR_POISONED);
            assert_eq!(stn_stepper_set_state(s.0, 0.0, &0.0, 1, &1.0, 1), STN_ERR_POISONED);
            assert_eq!(stn_stepper_event_count(s.0), STN_ERR_POISONED as i32);
            assert_eq!(stn_stepper_save(s.0, null_mut(), 0, &mut needed), STN_ERR_POISONED);
            let bytes = std::ptr::from_ref(&byte).cast();
            assert_eq!(stn_stepper_restore(s.0, bytes, 1), STN_ERR_POISONED);
        }
        assert_eq!(needed, 7);
        assert_eq!(other.step(), STN_OK);
        s.destroy();
        other.destroy();
    }

    #[test]
    fn a_defect_prints_nothing_and_the_hosts_own_panics_still_do() {
        if std::env::var_os("STN_CHILD").is_some() {
            let lcp = create(1);
            // SAFETY: a live handle.
            assert_eq!(unsafe { stn_inject_panic(lcp) }, STN_ERR_PANIC);
            destroy(lcp);
            let _ = std::panic::catch_unwind(|| panic!("the host's own"));
            return;
        }
        let mut child = Command::new(std::env::current_exe().unwrap());
        child
            .args(["--exact", "faults::a_defect_prints_nothing_and_the_hosts_own_panics_still_do"]);
        let output = c::run(child.arg("--nocapture").env("STN_CHILD", "1"));
        let (out, err) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(!out.contains("injected") && !err.contains("injected"), "{out}{err}");
        assert!(err.contains("the host's own"), "{err}");
    }
}
