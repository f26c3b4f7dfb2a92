//! The judge of answers found in the space of bodies: the complementarity conditions evaluated with
//! the original columns. Knows how an answer is laid out, not how it was found.

use super::super::Problem;
use super::super::assemble::Layout;
use super::blocks::{Blocks, Kind};
use crate::linalg::Column;
use crate::tol;

/// Unit-free residual (vel.13) of velocity `v` and unknowns `z`: the largest violation of joints
/// and of complementarity, relative to the largest speed `free` without impulses, or to
/// [`tol::ROUNDED_SPEED`] of the terms it is summed from where bodies hardly move against each other.
/// Responses of the contacts take the place of the scales of the complementarity problem.
pub(super) fn residual(
    problem: &Problem<'_>,
    layout: &Layout,
    blocks: &Blocks,
    z: &[f64],
    v: &[f64],
    free: &[f64],
) -> f64 {
    let (mut worst, mut scale) = (0.0f64, 0.0f64);
    let mut see = |violation: f64, free: f64| {
        // A NaN is worse than anything.
        worst = if violation.is_nan() { f64::INFINITY } else { worst.max(violation.abs()) };
        scale = scale.max(free.abs());
    };
    let freely = |row: &Column<'_>, offset: f64| {
        (row.dot(free) + offset).abs().max(tol::ROUNDED_SPEED * (row.size(free) + offset.abs()))
    };
    for g in &blocks.groups {
        let roots = g.response.map(f64::sqrt);
        let i = match g.kind {
            Kind::Joint(j) => {
                let (row, offset) = (problem.joint.row.col(j), problem.joint.offset(j));
                let speed = (row.dot(v) + offset) / roots[0];
                see(speed, freely(&row, offset) / roots[0]);
                continue;
            }
            Kind::Contact(i) => i,
        };
        let (at, n_dir) = (layout.normal(i), layout.directions(i));
        let (row, offset) = (problem.normal.row.col(i), problem.normal.offset(i));
        let gap = (row.dot(v) + offset) / roots[0];
        see(gap.min(z[at] * roots[0]), freely(&row, offset) / roots[0]);
        if n_dir == 0 {
            continue;
        }
        let lambda = z[at + 1 + n_dir];
        let computed = layout.computed(i);
        for k in 0..computed {
            let d = i * problem.n_dir + k;
            let (row, offset) = (problem.tangent.row.col(d), problem.tangent.offset(d));
            let (speed, free) = (row.dot(v) + offset, freely(&row, offset) / roots[1]);
            let mut see = |speed: f64, beta: f64| {
                see(((speed + lambda) / roots[1]).min(beta * roots[1]), free);
            };
            see(speed, z[at + 1 + k]);
            if computed < n_dir {
                see(-speed, z[at + 1 + k + computed]);
            }
        }
        let rubbed: f64 = z[at + 1..at + 1 + n_dir].iter().sum();
        let spare = problem.mu[i].min(tol::MU_LARGEST) * z[at] - rubbed;
        see((lambda / roots[1]).min(spare * roots[1]), 0.0);
    }
    // exact: nothing moves and nothing is asked for
    if scale == 0.0 { worst } else { worst / scale }
}
