//! Motion in space: unit quaternions, friction cones with many facets, faces on four corners.

mod scenes;

use scenes::{Puck, distance, orders, stepper, times};
use stiction::model::{Answer, Dims, Model};
use stiction::step::{EventKind, MethodKind, Options, Stepper};

type V3 = [f64; 3];

fn cross(a: V3, b: V3) -> V3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// The vector `x` of the body turned into the world by the quaternion w, x, y, z.
fn turned(p: &[f64], x: V3) -> V3 {
    let u = [p[1], p[2], p[3]];
    let t = cross(u, x).map(|c| 2.0 * c);
    let s = cross(u, t);
    [0, 1, 2].map(|i| x[i] + p[0] * t[i] + s[i])
}

/// The vector `x` of the world seen in the body.
fn turned_back(p: &[f64], x: V3) -> V3 {
    turned(&[p[0], -p[1], -p[2], -p[3]], x)
}

/// One rigid body over the ground z = 0: position and quaternion, velocities of the center in the world and of
/// rotation in the body. Its feet are points with a radius.
struct Spatial {
    mass: f64,
    inertia: V3,
    feet: Vec<V3>,
    radius: f64,
    mu: f64,
    e: f64,
    n_dir: usize,
    g: f64,
    /// Positions move by the exponential map, not through the rate.
    exponential: bool,
}

impl Spatial {
    fn column(&self, q: &[f64], foot: usize, d: V3, out: &mut [f64]) {
        let arm = turned(&q[3..7], self.feet[foot]);
        let arm = [arm[0], arm[1], arm[2] - self.radius];
        let torque = turned_back(&q[3..7], cross(arm, d));
        out[..3].copy_from_slice(&d);
        out[3..6].copy_from_slice(&torque);
    }

    fn energy(&self, s: &Stepper) -> f64 {
        let v = s.v();
        let spin: f64 = (0..3).map(|i| self.inertia[i] * v[3 + i] * v[3 + i]).sum();
        let speed: f64 = v[..3].iter().map(|v| v * v).sum();
        0.5 * self.mass * speed + 0.5 * spin + self.mass * self.g * s.q()[2]
    }
}

impl Model for Spatial {
    fn dims(&self) -> Dims {
        let n_contact = self.feet.len();
        Dims { nq: 7, nv: 6, n_joint: 0, n_contact, n_dir: self.n_dir, ..Dims::default() }
    }
    fn mass(&self, _: f64, _: &[f64], mass: &mut [f64]) -> Answer {
        let [a, b, c] = self.inertia;
        let m = self.mass;
        [m, m, m, a, b, c].iter().enumerate().for_each(|(i, x)| mass[7 * i] = *x);
        Ok(())
    }
    fn force(&self, _: f64, _: &[f64], v: &[f64], f: &mut [f64]) -> Answer {
        f[2] = -self.mass * self.g;
        let w = [v[3], v[4], v[5]];
        let l = [0, 1, 2].map(|i| self.inertia[i] * w[i]);
        f[3..6].copy_from_slice(&cross(l, w));
        Ok(())
    }
    fn gives_rate(&self) -> bool {
        true
    }
    fn rate(&self, _: f64, q: &[f64], v: &[f64], qdot: &mut [f64]) -> Answer {
        qdot[..3].copy_from_slice(&v[..3]);
        let (p, u, w) = (q[3], [q[4], q[5], q[6]], [v[3], v[4], v[5]]);
        let c = cross(u, w);
        qdot[3] = -0.5 * (u[0] * w[0] + u[1] * w[1] + u[2] * w[2]);
        (0..3).for_each(|i| qdot[4 + i] = 0.5 * (p * w[i] + c[i]));
        Ok(())
    }
    fn gives_displacement(&self) -> bool {
        self.exponential
    }
    fn displace(&self, _: f64, q: &[f64], d: &[f64], moved: &mut [f64]) -> Answer {
        (0..3).for_each(|i| moved[i] = q[i] + d[i]);
        let angle = (d[3] * d[3] + d[4] * d[4] + d[5] * d[5]).sqrt();
        let half = if angle > 1e-9 { (0.5 * angle).sin() / angle } else { 0.5 };
        let (c, e) = ((0.5 * angle).cos(), [half * d[3], half * d[4], half * d[5]]);
        let (p, u) = (q[3], [q[4], q[5], q[6]]);
        let x = cross(u, e);
        moved[3] = p * c - u[0] * e[0] - u[1] * e[1] - u[2] * e[2];
        (0..3).for_each(|i| moved[4 + i] = p * e[i] + c * u[i] + x[i]);
        let norm = moved[3..7].iter().map(|x| x * x).sum::<f64>().sqrt();
        moved[3..7].iter_mut().for_each(|x| *x /= norm);
        Ok(())
    }
    fn gap(&self, _: f64, q: &[f64], gap: &mut [f64], normal: &mut [f64]) -> Answer {
        for (i, foot) in self.feet.iter().enumerate() {
            gap[i] = q[2] + turned(&q[3..7], *foot)[2] - self.radius;
            self.column(q, i, [0.0, 0.0, 1.0], &mut normal[6 * i..]);
        }
        Ok(())
    }
    fn tangent(&self, _: f64, q: &[f64], tangent: &mut [f64]) -> Answer {
        for i in 0..self.feet.len() {
            for k in 0..self.n_dir / 2 {
                let a = 2.0 * std::f64::consts::PI * k as f64 / self.n_dir as f64;
                let d = [a.cos(), a.sin(), 0.0];
                let (first, second) = (i * self.n_dir + k, i * self.n_dir + k + self.n_dir / 2);
                self.column(q, i, d, &mut tangent[6 * first..]);
                self.column(q, i, d.map(|x| -x), &mut tangent[6 * second..]);
            }
        }
        Ok(())
    }
    fn constraints_move(&self) -> bool {
        false
    }
    fn mu(&self, _: usize) -> f64 {
        self.mu
    }
    fn restitution(&self, _: usize) -> f64 {
        self.e
    }
}

