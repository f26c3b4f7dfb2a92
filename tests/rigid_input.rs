//! Bad input to the builder: every case is refused with a name, and changes nothing.

use std::sync::Arc;
use stiction::rigid::*;
use stiction::step::{Options, Stepper};

const LEVEL: [f64; 4] = [1.0, 0.0, 0.0, 0.0];
const ROUND: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
const Z: [f64; 3] = [0.0, 0.0, 1.0];

/// Two spatial bodies, a planar one, a point, and a hinge between the first two.
fn builder() -> (Builder, [BodyId; 4], JointId) {
    let mut b = Builder::new();
    let first = b.spatial(1.0, ROUND, [0.0; 3], LEVEL).unwrap();
    let second = b.spatial(1.0, ROUND, [1.0, 0.0, 0.0], LEVEL).unwrap();
    let flat = b.planar(1.0, 1.0, [0.0, 0.0], 0.0).unwrap();
    let point = b.point3(1.0, [2.0, 0.0, 0.0]).unwrap();
    let hinge = b.joint(Joint::Revolute { axis: Z }, first, second, [0.5, 0.0, 0.0]).unwrap();
    (b, [first, second, flat, point], hinge)
}

fn refused<T>(result: Result<T, stiction::Error>, starts: &str) {
    let e = result.err().map(|e| e.to_string()).unwrap_or("no error".into());
    assert!(e.starts_with(starts), "{e} does not start with {starts}");
}

#[test]
fn bodies_need_mass_inertia_and_a_place() {
    let (mut b, ..) = builder();
    refused(b.point2(0.0, [0.0; 2]), "mass[4] is 0, must be positive");
    refused(b.point3(-1.0, [0.0; 3]), "mass[4] is -1, must be positive");
    refused(b.planar(f64::NAN, 1.0, [0.0; 2], 0.0), "mass[4] is NaN");
    refused(b.planar(1.0, 0.0, [0.0; 2], 0.0), "inertia[4] is 0, must be positive");
    refused(b.planar(1.0, 1.0, [0.0; 2], f64::INFINITY), "position[2] is inf");
    refused(b.point3(1.0, [0.0, f64::NAN, 0.0]), "position[1] is NaN");
    let mut inertia = ROUND;
    inertia[2][2] = 0.0;
    refused(b.spatial(1.0, inertia, [0.0; 3], LEVEL), "inertia is not positive definite");
    inertia[2][2] = f64::NAN;
    refused(b.spatial(1.0, inertia, [0.0; 3], LEVEL), "inertia[8] is NaN");
    inertia = ROUND;
    inertia[0][1] = 0.1;
    refused(b.spatial(1.0, inertia, [0.0; 3], LEVEL), "inertia[3] is 0, must be symmetric");
    refused(b.spatial(1.0, ROUND, [0.0; 3], [0.0; 4]), "quaternion length is 0");
    refused(b.spatial(1.0, ROUND, [0.0; 3], [1.0, 1.0, 0.0, 0.0]), "quaternion length is 1.414");
    refused(b.spatial(1.0, ROUND, [0.0; 3], [f64::NAN; 4]), "quaternion[0] is NaN");
    refused(b.gravity([0.0, f64::NAN, 0.0]), "gravity[1] is NaN");
    refused(Builder::new().build(), "number of bodies is 0");
    // Nothing of all this is in the scene.
    use stiction::model::Model;
    assert_eq!(b.build().unwrap().dims().nv, 18);
}

