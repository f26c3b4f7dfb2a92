//! The end of a path solved once more with the true right-hand side. Knows how a basis becomes an
//! answer, not which attempt led to it.

use super::core::Core;
use super::engine::Problem;
use super::lemke::{Budget, End, follow};
use super::rules::Rules;
use crate::linalg::MatRef;
use crate::tol;

/// Passes of refinement for the basis of an answer.
const PASSES: usize = 4;

impl Core {
    /// Solves the basis at the end of a path again with the true right-hand side; where that is not
    /// a solution, follows a path from it.
    pub(super) fn polish(
        &mut self,
        m: MatRef<'_>,
        q: &[f64],
        rules: &Rules,
        tableau: bool,
        budget: &mut Budget<'_>,
    ) -> End {
        let n = q.len();
        self.factored.sparse.ensure(m, || self.scale.nonzeros());
        self.start.clear();
        self.start.resize(n, false);
        for &v in self.path.basic.iter().filter(|v| (n..2 * n).contains(*v)) {
            self.start[v - n] = true;
        }
        // The tableau has no inverse that could be kept.
        for keep in [true, false].into_iter().skip(usize::from(tableau)) {
            let p = Problem { m, r: &self.scale.r, c: &self.scale.c, q: &self.q };
            if self.factored.load_basis(&p, &self.start, keep).is_err() {
                return End::Lost;
            }
            self.factored.solve_basis(&p, &mut self.path, PASSES);
            if self.consider(m, q) <= self.fine {
                return End::Solved;
            }
        }
        // Good enough is what the caller is promised, not what others usually ask for.
        if self.proven(m, q, self.tolerance.min(tol::LCP_RESIDUAL)).is_some() {
            return End::Solved;
        }
        let n = self.path.n();
        self.path.dir[..n].fill(1.0);
        let end = self.follow_from_here(m, rules, budget);
        self.consider(m, q);
        end
    }

    /// Follows a path with the true right-hand side from the complementary basis in hand, covered by
    /// the direction in `path.dir`.
    pub(super) fn follow_from_here(
        &mut self,
        m: MatRef<'_>,
        rules: &Rules,
        budget: &mut Budget<'_>,
    ) -> End {
        let p = Problem { m, r: &self.scale.r, c: &self.scale.c, q: &self.q };
        follow(&mut self.factored, &p, &mut self.path, &mut self.lexico, budget, rules)
    }
}
