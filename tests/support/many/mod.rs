//! Scenes with many contacts in plain terms: bodies, shapes, joints and a push, from which Stiction builds
//! its own and other programs read theirs. Knows no solver.
#![allow(dead_code)] // each test and bench takes what it needs

pub mod scenes;

use std::fmt::Write;
use std::sync::Arc;
use stiction::rigid::{Attach, BodyId, Builder, Joint, Link, Scene, Shape, Surface};

pub type Done<T> = Result<T, stiction::Error>;

/// Friction everywhere.
pub const MU: f64 = 0.5;

/// Acceleration of gravity along -z, m/s^2.
pub const G: f64 = 9.81;

/// A free body; its axes are those of the world at the start.
#[derive(Clone, Copy, Debug, Default)]
pub struct Body {
    pub mass: f64,
    /// Moments of inertia about the axes.
    pub inertia: [f64; 3],
    pub at: [f64; 3],
    pub v: [f64; 3],
    pub omega: [f64; 3],
}

/// What a shape is.
#[derive(Clone, Copy, Debug)]
pub enum Form {
    /// A single point.
    Point,
    Ball(f64),
    /// Half the lengths of the edges.
    Box([f64; 3]),
    /// Half the length along axis 0, 1 or 2, and the radius.
    Rod(usize, f64, f64),
    /// Everything below a plane with this normal.
    Plane([f64; 3]),
}

/// A force along `along` cos(rate t) at a point of a body.
#[derive(Clone, Copy, Debug)]
pub struct Push {
    pub body: usize,
    pub at: [f64; 3],
    pub along: [f64; 3],
    pub rate: f64,
}

/// A scene.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    pub bodies: Vec<Body>,
    /// Body, or none for the ground; form; place on the body.
    pub shapes: Vec<(Option<usize>, Form, [f64; 3])>,
    /// Two bodies and their common point.
    pub joints: Vec<(usize, usize, [f64; 3])>,
    pub push: Option<Push>,
    /// Of all surfaces.
    pub restitution: f64,
}

impl Plan {
    /// An empty scene on the ground z = 0.
    pub fn on_ground() -> Self {
        let ground = (None, Form::Plane([0.0, 0.0, 1.0]), [0.0; 3]);
        Self { shapes: vec![ground], ..Self::default() }
    }

    /// Adds a body with one moment of inertia about every axis.
    pub fn body(&mut self, mass: f64, inertia: f64, at: [f64; 3]) -> usize {
        self.bodies.push(Body { mass, inertia: [inertia; 3], at, ..Body::default() });
        self.bodies.len() - 1
    }

    /// The scene of built-in bodies, with eight friction directions per contact.
    pub fn build(&self) -> Done<Scene> {
        let mut b = Builder::new();
        b.gravity([0.0, 0.0, -G])?;
        b.surface(
            Default::default(),
            Default::default(),
            Surface { mu: MU, restitution: self.restitution, ..Default::default() },
        )?;
        let mut ids: Vec<BodyId> = vec![];
        for body in &self.bodies {
            let i = body.inertia;
            let inertia = [[i[0], 0.0, 0.0], [0.0, i[1], 0.0], [0.0, 0.0, i[2]]];
            let id = b.spatial(body.mass, inertia, body.at, [1.0, 0.0, 0.0, 0.0])?;
            b.velocity(id, body.v, body.omega)?;
            ids.push(id);
        }
        for &(body, form, at) in &self.shapes {
            let link = body.map_or(Link::Ground, |k| ids[k].into());
            let half = std::f64::consts::FRAC_1_SQRT_2;
            let (shape, turn) = match form {
                Form::Point => (Shape::Ball { radius: 0.0 }, None),
                Form::Ball(radius) => (Shape::Ball { radius }, None),
                Form::Box(half) => (Shape::Box { half }, None),
                Form::Plane(normal) => (Shape::HalfSpace { normal }, None),
                Form::Rod(axis, half_length, radius) => {
                    // A quarter turn from x to the axis.
                    let turn =
                        [[1.0, 0.0, 0.0, 0.0], [half, 0.0, 0.0, half], [half, 0.0, half, 0.0]];
                    (Shape::Capsule { half_length, radius }, Some(turn[axis]))
                }
            };
            let plain = Attach { at, ..Attach::default() };
            b.shape(link, shape, Attach { turn: turn.unwrap_or(plain.turn), ..plain })?;
        }
        for &(first, second, at) in &self.joints {
            b.joint(Joint::Spherical, ids[first], ids[second], at)?;
        }
        if let Some(p) = self.push {
            let force = move |t: f64| p.along.map(|f| f * (p.rate * t).cos());
            b.force(ids[p.body], p.at, Arc::new(force))?;
        }
        b.build()
    }

    /// The scene as other programs read it: one thing per line, numbers in SI units.
    pub fn text(&self) -> String {
        let mut text = format!("world {G} {MU}\n");
        let row = |x: &[f64]| x.iter().map(|x| format!(" {x:?}")).collect::<String>();
        // Writing to a string cannot fail.
        for b in &self.bodies {
            let numbers = [b.inertia, b.at, b.v, b.omega].map(|x| row(&x)).concat();
            let _ = writeln!(text, "body {:?}{numbers}", b.mass);
        }
        for (body, form, at) in &self.shapes {
            let body = body.map_or(-1, |k| k as i64);
            let (word, numbers) = match form {
                Form::Point => ("point", String::new()),
                Form::Ball(radius) => ("ball", row(&[*radius])),
                Form::Box(half) => ("box", row(half)),
                Form::Rod(axis, half, radius) => ("rod", row(&[*axis as f64, *half, *radius])),
                Form::Plane(normal) => ("plane", row(normal)),
            };
            let _ = writeln!(text, "{word} {body}{}{numbers}", row(at));
        }
        for (a, b, at) in &self.joints {
            let _ = writeln!(text, "joint {a} {b}{}", row(at));
        }
        if let Some(p) = &self.push {
            let _ = writeln!(text, "push {}{}{} {:?}", p.body, row(&p.at), row(&p.along), p.rate);
        }
        text
    }
}
