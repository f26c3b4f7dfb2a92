//! Threads with little stack, as hosts and other systems have them: 512 KiB is what a second thread gets on macOS.

#[path = "support/methods.rs"]
mod methods;

use std::sync::Arc;
use stiction::lcp::Lcp;
use stiction::rigid::{Attach, Builder, Link, Scene, Shape, Surface};
use stiction::step::{Options, Stepper};

/// What the library is shipped as needs 170 KB; without optimization frames are about twice as large, and the address sanitizer
/// doubles them again.
const STACK: usize = 512 << 10;

/// A row of boxes above the ground: contacts come, so that storage grows inside of steps.
fn boxes() -> Result<Scene, stiction::Error> {
    let mut b = Builder::new();
    b.gravity([0.0, 0.0, -9.81])?;
    b.surface(Default::default(), Default::default(), Surface { mu: 0.5, ..Surface::default() })?;
    let up = Shape::HalfSpace { normal: [0.0, 0.0, 1.0] };
    b.shape(Link::Ground, up, Attach::default())?;
    for k in 0..6 {
        let at = [0.25 * f64::from(k), 0.0, 0.1];
        let body = b.spatial(
            1.0,
            [[0.01, 0.0, 0.0], [0.0, 0.01, 0.0], [0.0, 0.0, 0.01]],
            at,
            [1.0, 0.0, 0.0, 0.0],
        )?;
        b.shape(body, Shape::Box { half: [0.1; 3] }, Attach::default())?;
    }
    b.build()
}

/// Workspaces that were built and moved on the stack took 675 KB of it.
#[test]
fn a_stepper_lives_on_a_thread_with_little_stack() {
    let work = || -> Result<(), stiction::Error> {
        let scene = Arc::new(boxes()?);
        for method in methods::METHODS {
            let mut s = Stepper::new(scene.clone(), &Options { method, ..Options::default() })?;
            for _ in 0..3 {
                s.step(0.01)?;
            }
            let mut saved = vec![0; s.saved_size()];
            s.save(&mut saved)?;
            s.restore(&saved)?;
        }
        Lcp::new(100).map(|_| ())
    };
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(work);
    thread.unwrap().join().unwrap().unwrap();
}
