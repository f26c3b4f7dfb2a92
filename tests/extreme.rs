//! Finite numbers of any size give an answer or a status, through the C interface: never a panic, and never
//! a NaN or an infinity handed out as an answer.
#![allow(unsafe_code)]

use std::ptr::{null, null_mut};
use stiction::ffi::stn_status::*;
use stiction::ffi::*;

/// Numbers in whose sums, products and quotients everything overflows or vanishes sooner or later.
const EXTREME: [f64; 16] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    3.0,
    1e-9,
    -1e9,
    1e150,
    -1e155,
    1e-160,
    1e300,
    -1e308,
    2.3e-308,
    5e-324,
    f64::MAX,
];

/// A fixed sequence of numbers, some from [`EXTREME`], the others moderate.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        // Knuth's MMIX generator; the high bits are the good ones.
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let k = self.0 >> 33;
        if k.is_multiple_of(3) {
            EXTREME[(k / 3) as usize % 16]
        } else {
            (k % 2001) as f64 / 500.0 - 2.0
        }
    }

    fn take(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.next()).collect()
    }

    fn positive(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.next().abs()).collect()
    }
}

fn create(n_max: i32) -> *mut stn_lcp {
    let mut lcp = null_mut();
    // SAFETY: `lcp` can be written.
    assert_eq!(unsafe { stn_lcp_create(n_max, &mut lcp) }, STN_OK);
    lcp
}

fn last_error() -> String {
    let mut buf = [0u8; 2048];
    // SAFETY: the buffer is ours and has the size stated.
    let n = unsafe { stn_last_error(buf.as_mut_ptr().cast(), buf.len() as i32) };
    String::from_utf8_lossy(&buf[..n as usize]).into_owned()
}

/// What an output holds before the call.
const UNTOUCHED: f64 = -7.0;

/// What must hold after any call on finite numbers.
#[track_caller]
fn sane(status: stn_status, outputs: &[&[f64]], seed: u64) {
    assert_ne!(status, STN_ERR_PANIC, "seed {seed}: {}", last_error());
    for x in outputs.iter().flat_map(|o| o.iter()) {
        match status {
            STN_OK => assert!(x.is_finite(), "seed {seed}: {outputs:?}"),
            _ => assert_eq!(*x, UNTOUCHED, "seed {seed}: {status:?} wrote {outputs:?}"),
        }
    }
}

#[test]
fn complementarity_problems() {
    let lcp = create(4);
    let mut solved = 0;
    for seed in 0..20_000 {
        let mut numbers = Numbers(seed);
        let n = 1 + (seed % 4) as usize;
        let free = (seed / 4) as usize % (n + 1);
        let (m, q) = (numbers.take(n * n), numbers.take(n));
        // Beyond this range the scales of the residual overflow, and it is infinite for right answers too.
        let tame = |x: &f64| *x == 0.0 || (1e-100..1e100).contains(&x.abs());
        let judged = m.iter().chain(&q).all(tame);
        let (m, q, ld, none) = (m.as_ptr(), q.as_ptr(), n as i32, null_mut());
        let (mut z, mut w) = ([UNTOUCHED; 4], [UNTOUCHED; 4]);
        let mut residual = f64::NAN;
        // SAFETY: every array has the length its count says.
        unsafe {
            let status = stn_lcp_solve(lcp, ld, m, ld, q, z.as_mut_ptr(), w.as_mut_ptr(), none);
            sane(status, &[&z[..n], &w[..n]], seed);
            if status == STN_OK && judged {
                solved += 1;
                assert_eq!(stn_lcp_residual(ld, m, ld, q, z.as_ptr(), &mut residual), STN_OK);
                assert!(residual <= 1e-9, "seed {seed}: {residual}");
            }
            (z, w) = ([UNTOUCHED; 4], [UNTOUCHED; 4]);
            let (nf, nc) = (free as i32, (n - free) as i32);
            let status =
                stn_mlcp_solve(lcp, nf, nc, m, ld, q, z.as_mut_ptr(), w.as_mut_ptr(), none);
            sane(status, &[&z[..n], &w[..n - free]], seed);
        }
    }
    assert!(solved > 2000, "the numbers are too wild to mean anything: {solved}");
    // SAFETY: ours, once.
    unsafe { stn_lcp_destroy(lcp) }
}

