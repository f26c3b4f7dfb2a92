//! What a workspace remembers: the matrix's scales, the basis of the last solution, the ray of the
//! last failure.

use super::guard;
use super::lcp::{SolveArrays, Workspace, fits, stn_lcp, stn_lcp_info};
use super::ptr::{Arrays, count};
use super::status::{Fault, stn_status};
use crate::error::{Error, told};
use crate::lcp::Basis;

/// As stn_lcp_solve for a changed q only: m must hold the matrix of the last stn_lcp_solve or
/// stn_lcp_solve_again on this workspace. Its scales and the inverse of the last basis are used
/// again, and M is not examined, which makes sequences of related problems many times cheaper; the
/// first call after a cold stn_lcp_solve makes that inverse and may cost as much as two. With another
/// matrix the answer is still checked against it, but in the scales of the old one: STN_OK does not
/// promise a small stn_lcp_residual then. A first call, or one with another n, is a plain stn_lcp_solve. The
/// progress function is not called.
///
/// @param lcp  workspace; Nullable: no
/// @param n  number of unknowns, as in the last call
/// @param m  the matrix of the last call, unchanged; Nullable: only if n = 0
/// @param ldm  distance between columns in numbers, >= n
/// @param q  n numbers; Nullable: only if n = 0
/// @param z  receives n numbers >= 0; Nullable: only if n = 0
/// @param w  receives M z + q; Nullable: yes
/// @param info  receives the report; Nullable: yes
/// @return as stn_lcp_solve
/// @note Thread class: exclusive. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_lcp_solve_again(
    lcp: *mut stn_lcp,
    n: i32,
    m: *const f64,
    ldm: i32,
    q: *const f64,
    z: *mut f64,
    w: *mut f64,
    info: *mut stn_lcp_info,
) -> stn_status {
    let arrays = SolveArrays { n, m, ldm, q, z, w, info };
    let call = |work: &mut Workspace| {
        // SAFETY: the caller's promise for the arrays and `info`.
        unsafe { arrays.run(work, |lcp, m, q, z, w| lcp.solve_again(m, q, z, w)) }
    };
    // SAFETY: `exclusive` checks the pointer and holds the gate of the handle.
    unsafe { guard::exclusive(lcp, call) }
}

/// Reads the basis of the last solution, or the one set since by stn_lcp_set_basis, as the keys of the
/// unknowns that may be positive, ascending. Keys are the caller's names for unknowns, so that a basis can be carried over when
/// contacts come and go.
///
/// @param lcp  workspace; Nullable: no
/// @param n  number of unknowns of the last solution; after stn_mlcp_solve of its complementary ones.
/// 0 is right before the first solution and after one of no unknowns: no keys are written then
/// @param keys  n keys, all different, in the order of the unknowns; not checked: a key that names two unknowns is
/// told as often as they are basic, and starts both when it is set. Nullable: only if n = 0
/// @param basis  receives up to cap keys; Nullable: only if cap = 0, to ask for the number
/// @param cap  room in basis, n is always enough
/// @param needed  receives the number of keys, also when cap is too small; Nullable: no
/// @return STN_OK; STN_ERR_CAPACITY when cap is too small and basis is not NULL; STN_ERR_DIMENSION when n is not the size
/// of the last solution, or there is none; STN_ERR_NULL, STN_ERR_VALUE (overlap), STN_ERR_MEMORY,
/// STN_ERR_BUSY, STN_ERR_POISONED
/// @note Thread class: shared. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_lcp_get_basis(
    lcp: *const stn_lcp,
    n: i32,
    keys: *const i64,
    basis: *mut i64,
    cap: i32,
    needed: *mut i32,
) -> stn_status {
    let call = |work: &Workspace| {
        let (n, cap) = (count("n", n)?, count("cap", cap)?);
        let mut a = Arrays::new();
        let keys = a.input("keys", keys, n)?;
        let out = a.output("basis", basis, cap)?;
        let needed = a.output("needed", needed, 1)?;
        a.disjoint()?;
        // SAFETY: the caller's promise for the arrays, which are disjoint.
        let (keys, out, needed) = unsafe { (keys.get(), out.get(), needed.get()) };
        let mut found = Basis::new(n)?;
        work.solver.velocity().lcp().get_basis(keys, &mut found)?;
        needed[0] = i32::try_from(found.keys().len()).unwrap_or(i32::MAX);
        if out.is_empty() && basis.is_null() {
            return Ok(stn_status::STN_OK);
        }
        let needed = found.keys().len();
        let room = out.get_mut(..needed);
        let room = room.ok_or(Error::Capacity { what: "basis", needed, have: cap })?;
        room.copy_from_slice(found.keys());
        Ok(stn_status::STN_OK)
    };
    // SAFETY: `shared` checks the pointer and holds the gate of the handle.
    unsafe { guard::shared(lcp, call) }
}

