//! The checks of models: right models pass, every kind of wrong one is found and named.

use stiction::Error;
use stiction::check::{check_model, check_state, cone_margin, nearest_state};
use stiction::model::{Answer, ContactSink, Dims, Elements, Friction, HostContact, Model};

/// A pendulum in polar coordinates with a sliding mass, q = (r, angle): the mass depends on q. One
/// thing may be wrong.
#[derive(Default)]
struct Bead {
    wrong: &'static str,
}

const M: f64 = 2.0;
const G: f64 = 9.81;

impl Bead {
    fn off(&self, what: &str) -> f64 {
        if self.wrong == what { 1.001 } else { 1.0 }
    }
}

impl Model for Bead {
    fn dims(&self) -> Dims {
        Dims { nq: 2, nv: 2, n_joint: 1, n_contact: 1, n_dir: 2, ..Dims::default() }
    }
    fn mass(&self, _: f64, q: &[f64], mass: &mut [f64]) -> Answer {
        mass.copy_from_slice(&[M, 0.0, 0.0, M * q[0] * q[0]]);
        match self.wrong {
            "mass symmetry" => mass[1] = 0.1,
            "mass definite" => mass[0] = -M,
            _ => {}
        }
        Ok(())
    }
    fn force(&self, _: f64, q: &[f64], v: &[f64], f: &mut [f64]) -> Answer {
        f[0] = M * q[0] * v[1] * v[1] + M * G * q[1].cos();
        f[1] = -2.0 * M * q[0] * v[0] * v[1] * self.off("power") - M * G * q[0] * q[1].sin();
        Ok(())
    }
    fn gives_force_jac(&self) -> bool {
        true
    }
    fn force_jac(&self, _: f64, q: &[f64], v: &[f64], k: &mut [f64], c: &mut [f64]) -> Answer {
        let (s, cos) = q[1].sin_cos();
        let p = self.off("power");
        k[0] = M * v[1] * v[1];
        k[1] = -2.0 * M * v[0] * v[1] * p - M * G * s;
        k[2] = -M * G * s * self.off("dfdq");
        k[3] = -M * G * q[0] * cos;
        c[1] = -2.0 * M * q[0] * v[1] * p;
        c[2] = 2.0 * M * q[0] * v[1];
        c[3] = -2.0 * M * q[0] * v[0] * p * self.off("dfdv");
        Ok(())
    }
    fn gives_rate(&self) -> bool {
        self.wrong == "rate linear"
    }
    fn rate(&self, _: f64, _: &[f64], v: &[f64], qdot: &mut [f64]) -> Answer {
        qdot.copy_from_slice(&[v[0] + 1e-3 * v[1] * v[1], v[1]]);
        Ok(())
    }
    fn gives_displacement(&self) -> bool {
        true
    }
    fn displace(&self, _: f64, q: &[f64], d: &[f64], moved: &mut [f64]) -> Answer {
        let bend = if self.wrong == "displace" { 0.5 * d[1] * d[1] } else { 0.0 };
        moved.copy_from_slice(&[q[0] + d[0] + bend, q[1] + d[1]]);
        Ok(())
    }
    fn joint(&self, t: f64, q: &[f64], phi: &mut [f64], jt: &mut [f64]) -> Answer {
        let drift = if self.wrong == "still" { 0.1 * t } else { 0.0 };
        phi[0] = q[0] - 1.0 - 0.1 * q[1].sin() + drift;
        jt.copy_from_slice(&[1.0, -0.1 * q[1].cos() * self.off("jt")]);
        Ok(())
    }
    fn gap(&self, _: f64, q: &[f64], gap: &mut [f64], normal: &mut [f64]) -> Answer {
        gap[0] = q[0] * q[1].cos();
        normal.copy_from_slice(&[q[1].cos(), -q[0] * q[1].sin() * self.off("normal")]);
        Ok(())
    }
    fn tangent(&self, _: f64, q: &[f64], d: &mut [f64]) -> Answer {
        let column = [q[1].sin(), q[0] * q[1].cos()];
        d[..2].copy_from_slice(&column);
        d[2] = -column[0];
        d[3] = -column[1] * self.off("tangent");
        Ok(())
    }
    fn gives_acceleration_terms(&self) -> bool {
        // Against wrong directions they would be found wrong as well.
        self.wrong.is_empty() || self.wrong.ends_with("accel")
    }
    fn acceleration_terms(
        &self,
        _: f64,
        q: &[f64],
        v: &[f64],
        joint: &mut [f64],
        normal: &mut [f64],
        tangent: &mut [f64],
    ) -> Answer {
        let (s, c) = q[1].sin_cos();
        joint[0] = 0.1 * s * v[1] * v[1] * self.off("joint accel");
        normal[0] = (-2.0 * v[0] * v[1] * s - q[0] * v[1] * v[1] * c) * self.off("normal accel");
        tangent[0] = 2.0 * v[0] * v[1] * c - q[0] * v[1] * v[1] * s;
        tangent[1] = -tangent[0] * self.off("tangent accel");
        Ok(())
    }
    fn constraints_move(&self) -> bool {
        false
    }
    fn mu(&self, _: usize) -> f64 {
        if self.wrong == "mu" { -0.1 } else { 0.3 }
    }
    fn restitution(&self, _: usize) -> f64 {
        if self.wrong == "restitution" { 1.5 } else { 0.5 }
    }
}

