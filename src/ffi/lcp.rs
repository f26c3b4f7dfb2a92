//! Linear complementarity problems on plain arrays.

use super::guard::{self, Handle, Opaque};
use super::lcp_options::Host;
use super::ptr::{Arrays, count};
use super::sized::{SizedOut, sized_struct};
use super::status::{Fault, stn_status};
use crate::lcp::{EngineChoice, Info, Lcp, residual};
use crate::linalg::MatRef;
use crate::step::TrapezoidWork;
use crate::velocity::Certificate;
use crate::{Error, impact};

/// Workspace for complementarity, contact and impact problems; remembers the last basis.
#[derive(Debug)]
pub struct stn_lcp(Handle<Workspace>);

/// What a workspace handle holds.
#[derive(Debug)]
pub(super) struct Workspace {
    pub(super) solver: impact::Solver,
    pub(super) trapezoid: TrapezoidWork,
    /// Who is told how a solve goes on.
    pub(super) host: Option<Host>,
}

impl Opaque for stn_lcp {
    type Inner = Workspace;
    const NAME: &'static str = "lcp";
    fn handle(&self) -> &Handle<Workspace> {
        &self.0
    }
    fn wrap(handle: Handle<Workspace>) -> Self {
        Self(handle)
    }
}

/// How the basis is represented along the path.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum stn_lcp_engine {
    /// By size, as measured. In a report: no path was needed.
    STN_LCP_ENGINE_AUTO = 0,
    /// A tableau whose columns are made when they are needed; problems too large for it use the
    /// factored basis all the same.
    STN_LCP_ENGINE_TABLEAU = 1,
    /// An inverse of the kernel of the basis, updated and refined.
    STN_LCP_ENGINE_FACTORED = 2,
}

/// Both faces of the choice of engine.
pub(super) const ENGINES: [(stn_lcp_engine, EngineChoice); 3] = [
    (stn_lcp_engine::STN_LCP_ENGINE_AUTO, EngineChoice::Auto),
    (stn_lcp_engine::STN_LCP_ENGINE_TABLEAU, EngineChoice::Tableau),
    (stn_lcp_engine::STN_LCP_ENGINE_FACTORED, EngineChoice::Factored),
];

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
    /// Upper bound of the unit-free residual of the answer, see stn_lcp_residual, up to the rounding
    /// of M z + q, which is known to be below a tenth of the tolerance; at most the tolerance.
    pub residual: f64,
    /// Inverses made from scratch.
    pub refactorizations: i32,
    /// Attempts made: 1 when the first path answered, 0 when none was needed or the remembered
    /// basis led there.
    pub attempts: i32,
    /// The stn_lcp_engine that found the answer.
    pub engine: i32,
    /// Hypotheses of the solvability theorem that do not hold, as bits of stn_hypothesis; 0: a
    /// solution is guaranteed. STN_HYPOTHESIS_UNKNOWN for problems that come as bare matrices.
    pub uncovered: i32,
    /// Largest rate of a basic variable on the path, where the scaled data are of order one: above
    /// 1e8 or so the problem is close to one without a unique answer.
    pub growth: f64,
}

sized_struct!(
    stn_lcp_info,
    pivots: i32,
    warm: i32,
    residual: f64,
    refactorizations: i32,
    attempts: i32,
    engine: i32,
    uncovered: i32,
    growth: f64,
);

/// What the solvability theorem for contact problems asks for beyond finite data, a definite mass
/// and mu >= 0, which are checked for every problem.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum stn_hypothesis {
    /// A bare matrix: nothing is known about where it comes from.
    STN_HYPOTHESIS_UNKNOWN = 1,
    /// Constraint rows are the directions of the impulses.
    STN_HYPOTHESIS_ROWS = 2,
    /// Joint rows have no offset.
    STN_HYPOTHESIS_JOINTS = 4,
    /// Friction rows have no offset.
    STN_HYPOTHESIS_SLIP = 8,
    /// No contact is asked to separate, as Newton's law does.
    STN_HYPOTHESIS_NORMALS = 16,
}

/// The bits of the hypotheses that fail.
pub(super) fn uncovered(certificate: Certificate) -> i32 {
    use stn_hypothesis::*;
    [
        (certificate.rows_are_directions, STN_HYPOTHESIS_ROWS),
        (certificate.joints_homogeneous, STN_HYPOTHESIS_JOINTS),
        (certificate.slip_homogeneous, STN_HYPOTHESIS_SLIP),
        (certificate.normal_offsets_nonnegative, STN_HYPOTHESIS_NORMALS),
    ]
    .into_iter()
    .filter(|(holds, _)| !holds)
    .map(|(_, bit)| bit as i32)
    .sum()
}