fn body(feet: Vec<V3>, n_dir: usize) -> Spatial {
    Spatial {
        mass: 1.0,
        inertia: [0.4; 3],
        feet,
        radius: 0.0,
        mu: 0.5,
        e: 0.0,
        n_dir,
        g: 9.81,
        exponential: true,
    }
}

#[test]
fn a_free_asymmetric_top_keeps_energy_and_momentum_to_second_order() {
    for exponential in [true, false] {
        let (mut energy, mut momentum) = (vec![], vec![]);
        for n in [100, 200, 400, 800] {
            let top =
                || Spatial { inertia: [1.0, 2.0, 3.0], g: 0.0, exponential, ..body(vec![], 0) };
            let q = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
            let mut s = stepper(top(), &Options::default(), &q, &[0.0, 0.0, 0.0, 0.3, 2.0, 0.2]);
            let start = top().energy(&s);
            let spin = |s: &Stepper| {
                let v = s.v();
                turned(&s.q()[3..7], [v[3], 2.0 * v[4], 3.0 * v[5]])
            };
            let l = spin(&s);
            s.advance(10.0, 10.0 / f64::from(n)).unwrap();
            energy.push((top().energy(&s) - start).abs());
            momentum.push(distance(&spin(&s), &l));
            let norm = s.q()[3..7].iter().map(|x| x * x).sum::<f64>().sqrt();
            assert!((norm - 1.0).abs() < if exponential { 1e-14 } else { 1e-2 }, "{norm}");
        }
        for errors in [energy, momentum] {
            let observed = orders(&errors, 2.0);
            assert!(observed.iter().all(|o| *o > 1.8), "{exponential} {errors:?} {observed:?}");
        }
    }
}