const Q: [f64; 2] = [1.3, 0.4];
const V: [f64; 2] = [-0.7, 2.1];

#[test]
fn a_right_model_has_no_error_above_that_of_differences() {
    let report = check_model(&Bead::default(), 0.3, &Q, &V).unwrap();
    assert!(report.worst < 1e-8, "{report:?}");
    assert_eq!(report.findings.len(), 14, "{report:?}");
}

#[test]
fn every_wrong_derivative_is_found_and_named() {
    let kinds =
        ["mass symmetry", "mass definite", "dfdq", "dfdv", "power", "rate linear", "displace"];
    let of_directions = ["jt", "normal", "tangent", "still"];
    let of_accelerations = ["joint accel", "normal accel", "tangent accel"];
    for wrong in kinds.into_iter().chain(of_directions).chain(of_accelerations) {
        let report = check_model(&Bead { wrong }, 0.3, &Q, &V).unwrap();
        let found = report.findings.iter().find(|f| f.what == wrong).unwrap();
        // One part in a thousand of an entry is wrong; the smallest is that of jt, 0.1 cos 0.4 =
        // 0.092 of its column.
        assert!(found.error > 9e-5, "{wrong}: {report:?}");
    }
    let at = |wrong| check_model(&Bead { wrong }, 0.3, &Q, &V).unwrap();
    assert_eq!((at("dfdq").what, at("dfdq").index), ("dfdq", 2));
    assert_eq!((at("dfdv").what, at("dfdv").index), ("dfdv", 3));
    assert_eq!((at("jt").what, at("jt").index), ("jt", 1));
    assert_eq!((at("normal").what, at("normal").index), ("normal", 1));
    assert_eq!((at("tangent").what, at("tangent").index), ("tangent", 3));
}

#[test]
fn accelerations_of_what_moves_by_itself_are_checked_too() {
    /// phi = q^2 t and gap = q - t^2/2; the terms are those of their second derivatives without dv/dt.
    struct Moving {
        off: f64,
    }
    impl Model for Moving {
        fn dims(&self) -> Dims {
            Dims { nq: 1, nv: 1, n_joint: 1, n_contact: 1, ..Dims::default() }
        }
        fn mass(&self, _: f64, _: &[f64], mass: &mut [f64]) -> Answer {
            mass[0] = 1.0;
            Ok(())
        }
        fn joint(&self, t: f64, q: &[f64], phi: &mut [f64], jt: &mut [f64]) -> Answer {
            (phi[0], jt[0]) = (q[0] * q[0] * t, 2.0 * q[0] * t);
            Ok(())
        }
        fn gap(&self, t: f64, q: &[f64], gap: &mut [f64], normal: &mut [f64]) -> Answer {
            (gap[0], normal[0]) = (q[0] - 0.5 * t * t, 1.0);
            Ok(())
        }
        fn gives_acceleration_terms(&self) -> bool {
            true
        }
        fn acceleration_terms(
            &self,
            t: f64,
            q: &[f64],
            v: &[f64],
            joint: &mut [f64],
            normal: &mut [f64],
            _: &mut [f64],
        ) -> Answer {
            joint[0] = 2.0 * v[0] * v[0] * t + 4.0 * q[0] * v[0];
            normal[0] = -1.0 + self.off;
            Ok(())
        }
    }
    let right = check_model(&Moving { off: 0.0 }, 0.7, &[1.1], &[0.6]).unwrap();
    assert!(right.worst < 1e-6, "{right:?}");
    let wrong = check_model(&Moving { off: 1e-3 }, 0.7, &[1.1], &[0.6]).unwrap();
    assert_eq!((wrong.what, wrong.index), ("normal accel", 0), "{wrong:?}");
    assert!((wrong.worst - 1e-3).abs() < 1e-5, "{wrong:?}");
}

