//! Motion by request and answer: the same bits as with a model that answers at once, in few rounds.

#[path = "scenes/mod.rs"]
mod scenes;

use scenes::{Ball, Block, DoublePendulum, bars};
use std::sync::Arc;
use stiction::Error;
use stiction::model::{Answer, Dims, Model};
use stiction::passive::{self, Passive, Progress, Quantities, Quantity};
use stiction::step::{Jacobian, MethodKind, Options, Outcome, Stepper};

/// The arrays that `model` gives at (t, q, v), by quantity.
fn evaluate(model: &dyn Model, quantity: Quantity, t: f64, q: &[f64], v: &[f64]) -> Vec<f64> {
    let d = model.dims();
    let mut x = vec![0.0; quantity.len_in(&d)];
    match quantity {
        Quantity::Mass => model.mass(t, q, &mut x),
        Quantity::Force => model.force(t, q, v, &mut x),
        Quantity::Dfdq => model.force_jac(t, q, v, &mut x, &mut vec![0.0; d.nv * d.nv]),
        Quantity::Dfdv => model.force_jac(t, q, v, &mut vec![0.0; d.nv * d.nq], &mut x),
        Quantity::Phi => model.joint(t, q, &mut x, &mut vec![0.0; d.nv * d.n_joint]),
        Quantity::Jt => model.joint(t, q, &mut vec![0.0; d.n_joint], &mut x),
        Quantity::Gap => model.gap(t, q, &mut x, &mut vec![0.0; d.nv * d.n_contact]),
        Quantity::Normal => model.gap(t, q, &mut vec![0.0; d.n_contact], &mut x),
        Quantity::Tangent => model.tangent(t, q, &mut x),
        Quantity::Moved => model.displace(t, q, v, &mut x),
        Quantity::BrakeBound => model.brake(t, q, &mut x, &mut vec![0.0; d.nv * d.n_brake]),
        Quantity::Brake => model.brake(t, q, &mut vec![0.0; d.n_brake], &mut x),
        Quantity::Rate => (0..d.nv).try_for_each(|j| {
            let mut e = vec![0.0; d.nv];
            e[j] = 1.0;
            model.rate(t, q, &e, &mut x[j * d.nq..(j + 1) * d.nq])
        }),
        Quantity::JointAccel | Quantity::NormalAccel | Quantity::TangentAccel => {
            let (mut joint, mut normal) = (vec![0.0; d.n_joint], vec![0.0; d.n_contact]);
            let mut tangent = vec![0.0; d.n_contact * d.n_dir];
            let answer = model.acceleration_terms(t, q, v, &mut joint, &mut normal, &mut tangent);
            x = match quantity {
                Quantity::JointAccel => joint,
                Quantity::NormalAccel => normal,
                _ => tangent,
            };
            answer
        }
    }
    .unwrap();
    x
}

/// Whether a gap changes with time alone; the models that do not say so are asked.
fn moves(model: &dyn Model) -> bool {
    let d = model.dims();
    let gap = |t| evaluate(model, Quantity::Gap, t, &vec![0.0; d.nq], &[]);
    d.n_contact > 0 && gap(0.0) != gap(1.0)
}

/// What a step took.
#[derive(Debug, Default, Clone, Copy)]
struct Cost {
    rounds: usize,
    requests: usize,
    arrays: usize,
}

/// A motion by request and answer, its answers computed from an ordinary model.
struct Loop<M: Model> {
    host: Arc<M>,
    passive: Arc<Passive>,
    s: Stepper,
}

