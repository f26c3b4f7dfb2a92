//! The small formulas of the impact laws. Knows no solver.

use super::Impact;
use crate::linalg::{Columns, max_abs};
use crate::tol;
use crate::velocity::Rows;

/// p := M v.
pub(super) fn momentum(mass: Columns<'_>, v: &[f64], p: &mut Vec<f64>) {
    p.clear();
    p.resize(v.len(), 0.0);
    for (j, &vj) in v.iter().enumerate() {
        mass.col(j).add(vj, p);
    }
}

/// Kinetic energy (imp.5). The antisymmetric part of the mass does no work.
pub(crate) fn kinetic_energy(mass: Columns<'_>, v: &[f64]) -> f64 {
    0.5 * v.iter().enumerate().map(|(j, vj)| vj * mass.col(j).dot(v)).sum::<f64>()
}

/// Offsets of the normal rows for Newton's law (imp.3): s^+ - max(0, -e s^-) >= 0.
pub(super) fn newton_offsets(impact: &Impact<'_>, out: &mut Vec<f64>) {
    out.clear();
    for (i, &e) in impact.restitution.iter().enumerate() {
        let b = impact.normal.offset(i);
        let before = impact.normal.row.col(i).dot(impact.v_minus) + b;
        out.push(b - (-e * before).max(0.0));
    }
}

/// The coefficient of the reflection law: the smallest of the contacts with an impulse; 0 without
/// any.
pub(super) fn reflection_coefficient(restitution: &[f64], normal_impulse: &[f64]) -> f64 {
    let floor = tol::IMPULSE_ZERO * max_abs(normal_impulse);
    let pushed = restitution.iter().zip(normal_impulse).filter(|&(_, &c)| c > floor);
    let e = pushed.map(|(&e, _)| e).fold(f64::INFINITY, f64::min);
    if e.is_finite() { e } else { 0.0 }
}

/// Whether the reflected velocity separates at every contact and keeps every joint, up to rounding
/// of the two velocities it is made of.
pub(super) fn admissible(impact: &Impact<'_>, v: &[f64], v_compression: &[f64]) -> bool {
    let speed = |rows: &Rows<'_>, j: usize| {
        let row = rows.row.col(j);
        let offset = rows.offset(j);
        let mut terms = offset.abs();
        for (i, a) in row.entries() {
            terms += a.abs() * (v_compression[i].abs() + impact.v_minus[i].abs());
        }
        (row.dot(v) + offset, tol::SPEED_ZERO * terms)
    };
    let joints_kept = (0..impact.joint.row.cols()).all(|j| {
        let (s, slack) = speed(&impact.joint, j);
        s.abs() <= slack
    });
    joints_kept
        && (0..impact.normal.row.cols()).all(|j| {
            let (s, slack) = speed(&impact.normal, j);
            s >= -slack
        })
}