#[test]
fn bad_input_and_bad_coefficients_are_errors() {
    let bead = Bead::default();
    let named = |e: Error| e.to_string();
    assert!(named(check_model(&bead, 0.0, &Q[..1], &V).unwrap_err()).starts_with("q is 1"));
    assert!(named(check_model(&bead, 0.0, &Q, &[0.0, f64::NAN]).unwrap_err()).starts_with("v[1]"));
    let e = check_model(&Bead { wrong: "mu" }, 0.0, &Q, &V).unwrap_err();
    assert!(named(e).starts_with("mu[0] is -0.1"));
    let e = check_model(&Bead { wrong: "restitution" }, 0.0, &Q, &V).unwrap_err();
    assert!(named(e).starts_with("restitution[0] is 1.5"));
}

#[test]
fn the_nearest_state_satisfies_joints_and_gaps_and_stays_where_it_is() {
    let bead = Bead::default();
    let before = check_state(&bead, 0.0, &Q, &V).unwrap();
    // phi = 1.3 - 1 - 0.1 sin 0.4
    assert!((before.joint.0 - (0.3 - 0.1 * 0.4f64.sin())).abs() < 1e-15);
    assert_eq!(before.depth, (0.0, 0));
    let (mut q, mut v) = (Q, V);
    let after = nearest_state(&bead, 0.0, &mut q, &mut v).unwrap();
    assert!(after.worst() < 1e-12, "{after:?}");
    // The velocity changed along M^-1 jt: M dv is parallel to jt.
    let p = [M * (v[0] - V[0]), M * q[0] * q[0] * (v[1] - V[1])];
    assert!((p[1] - p[0] * -0.1 * q[1].cos()).abs() < 1e-12, "{p:?}");
    // A second time nothing moves but rounding.
    let (q1, v1) = (q, v);
    nearest_state(&bead, 0.0, &mut q, &mut v).unwrap();
    assert!(q == q1 && (v[0] - v1[0]).abs() < 1e-15 && (v[1] - v1[1]).abs() < 1e-15);
}

/// Two unit masses on a line, walls at 0, and the second to the right of the first; a rod too short
/// may hold them.
struct Line {
    rod: bool,
}

impl Model for Line {
    fn dims(&self) -> Dims {
        Dims {
            nq: 2,
            nv: 2,
            n_joint: self.rod as usize * 2,
            n_contact: 2,
            n_dir: 0,
            ..Dims::default()
        }
    }
    fn mass(&self, _: f64, _: &[f64], mass: &mut [f64]) -> Answer {
        mass.copy_from_slice(&[1.0, 0.0, 0.0, 3.0]);
        Ok(())
    }
    fn joint(&self, _: f64, q: &[f64], phi: &mut [f64], jt: &mut [f64]) -> Answer {
        // Said twice: redundant, and contradictory.
        phi.copy_from_slice(&[q[1] - q[0] - 1.0, q[1] - q[0] - 2.0]);
        jt.copy_from_slice(&[-1.0, 1.0, -1.0, 1.0]);
        Ok(())
    }
    fn gap(&self, _: f64, q: &[f64], gap: &mut [f64], normal: &mut [f64]) -> Answer {
        gap.copy_from_slice(&[q[0], q[1] - q[0] - 0.5]);
        normal.copy_from_slice(&[1.0, 0.0, -1.0, 1.0]);
        Ok(())
    }
}