impl<M: Model + 'static> Loop<M> {
    fn new(host: &Arc<M>, options: &Options, q: &[f64], v: &[f64]) -> Self {
        let d = host.dims();
        let mut gives = Quantities::of(&[Quantity::Force]);
        if host.gives_force_jac() {
            gives = gives.with(Quantities::of(&[Quantity::Dfdq, Quantity::Dfdv]));
        }
        if host.gives_rate() {
            gives = gives.with(Quantities::of(&[Quantity::Rate]));
        }
        if host.gives_displacement() {
            gives = gives.with(Quantities::of(&[Quantity::Moved]));
        }
        if host.gives_acceleration_terms() {
            gives = gives.with(Quantities::of(&[Quantity::NormalAccel]));
        }
        let options_of_model = passive::Options {
            gives,
            moving: moves(&**host),
            points: 0,
            mu: (0..d.n_contact).map(|i| host.mu(i)).collect(),
            restitution: (0..d.n_contact).map(|i| host.restitution(i)).collect(),
        };
        let passive = Arc::new(Passive::new(d, &options_of_model).unwrap());
        let mut s = Stepper::new(passive.clone(), options).unwrap();
        s.set_state(0.0, q, v).unwrap();
        Self { host: Arc::clone(host), passive, s }
    }

    fn answer_all(&self) -> Cost {
        let d = self.host.dims();
        let mut cost = Cost { rounds: 1, ..Cost::default() };
        for i in 0..self.passive.request_count() {
            let (mut q, mut v) = (vec![0.0; d.nq], vec![0.0; d.nv]);
            let (wanted, t) = self.passive.request(i, &mut q, &mut v).unwrap();
            cost.requests += 1;
            for quantity in wanted.members() {
                cost.arrays += 1;
                let answer = evaluate(&*self.host, quantity, t, &q, &v);
                self.passive.put(i, quantity, &answer).unwrap();
            }
        }
        cost
    }

    fn step(&mut self, h: f64) -> (Outcome, Cost) {
        let mut total = Cost::default();
        loop {
            match passive::step(&mut self.s, h).unwrap() {
                Progress::Done(outcome) => return (outcome, total),
                Progress::Wanted => {
                    let cost = self.answer_all();
                    total.rounds += cost.rounds;
                    total.requests += cost.requests;
                    total.arrays += cost.arrays;
                }
            }
        }
    }
}

/// The most rounds of a step without and with events.
#[derive(Debug, Default)]
struct Most {
    quiet: usize,
    eventful: usize,
    requests: usize,
    events: usize,
}

fn bits(x: &[f64]) -> Vec<u64> {
    x.iter().map(|x| x.to_bits()).collect()
}

/// Steps both ways and demands the same bits after every step, and the same events.
fn both_ways<M: Model + 'static>(
    model: M,
    options: &Options,
    (q, v): (&[f64], &[f64]),
    (h, steps): (f64, usize),
) -> Most {
    let host = Arc::new(model);
    let mut direct = Stepper::new(host.clone(), options).unwrap();
    direct.set_state(0.0, q, v).unwrap();
    let mut by_request = Loop::new(&host, options, q, v);
    let mut most = Most::default();
    for k in 0..steps {
        let expected = direct.step(h).unwrap();
        let (outcome, cost) = by_request.step(h);
        assert_eq!(outcome, expected, "step {k}");
        let s = &by_request.s;
        assert_eq!(s.t().to_bits(), direct.t().to_bits(), "step {k}");
        assert_eq!(bits(s.q()), bits(direct.q()), "step {k}");
        assert_eq!(bits(s.v()), bits(direct.v()), "step {k}");
        assert_eq!(s.events(), direct.events(), "step {k}");
        let rounds = if outcome == Outcome::Quiet { &mut most.quiet } else { &mut most.eventful };
        // The first step asks for its start as well; all others begin where one ended.
        *rounds = (*rounds).max(cost.rounds - usize::from(k == 0));
        most.requests = most.requests.max(cost.requests);
        most.events += s.events().len();
    }
    assert_eq!(by_request.s.stats().rejected, 0);
    most
}