#[test]
fn bodies_of_nobody_and_joints_of_one_body_are_refused() {
    let (mut b, [first, second, flat, point], _) = builder();
    let mut other = Builder::new();
    let stranger = (0..9).map(|_| other.point2(1.0, [0.0; 2]).unwrap()).last().unwrap();
    let turn = Joint::Revolute { axis: Z };
    refused(
        b.joint(turn, first, stranger, [0.0; 3]),
        "body is 8, must be one that this builder made",
    );
    refused(b.joint(turn, first, first, [0.0; 3]), "joint is body 0 twice");
    refused(b.joint(turn, Link::Ground, Link::Ground, [0.0; 3]), "joint is the ground twice");
    refused(b.rod(second, Z, second, [0.0; 3], None), "rod is body 1 twice");
    refused(b.spring(first, Z, first, [0.0; 3], Spring::default()), "spring is body 0 twice");
    refused(b.joint(turn, first, flat, [0.0; 3]), "bodies of a joint is one in the plane");
    refused(b.joint(turn, first, point, [2.0, 0.0, 0.0]), "joint is revolute");
    refused(
        b.joint(Joint::Spherical, first, point, [0.0; 3]),
        "joint is spherical, must be at the place",
    );
    refused(
        b.joint(Joint::Spherical, Link::Ground, flat, [0.0; 3]),
        "joint is spherical, must be revolute",
    );
    refused(
        b.joint(Joint::Revolute { axis: [1.0, 0.0, 0.0] }, Link::Ground, flat, Z),
        "joint is revolute",
    );
    refused(b.joint(Joint::Prismatic { axis: Z }, Link::Ground, flat, Z), "joint is prismatic");
    refused(
        b.joint(Joint::Prismatic { axis: Z }, point, first, [2.0, 0.0, 0.0]),
        "joint is prismatic",
    );
    refused(b.joint(Joint::Revolute { axis: [0.0; 3] }, first, second, Z), "axis is zero");
    refused(b.joint(turn, first, second, [f64::NAN, 0.0, 0.0]), "joint point[0] is NaN");
    let cross = Joint::Universal { axis_a: Z, axis_b: [0.0, 1.0, 1.0] };
    refused(b.joint(cross, first, second, Z), "joint is universal");
}

#[test]
fn lengths_springs_and_attachments_are_checked() {
    let (mut b, [first, second, flat, point], hinge) = builder();
    refused(b.rod(first, [0.0; 3], second, [0.0; 3], Some(0.0)), "length is 0");
    refused(b.rod(first, [0.5, 0.0, 0.0], second, [-0.5, 0.0, 0.0], None), "length is 0");
    refused(b.rod(first, [f64::NAN; 3], second, [0.0; 3], None), "attachment[0] is NaN");
    refused(b.rod(flat, Z, second, [0.0; 3], None), "attachment[2] is 1");
    refused(b.rod(first, [0.0; 3], point, Z, None), "attachment[2] is 1");
    let bad = |stiffness, damping, rest| Spring { stiffness, damping, rest };
    let ends = ([0.0; 3], [0.0; 3]);
    refused(b.spring(first, ends.0, second, ends.1, bad(-1.0, 0.0, None)), "stiffness is -1");
    refused(b.spring(first, ends.0, second, ends.1, bad(1.0, -2.0, None)), "damping is -2");
    refused(b.spring(first, ends.0, second, ends.1, bad(1.0, f64::NAN, None)), "damping is NaN");
    refused(
        b.spring(first, ends.0, second, ends.1, bad(1.0, 0.0, Some(-1.0))),
        "rest length is -1",
    );
    refused(
        b.joint_spring(hinge, Freedom::Slide, bad(1.0, 0.0, None)),
        "coordinate of the joint is Slide",
    );
    refused(b.joint_spring(hinge, Freedom::Angle, bad(1.0, 0.0, Some(f64::NAN))), "rest is NaN");
    refused(b.limit(hinge, Freedom::Angle, 1.0, -1.0, 0.0), "limits[0] is 1");
    refused(b.limit(hinge, Freedom::Angle, -4.0, 4.0, 0.0), "limits[1] is 8");
    refused(b.limit(hinge, Freedom::Angle, f64::NAN, 1.0, 0.0), "limits[0] is NaN");
    refused(b.limit(hinge, Freedom::Angle, 0.0, 1.0, 1.5), "restitution is 1.5");
    refused(b.drive(hinge, Freedom::Slide, Arc::new(|_| 0.0)), "coordinate of the joint is Slide");
    refused(b.drive(hinge, Freedom::Angle, Arc::new(|_| f64::NAN)), "drive is NaN");
    refused(b.motor(hinge, Freedom::Angle, Arc::new(|_| f64::NAN)), "motor is NaN");
    refused(b.force(first, Z, Arc::new(|_| [0.0, f64::INFINITY, 0.0])), "force[1] is inf");
    refused(b.torque(point, Arc::new(|_| [0.0; 3])), "body of a torque is point mass 3");
    let (mut fresh, ..) = builder();
    let later = fresh.rod(first, Z, second, Z, None).unwrap();
    refused(b.motor(later, Freedom::Angle, Arc::new(|_| 0.0)), "joint is 1, must be one");
    refused(b.velocity(flat, [0.0, 0.0, 1.0], [0.0; 3]), "velocity[2] is 1, must be zero");
    refused(b.velocity(point, [0.0; 3], Z), "angular velocity[2] is 1, must be zero");
    refused(b.velocity(first, [f64::NAN; 3], Z), "velocity[0] is NaN");
}