#[test]
fn penetration_is_undone_by_the_least_weighted_motion() {
    // Overlap 0.4 between masses 1 and 3: moved apart by 3/4 and 1/4 of it.
    let (mut q, mut v) = ([2.0, 2.1], [1.0, -1.0]);
    nearest_state(&Line { rod: false }, 0.0, &mut q, &mut v).unwrap();
    assert!((q[0] - 1.7).abs() < 1e-14 && (q[1] - 2.2).abs() < 1e-14, "{q:?}");
    assert_eq!(v, [1.0, -1.0]);
    // The same at the wall: the first cannot go below 0, so the second moves alone.
    let (mut q, mut v) = ([0.1, 0.2], [0.0, 0.0]);
    nearest_state(&Line { rod: false }, 0.0, &mut q, &mut v).unwrap();
    assert!(q[0].abs() < 1e-14 && (q[1] - 0.5).abs() < 1e-14, "{q:?}");
}

#[test]
fn contradictory_joints_are_refused_and_nothing_moves() {
    let (mut q, mut v) = ([1.0, 2.0], [0.0, 0.0]);
    let e = nearest_state(&Line { rod: true }, 0.0, &mut q, &mut v).unwrap_err();
    assert!(matches!(e, Error::Residual { .. }), "{e}");
    assert_eq!(q, [1.0, 2.0]);
}

/// A unit mass that must stay on the ellipse x^2/4 + y^2 = 1.
struct Ellipse;

impl Model for Ellipse {
    fn dims(&self) -> Dims {
        Dims { nq: 2, nv: 2, n_joint: 1, ..Dims::default() }
    }
    fn mass(&self, _: f64, _: &[f64], mass: &mut [f64]) -> Answer {
        mass.copy_from_slice(&[1.0, 0.0, 0.0, 1.0]);
        Ok(())
    }
    fn joint(&self, _: f64, q: &[f64], phi: &mut [f64], jt: &mut [f64]) -> Answer {
        phi[0] = 0.25 * q[0] * q[0] + q[1] * q[1] - 1.0;
        jt.copy_from_slice(&[0.5 * q[0], 2.0 * q[1]]);
        Ok(())
    }
}

#[test]
fn the_nearest_point_of_an_ellipse_is_the_foot_of_the_perpendicular() {
    let (mut q, mut v) = ([1.7, 0.9], [1.0, 0.0]);
    nearest_state(&Ellipse, 0.0, &mut q, &mut v).unwrap();
    let (d, n) = ([1.7 - q[0], 0.9 - q[1]], [0.5 * q[0], 2.0 * q[1]]);
    // Perpendicular up to the change at which the search stops, 1e-9.
    assert!((d[0] * n[1] - d[1] * n[0]).abs() < 1e-8, "{q:?}");
    assert!((0.25 * q[0] * q[0] + q[1] * q[1] - 1.0).abs() < 1e-12);
    assert!((v[0] * n[0] + v[1] * n[1]).abs() < 1e-15);
}

/// A unit mass above a floor and below a ceiling that its host pushes.
struct Shaft {
    ceiling: f64,
}

impl Model for Shaft {
    fn dims(&self) -> Dims {
        Dims { nq: 2, nv: 2, n_dir: 4, ..Dims::default() }
    }
    fn mass(&self, _: f64, _: &[f64], mass: &mut [f64]) -> Answer {
        mass.copy_from_slice(&[1.0, 0.0, 0.0, 1.0]);
        Ok(())
    }
    fn hosted(&self) -> usize {
        2
    }
    fn contacts(&self, _: f64, q: &[f64], margin: f64, sink: &mut ContactSink<'_>) -> Answer {
        let walls = [(70, q[1], [0.0, 1.0]), (71, self.ceiling - q[1], [0.0, -1.0])];
        for (key, gap, normal) in walls.iter().filter(|wall| wall.1 <= margin) {
            let _ = sink.push(&HostContact {
                key: *key,
                gap: *gap,
                coordinates: None,
                normal,
                friction: Friction::Directions(&[1.0, 0.0, -1.0, 0.0]),
                mu: 0.5,
                restitution: 0.0,
            });
        }
        Ok(())
    }
}