#[test]
fn a_pendulum_that_hits_a_wall_has_the_same_bits_either_way() {
    let start = DoublePendulum::start();
    let model = || DoublePendulum { g: 9.81, e: 0.5 };
    let most = both_ways(model(), &Options::default(), (&start, &[0.0; 4]), (0.01, 300));
    // The stage, a start of the projection and three corrections of it; then the end is known.
    assert!(most.quiet <= 6 && most.eventful <= 40 && most.events >= 4, "{most:?}");
    // Rounds of other methods; the last two find their position by iteration.
    for (method, quiet) in [
        (MethodKind::TrapezoidI, 7),
        (MethodKind::TrapezoidII, 6),
        (MethodKind::Euler, 3),
        (MethodKind::ImplicitEuler, 3),
        (MethodKind::Moreau, 3),
        (MethodKind::StewartTrinkle, 10),
        (MethodKind::SchatzmanPaoli, 25),
    ] {
        let options = Options { method, ..Options::default() };
        let most = both_ways(model(), &options, (&start, &[0.0; 4]), (0.01, 150));
        assert!(most.quiet <= quiet && most.eventful <= 60, "{method:?} {most:?}");
    }
}

#[test]
fn a_block_that_sticks_and_slips_has_the_same_bits_either_way() {
    let model = Block { mu: 0.8, push: |t| 8.0 * t.cos(), gx: 0.0, gy: 9.81 };
    let most = both_ways(model, &Options::default(), (&[3.0, 0.0], &[0.0; 2]), (0.03125, 320));
    // Seven changes between stick and slip, (VALIDATION 2): a change of force is bracketed, point by point.
    assert!(most.quiet <= 5 && most.eventful <= 90 && most.events == 7, "{most:?}");
}

#[test]
fn free_flight_takes_two_rounds_a_step() {
    let fall = || Ball { force: -2.0, e: 0.5 };
    let most = both_ways(fall(), &Options::default(), (&[1.0], &[0.0]), (0.1, 9));
    // What the rule wants of its step, then what it finds at the end.
    assert_eq!((most.quiet, most.events), (2, 0));
    // It lands, bounces and comes to rest.
    let most = both_ways(fall(), &Options::default(), (&[1.0], &[0.0]), (0.1, 60));
    assert!(most.quiet == 2 && most.eventful <= 60 && most.events > 5, "{most:?}");
}

#[test]
fn bars_with_a_spring_slide_the_same_either_way() {
    for jacobian in [Jacobian::Explicit, Jacobian::Differences] {
        let (model, q, v) = bars(0.3);
        let options = Options { jacobian, ..Options::default() };
        let most = both_ways(model, &options, (&q, &v), (0.01, 100));
        assert!(most.quiet <= 7 && most.eventful <= 60 && most.events > 0, "{most:?}");
    }
}

/// A body that turns about its center, with a unit quaternion and body rates; moments of inertia 1, 2, 3.
struct Top {
    /// Gives the displacement on the manifold.
    exact: bool,
}

impl Model for Top {
    fn dims(&self) -> Dims {
        Dims { nq: 4, nv: 3, ..Dims::default() }
    }
    fn mass(&self, _: f64, _: &[f64], mass: &mut [f64]) -> Answer {
        (mass[0], mass[4], mass[8]) = (1.0, 2.0, 3.0);
        Ok(())
    }
    fn force(&self, _: f64, _: &[f64], v: &[f64], force: &mut [f64]) -> Answer {
        // -v x (J v)
        force.copy_from_slice(&[-v[1] * v[2], 2.0 * v[2] * v[0], -v[0] * v[1]]);
        Ok(())
    }
    fn gives_rate(&self) -> bool {
        true
    }
    fn rate(&self, _: f64, q: &[f64], v: &[f64], qdot: &mut [f64]) -> Answer {
        let columns =
            [[-q[1], q[0], q[3], -q[2]], [-q[2], -q[3], q[0], q[1]], [-q[3], q[2], -q[1], q[0]]];
        // Column by column from zero, as a matrix is applied.
        for (column, v) in columns.iter().zip(v) {
            qdot.iter_mut().zip(column).for_each(|(r, x)| *r += v * (0.5 * x));
        }
        Ok(())
    }
    fn gives_displacement(&self) -> bool {
        self.exact
    }
    fn displace(&self, _: f64, q: &[f64], d: &[f64], moved: &mut [f64]) -> Answer {
        let angle = (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).sqrt();
        // sin(x/2)/x, at rest 1/2
        let part = if angle > 0.0 { (0.5 * angle).sin() / angle } else { 0.5 };
        let (c, [x, y, z]) = ((0.5 * angle).cos(), [d[0] * part, d[1] * part, d[2] * part]);
        moved.copy_from_slice(&[
            c * q[0] - q[1] * x - q[2] * y - q[3] * z,
            c * q[1] + q[0] * x + q[2] * z - q[3] * y,
            c * q[2] + q[0] * y + q[3] * x - q[1] * z,
            c * q[3] + q[0] * z + q[1] * y - q[2] * x,
        ]);
        Ok(())
    }
}

