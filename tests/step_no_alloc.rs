//! A counting allocator around steps: after creation nothing is allocated, not even through impacts, events, snapshots and questions.

#[path = "support/counting.rs"]
mod counting;
mod scenes;

use counting::allocations;
use scenes::*;
use stiction::model::{Answer, ContactSink, Dims, Elements, Friction, HostContact, Model, Refusal};
use stiction::step::{MethodKind, Options, Stabilization, Stepper};

/// A ball of 1 kg that falls on the ground, on a spring along x and with a brake along x.
struct SprungBall;

impl Model for SprungBall {
    fn dims(&self) -> Dims {
        Dims { nq: 2, nv: 2, n_contact: 1, n_brake: 1, n_element: 1, ..Dims::default() }
    }
    fn mass(&self, _: f64, _: &[f64], mass: &mut [f64]) -> Answer {
        (mass[0], mass[3]) = (1.0, 1.0);
        Ok(())
    }
    fn force(&self, _: f64, _: &[f64], _: &[f64], force: &mut [f64]) -> Answer {
        force[1] = -9.81;
        Ok(())
    }
    fn gap(&self, _: f64, q: &[f64], gap: &mut [f64], normal: &mut [f64]) -> Answer {
        (gap[0], normal[1]) = (q[1], 1.0);
        Ok(())
    }
    fn restitution(&self, _: usize) -> f64 {
        0.5
    }
    fn elements(&self, _: f64, q: &[f64], e: &mut Elements) -> Answer {
        (e.phi[0], e.gradient[0], e.stiffness[0]) = (q[0], 1.0, 1e4);
        Ok(())
    }
    fn brake(&self, _: f64, _: &[f64], bound: &mut [f64], direction: &mut [f64]) -> Answer {
        (bound[0], direction[0]) = (0.01, 1.0);
        Ok(())
    }
}

/// A point of 1 kg on a step that it is thrown off, and the floor: the corner of the step is a group.
struct Notch;

impl Model for Notch {
    fn dims(&self) -> Dims {
        Dims { nq: 2, nv: 2, ..Dims::default() }
    }
    fn mass(&self, _: f64, _: &[f64], mass: &mut [f64]) -> Answer {
        (mass[0], mass[3]) = (1.0, 1.0);
        Ok(())
    }
    fn force(&self, _: f64, _: &[f64], _: &[f64], force: &mut [f64]) -> Answer {
        (force[0], force[1]) = (-1.0, -9.81);
        Ok(())
    }
    fn hosted(&self) -> usize {
        3
    }
    fn contacts(&self, _: f64, q: &[f64], _: f64, sink: &mut ContactSink<'_>) -> Answer {
        let (up, right) = ([0.0, 1.0], [1.0, 0.0]);
        for (key, gap, normal) in [(1, q[1], &up), (2, q[0], &right), (3, q[1] - 0.5, &up)] {
            let contact = HostContact {
                key,
                gap,
                coordinates: None,
                normal,
                friction: Friction::None,
                mu: 0.0,
                restitution: 0.4,
            };
            sink.push(&contact).map_err(|_| Refusal::Stop(-1))?;
        }
        sink.join(9, &[2, 3]).map_err(|_| Refusal::Stop(-1))
    }
}

fn steps_allocate(s: &mut Stepper, n: usize, h: f64) -> usize {
    let mut bytes = vec![0; s.saved_size() + 4096];
    let mut happened = 0;
    let count = allocations(|| {
        for _ in 0..n {
            s.step(h).unwrap();
            happened += s.events().len();
            happened += usize::from(s.contact(0).unwrap().gap < -1.0);
            let t = s.t() - 0.4 * h;
            s.state_at(t).unwrap();
            let length = s.save(&mut bytes).unwrap();
            s.restore(&bytes[..length]).unwrap();
        }
    });
    assert!(happened > 0);
    count
}

#[test]
fn a_thousand_steps_allocate_nothing() {
    for method in [
        MethodKind::Trapezoid,
        MethodKind::TrapezoidI,
        MethodKind::TrapezoidII,
        MethodKind::Euler,
        MethodKind::ImplicitEuler,
        MethodKind::Moreau,
        MethodKind::LobattoIIIA4,
        MethodKind::RadauIIA5,
        MethodKind::HalfExplicit4,
    ] {
        let options = Options { method, ..Options::default() };
        let model = DoublePendulum { g: 9.81, e: 0.5 };
        let mut s = stepper(model, &options, &DoublePendulum::start(), &[0.0; 4]);
        assert_eq!(steps_allocate(&mut s, 1000, 0.005), 0, "{method:?}");
        let (model, q, v) = thrown_box(2);
        let mut s = stepper(model, &options, &q, &v);
        assert_eq!(steps_allocate(&mut s, 300, 0.01), 0, "{method:?}");
        let (model, q, v) = chain(4, false);
        let mut s = stepper(model, &options, &q, &v);
        assert_eq!(steps_allocate(&mut s, 200, 0.01), 0, "{method:?}");
    }
    for method in [MethodKind::Trapezoid, MethodKind::ImplicitEuler] {
        let project = Some(Stabilization::Project);
        let options = Options { method, stabilization: project, ..Options::default() };
        let mut s = stepper(SprungBall, &options, &[0.0, 1.0], &[0.3, 0.0]);
        assert_eq!(steps_allocate(&mut s, 300, 0.01), 0, "{method:?}");
    }
    let (model, q, v) = shaken_stack(1);
    let mut s = stepper(model, &Options::default(), &q, &v);
    assert_eq!(steps_allocate(&mut s, 300, 0.01), 0);
    for method in [MethodKind::Trapezoid, MethodKind::StewartTrinkle, MethodKind::RadauIIA5] {
        let options = Options { method, ..Options::default() };
        let mut s = stepper(Notch, &options, &[-0.4, 0.6], &[1.2, 0.0]);
        // Room for what a host pushes is taken when it first does.
        s.step(0.01).unwrap();
        assert_eq!(steps_allocate(&mut s, 400, 0.01), 0, "{method:?}");
    }
}
