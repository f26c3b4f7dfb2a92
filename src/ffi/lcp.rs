//! Linear complementarity problems on plain arrays.

use super::guard::{self, Handle, Opaque};
use super::ptr::{Arrays, count};
use super::sized::{SizedOut, sized_struct};
use super::status::{Fault, stn_status};
use crate::lcp::{Info, residual};
use crate::{Error, impact};

/// Workspace for complementarity, contact and impact problems; remembers the last basis.
#[derive(Debug)]
pub struct stn_lcp(Handle<impact::Solver>);

impl Opaque for stn_lcp {
    type Inner = impact::Solver;
    const NAME: &'static str = "lcp";
    fn handle(&self) -> &Handle<impact::Solver> {
        &self.0
    }
    fn wrap(handle: Handle<impact::Solver>) -> Self {
        Self(handle)
    }
}

/// What a solve reports besides its answer. Set struct_size before the call.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct stn_lcp_info {
    /// sizeof(stn_lcp_info), set by the caller.
    pub struct_size: usize,
    /// Pivots done, recoveries included.
    pub pivots: i32,
    /// 1: the remembered basis solved it without a pivot.
    pub warm: i32,
    /// Unit-free residual of the answer.
    pub residual: f64,
}

sized_struct!(stn_lcp_info, pivots: i32, warm: i32, residual: f64);

impl From<Info> for stn_lcp_info {
    fn from(info: Info) -> Self {
        Self {
            struct_size: size_of::<Self>(),
            pivots: i32::try_from(info.pivots).unwrap_or(i32::MAX),
            warm: i32::from(info.warm),
            residual: info.residual,
        }
    }
}

/// Takes a workspace for problems of up to n_max unknowns. All storage is taken here; memory pages are
/// used only as problems need them.
///
/// @param n_max  largest number of unknowns, >= 0
/// @param out  receives the handle, NULL on failure; Nullable: no
/// @return STN_OK, STN_ERR_NULL, STN_ERR_DIMENSION, STN_ERR_MEMORY
/// @note Thread class: any. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_lcp_create(n_max: i32, out: *mut *mut stn_lcp) -> stn_status {
    // SAFETY: `create` checks `out`.
    unsafe { guard::create(out, || Ok(impact::Solver::new(count("n_max", n_max)?)?)) }
}

/// Frees a workspace. A workspace in use is left alone.
///
/// @param lcp  workspace; Nullable: yes
/// @note Thread class: exclusive. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_lcp_destroy(lcp: *mut stn_lcp) {
    // SAFETY: `destroy` checks the pointer and the gate of the handle.
    unsafe { guard::destroy(lcp) }
}

/// Solves w = M z + q, 0 <= z, 0 <= w, z'w = 0. STN_OK only with stn_lcp_residual <= 1e-9.
///
/// @param lcp  workspace; Nullable: no
/// @param n  number of unknowns, 0 <= n <= n_max of the workspace
/// @param m  M, column-major, n columns of n numbers, ldm apart; Nullable: only if n = 0
/// @param ldm  distance between columns in numbers, >= n
/// @param q  n numbers; Nullable: only if n = 0
/// @param z  receives n numbers >= 0; Nullable: only if n = 0
/// @param w  receives M z + q; Nullable: yes
/// @param info  receives the report; Nullable: yes
/// @return STN_OK; STN_ERR_NULL, STN_ERR_DIMENSION, STN_ERR_CAPACITY, STN_ERR_NONFINITE, STN_ERR_VALUE
/// (overlap), STN_ERR_ABI, STN_ERR_BUSY, STN_ERR_POISONED for the call; STN_ERR_LCP_RAY, STN_ERR_LCP_PIVOTS,
/// STN_ERR_RESIDUAL when no solution was found. Outputs are untouched on failure
/// @note Thread class: exclusive. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_lcp_solve(
    lcp: *mut stn_lcp,
    n: i32,
    m: *const f64,
    ldm: i32,
    q: *const f64,
    z: *mut f64,
    w: *mut f64,
    info: *mut stn_lcp_info,
) -> stn_status {
    let call = |work: &mut impact::Solver| {
        let n = count("n", n)?;
        fits(work, n)?;
        let mut a = Arrays::new();
        let m = a.matrix("m", m, (n, n), count("ldm", ldm)?)?;
        let q = a.input("q", q, n)?;
        let z = a.output("z", z, n)?;
        let w = a.wanted("w", w, n)?;
        // SAFETY: the caller's promise for `info`; the arrays are disjoint when they are borrowed.
        unsafe {
            let info = SizedOut::new(&mut a, "info", info)?;
            a.disjoint()?;
            let solver = work.velocity().lcp();
            let done = solver.solve(m.get()?, q.get(), z.get(), w.map(|w| w.get()))?;
            info.write(done.into());
        }
        Ok(stn_status::STN_OK)
    };
    // SAFETY: `exclusive` checks the pointer and holds the gate of the handle.
    unsafe { guard::exclusive(lcp, call) }
}