#[test]
fn a_quaternion_is_fed_by_its_rate_or_by_its_displacement() {
    for exact in [false, true] {
        let start: (&[f64], &[f64]) = (&[1.0, 0.0, 0.0, 0.0], &[0.3, 2.0, 0.1]);
        let most = both_ways(Top { exact }, &Options::default(), start, (0.02, 50));
        // Positions on the way are asked for one after the other.
        assert!(most.quiet <= 6, "{exact} {most:?}");
    }
}

/// A bead that slides down a ball of radius 1 and leaves it, with its accelerations in closed form.
struct Bead;

impl Model for Bead {
    fn dims(&self) -> Dims {
        Dims { nq: 2, nv: 2, n_contact: 1, n_dir: 2, ..Dims::default() }
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
        let r = q[0].hypot(q[1]);
        gap[0] = r - 1.0;
        normal.copy_from_slice(&[q[0] / r, q[1] / r]);
        Ok(())
    }
    fn tangent(&self, _: f64, q: &[f64], tangent: &mut [f64]) -> Answer {
        let r = q[0].hypot(q[1]);
        tangent.copy_from_slice(&[-q[1] / r, q[0] / r, q[1] / r, -q[0] / r]);
        Ok(())
    }
    fn gives_acceleration_terms(&self) -> bool {
        true
    }
    fn acceleration_terms(
        &self,
        _: f64,
        q: &[f64],
        v: &[f64],
        _: &mut [f64],
        normal: &mut [f64],
        tangent: &mut [f64],
    ) -> Answer {
        let r = q[0].hypot(q[1]);
        let out = (q[0] * v[0] + q[1] * v[1]) / r;
        let along = (q[0] * v[1] - q[1] * v[0]) / r;
        normal[0] = (v[0] * v[0] + v[1] * v[1] - out * out) / r;
        tangent.copy_from_slice(&[-along * out / r, along * out / r]);
        Ok(())
    }
    fn mu(&self, _: usize) -> f64 {
        0.1
    }
}

#[test]
fn accelerations_are_fed_too() {
    let (s, c) = 0.3f64.sin_cos();
    let most = both_ways(Bead, &Options::default(), (&[s, c], &[0.0; 2]), (0.01, 90));
    // It leaves once, where the force between them vanishes: bracketed, point by point.
    assert!(most.quiet <= 6 && most.eventful <= 80 && most.events == 1, "{most:?}");
}

#[test]
fn a_brake_is_fed_too() {
    /// A slider of 1 kg, pushed to and fro by 8 cos t newtons against a brake of 6 N.
    struct Slider;
    impl Model for Slider {
        fn dims(&self) -> Dims {
            Dims { nq: 1, nv: 1, n_brake: 1, ..Dims::default() }
        }
        fn mass(&self, _: f64, _: &[f64], mass: &mut [f64]) -> Answer {
            mass[0] = 1.0;
            Ok(())
        }
        fn force(&self, t: f64, _: &[f64], _: &[f64], force: &mut [f64]) -> Answer {
            force[0] = 8.0 * t.cos();
            Ok(())
        }
        fn brake(&self, _: f64, _: &[f64], bound: &mut [f64], direction: &mut [f64]) -> Answer {
            (bound[0], direction[0]) = (6.0, 1.0);
            Ok(())
        }
    }
    let most = both_ways(Slider, &Options::default(), (&[0.0], &[0.0]), (0.05, 120));
    // It slides around t = 0, pi and 2 pi.
    assert!(most.quiet <= 4 && most.eventful <= 90 && most.events >= 3, "{most:?}");
}