/// Starts the next solve of n unknowns from a basis: the unknowns whose keys are in it may be
/// positive. Keys it does not know start at zero; keys in it that no unknown has are passed over.
///
/// @param lcp  workspace; Nullable: no
/// @param n  number of unknowns of the next solve, <= n_max; of stn_mlcp_solve the complementary ones
/// @param keys  n keys, all different, in the order of the unknowns; Nullable: only if n = 0
/// @param basis  n_basis keys; Nullable: only if n_basis = 0
/// @param n_basis  number of keys in basis
/// @return STN_OK; STN_ERR_NULL, STN_ERR_DIMENSION, STN_ERR_CAPACITY, STN_ERR_MEMORY, STN_ERR_BUSY,
/// STN_ERR_POISONED
/// @note Thread class: exclusive. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_lcp_set_basis(
    lcp: *mut stn_lcp,
    n: i32,
    keys: *const i64,
    basis: *const i64,
    n_basis: i32,
) -> stn_status {
    let call = |work: &mut Workspace| {
        let (n, n_basis) = (count("n", n)?, count("n_basis", n_basis)?);
        fits(work, n)?;
        let mut a = Arrays::new();
        let keys = a.input("keys", keys, n)?;
        let given = a.input("basis", basis, n_basis)?;
        // SAFETY: the caller's promise for the arrays; nothing is written.
        let (keys, given) = unsafe { (keys.get(), given.get()) };
        let mut basis = Basis::new(n_basis)?;
        basis.set_keys(given)?;
        work.solver.velocity_mut().lcp_mut().set_basis(keys, &basis)?;
        Ok(stn_status::STN_OK)
    };
    // SAFETY: `exclusive` checks the pointer and holds the gate of the handle.
    unsafe { guard::exclusive(lcp, call) }
}

/// Reads the ray on which the last solve failed with STN_ERR_LCP_RAY: z + t z^h, w + t w^h stay
/// almost complementary for every t >= 0. The unknowns with z^h > 0 are those that make the
/// trouble.
///
/// @param lcp  workspace; Nullable: no
/// @param n  number of unknowns of the failed problem; after stn_mlcp_solve of its complementary ones
/// @param z  receives n numbers >= 0, z^h; Nullable: yes
/// @param w  receives n numbers >= 0, w^h; Nullable: yes
/// @param infeasible  receives 1 when the ray proves, up to rounding of the entries of M, that no
/// z >= 0 has M z + q >= 0, else 0; Nullable: yes
/// @return STN_OK; STN_ERR_DIMENSION when n is not the size of the failed problem, or the last
/// solve did not fail on a ray; STN_ERR_NULL, STN_ERR_VALUE (overlap), STN_ERR_BUSY,
/// STN_ERR_POISONED
/// @note Thread class: shared. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_lcp_get_ray(
    lcp: *const stn_lcp,
    n: i32,
    z: *mut f64,
    w: *mut f64,
    infeasible: *mut i32,
) -> stn_status {
    let call = |work: &Workspace| {
        let n = count("n", n)?;
        // The size comes first: arrays of a wrong one cannot be judged.
        let ray = work.solver.velocity().lcp().ray();
        let ray = ray.filter(|ray| ray.z.len() == n).ok_or_else(|| {
            let expected = match ray {
                Some(ray) => told(ray.z.len()),
                None => "a solve before that failed on a ray".into(),
            };
            Fault::from(Error::Dimension { what: "n", got: n as i64, expected })
        })?;
        let mut a = Arrays::new();
        let z = a.wanted("z", z, n)?;
        let w = a.wanted("w", w, n)?;
        let infeasible = a.wanted("infeasible", infeasible, 1)?;
        a.disjoint()?;
        // SAFETY: the caller's promise for the arrays, which are disjoint.
        unsafe {
            for (out, values) in [(z, &ray.z), (w, &ray.w)] {
                if let Some(out) = out {
                    out.get().copy_from_slice(values);
                }
            }
            if let Some(out) = infeasible {
                out.get().copy_from_slice(&[i32::from(ray.infeasible)]);
            }
        }
        Ok(stn_status::STN_OK)
    };
    // SAFETY: `shared` checks the pointer and holds the gate of the handle.
    unsafe { guard::shared(lcp, call) }
}
