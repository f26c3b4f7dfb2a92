//! One peer as a child process that speaks the protocol of `peer.h`. Knows nothing of what it runs.

use crate::support::problem::Problem;
use std::io::{self, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// CPU seconds a solver may spend on repeating one problem.
pub const BUDGET: f64 = 2.0;

/// How often a peer that does not answer is looked at.
const TICK: Duration = Duration::from_millis(200);

/// What a solver did with one problem.
#[derive(Clone)]
pub struct Answer {
    /// The solver says that it has solved the problem.
    pub claim: bool,
    /// Negative when it does not tell.
    pub pivots: i32,
    /// Median thread CPU time of one cold solve.
    pub seconds: f64,
    pub z: Vec<f64>,
}

/// With which way of calling the other solvers one is compared.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// The bare algorithm, workspace at hand, no check of the answer.
    Bare,
    /// As its users call it.
    Called,
    /// The same either way.
    Both,
    /// Stiction itself, through its C interface.
    Own,
}

/// A peer that can be started, and restarted after a crash or a time-out.
pub struct Peer {
    pub name: &'static str,
    pub way: Way,
    command: Command,
    running: Option<Running>,
    /// CPU seconds after which a problem is given up.
    limit: f64,
    /// The largest problem asked.
    up_to: usize,
}

struct Running {
    child: Child,
    input: ChildStdin,
    answers: Receiver<Answer>,
}

impl Peer {
    /// A peer run by `command`; a problem is given up after `limit` CPU seconds.
    pub fn new(name: &'static str, way: Way, mut command: Command, limit: f64) -> Self {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        for threads in ["OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "NUMBA_NUM_THREADS"] {
            command.env(threads, "1");
        }
        Self { name, way, command, running: None, limit, up_to: usize::MAX }
    }

    /// Leaves out problems of more than `n` unknowns.
    pub fn up_to(mut self, n: usize) -> Self {
        self.up_to = n;
        self
    }

    /// Whether this peer takes part in problems of this size.
    pub fn takes(&self, p: &Problem) -> bool {
        p.n() <= self.up_to
    }

    /// The answer, or `None` when the peer crashed or did not come back in time.
    pub fn solve(&mut self, p: &Problem) -> Option<Answer> {
        let answer = self.exchange(p);
        if answer.is_none() {
            self.stop();
        }
        answer
    }

    fn exchange(&mut self, p: &Problem) -> Option<Answer> {
        if self.running.is_none() {
            self.running = start(&mut self.command).ok();
        }
        let running = self.running.as_mut()?;
        send(&mut running.input, p).ok()?;
        let begin = cpu_seconds(&running.child);
        loop {
            match running.answers.recv_timeout(TICK) {
                Ok(answer) => return Some(answer),
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) => {
                    if cpu_seconds(&running.child)? - begin? > self.limit {
                        return None;
                    }
                }
            }
        }
    }

    fn stop(&mut self) {
        if let Some(mut running) = self.running.take() {
            // Failing means that it has ended by itself.
            let _ = running.child.kill();
            let _ = running.child.wait();
        }
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        self.stop();
    }
}

/// CPU time a child has used, by the process table of Linux; `None` elsewhere or when it has ended.
fn cpu_seconds(child: &Child) -> Option<f64> {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", child.id())).ok()?;
    // After the name in brackets: field 14 and 15 of the line are user and system time in 1/100 s.
    let (_, fields) = stat.rsplit_once(')')?;
    let mut ticks = fields.split_whitespace().skip(11).map(str::parse::<f64>);
    Some((ticks.next()?.ok()? + ticks.next()?.ok()?) / 100.0)
}

fn start(command: &mut Command) -> io::Result<Running> {
    let mut child = command.spawn()?;
    let missing = || io::Error::other("no pipe");
    let input = child.stdin.take().ok_or_else(missing)?;
    let mut output = BufReader::new(child.stdout.take().ok_or_else(missing)?);
    let (sender, answers) = channel();
    // Reads until the child ends or nobody listens; a pipe has no time-out of its own.
    std::thread::spawn(move || {
        while let Ok(answer) = receive(&mut output) {
            if sender.send(answer).is_err() {
                break;
            }
        }
    });
    Ok(Running { child, input, answers })
}

fn send(to: &mut impl Write, p: &Problem) -> io::Result<()> {
    let n = i32::try_from(p.n()).map_err(io::Error::other)?;
    to.write_all(&n.to_ne_bytes())?;
    let mut bytes = Vec::with_capacity(8 * (p.m.len() + p.q.len() + 1));
    for x in std::iter::once(&BUDGET).chain(&p.m).chain(&p.q) {
        bytes.extend_from_slice(&x.to_ne_bytes());
    }
    to.write_all(&bytes)?;
    to.flush()
}

fn receive(from: &mut impl Read) -> io::Result<Answer> {
    let mut word = [0u8; 4];
    let mut next = || -> io::Result<i32> {
        from.read_exact(&mut word)?;
        Ok(i32::from_ne_bytes(word))
    };
    let (n, claim, pivots, _samples) = (next()?, next()?, next()?, next()?);
    let n = usize::try_from(n).map_err(io::Error::other)?;
    let mut bytes = vec![0u8; 8 * (n + 1)];
    from.read_exact(&mut bytes)?;
    let mut numbers = bytes.chunks_exact(8).map(|c| {
        let mut eight = [0u8; 8];
        eight.copy_from_slice(c);
        f64::from_ne_bytes(eight)
    });
    let seconds = numbers.next().unwrap_or(f64::NAN);
    Ok(Answer { claim: claim != 0, pivots, seconds, z: numbers.collect() })
}