#[test]
fn an_asymmetric_top_inside_its_steps_is_a_rotation_and_has_the_order_of_the_steps() {
    let at = |n: u32| {
        let top = Spatial { inertia: [1.0, 2.0, 3.0], g: 0.0, ..body(vec![], 0) };
        let q = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
        let mut s = stepper(top, &Options::default(), &q, &[0.0, 0.0, 0.0, 0.3, 2.0, 0.2]);
        let mut found = vec![];
        // Inside steps of every length below, at different parts of them.
        for t in [1.237, 2.411, 3.803] {
            while s.t() < t {
                s.step(4.0 / f64::from(n)).unwrap();
            }
            let (q, v) = s.state_at(t).unwrap();
            let norm = q[3..7].iter().map(|x| x * x).sum::<f64>().sqrt();
            assert!((norm - 1.0).abs() < 1e-14, "{norm}");
            found.extend(q.iter().chain(v));
        }
        found
    };
    let exact = at(6400);
    let errors: Vec<f64> = [50, 100, 200].map(|n| distance(&at(n), &exact)).to_vec();
    let observed = orders(&errors, 2.0);
    assert!(errors[2] < 1e-2 && observed.iter().all(|o| *o > 1.8), "{errors:?} {observed:?}");
}

#[test]
fn a_sliding_sphere_begins_to_roll_when_the_closed_form_says() {
    // mu = 0.2, v0 = 1 along a facet: rolls from 2 v0/(7 mu g) = 0.145623998835 s on, with 5/7 v0.
    for n_dir in [4, 8] {
        let mut errors = vec![];
        for n in [50, 100, 200] {
            let sphere = Spatial {
                radius: 0.1,
                inertia: [0.4 * 0.01; 3],
                mu: 0.2,
                ..body(vec![[0.0; 3]], n_dir)
            };
            let q = [0.0, 0.0, 0.1, 1.0, 0.0, 0.0, 0.0];
            let v = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0];
            let mut s = stepper(sphere, &Options::default(), &q, &v);
            s.advance(0.5, 0.5 / f64::from(n)).unwrap();
            assert!((s.v()[0] - 5.0 / 7.0).abs() < 1e-10, "{:?}", s.v());
            assert!((s.v()[4] - 50.0 / 7.0).abs() < 1e-9, "{:?}", s.v());
            let stick = times(s.events(), EventKind::Stick);
            assert_eq!(stick.len(), 1, "{:?}", s.events());
            errors.push((stick[0] - 0.145623998835).abs());
        }
        // Forces are constant, so that the rule is exact.
        assert!(errors.iter().all(|e| *e < 1e-12), "{errors:?}");
    }
}

#[test]
fn a_cube_dropped_on_its_face_rests_on_four_corners() {
    let corners: Vec<V3> =
        [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]].map(|[x, y]| [x, y, -0.5]).to_vec();
    for (method, e) in [
        (MethodKind::Trapezoid, 0.0),
        (MethodKind::Trapezoid, 0.4),
        (MethodKind::TrapezoidII, 0.4),
        (MethodKind::StewartTrinkle, 0.0),
    ] {
        let cube = Spatial { inertia: [1.0 / 6.0; 3], e, ..body(corners.clone(), 8) };
        let q = [0.0, 0.0, 0.8, 1.0, 0.0, 0.0, 0.0];
        let options = Options { method, ..Options::default() };
        let mut s = stepper(cube, &options, &q, &[1.0, 0.3, 0.0, 0.0, 0.0, 0.0]);
        s.advance(2.0, 0.01).unwrap();
        assert!(s.v().iter().all(|v| v.abs() < 1e-9), "{method:?} {e} {:?}", s.v());
        assert!((s.q()[2] - 0.5).abs() < 1e-9 && s.stats().worst_gap > -1e-9, "{:?}", s.q());
        // It may have turned about the vertical, but not tilted.
        assert!(s.q()[4].hypot(s.q()[5]) < 1e-9, "{:?}", s.q());
    }
}

