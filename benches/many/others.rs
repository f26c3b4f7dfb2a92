//! ODE, MuJoCo and DART on the same scenes: each a program that reads the text of a scene and answers with one line.

use super::measure::{H, Row};
use crate::many::Plan;
use crate::peers::compile::{compile, sources};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A peer that can run: its name in the table, the program with arguments, the scenes it takes part in.
struct Peer {
    name: &'static str,
    command: Vec<PathBuf>,
    scenes: &'static [&'static str],
}

/// The peers found, and a line for each that was not.
#[derive(Default)]
pub struct Others {
    peers: Vec<Peer>,
    pub missing: Vec<String>,
}

const ALL: &[&str] =
    &["rest", "pushed", "tipping", "stack", "heavy", "wall", "pile", "chain", "pawl", "jacks"];

/// DART is asked for what it has been compared on elsewhere.
const FEW: &[&str] = &["rest", "pushed", "stack"];

impl Others {
    /// Compiles and finds what is installed.
    pub fn find() -> Self {
        let mut found = Self::default();
        match compile("ode.cpp", &[], &["-lode"]) {
            Some(program) => {
                for (name, way) in [("ODE dWorldStep", "step"), ("ODE QuickStep", "quick")] {
                    let command = vec![program.clone(), way.into()];
                    found.peers.push(Peer { name, command, scenes: ALL });
                }
            }
            None => found.missing.push("ode: needs apt-get install libode-dev".into()),
        }
        for (name, module, script, scenes) in [
            ("MuJoCo", "mujoco", "peer_mujoco.py", ALL),
            ("DART Dantzig", "dartpy", "peer_dart.py", FEW),
        ] {
            match python(module) {
                Some(python) => {
                    let command = vec![python, sources().join(script)];
                    found.peers.push(Peer { name, command, scenes });
                }
                None => found.missing.push(format!(
                    "{module}: needs python3 -m venv target/peers && target/peers/bin/pip install {module}"
                )),
            }
        }
        found
    }

    /// Every peer on one scene, within `limit` seconds of CPU time; `None` for one that ended badly.
    pub fn measure(
        &self,
        scene: &str,
        plan: &Plan,
        steps: usize,
        limit: f64,
    ) -> Vec<(&'static str, Option<Row>)> {
        let text = format!("run {H:?} {steps} {limit:?}\n{}", plan.text());
        let part = self.peers.iter().filter(|p| p.scenes.contains(&scene));
        part.map(|p| (p.name, p.run(&text, steps))).collect()
    }
}

impl Peer {
    fn run(&self, text: &str, steps: usize) -> Option<Row> {
        let mut command = Command::new(&self.command[0]);
        command.args(&self.command[1..]).stdin(Stdio::piped()).stdout(Stdio::piped());
        command.stderr(Stdio::null());
        // One thread, as Stiction has.
        command.env("OPENBLAS_NUM_THREADS", "1").env("OMP_NUM_THREADS", "1");
        let mut child = command.spawn().ok()?;
        child.stdin.take()?.write_all(text.as_bytes()).ok()?;
        let output = child.wait_with_output().ok().filter(|o| o.status.success())?;
        let line = String::from_utf8(output.stdout).ok()?;
        let last = line.lines().last()?;
        let numbers: Vec<f64> = last.split_whitespace().map_while(|w| w.parse().ok()).collect();
        let [seconds, done, contacts, depth, moved, x] = numbers[..] else { return None };
        let cut = (done as usize) < steps;
        Some(Row {
            contacts: contacts as usize,
            steps: done as usize,
            us: 1e6 * seconds / done.max(1.0),
            gap: -depth,
            moved,
            x,
            note: if cut { format!("cut after {seconds:.0} s") } else { String::new() },
            inside: None,
        })
    }
}

/// A Python that has `module`: `STICTION_PYTHON`, the environment under `target/peers`, or any.
fn python(module: &str) -> Option<PathBuf> {
    let ours = Path::new(env!("CARGO_TARGET_TMPDIR")).join("../peers/bin/python");
    let candidates = [std::env::var_os("STICTION_PYTHON").map(PathBuf::from), Some(ours)];
    candidates.into_iter().flatten().chain([PathBuf::from("python3")]).find(|python| {
        let mut probe = Command::new(python);
        probe.args(["-c", &format!("import {module}")]).output().is_ok_and(|o| o.status.success())
    })
}
