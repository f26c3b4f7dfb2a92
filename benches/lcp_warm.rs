//! What remembering the last basis is worth: the problems of a driven box, step by step, solved cold
//! and in one workspace.
//!
//! `cargo bench --bench lcp_warm -- [--steps N] [--n N] [--max-n N]`
#![allow(clippy::print_stdout, reason = "printing is what this program is for")]

#[path = "../tests/support/mod.rs"]
mod support;

mod warm {
    pub mod scene;
}

use stiction::lcp::Lcp;
use support::clock::thread_seconds;
use support::outcome::cold_workspace;
use support::problem::Problem;
use warm::scene::Scene;

/// Steps between two readings of the clock, which costs as much as a small solve. The last answer of
/// each block is judged; judging all would take longer than solving them.
const BLOCK: usize = 16;

/// Contacts along an edge and friction directions of the boxes.
const BOXES: [(usize, usize); 6] = [(2, 4), (2, 8), (4, 4), (4, 8), (8, 4), (8, 8)];

/// How far contact points move from step to step, in edges of the box; 0 keeps the matrix.
const JITTERS: [f64; 3] = [0.0, 1e-3, 1e-2];

const HEADER: &str = "| contacts | n | cold | warm | gain | same matrix | gain | pivots cold \
    | warm | no pivot | failed | worst residual |";

/// How a sequence is solved.
#[derive(Clone, Copy, PartialEq)]
enum Mode {
    /// Nothing remembered.
    Cold,
    /// One workspace, an ordinary solve.
    Warm,
    /// One workspace, told that only the right-hand side changes.
    Again,
}

/// The right-hand sides of a run, and what they belong to.
struct Sequence {
    scene: Scene,
    q: Vec<Vec<f64>>,
}

/// Totals over a sequence.
#[derive(Default)]
struct Run {
    seconds: f64,
    steps: usize,
    pivots: usize,
    /// Steps without a pivot.
    still: usize,
    failed: usize,
    worst: f64,
}

impl Run {
    fn micros(&self) -> f64 {
        self.seconds * 1e6 / self.steps as f64
    }

    fn pivots(&self) -> f64 {
        self.pivots as f64 / self.steps as f64
    }
}

/// Walks the box through its motion and keeps the problems it meets.
fn record(scene: Scene, steps: usize) -> support::Result<Sequence> {
    let mut lcp = cold_workspace(scene.n())?;
    let (mut state, mut q) = (scene.start(), Vec::with_capacity(steps));
    let mut z = vec![0.0; scene.n()];
    let mut m = scene.matrix(0);
    for step in 0..steps {
        if scene.moves() {
            m = scene.matrix(step);
        }
        let p = Problem { n_free: 0, m, q: scene.right_hand_side(&state) };
        let solved = lcp.solve(p.matrix()?, &p.q, &mut z, None);
        solved.map_err(|e| format!("step {step} of n = {}: {e}", scene.n()))?;
        scene.advance(&mut state, &z);
        q.push(p.q);
        m = p.m;
    }
    Ok(Sequence { scene, q })
}

/// Solves the whole sequence once.
fn run(s: &Sequence, mode: Mode) -> support::Result<Run> {
    let n = s.scene.n();
    let mut lcp = if mode == Mode::Cold { cold_workspace(n)? } else { Lcp::new(n)? };
    let mut z = vec![0.0; n];
    let mut total = Run { steps: s.q.len(), ..Run::default() };
    let mut problems = vec![Problem { n_free: 0, m: s.scene.matrix(0), q: z.clone() }];
    for (block, right) in s.q.chunks(BLOCK).enumerate() {
        if s.scene.moves() {
            let problem = |(i, q): (usize, &Vec<f64>)| Problem {
                n_free: 0,
                m: s.scene.matrix(block * BLOCK + i),
                q: q.clone(),
            };
            problems = right.iter().enumerate().map(problem).collect();
        }
        let start = thread_seconds();
        for (i, q) in right.iter().enumerate() {
            let m = problems[i.min(problems.len() - 1)].matrix()?;
            // The first problem brings the matrix.
            let result = if mode == Mode::Again && block + i > 0 {
                lcp.solve_again(m, q, &mut z, None)
            } else {
                lcp.solve(m, q, &mut z, None)
            };
            match result {
                Ok(info) => {
                    total.pivots += info.pivots;
                    total.still += usize::from(info.pivots == 0);
                }
                Err(_) => total.failed += 1,
            }
        }
        total.seconds += thread_seconds() - start;
        if let (Some(p), Some(q)) = (problems.last_mut(), right.last()) {
            p.q.clone_from(q);
            total.worst = total.worst.max(p.residual(&z));
        }
    }
    Ok(total)
}

/// The fastest of three runs; what they solve and how is the same every time.
fn fastest(s: &Sequence, mode: Mode) -> support::Result<Run> {
    let mut best = run(s, mode)?;
    for _ in 1..3 {
        let again = run(s, mode)?;
        if again.seconds < best.seconds {
            best = again;
        }
    }
    Ok(best)
}

/// One line of the table: cold, warm, and where the matrix stays, told so.
fn line(s: &Sequence) -> support::Result<()> {
    let cold = fastest(s, Mode::Cold)?;
    let warm = fastest(s, Mode::Warm)?;
    let again = if s.scene.moves() { None } else { Some(fastest(s, Mode::Again)?) };
    let best = again.as_ref().unwrap_or(&warm);
    let told = match &again {
        Some(r) => format!("{:.1} | **{:.1}**", r.micros(), cold.seconds / r.seconds),
        None => "- | -".into(),
    };
    let runs = [Some(&cold), Some(&warm), again.as_ref()];
    println!(
        "| {}, k = {} | {} | {:.1} | {:.1} | **{:.1}** | {told} | {:.1} | {:.2} | {:.0} % | {} | {:.0e} |",
        s.scene.contacts(),
        s.scene.directions(),
        s.scene.n(),
        cold.micros(),
        warm.micros(),
        cold.seconds / warm.seconds,
        cold.pivots(),
        best.pivots(),
        100.0 * best.still as f64 / best.steps as f64,
        runs.iter().flatten().map(|r| r.failed).sum::<usize>(),
        runs.iter().flatten().fold(0.0f64, |w, r| w.max(r.worst)),
    );
    Ok(())
}

fn main() -> support::Result<()> {
    let (mut steps, mut min_n, mut max_n) = (1000, 0, usize::MAX);
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
        match word.as_str() {
            // cargo adds it
            "--bench" => {}
            "--steps" => steps = value()?.parse()?,
            "--n" => {
                min_n = value()?.parse()?;
                max_n = min_n;
            }
            "--max-n" => max_n = value()?.parse()?,
            other => return Err(format!("unknown {other}").into()),
        }
    }
    for jitter in JITTERS {
        if jitter == 0.0 {
            println!("\nMatrix unchanged, {steps} steps, microseconds per solve:\n");
        } else {
            println!("\nContact points moved by {jitter:e} of an edge at every step:\n");
        }
        println!("{HEADER}\n{}|", "|---".repeat(12));
        for (side, k) in BOXES {
            let scene = Scene::new(side, k, jitter);
            if (min_n..=max_n).contains(&scene.n()) {
                line(&record(scene, steps)?)?;
            }
        }
    }
    Ok(())
}