#[test]
fn tumbling_cubes_never_fail_and_gain_no_energy() {
    let corners: Vec<V3> =
        (0..8).map(|k| [0, 1, 2].map(|axis| if k >> axis & 1 == 0 { -0.5 } else { 0.5 })).collect();
    for (n_dir, seed) in [4, 8].into_iter().flat_map(|n| (0..20).map(move |seed| (n, seed))) {
        let mut dice = scenes::Dice(seed + 1000);
        let (mu, e) = (dice.pick([0.0, 0.2, 0.5, 0.9]), dice.pick([0.0, 0.3, 0.6]));
        let cube = || Spatial { inertia: [1.0 / 6.0; 3], e, mu, ..body(corners.clone(), n_dir) };
        let mut q = vec![0.0, 0.0, 1.5];
        let p: Vec<f64> = (0..4).map(|_| dice.between(-1.0, 1.0)).collect();
        let norm = p.iter().map(|x| x * x).sum::<f64>().sqrt();
        q.extend(p.iter().map(|x| x / norm));
        let v: Vec<f64> = (0..6).map(|_| dice.between(-3.0, 3.0)).collect();
        let h = 0.02;
        let mut s = stepper(cube(), &Options::default(), &q, &v);
        let mut energy = cube().energy(&s);
        while s.t() < 3.0 {
            let told = s.step(h);
            assert!(told.is_ok(), "{seed}: {told:?} at {}", s.t());
            let new = cube().energy(&s);
            // Rotation is integrated with a local error of third order.
            assert!(new < energy + 200.0 * h * h * h, "{seed} {}: {energy} {new}", s.t());
            energy = new;
        }
        assert!(s.stats().worst_gap > -h * h, "{seed} {:?}", s.stats());
        if mu > 0.0 && e < 0.5 {
            assert!(s.v().iter().all(|v| v.abs() < 1e-6), "{seed} {:?} {:?}", s.v(), s.q());
        }
    }
}