#[test]
fn a_wall_that_moves_is_asked_for_in_time_too() {
    /// A ball before a wall at x = t/4.
    struct Chased;
    impl Model for Chased {
        fn dims(&self) -> Dims {
            Dims { nq: 1, nv: 1, n_contact: 1, ..Dims::default() }
        }
        fn mass(&self, _: f64, _: &[f64], mass: &mut [f64]) -> Answer {
            mass[0] = 1.0;
            Ok(())
        }
        fn gap(&self, t: f64, q: &[f64], gap: &mut [f64], normal: &mut [f64]) -> Answer {
            (gap[0], normal[0]) = (q[0] - 0.25 * t, 1.0);
            Ok(())
        }
        fn restitution(&self, _: usize) -> f64 {
            1.0
        }
    }
    let most = both_ways(Chased, &Options::default(), (&[0.1], &[0.0]), (0.1, 12));
    // Hit once at t = 0.4, and off at twice the speed of the wall.
    assert!(most.quiet <= 3 && most.events == 1, "{most:?}");
}

#[test]
fn a_completed_step_keeps_what_the_next_one_begins_with_and_nothing_else() {
    let host = Arc::new(DoublePendulum { g: 9.81, e: 0.5 });
    let third_step = |forgets: bool| {
        let start = DoublePendulum::start();
        let mut by_request = Loop::new(&host, &Options::default(), &start, &[0.0; 4]);
        by_request.step(0.01);
        by_request.step(0.01);
        if forgets {
            by_request.passive.cancel();
        }
        let (_, cost) = by_request.step(0.01);
        (cost, bits(by_request.s.q()))
    };
    let ((cost, q), (cost_anew, q_anew)) = (third_step(false), third_step(true));
    // Told to forget, it asks for its start again, and moves the same.
    assert_eq!(cost_anew.rounds, cost.rounds + 1);
    assert_eq!(cost_anew.requests, cost.requests + 1);
    assert_eq!(q, q_anew);
}

#[test]
fn answers_that_make_no_mass_fail_the_step_and_are_forgotten() {
    let dims = Dims { nq: 1, nv: 1, ..Dims::default() };
    let passive = Arc::new(Passive::new(dims, &passive::Options::default()).unwrap());
    let mut s = Stepper::new(passive.clone(), &Options::default()).unwrap();
    s.set_state(0.0, &[1.0], &[2.0]).unwrap();
    assert_eq!(passive::step(&mut s, 0.5), Ok(Progress::Wanted));
    passive.put(0, Quantity::Mass, &[-1.0]).unwrap();
    let failure = loop {
        match passive::step(&mut s, 0.5) {
            Ok(Progress::Wanted) => passive.put(0, Quantity::Mass, &[-1.0]).unwrap(),
            other => break other.unwrap_err(),
        }
    };
    assert!(matches!(failure, Error::NotPositiveDefinite { .. }), "{failure:?}");
    assert_eq!((s.t(), s.q(), s.v(), s.stats().rejected), (0.0, &[1.0][..], &[2.0][..], 1));
    // Mended, it goes on as if nothing had been.
    let outcome = loop {
        match passive::step(&mut s, 0.5).unwrap() {
            Progress::Wanted => passive.put(0, Quantity::Mass, &[1.0]).unwrap(),
            Progress::Done(outcome) => break outcome,
        }
    };
    assert_eq!((outcome, s.q()), (Outcome::Quiet, &[2.0][..]));
}