impl Default for stn_lcp_info {
    /// An empty report with its size set, for callers in Rust.
    fn default() -> Self {
        Self {
            struct_size: size_of::<Self>(),
            pivots: 0,
            warm: 0,
            residual: 0.0,
            refactorizations: 0,
            attempts: 0,
            engine: 0,
            uncovered: 0,
            growth: 0.0,
        }
    }
}

impl stn_lcp_info {
    pub(super) fn new(info: Info, uncovered: i32) -> Self {
        let count = |n: usize| i32::try_from(n).unwrap_or(i32::MAX);
        let engine = ENGINES.iter().find(|(_, e)| *e == info.engine);
        Self {
            struct_size: size_of::<Self>(),
            pivots: count(info.pivots),
            warm: i32::from(info.warm),
            residual: info.residual,
            refactorizations: count(info.refactorizations),
            attempts: count(info.attempts),
            engine: engine.map_or(0, |(number, _)| *number as i32),
            uncovered,
            growth: info.growth,
        }
    }

    /// The report for a bare matrix.
    pub(super) fn bare(info: Info) -> Self {
        Self::new(info, stn_hypothesis::STN_HYPOTHESIS_UNKNOWN as i32)
    }
}

/// Takes a workspace for problems of up to n_max unknowns. All storage is taken here; memory pages
/// are used only as problems need them.
///
/// @param n_max  largest number of unknowns, >= 0
/// @param out  receives the handle, NULL on failure; Nullable: no
/// @return STN_OK, STN_ERR_NULL, STN_ERR_DIMENSION, STN_ERR_MEMORY
/// @note Thread class: any. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_lcp_create(n_max: i32, out: *mut *mut stn_lcp) -> stn_status {
    let make = || {
        let n_max = count("n_max", n_max)?;
        let solver = impact::Solver::new(n_max)?;
        Ok(Workspace { solver, trapezoid: TrapezoidWork::new(n_max)?, host: None })
    };
    // SAFETY: `create` checks `out`.
    unsafe { guard::create(out, make) }
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

/// Solves w = M z + q, 0 <= z, 0 <= w, z'w = 0. STN_OK only with stn_lcp_residual <= the tolerance,
/// 1e-9 unless stn_lcp_set_options changed it. Starts from the basis of the last solution on this
/// workspace when the size is the same: related problems cost less, and where there are several
/// solutions the answer may depend on the calls before (option warm). The residual is relative to the
/// largest |r_i q_i|. Rows smaller than that are judged by their own terms too, but only down to 2e-16 of
/// it: beside an entry of 1e20 a row with terms below 2e4 is not seen; solve it apart or in other units.
///
/// @param lcp  workspace; Nullable: no
/// @param n  number of unknowns, 0 <= n <= n_max of the workspace
/// @param m  M, column-major, n columns of n numbers, ldm apart; Nullable: only if n = 0
/// @param ldm  distance between columns in numbers, >= n
/// @param q  n numbers; Nullable: only if n = 0
/// @param z  receives n numbers >= 0; Nullable: only if n = 0
/// @param w  receives M z + q; Nullable: yes
/// @param info  receives the report; Nullable: yes
/// @return STN_OK; STN_ERR_NULL, STN_ERR_DIMENSION, STN_ERR_CAPACITY, STN_ERR_NONFINITE,
/// STN_ERR_VALUE (overlap), STN_ERR_ABI, STN_ERR_BUSY, STN_ERR_POISONED for the call;
/// STN_ERR_LCP_RAY, STN_ERR_LCP_PIVOTS, STN_ERR_RESIDUAL when no solution was found,
/// STN_ERR_CALLBACK when the progress function stopped it. Outputs are untouched on failure
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
    let arrays = SolveArrays { n, m, ldm, q, z, w, info };
    let call = |work: &mut Workspace| {
        let host = work.host;
        let solve =
            |lcp: &mut Lcp, m: MatRef<'_>, q: &[f64], z: &mut [f64], w: Option<&mut [f64]>| {
                match host {
                    None => lcp.solve(m, q, z, w),
                    Some(host) => lcp.solve_with(m, q, z, w, &mut |p| host.tell(p)),
                }
            };
        // SAFETY: the caller's promise for the arrays and `info`.
        unsafe { arrays.run(work, solve) }
    };
    // SAFETY: `exclusive` checks the pointer and holds the gate of the handle.
    unsafe { guard::exclusive(lcp, call) }
}