/// Solves the mixed problem: rows 0 .. n_free-1 of M x + q are zero and belong to free unknowns, the other
/// rows are w >= 0 and complementary to the other unknowns, which are >= 0. STN_OK only with a residual <= 1e-9,
/// in which equation rows enter as |r_i (M x + q)_i|.
///
/// @param lcp  workspace; Nullable: no
/// @param n_free  number of equations and of free unknowns, >= 0
/// @param n_comp  number of complementary pairs, >= 0; n_free + n_comp <= n_max of the workspace
/// @param m  M, column-major, n_free + n_comp columns and rows; Nullable: only if there are none
/// @param ldm  distance between columns in numbers, >= n_free + n_comp
/// @param q  n_free + n_comp numbers; Nullable: only if there are none
/// @param x  receives n_free + n_comp numbers; Nullable: only if there are none
/// @param w  receives n_comp numbers; Nullable: yes
/// @param info  receives the report; Nullable: yes
/// @return as stn_lcp_solve, and STN_ERR_SINGULAR when the equations contradict each other
/// @note Thread class: exclusive. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_mlcp_solve(
    lcp: *mut stn_lcp,
    n_free: i32,
    n_comp: i32,
    m: *const f64,
    ldm: i32,
    q: *const f64,
    x: *mut f64,
    w: *mut f64,
    info: *mut stn_lcp_info,
) -> stn_status {
    let call = |work: &mut impact::Solver| {
        let (n_free, n_comp) = (count("n_free", n_free)?, count("n_comp", n_comp)?);
        let n = n_free.saturating_add(n_comp);
        fits(work, n)?;
        let mut a = Arrays::new();
        let m = a.matrix("m", m, (n, n), count("ldm", ldm)?)?;
        let q = a.input("q", q, n)?;
        let x = a.output("x", x, n)?;
        let w = a.wanted("w", w, n_comp)?;
        // SAFETY: the caller's promise for `info`; the arrays are disjoint when they are borrowed.
        unsafe {
            let info = SizedOut::new(&mut a, "info", info)?;
            a.disjoint()?;
            let solver = work.velocity().lcp();
            let done =
                solver.solve_mixed(n_free, m.get()?, q.get(), x.get(), w.map(|w| w.get()))?;
            info.write(done.into());
        }
        Ok(stn_status::STN_OK)
    };
    // SAFETY: `exclusive` checks the pointer and holds the gate of the handle.
    unsafe { guard::exclusive(lcp, call) }
}

/// Judges a candidate z: the unit-free natural-map residual max_i |min(z_i / c_i, r_i w_i)| / max_i |r_i q_i| with
/// w = M z + q computed afresh (divisor 1 when q = 0). r, c: eight sweeps of r_i /= sqrt(max_j r_i |M_ij| c_j) over rows,
/// then the same over columns, empty ones left at 1; at the end each rounded to 2^round(log2).
///
/// @param n  number of unknowns, >= 0
/// @param m  M, column-major; Nullable: only if n = 0
/// @param ldm  distance between columns in numbers, >= n
/// @param q  n numbers; Nullable: only if n = 0
/// @param z  n numbers; Nullable: only if n = 0
/// @param residual  receives the residual, 0 for n = 0; Nullable: no
/// @return STN_OK, STN_ERR_NULL, STN_ERR_DIMENSION, STN_ERR_NONFINITE, STN_ERR_VALUE (overlap), STN_ERR_MEMORY
/// @note Thread class: any. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_lcp_residual(
    n: i32,
    m: *const f64,
    ldm: i32,
    q: *const f64,
    z: *const f64,
    residual: *mut f64,
) -> stn_status {
    guard::plain(|| {
        let n = count("n", n)?;
        let mut a = Arrays::new();
        let m = a.matrix("m", m, (n, n), count("ldm", ldm)?)?;
        let q = a.input("q", q, n)?;
        let z = a.input("z", z, n)?;
        let out = a.output("residual", residual, 1)?;
        a.disjoint()?;
        // SAFETY: the caller's promise for the arrays, which are disjoint.
        let (m, q, z, out) = unsafe { (m.get()?, q.get(), z.get(), out.get()) };
        m.finite("m")?;
        crate::error::finite("q", q)?;
        crate::error::finite("z", z)?;
        out[0] = self::residual(m, q, z)?;
        Ok(stn_status::STN_OK)
    })
}

/// Refuses a problem of `n` unknowns that the workspace does not hold, before its arrays are looked at.
pub(super) fn fits(work: &mut impact::Solver, n: usize) -> Result<(), Fault> {
    let have = work.velocity().n_max();
    if n > have {
        return Err(Error::Capacity { what: "the problem", needed: n, have }.into());
    }
    Ok(())
}