#[test]
fn contacts_that_come_and_go_count_in_the_checks_of_a_state() {
    let shaft = Shaft { ceiling: 3.0 };
    let found = check_state(&shaft, 0.0, &[0.0, -0.25], &[0.0, -1.0]).unwrap();
    assert_eq!((found.depth, found.depth_key), ((0.25, 0), Some(70)));
    let found = check_state(&shaft, 0.0, &[0.0, 3.5], &[0.0; 2]).unwrap();
    assert_eq!((found.depth, found.depth_key), ((0.5, 0), Some(71)));
    let (mut q, mut v) = ([1.0, -0.25], [0.5, -1.0]);
    let left = nearest_state(&shaft, 0.0, &mut q, &mut v).unwrap();
    assert_eq!((q, v), ([1.0, 0.0], [0.5, -1.0]));
    assert_eq!((left.worst(), left.depth_key), (0.0, None));
    // Lower than the mass can stand up: no state is allowed, and nothing moves.
    let (mut q, mut v) = ([1.0, -0.25], [0.0; 2]);
    assert!(nearest_state(&Shaft { ceiling: -0.1 }, 0.0, &mut q, &mut v).is_err());
    assert_eq!(q, [1.0, -0.25]);
}

#[test]
fn contacts_that_come_and_go_count_in_the_friction_cone() {
    // One pair of directions of two: the edges (+-0.5, 1) and, of the empty pair, the normal.
    let one = cone_margin(&Shaft { ceiling: 3.0 }, 0.0, &[0.0, 0.0], 0.01).unwrap();
    // The mean of the two edges of length one is the cosine of atan 0.5.
    assert!((one - 1.0 / 1.25f64.sqrt()).abs() < 1e-9, "{one}");
    // Between floor and ceiling impulses cancel.
    let jammed = cone_margin(&Shaft { ceiling: 0.0 }, 0.0, &[0.0, 0.0], 0.01).unwrap();
    assert!(jammed < 1e-9, "{jammed}");
    assert_eq!(cone_margin(&Shaft { ceiling: 3.0 }, 0.0, &[0.0, 1.0], 0.01), Ok(f64::INFINITY));
}

/// A glider of 1 kg with lift and drag, a spring whose stiffness may change, a brake.
#[derive(Default)]
struct Glider {
    tires: f64,
    wrong: f64,
    lost: bool,
}

impl Model for Glider {
    fn dims(&self) -> Dims {
        Dims { nq: 2, nv: 2, n_element: 1, n_brake: 1, ..Dims::default() }
    }
    fn mass(&self, _: f64, _: &[f64], mass: &mut [f64]) -> Answer {
        mass.copy_from_slice(&[1.0, 0.0, 0.0, 1.0]);
        Ok(())
    }
    fn force(&self, _: f64, _: &[f64], v: &[f64], f: &mut [f64]) -> Answer {
        f.copy_from_slice(&[-0.1 * v[0] * v[0].abs(), 0.3 * v[0] * v[0] - 9.81]);
        Ok(())
    }
    fn gives_force_jac(&self) -> bool {
        true
    }
    fn force_jac(&self, _: f64, _: &[f64], v: &[f64], _: &mut [f64], c: &mut [f64]) -> Answer {
        (c[0], c[1]) = (-0.2 * v[0].abs(), 0.6 * v[0] + self.wrong);
        Ok(())
    }
    fn elements(&self, t: f64, q: &[f64], e: &mut Elements) -> Answer {
        (e.phi[0], e.stiffness[0]) = (q[0], 5.0 - self.tires * t);
        e.gradient.copy_from_slice(&[1.0, 0.0]);
        Ok(())
    }
    fn brake(&self, _: f64, _: &[f64], bound: &mut [f64], direction: &mut [f64]) -> Answer {
        bound[0] = 2.0;
        direction[0] = if self.lost { 0.0 } else { 1.0 };
        Ok(())
    }
}

#[test]
fn lift_is_no_missing_coriolis_force_and_hides_nothing() {
    let at = |g: Glider| check_model(&g, 0.3, &[2.0, 0.3], &[0.7, 1.5]).unwrap();
    let right = at(Glider::default());
    assert!(right.worst < 1e-8, "{right:?}");
    let said = right.text(1e-6);
    assert!(said.starts_with("every check agrees to "), "{said}");
    let wrong = at(Glider { tires: 0.5, wrong: 0.1, lost: true });
    let said = wrong.text(1e-6);
    // A brake without direction counts one; 0.5 of 4.85 N/m per second; 0.1 of 0.52 N s/m.
    for part in ["brake direction[0] has the largest", "element constants[0] by", "dfdv[1] by"] {
        assert!(said.contains(part), "{said}");
    }
    let found = |what| wrong.findings.iter().find(|f| f.what == what).unwrap().error;
    assert!((found("element constants") - 0.5 / 4.85).abs() < 1e-4, "{said}");
    assert_eq!(found("power"), 0.0);
}