/// Solves the mixed problem: rows 0 .. n_free-1 of M x + q are zero and belong to free unknowns,
/// the other rows are w >= 0 and complementary to the other unknowns, which are >= 0. STN_OK only
/// with a residual <= the tolerance, in which equation rows enter as |r_i (M x + q)_i|. The block of the
/// free unknowns may be singular: a monotone problem that has a solution is solved all the same, and
/// unknowns that nothing determines are zero.
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
    let call = |work: &mut Workspace| {
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
            let solver = work.solver.velocity_mut().lcp_mut();
            let done =
                solver.solve_mixed(n_free, m.get()?, q.get(), x.get(), w.map(|w| w.get()))?;
            info.write(stn_lcp_info::bare(done));
        }
        Ok(stn_status::STN_OK)
    };
    // SAFETY: `exclusive` checks the pointer and holds the gate of the handle.
    unsafe { guard::exclusive(lcp, call) }
}

/// Judges a candidate z: the unit-free natural-map residual max_i |min(z_i / c_i, r_i w_i)| / max_i
/// |r_i q_i| with w = M z + q computed afresh in twice the digits (divisor 1 when q = 0). r, c: eight sweeps of r_i /=
/// sqrt(max_j r_i |M_ij| c_j) over rows, then the same over columns, empty ones left at 1,
/// none above 2^1000; at the end each rounded to 2^round(log2).
///
/// @param n  number of unknowns, >= 0
/// @param m  M, column-major; Nullable: only if n = 0
/// @param ldm  distance between columns in numbers, >= n
/// @param q  n numbers; Nullable: only if n = 0
/// @param z  n numbers; Nullable: only if n = 0
/// @param residual  receives the residual, 0 for n = 0; Nullable: no
/// @return STN_OK, STN_ERR_NULL, STN_ERR_DIMENSION, STN_ERR_NONFINITE, STN_ERR_VALUE (overlap),
/// STN_ERR_MEMORY
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

/// The arguments of a solve on a bare matrix, as they come from C.
pub(super) struct SolveArrays {
    pub(super) n: i32,
    pub(super) m: *const f64,
    pub(super) ldm: i32,
    pub(super) q: *const f64,
    pub(super) z: *mut f64,
    pub(super) w: *mut f64,
    pub(super) info: *mut stn_lcp_info,
}

impl SolveArrays {
    /// Checks and borrows the arrays, solves, reports.
    ///
    /// # Safety
    /// The caller of the library keeps the promises of the header about sizes.
    pub(super) unsafe fn run(
        self,
        work: &mut Workspace,
        solve: impl FnOnce(
            &mut Lcp,
            MatRef<'_>,
            &[f64],
            &mut [f64],
            Option<&mut [f64]>,
        ) -> crate::error::Result<Info>,
    ) -> Result<stn_status, Fault> {
        let n = count("n", self.n)?;
        fits(work, n)?;
        let mut a = Arrays::new();
        let m = a.matrix("m", self.m, (n, n), count("ldm", self.ldm)?)?;
        let q = a.input("q", self.q, n)?;
        let z = a.output("z", self.z, n)?;
        let w = a.wanted("w", self.w, n)?;
        // SAFETY: the promise of this function; the arrays are disjoint when they are borrowed.
        unsafe {
            let info = SizedOut::new(&mut a, "info", self.info)?;
            a.disjoint()?;
            let lcp = work.solver.velocity_mut().lcp_mut();
            let done = solve(lcp, m.get()?, q.get(), z.get(), w.map(|w| w.get()))?;
            info.write(stn_lcp_info::bare(done));
        }
        Ok(stn_status::STN_OK)
    }
}

/// Refuses a problem of `n` unknowns that the workspace does not hold, before its arrays are looked
/// at.
pub(super) fn fits(work: &mut Workspace, n: usize) -> Result<(), Fault> {
    let have = work.solver.velocity().n_max();
    if n > have {
        return Err(Error::Capacity { what: "the problem", needed: n, have }.into());
    }
    Ok(())
}