#[test]
fn contact_problems_and_impacts() {
    let lcp = create(8);
    let mut solved = 0;
    for seed in 0..20_000 {
        let mut numbers = Numbers(seed);
        let k = seed as usize;
        let (nv, nj, nc, nd, law) =
            (1 + k % 3, k / 3 % 2, k / 6 % 3, [0, 2][k / 18 % 2], k / 36 % 4);
        // A diagonal of some size, so that not every mass is refused.
        let mut mass = vec![0.0; nv * nv];
        (0..nv).for_each(|i| mass[i * nv + i] = numbers.next().abs());
        let (joint, normal) = (numbers.take(nv * nj), numbers.take(nv * nc));
        let mut tangent = Vec::new();
        for _ in 0..nc * nd / 2 {
            let d = numbers.take(nv);
            tangent.extend_from_slice(&d);
            tangent.extend(d.iter().map(|x| -x));
        }
        let (mu, mut e, p) = (numbers.positive(nc), numbers.positive(nc), numbers.take(nv));
        e.iter_mut().for_each(|e| *e = e.min(1.0));
        let (mass, joint, normal, tangent) =
            (mass.as_ptr(), joint.as_ptr(), normal.as_ptr(), tangent.as_ptr());
        let (mu, e, p) = (mu.as_ptr(), e.as_ptr(), p.as_ptr());
        let [a, b, c, d] = [nv as i32, nj as i32, nc as i32, nd as i32];
        let [mut v, mut before, mut cj, mut cn] = [[UNTOUCHED; 4]; 4];
        let mut beta = [UNTOUCHED; 4];
        let (vo, bo, jo, no, to) = (
            v.as_mut_ptr(),
            before.as_mut_ptr(),
            cj.as_mut_ptr(),
            cn.as_mut_ptr(),
            beta.as_mut_ptr(),
        );
        // SAFETY: every array has the length its counts say.
        #[rustfmt::skip]
        let status = unsafe {
            stn_contact_solve(lcp, a, b, c, d, mass, joint, normal, tangent, mu, p, vo, jo, no, to, null_mut())
        };
        sane(status, &[&v[..nv], &cj[..nj], &cn[..nc], &beta[..nc * nd]], seed);
        solved += i32::from(status == STN_OK);
        [v, cj, cn, beta] = [[UNTOUCHED; 4]; 4];
        // SAFETY: as above.
        #[rustfmt::skip]
        let status = unsafe {
            stn_impact_solve(lcp, law as i32, a, b, c, d, mass, joint, normal, tangent, mu, e, p, bo, vo, jo, no, to, null_mut())
        };
        sane(status, &[&v[..nv], &before[..nv], &cj[..nj], &cn[..nc], &beta[..nc * nd]], seed);
    }
    assert!(solved > 2000, "the numbers are too wild to mean anything: {solved}");
    // SAFETY: ours, once.
    unsafe { stn_lcp_destroy(lcp) }
}

#[test]
fn a_velocity_that_overflows_is_refused() {
    // v = 1e300 / 1e-300 kg; comparisons with the NaN that follows used to let it pass.
    let (mass, p) = ([1e-300, 0.0, 0.0, 1.0], [1e300, 1.0]);
    let (lcp, mut v) = (create(4), [UNTOUCHED; 2]);
    let (none, no) = (null(), null_mut());
    // SAFETY: every array has the length its counts say.
    #[rustfmt::skip]
    let status = unsafe {
        stn_contact_solve(lcp, 2, 0, 0, 0, mass.as_ptr(), none, none, none, none, p.as_ptr(), v.as_mut_ptr(), no, no, no, null_mut())
    };
    assert_eq!((status, v), (STN_ERR_RESIDUAL, [UNTOUCHED; 2]));
    // SAFETY: ours, once.
    unsafe { stn_lcp_destroy(lcp) }
}

#[test]
fn reflection_keeps_the_bits_of_a_velocity_that_the_impact_leaves_alone() {
    // (1 + e) v - e v would round.
    for vx in [0.1, 1.0 / 3.0, 1e300] {
        let (mass, normal, before) = ([1.0, 0.0, 0.0, 1.0], [0.0, 1.0], [vx, -1.0]);
        let (lcp, mut v) = (create(4), [UNTOUCHED; 2]);
        let (none, no) = (null(), null_mut());
        // SAFETY: every array has the length its counts say.
        #[rustfmt::skip]
        let status = unsafe {
            stn_impact_solve(lcp, 3, 2, 0, 1, 0, mass.as_ptr(), none, normal.as_ptr(), none, none, &0.7, before.as_ptr(), no, v.as_mut_ptr(), no, no, no, null_mut())
        };
        assert_eq!((status, v), (STN_OK, [vx, 0.7]));
        // SAFETY: ours, once.
        unsafe { stn_lcp_destroy(lcp) }
    }
}

#[test]
fn a_matrix_spoiled_between_two_calls_gives_no_nan() {
    // The second call does not look through M, by contract; its answer is still judged.
    let (good, q) = ([2.0, 1.0, 0.0, 1.0, 3.0, 1.0, 0.0, 2.0, 4.0], [-4.0, 3.0, -4.0]);
    let lcp = create(3);
    for (k, bad) in (0..9).flat_map(|k| [f64::NAN, f64::INFINITY, -1e308].map(|x| (k, x))) {
        let (mut z, mut w) = ([UNTOUCHED; 3], [UNTOUCHED; 3]);
        let mut m = good;
        let (zp, wp, none) = (z.as_mut_ptr(), w.as_mut_ptr(), null_mut());
        // SAFETY: every array has the length its count says.
        let status = unsafe {
            assert_eq!(stn_lcp_solve(lcp, 3, m.as_ptr(), 3, q.as_ptr(), zp, wp, none), STN_OK);
            (z, w) = ([UNTOUCHED; 3], [UNTOUCHED; 3]);
            m[k] = bad;
            let (zp, wp) = (z.as_mut_ptr(), w.as_mut_ptr());
            stn_lcp_solve_again(lcp, 3, m.as_ptr(), 3, q.as_ptr(), zp, wp, none)
        };
        sane(status, &[&z, &w], k as u64);
    }
    // SAFETY: ours, once.
    unsafe { stn_lcp_destroy(lcp) }
}
