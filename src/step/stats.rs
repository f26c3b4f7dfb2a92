//! Counters and worst residuals of a stepper. Knows no numerics.

use crate::lcp::Info;

/// Counted since creation. A failed step counts only in `rejected`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Stats {
    /// Steps completed.
    pub steps: i64,
    /// Pieces they were made of, events apart.
    pub substeps: i64,
    /// Steps that failed and left no other trace.
    pub rejected: i64,
    /// Complementarity problems of steps and impacts.
    pub lcp_solves: i64,
    /// Of these and of the check solves, those that the remembered basis solved.
    pub warm_solves: i64,
    /// Pivots of all of them.
    pub pivots: i64,
    /// Impacts resolved.
    pub impacts: i64,
    /// Force evaluations.
    pub force_evals: i64,
    /// Largest unit-free residual of an accepted complementarity solution.
    pub worst_residual: f64,
    /// Most negative gap at the end of a step, <= 0.
    pub worst_gap: f64,
    /// Largest joint error at the end of a step.
    pub worst_joint_drift: f64,
    /// Complementarity problems on accelerations: modes and checks of forces.
    pub check_solves: i64,
    /// Steps for which the mixed scheme found no solution and scheme I was taken, and pieces of
    /// Runge-Kutta methods whose stages could not be solved and were left to complementarity.
    pub scheme_fallbacks: i64,
    /// Steps of which a part was made without locating events: they reached the cap, or met a crowd, (step.75).
    pub capped_steps: i64,
    /// Events that did not fit.
    pub events_lost: i64,
    /// Steps whose force derivatives were replaced by their definite part.
    pub jacobian_fallbacks: i64,
    /// Iterations of the stage equations of Runge-Kutta methods.
    pub stage_iterations: i64,
    /// Steps that were taken back because their error exceeded the tolerance.
    pub tolerance_rejections: i64,
    /// Of `lcp_solves` and `check_solves`, those answered in the space of bodies; Lemke's method, or
    /// a basis it remembers, answered the others.
    pub body_solves: i64,
    /// Steps that began where the one before began, and were not computed again: counters of work stand still in them.
    pub repeated_steps: i64,
}

impl Stats {
    /// All counters and all worst values, in the order of a snapshot.
    pub(super) fn fields(&self) -> ([i64; 17], [f64; 3]) {
        let counts = [
            self.steps,
            self.substeps,
            self.rejected,
            self.lcp_solves,
            self.warm_solves,
            self.pivots,
            self.impacts,
            self.force_evals,
            self.check_solves,
            self.scheme_fallbacks,
            self.capped_steps,
            self.events_lost,
            self.jacobian_fallbacks,
            self.stage_iterations,
            self.tolerance_rejections,
            self.body_solves,
            self.repeated_steps,
        ];
        (counts, [self.worst_residual, self.worst_gap, self.worst_joint_drift])
    }

    /// The inverse of [`fields`](Self::fields).
    pub(super) fn from_fields(c: [i64; 17], w: [f64; 3]) -> Self {
        Self {
            steps: c[0],
            substeps: c[1],
            rejected: c[2],
            lcp_solves: c[3],
            warm_solves: c[4],
            pivots: c[5],
            impacts: c[6],
            force_evals: c[7],
            check_solves: c[8],
            scheme_fallbacks: c[9],
            capped_steps: c[10],
            events_lost: c[11],
            jacobian_fallbacks: c[12],
            stage_iterations: c[13],
            tolerance_rejections: c[14],
            body_solves: c[15],
            repeated_steps: c[16],
            worst_residual: w[0],
            worst_gap: w[1],
            worst_joint_drift: w[2],
        }
    }

    /// Takes over from `other` what counts work, whatever became of it.
    pub(super) fn take_work_of(&mut self, other: &Self) {
        self.rejected = other.rejected;
        self.lcp_solves = other.lcp_solves;
        self.warm_solves = other.warm_solves;
        self.pivots = other.pivots;
        self.force_evals = other.force_evals;
        self.check_solves = other.check_solves;
        self.stage_iterations = other.stage_iterations;
        self.tolerance_rejections = other.tolerance_rejections;
    }

    /// Counts a complementarity problem of a step or an impact.
    pub(super) fn solved(&mut self, info: &Info) {
        self.lcp_solves += 1;
        self.count(info);
    }

    /// Counts one on accelerations.
    pub(super) fn checked(&mut self, info: &Info) {
        self.check_solves += 1;
        self.count(info);
    }

    fn count(&mut self, info: &Info) {
        self.warm_solves += i64::from(info.warm);
        self.body_solves += i64::from(info.structured);
        self.pivots += info.pivots as i64;
        self.worst_residual = self.worst_residual.max(info.residual);
    }
}
