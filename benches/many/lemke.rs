//! 300 contacts with eight facets each: one velocity problem in the space of bodies, and by Lemke's method on all
//! 3000 unknowns, cold: this project's with columns made on demand and with the matrix given, and a dense tableau.

use super::tableau::{Tableau, natural};
use crate::clock::thread_seconds;
use crate::pile::{N_DIR, Pile, spheres, unit};
use crate::rng::Rng;
use stiction::lcp::Lcp;
use stiction::linalg::MatRef;
use stiction::velocity::{Solver, Stage};

/// A box of side 2 on 300 points, with the velocity `v`.
fn base(v: [f64; 6]) -> Pile {
    let mut pile = Pile::new(&[(2.0, 1.3)], &v);
    let at = |k: usize, n: usize| 2.0 * k as f64 / (n - 1) as f64 - 1.0;
    for (i, j) in (0..15).flat_map(|i| (0..20).map(move |j| (i, j))) {
        pile.touch((0, [at(i, 15), at(j, 20), -1.0]), None, [0.0, 0.0, 1.0], 0.5);
    }
    pile
}

/// A body in the hollow of a bowl: 300 points whose normals all differ.
fn bowl() -> Pile {
    let mut rng = Rng::new(5);
    let mut pile = Pile::new(&[(2.0, 1.3)], &[0.5, 0.2, -1.0, 0.3, 0.0, 0.0]);
    for _ in 0..300 {
        let n = unit([rng.signed(), rng.signed(), 1.0 + rng.signed().abs()]);
        pile.touch((0, n.map(|x| -x)), None, n, 0.5);
    }
    pile
}

/// Seconds, residual, velocities and stage of the fastest of `runs` cold solves.
fn solve(pile: &Pile, lemke_only: bool, runs: usize) -> Option<(f64, f64, Vec<f64>, Stage)> {
    let problem = pile.problem();
    let first: Vec<usize> = (0..pile.nv).step_by(6).collect();
    let mut best: Option<(f64, f64, Vec<f64>, Stage)> = None;
    for _ in 0..runs {
        let mut solver = Solver::new(problem.size()).ok()?;
        solver.set_lemke_only(lemke_only);
        solver.set_bodies(&first).ok()?;
        let start = thread_seconds();
        let info = solver.solve(&problem).ok()?;
        let spent = thread_seconds() - start;
        if best.as_ref().is_none_or(|b| spent < b.0) {
            best = Some((spent, info.residual, solver.v().to_vec(), solver.stage()));
        }
    }
    best
}

/// Matrix, column by column, and vector of (vel.6) for a pile; its masses are diagonal.
fn dense(pile: &Pile) -> (Vec<f64>, Vec<f64>) {
    let (nv, own) = (pile.nv, N_DIR + 2);
    let n = own * pile.mu.len();
    let (mut m, mut q) = (vec![0.0; n * n], vec![0.0; n]);
    let column = |at: usize| -> Option<&[f64]> {
        let (contact, k) = (at / own, at % own);
        match k {
            0 => Some(&pile.normal[contact * nv..][..nv]),
            k if k <= N_DIR => Some(&pile.tangent[(contact * N_DIR + k - 1) * nv..][..nv]),
            _ => None,
        }
    };
    for j in 0..n {
        let (contact, k) = (j / own, j % own);
        let slip = contact * own + N_DIR + 1;
        match column(j) {
            None => (1..=N_DIR).for_each(|d| m[contact * own + d + j * n] = 1.0),
            Some(c) => {
                let speed = (0..nv).map(|i| c[i] / pile.mass[i * (nv + 1)]).collect::<Vec<_>>();
                q[j] = speed.iter().zip(&pile.p).map(|(a, b)| a * b).sum();
                for i in 0..n {
                    let row = column(i);
                    let sum = |r: &[f64]| r.iter().zip(&speed).map(|(a, b)| a * b).sum();
                    m[i + j * n] = row.map_or(0.0, sum);
                }
                m[slip + j * n] = if k == 0 { pile.mu[contact] } else { -1.0 };
            }
        }
    }
    (m, q)
}

/// Seconds of a cold solve by this project's own Lemke, the matrix given.
fn solve_given(m: &[f64], q: &[f64]) -> Option<f64> {
    let n = q.len();
    let mut z = vec![0.0; n];
    let mut lcp = Lcp::new(n).ok()?;
    let m = MatRef::square("M", m, n).ok()?;
    let start = thread_seconds();
    lcp.solve(m, q, &mut z, None).ok()?;
    Some(thread_seconds() - start)
}

/// Prints the comparison, without Lemke's side where the limit is short of what it takes.
pub fn compare(limit: f64) {
    println!(
        "\n| 300 contacts, n = 3000 | contacts | ms | residual | answered by | Lemke ms | residual | ratio | velocities differ | matrix given, ms | ratio | tableau s | pivots | residual | ratio |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|");
    let rest = [0.0, 0.0, -1.0, 0.0, 0.0, 0.0];
    let scenes = [
        ("box at rest", base(rest)),
        ("box sliding", base([1.0, 0.3, -1.0, 0.0, 0.0, 0.0])),
        ("box tipping", base([1.0, 0.0, -1.0, 0.3, 2.0, 0.0])),
        ("bowl", bowl()),
        ("spheres", spheres(5, 5, 3)),
    ];
    for (name, pile) in &scenes {
        let n = pile.mu.len();
        let Some((own, residual, v, stage)) = solve(pile, false, 5) else {
            println!("| {name} | {n} | failed | | | | | | | | | | | | |");
            continue;
        };
        let own_part = format!("| {name} | {n} | {:.3} | {residual:.1e} | {stage:?}", 1e3 * own);
        // A cold solve of this size takes seconds.
        match (limit >= 1.0).then(|| solve(pile, true, 1)).flatten() {
            Some((full, its, w, _)) => {
                let apart = v.iter().zip(&w).fold(0.0f64, |m, (a, b)| m.max((a - b).abs()));
                let (m, q) = dense(pile);
                let given = solve_given(&m, &q).map_or("failed | -".into(), |given| {
                    format!("{:.0} | {:.0}", 1e3 * given, given / own)
                });
                let answer = Tableau::new(&m, &q).solve(limit);
                let off = |z: &[f64]| natural(&m, &q, z);
                let textbook = match &answer.z {
                    Some(z) => format!("{:.1e} | {:.0}", off(z), answer.seconds / own),
                    None => format!("{} | >{:.0}", answer.note, answer.seconds / own),
                };
                let dense =
                    format!("{given} | {:.1} | {} | {textbook}", answer.seconds, answer.pivots);
                println!(
                    "{own_part} | {:.1} | {its:.1e} | {:.0} | {apart:.1e} | {dense} |",
                    1e3 * full,
                    full / own
                );
            }
            None => println!("{own_part} | failed | - | - | - | - | - | - | - | - | - |"),
        }
    }
}