#[test]
fn shapes_and_surfaces_are_checked() {
    let (mut b, [first, _, flat, point], _) = builder();
    let plain = Attach::default();
    refused(b.shape(first, Shape::Ball { radius: -1.0 }, plain), "radius is -1");
    refused(b.shape(first, Shape::Ball { radius: f64::NAN }, plain), "radius is NaN");
    refused(b.shape(first, Shape::Box { half: [1.0, 0.0, 1.0] }, plain), "half[1] is 0");
    refused(
        b.shape(first, Shape::Capsule { half_length: 0.0, radius: 1.0 }, plain),
        "half_length is 0",
    );
    refused(b.shape(first, Shape::HalfSpace { normal: [0.0; 3] }, plain), "normal is zero");
    refused(b.shape(flat, Shape::Polygon { vertices: vec![] }, plain), "vertices is empty");
    refused(b.shape(first, Shape::Polygon { vertices: vec![[0.0; 2]] }, plain), "shape is polygon");
    refused(b.shape(flat, Shape::Box { half: [1.0; 3] }, plain), "shape is box");
    refused(b.shape(point, Shape::HalfSpace { normal: Z }, plain), "shape is half-space");
    let up = Attach { at: Z, ..plain };
    refused(b.shape(flat, Shape::Ball { radius: 1.0 }, up), "shape is ball, must be in the plane");
    refused(b.shape(point, Shape::Ball { radius: 1.0 }, up), "shape is ball, must be at the place");
    let long = Attach { turn: [2.0, 0.0, 0.0, 0.0], ..plain };
    refused(b.shape(first, Shape::Ball { radius: 1.0 }, long), "quaternion length is 2");
    let d = MaterialId::default();
    let surface = |mu, restitution| Surface { mu, restitution, grain: None };
    refused(b.surface(d, d, surface(-0.1, 0.0)), "mu[0] is -0.1");
    refused(b.surface(d, d, surface(f64::NAN, 0.0)), "mu[0] is NaN");
    refused(b.surface(d, d, surface(0.0, 1.1)), "restitution is 1.1");
    let grain = Some(Grain { axis: [0.0; 3], mu_across: 0.1 });
    refused(b.surface(d, d, Surface { mu: 0.1, restitution: 0.0, grain }), "axis is zero");
    let mut other = Builder::new();
    let foreign = other.material();
    refused(b.surface(d, foreign, surface(0.1, 0.0)), "material is 1");
    refused(b.facets(0), "facets is 0");
    let ball = b.shape(first, Shape::Ball { radius: 1.0 }, plain).unwrap();
    refused(b.wall_motion(ball, Arc::new(|_| 0.0)), "moving shape is ball");
    let plane = b.shape(Link::Ground, Shape::HalfSpace { normal: Z }, plain).unwrap();
    refused(b.wall_motion(plane, Arc::new(|_| f64::NAN)), "wall motion is NaN");
    refused(other.wall_motion(plane, Arc::new(|_| 0.0)), "moving shape is unknown");
    refused(b.facets(3), "facets is 3");
    // A level floor cannot hold a disc that lives in the plane z = 0.
    let mut b = Builder::new();
    let disc = b.planar(1.0, 1.0, [0.0, 1.0], 0.0).unwrap();
    b.shape(disc, Shape::Ball { radius: 1.0 }, plain).unwrap();
    b.shape(Link::Ground, Shape::HalfSpace { normal: Z }, plain).unwrap();
    refused(b.build(), "pair of shapes is ball 0 and half-space 1, must be in one plane");
}

#[test]
fn a_state_with_a_quaternion_that_turns_nothing_is_refused() {
    let mut b = Builder::new();
    b.spatial(1.0, ROUND, [0.0; 3], LEVEL).unwrap();
    b.spatial(1.0, ROUND, [2.0, 0.0, 0.0], LEVEL).unwrap();
    let scene = Arc::new(b.build().unwrap());
    let mut s = Stepper::new(scene, &Options::default()).unwrap();
    let (start, v) = (s.q().to_vec(), s.v().to_vec());
    for (w, said) in [(0.0, "at q[10] is 0, must be 1"), (2.0, "at q[10] is 2, must be 1")] {
        let mut q = start.clone();
        q[10] = w;
        let e = s.set_state(1.0, &q, &v).unwrap_err().to_string();
        assert!(e.starts_with("length of the quaternion ") && e.ends_with(said), "{e}");
        assert_eq!((s.t(), s.q()), (0.0, &start[..]));
    }
    // A host that keeps single precision passes.
    let mut q = start;
    q[10] = 1.0 + 1e-7;
    s.set_state(1.0, &q, &v).unwrap();
}