/// Position and velocity of the puck after the time `t` under the circular cone, by the classical fourth-order rule.
fn puck_exact(pull: [f64; 2], t: f64) -> ([f64; 2], [f64; 2]) {
    let force = |v: [f64; 2]| {
        let s = v[0].hypot(v[1]);
        [0, 1].map(|i| pull[i] - 0.5 * 9.81 * v[i] / s)
    };
    let n = 20000;
    let h = t / f64::from(n);
    let (mut x, mut v) = ([0.0; 2], [3.0, 0.0]);
    for _ in 0..n {
        let at = |v: [f64; 2], k: [f64; 2], h: f64| [0, 1].map(|i| v[i] + h * k[i]);
        let k1 = force(v);
        let k2 = force(at(v, k1, 0.5 * h));
        let k3 = force(at(v, k2, 0.5 * h));
        let k4 = force(at(v, k3, h));
        for i in 0..2 {
            x[i] += h * v[i] + h * h / 6.0 * (k1[i] + k2[i] + k3[i]);
            v[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
        }
    }
    (x, v)
}

#[test]
fn impulses_along_the_directions_of_the_model_slow_a_puck_whose_slip_turns() {
    let (pull, h) = ([1.0, 4.0], 0.02);
    for n_dir in [4, 6, 8] {
        let mut s = stepper(Puck { n_dir, pull }, &Options::default(), &[0.0; 3], &[3.0, 0.0, 0.0]);
        for _ in 0..30 {
            let before = s.v().to_vec();
            s.step(h).unwrap();
            let beta = s.friction_impulses().to_vec();
            let angle = |k: usize| 2.0 * std::f64::consts::PI * k as f64 / n_dir as f64;
            let x: f64 = beta.iter().enumerate().map(|(k, b)| b * angle(k).cos()).sum();
            let y: f64 = beta.iter().enumerate().map(|(k, b)| b * angle(k).sin()).sum();
            // m (v1 - v0) = h pull + impulse
            assert!((s.v()[0] - before[0] - h * pull[0] - x).abs() < 1e-13, "{n_dir} {beta:?}");
            assert!((s.v()[1] - before[1] - h * pull[1] - y).abs() < 1e-13, "{n_dir} {beta:?}");
            assert!(beta.iter().all(|b| *b >= 0.0), "{beta:?}");
            let contact = s.contact(0).unwrap();
            // The circular cone: 0.5 m g h, whatever the directions.
            assert!((contact.tangential_impulse - 0.5 * 9.81 * h).abs() < 1e-13, "{contact:?}");
            assert!((contact.normal_impulse - 9.81 * h).abs() < 1e-13, "{contact:?}");
            assert!((contact.slip_speed - s.v()[0].hypot(s.v()[1])).abs() < 1e-14, "{contact:?}");
        }
    }
}

#[test]
fn a_puck_whose_slip_turns_follows_the_circular_cone_with_order_two() {
    let pull = [1.0, 4.0];
    let (x, v) = puck_exact(pull, 0.6);
    for n_dir in [4, 8, 12] {
        let (mut ex, mut ev) = (vec![], vec![]);
        for n in [15, 30, 60, 120, 240] {
            let mut s =
                stepper(Puck { n_dir, pull }, &Options::default(), &[0.0; 3], &[3.0, 0.0, 0.0]);
            s.advance(0.6, 0.6 / f64::from(n)).unwrap();
            assert!(s.events().is_empty(), "{:?}", s.events());
            ex.push(distance(&s.q()[..2], &x));
            ev.push(distance(&s.v()[..2], &v));
        }
        for errors in [ex, ev] {
            let observed = orders(&errors, 2.0);
            assert!(observed.iter().all(|o| (o - 2.0).abs() < 0.15), "{errors:?} {observed:?}");
        }
    }
}

#[test]
fn a_puck_that_slides_in_any_direction_stops_when_and_where_the_circular_cone_says() {
    for n_dir in [4, 8] {
        for angle in [0.0f64, 0.3, 1.0, 2.5] {
            let v = [2.0 * angle.cos(), 2.0 * angle.sin(), 0.0];
            let puck = Puck { n_dir, pull: [0.0; 2] };
            let mut s = stepper(puck, &Options::default(), &[0.0; 3], &v);
            s.advance(1.0, 0.013).unwrap();
            let stick = times(s.events(), EventKind::Stick);
            // v/(mu g) and v^2/(2 mu g).
            assert!(stick.len() == 1 && (stick[0] - 4.0 / 9.81).abs() < 1e-12, "{:?}", s.events());
            let x = [4.0 / 9.81 * angle.cos(), 4.0 / 9.81 * angle.sin(), 0.0];
            assert!(distance(s.q(), &x) < 1e-12, "{:?} {x:?}", s.q());
            assert!(s.v().iter().all(|v| *v == 0.0 || v.abs() < 1e-16), "{:?}", s.v());
        }
    }
}

#[test]
fn turned_directions_leave_no_trace_in_a_snapshot() {
    let make = || {
        stepper(
            Puck { n_dir: 8, pull: [1.0, 4.0] },
            &Options::default(),
            &[0.0; 3],
            &[3.0, 0.0, 0.0],
        )
    };
    let bits = |s: &Stepper| s.q().iter().chain(s.v()).map(|x| x.to_bits()).collect::<Vec<_>>();
    let mut s = make();
    s.advance(0.2, 0.01).unwrap();
    let mut bytes = vec![0; s.saved_size()];
    s.save(&mut bytes).unwrap();
    let mut other = make();
    other.restore(&bytes).unwrap();
    for _ in 0..40 {
        s.step(0.01).unwrap();
        other.step(0.01).unwrap();
        assert_eq!(bits(&s), bits(&other));
    }
}

#[test]
fn friction_of_the_instant_is_against_the_slip_and_of_the_circular_cone() {
    for n_dir in [4, 6, 8] {
        for angle in [0.0f64, 0.3, 1.9, 4.0] {
            let v = [2.0 * angle.cos(), 2.0 * angle.sin(), 0.0];
            let pull = [1.0, 4.0];
            let mut s = stepper(Puck { n_dir, pull }, &Options::default(), &[0.0; 3], &v);
            let f = s.forces().unwrap();
            for i in 0..2 {
                let expected = pull[i] - 0.5 * 9.81 * v[i] / 2.0;
                assert!((f.acceleration[i] - expected).abs() < 1e-12, "{n_dir} {angle} {f:?}");
            }
            assert!((f.normal[0] - 9.81).abs() < 1e-12 && (f.slip_speed[0] - 2.0).abs() < 1e-14);
            let along = |k: usize| 2.0 * std::f64::consts::PI * k as f64 / n_dir as f64;
            let x: f64 = f.friction.iter().enumerate().map(|(k, b)| b * along(k).cos()).sum();
            assert!((x + 0.5 * 9.81 * angle.cos()).abs() < 1e-12, "{n_dir} {angle} {f:?}");
        }
    }
}
