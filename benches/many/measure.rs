//! Steps of one scene by Stiction, and the rows of the table.

use crate::clock::thread_seconds;
use crate::many::{Done, Plan};
use std::sync::Arc;
use stiction::check::check_state;
use stiction::step::{ContactMode, EventLevel, Options, Stepper};

/// Step of all scenes, s.
pub const H: f64 = 5e-3;

/// What only Stiction tells.
pub struct Inside {
    pub residual: f64,
    /// Problems answered in the space of bodies, and all.
    pub bodies: (i64, i64),
    pub pivots: i64,
    /// Steps that were not computed, because they began where the one before did.
    pub repeated: i64,
    /// Longest step, microseconds.
    pub longest: f64,
    /// Whether bounds hold for all steps. Where no events are located, what falls sinks in before it is lifted out, and
    /// they are looked at in the second half.
    pub located: bool,
    pub late: Late,
}

/// Of the second half of the steps: largest way of a body, and of every [`LOOKS`]th state the deepest penetration and the
/// largest joint error, m.
#[derive(Default)]
pub struct Late {
    way: f64,
    depth: f64,
    joint: f64,
}

/// See [`Late`].
const LOOKS: usize = 100;

/// One measured scene.
pub struct Row {
    /// Most contacts that touched at once.
    pub contacts: usize,
    pub steps: usize,
    pub us: f64,
    /// Most negative gap, m.
    pub gap: f64,
    /// Largest way of a body from its start, or in a scene with joints the largest joint error, m.
    pub moved: f64,
    /// x of the first body at the end.
    pub x: f64,
    /// Cut short or failed, and why.
    pub note: String,
    pub inside: Option<Inside>,
}

/// The head of the table.
pub fn head() {
    println!(
        "| scene | who | contacts | steps | us/step | longest us | worst gap | drift | error of x(5) | residual | in bodies | pivots/step | repeated | second half: way, depth, joints | |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|");
}

impl Row {
    /// Prints the row.
    pub fn print(&self, scene: &str, who: &str, still: bool, exact: Option<f64>) {
        let drift = if still { format!("{:.1e}", self.moved) } else { "-".into() };
        // Known at the end of all steps only.
        let error = exact.filter(|_| self.note.is_empty());
        let error = error.map_or("-".into(), |x| format!("{:.1e}", self.x.abs() - x));
        let (longest, inside) = match &self.inside {
            Some(i) => (
                format!("{:.0}", i.longest),
                format!(
                    "{:.1e} | {} of {} | {:.1} | {} | {:.1e}, {:.1e}, {:.1e}",
                    i.residual,
                    i.bodies.0,
                    i.bodies.1,
                    i.pivots as f64 / self.steps.max(1) as f64,
                    i.repeated,
                    i.late.way,
                    i.late.depth,
                    i.late.joint
                ),
            ),
            None => ("-".into(), "- | - | - | - | -".into()),
        };
        println!(
            "| {scene} | {who} | {} | {} | {:.1} | {longest} | {:.1e} | {drift} | {error} | {inside} | {} |",
            self.contacts, self.steps, self.us, self.gap, self.note
        );
    }

    /// Whether a long run kept what is promised.
    pub fn holds(&self, still: bool) -> bool {
        let failed = self.note.contains("failed");
        let residual = self.inside.as_ref().map_or(0.0, |i| i.residual);
        let (depth, moved) = match &self.inside {
            Some(i) if !i.located => (i.late.depth, i.late.joint),
            _ => (-self.gap, self.moved),
        };
        !failed && residual <= 1e-8 && depth < 1e-9 && (!still || moved < 1e-9)
    }
}

/// Largest way of a body: seven coordinates each, the place first.
fn way(from: &[f64], to: &[f64]) -> f64 {
    let places = from.iter().zip(to).enumerate().filter(|(i, _)| i % 7 < 3);
    places.fold(0.0, |m, (_, (a, b))| m.max((a - b).abs()))
}

/// Takes up to `steps` steps within `limit` seconds of CPU time.
///
/// # Errors
/// When the scene cannot be built; a step that fails ends the row instead.
pub fn measure(plan: &Plan, events: EventLevel, steps: usize, limit: f64) -> Done<Row> {
    let options = Options { events: Some(events), ..Options::default() };
    let scene = Arc::new(plan.build()?);
    let mut s = Stepper::new(scene.clone(), &options)?;
    let start = s.q().to_vec();
    let (mut done, mut spent, mut longest, mut contacts) = (0, 0.0, 0.0f64, 0);
    let (mut note, mut half, mut late) = (String::new(), vec![], Late::default());
    while done < steps {
        let begin = thread_seconds();
        let answer = s.step(H);
        let took = thread_seconds() - begin;
        spent += took;
        longest = longest.max(took);
        if let Err(e) = answer {
            note = format!("step {} failed: {e}", done + 1);
            break;
        }
        done += 1;
        let touching = |i: &usize| s.contact_mode(*i) != ContactMode::Open;
        contacts = contacts.max((0..s.contact_count()).filter(touching).count());
        if done == steps / 2 {
            half = s.q().to_vec();
        } else if done > steps / 2 {
            late.way = late.way.max(way(&half, s.q()));
            if done % LOOKS == 0 || done == steps {
                let now = check_state(&*scene, s.t(), s.q(), s.v())?;
                late.depth = late.depth.max(now.depth.0);
                late.joint = late.joint.max(now.joint.0);
            }
        }
        if spent >= limit && done < steps {
            note = format!("cut after {spent:.0} s");
            break;
        }
    }
    let st = s.stats();
    Ok(Row {
        contacts,
        steps: done,
        us: 1e6 * spent / done.max(1) as f64,
        gap: st.worst_gap,
        moved: if plan.joints.is_empty() { way(&start, s.q()) } else { st.worst_joint_drift },
        x: s.q()[0],
        note,
        inside: Some(Inside {
            residual: st.worst_residual,
            bodies: (st.body_solves, st.lcp_solves + st.check_solves),
            pivots: st.pivots,
            repeated: st.repeated_steps,
            longest: 1e6 * longest,
            located: events != EventLevel::None,
            late,
        }),
    })
}

/// Prints the slope of log time over log contacts, by least squares, and that of the last pair; nothing but that there is
/// none when rows were cut short: they are not from the same steps.
pub fn growth(name: &str, points: &[(f64, f64)], cut: bool) {
    let logs: Vec<_> = points
        .iter()
        .filter(|(n, t)| *n > 0.0 && *t > 0.0)
        .map(|(n, t)| (n.ln(), t.ln()))
        .collect();
    let [.., (a, s), (b, t)] = logs[..] else { return };
    let mean = |f: &dyn Fn(&(f64, f64)) -> f64| logs.iter().map(f).sum::<f64>() / logs.len() as f64;
    let (x, y) = (mean(&|p| p.0), mean(&|p| p.1));
    let slope = mean(&|p| (p.0 - x) * (p.1 - y)) / mean(&|p| (p.0 - x) * (p.0 - x));
    let told = if cut {
        "not known, rows were cut short".into()
    } else {
        format!("{slope:.2}, last pair {:.2}", (t - s) / (b - a))
    };
    println!("| {name}: time grows as contacts to the power | {told} | | | | | | | | | | | | | |");
}
