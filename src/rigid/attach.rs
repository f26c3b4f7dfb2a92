//! The builder's joints, drives, limits, springs, friction and loads. Knows no shapes.

use super::body::{BodyId, Link};
use super::build::{Builder, Joined};
use super::contact::{Slot, Source};
use super::coordinate::{Coordinate, Kind as Function};
use super::joint::{Ends, Equation, Freedom, Joint, JointId, Target};
use super::keys;
use super::spring::{Actuator, JointBrake, Load, LoadKind, Signal, Spring, VectorSignal};
use crate::error::{ALONE, Error, Result, finite, finite_number, grow, push, told};
use nalgebra::Vector3;
use std::f64::consts::PI;

impl Builder {
    /// Joins `a` and `b` at the world point `at` of the builder's pose, where the joint's equations
    /// hold by construction.
    ///
    /// # Errors
    /// `Value` for an unknown body, a body with itself, a joint these bodies cannot have;
    /// `NonFinite`, `Range` for its axes.
    pub fn joint(
        &mut self,
        joint: Joint,
        a: impl Into<Link>,
        b: impl Into<Link>,
        at: [f64; 3],
    ) -> Result<JointId> {
        finite("joint point", &at)?;
        let [a, b] = self.ends("joint", a.into(), b.into())?;
        let flat = [&a.1, &b.1].map(|p| p.kind.flat());
        if flat[0] != flat[1] && a.0.is_some() && b.0.is_some() {
            let (got, must) =
                ("one in the plane, one in space".into(), "both in the plane or both in space");
            return Err(Error::Value { what: "bodies of a joint", got, must });
        }
        let ends = Ends { a: (a.0, &a.1), b: (b.0, &b.1), at: Vector3::from(at) };
        let parts = ends.join(&joint)?;
        let first = self.equations.len();
        grow(&mut self.equations, parts.equations.len())?;
        grow(&mut self.joints, 1)?;
        for coordinate in parts.equations {
            let target = Target::Fixed(self.zero_of(&coordinate));
            self.equations.push(Equation { coordinate, target });
        }
        let equations = first..self.equations.len();
        let id = JointId(self.joints.len() as u32);
        self.joints.push(Joined { equations, angle: parts.angle, slide: parts.slide });
        Ok(id)
    }

    /// Adds a joint of one equation that leaves nothing free.
    fn equation(&mut self, coordinate: Coordinate, target: Target) -> Result<JointId> {
        grow(&mut self.equations, 1)?;
        grow(&mut self.joints, 1)?;
        let first = self.equations.len();
        self.equations.push(Equation { coordinate, target });
        let id = JointId(self.joints.len() as u32);
        self.joints.push(Joined { equations: first..first + 1, angle: None, slide: None });
        Ok(id)
    }

    /// Keeps the points `at_a` of `a` and `at_b` of `b` (body coordinates) at a distance; `None`:
    /// the one they have.
    ///
    /// # Errors
    /// `Value` for an unknown body or a body with itself; `NonFinite`; `Range` for a length that is
    /// not positive.
    pub fn rod(
        &mut self,
        a: impl Into<Link>,
        at_a: [f64; 3],
        b: impl Into<Link>,
        at_b: [f64; 3],
        length: Option<f64>,
    ) -> Result<JointId> {
        let coordinate = self.distance("rod", a.into(), at_a, b.into(), at_b)?;
        let length = self.length("length", &coordinate, length)?;
        self.equation(coordinate, Target::Fixed(length))
    }

    /// Prescribes a free coordinate of a joint as a function of time: one more equation. The
    /// function should start at the coordinate's value at the builder's pose, which is zero.
    ///
    /// # Errors
    /// `Value` for an unknown joint or a coordinate it does not leave free; `NonFinite` when the
    /// function is so at 0.
    pub fn drive(&mut self, joint: JointId, freedom: Freedom, motion: Signal) -> Result<JointId> {
        let coordinate = self.freedom(joint, freedom)?;
        finite_number("drive", motion(0.0))?;
        let from = self.zero_of(&coordinate);
        self.equation(coordinate, Target::Moving { from, motion })
    }

    /// Keeps a free coordinate of a joint in [`low`, `high`], by contacts without friction, one for
    /// each finite end. Angles of bodies in space need both ends, less than one turn apart.
    ///
    /// # Errors
    /// `Value` for an unknown joint or a coordinate it does not leave free; `NonFinite` for a NaN;
    /// `Range` for ends that are out of order or too far apart, and for a restitution outside [0,
    /// 1].
    pub fn limit(
        &mut self,
        joint: JointId,
        freedom: Freedom,
        low: f64,
        high: f64,
        restitution: f64,
    ) -> Result<()> {
        let coordinate = self.freedom(joint, freedom)?;
        let here = self.zero_of(&coordinate);
        ordered(low, high, restitution)?;
        let wraps = matches!(coordinate.kind, Function::Angle { .. });
        if wraps && !(high - low < 2.0 * PI) {
            let (value, must) = (high - low, "less than one turn apart for a joint in space");
            return Err(Error::Range { what: "limits", index: 1, value, must });
        }
        self.limits_of(coordinate, low + here, high + here, restitution)
    }

    /// Keeps the distance of two points (body coordinates) in [`low`, `high`], by contacts without
    /// friction, one for each finite end: a rope has `low` = -infinity.
    ///
    /// # Errors
    /// As [`rod`](Self::rod) and [`limit`](Self::limit).
    pub fn limit_distance(
        &mut self,
        a: impl Into<Link>,
        at_a: [f64; 3],
        b: impl Into<Link>,
        at_b: [f64; 3],
        [low, high]: [f64; 2],
        restitution: f64,
    ) -> Result<()> {
        let coordinate = self.distance("distance limit", a.into(), at_a, b.into(), at_b)?;
        self.limits_of(coordinate, low, high, restitution)
    }

    /// A spring and damper between the points `at_a` of `a` and `at_b` of `b`, body coordinates.
    /// They must not coincide.
    ///
    /// # Errors
    /// `Value` for an unknown body or a body with itself; `NonFinite`; `Range` for a negative
    /// stiffness or damping and a rest length that is not positive.
    pub fn spring(
        &mut self,
        a: impl Into<Link>,
        at_a: [f64; 3],
        b: impl Into<Link>,
        at_b: [f64; 3],
        spring: Spring,
    ) -> Result<()> {
        let coordinate = self.distance("spring", a.into(), at_a, b.into(), at_b)?;
        check_spring(&spring)?;
        let rest = self.length("rest length", &coordinate, spring.rest)?;
        self.actuate(coordinate, rest, &spring, None)
    }

    /// A spring and damper that pulls two points (body coordinates) together in every direction:
    /// rest length zero. The points may coincide. `spring.rest` is not read.
    ///
    /// # Errors
    /// As [`spring`](Self::spring).
    pub fn bushing(
        &mut self,
        a: impl Into<Link>,
        at_a: [f64; 3],
        b: impl Into<Link>,
        at_b: [f64; 3],
        spring: Spring,
    ) -> Result<()> {
        let coordinate = self.distance("bushing", a.into(), at_a, b.into(), at_b)?;
        check_spring(&spring)?;
        let flat =
            [coordinate.a, coordinate.b].iter().flatten().all(|&i| self.bodies[i].kind.flat());
        let axes = if flat { 2 } else { 3 };
        grow(&mut self.actuators, axes)?;
        (0..axes).try_for_each(|k| {
            let along = Coordinate { kind: Function::World(k), ..coordinate.clone() };
            self.actuate(along, 0.0, &spring, None)
        })
    }

    /// A spring and damper along a free coordinate of a joint: torsional for [`Freedom::Angle`]. In
    /// space the spring must not be wound up by half a turn or more.
    ///
    /// # Errors
    /// `Value` for an unknown joint or a coordinate it does not leave free; `NonFinite`; `Range`
    /// for a negative stiffness or damping.
    pub fn joint_spring(&mut self, joint: JointId, freedom: Freedom, spring: Spring) -> Result<()> {
        let coordinate = self.freedom(joint, freedom)?;
        check_spring(&spring)?;
        let rest = self.zero_of(&coordinate) + spring.rest.unwrap_or(0.0);
        self.actuate(coordinate, rest, &spring, None)
    }

    /// Dry friction along a free coordinate of a joint, of at most `bound` (N m for
    /// [`Freedom::Angle`], N for [`Freedom::Slide`]) whatever the joint carries: it holds what it can
    /// and opposes motion with the full bound. Impacts do not feel it.
    ///
    /// # Errors
    /// `Value` for an unknown joint or a coordinate it does not leave free; `NonFinite`; `Range` for
    /// a negative bound.
    pub fn joint_friction(&mut self, joint: JointId, freedom: Freedom, bound: f64) -> Result<()> {
        let coordinate = self.freedom(joint, freedom)?;
        finite_number("bound", bound)?;
        if bound < 0.0 {
            return Err(Error::Range { what: "bound", index: ALONE, value: bound, must: ">= 0" });
        }
        push(&mut self.brakes, JointBrake { coordinate, joint, bound })
    }

    /// A force or torque along a free coordinate of a joint, given in time: positive makes the
    /// coordinate grow.
    ///
    /// # Errors
    /// `Value` for an unknown joint or a coordinate it does not leave free; `NonFinite` when the
    /// function is so at 0.
    pub fn motor(&mut self, joint: JointId, freedom: Freedom, force: Signal) -> Result<()> {
        let coordinate = self.freedom(joint, freedom)?;
        finite_number("motor", force(0.0))?;
        self.actuate(coordinate, 0.0, &Spring::default(), Some(force))
    }

    /// A force given in time, in world axes, at the point `at` (body coordinates) of a body.
    ///
    /// # Errors
    /// `Value` for an unknown body; `NonFinite` for the point, or when the function is so at 0.
    pub fn force(&mut self, id: BodyId, at: [f64; 3], force: VectorSignal) -> Result<()> {
        finite("force point", &at)?;
        finite("force", &force(0.0))?;
        let body = self.body(id)?;
        let kind = LoadKind::Force(Vector3::from(at));
        push(&mut self.loads, Load { body, kind, value: force })
    }

    /// A torque given in time, in world axes, on a body.
    ///
    /// # Errors
    /// `Value` for an unknown body and for a point mass; `NonFinite` when the function is so at 0.
    pub fn torque(&mut self, id: BodyId, torque: VectorSignal) -> Result<()> {
        finite("torque", &torque(0.0))?;
        let body = self.body(id)?;
        if self.bodies[body].kind.point() {
            let got = told(format_args!("point mass {body}"));
            return Err(Error::Value {
                what: "body of a torque",
                got,
                must: "a body that can turn",
            });
        }
        push(&mut self.loads, Load { body, kind: LoadKind::Torque, value: torque })
    }

    fn actuate(
        &mut self,
        coordinate: Coordinate,
        rest: f64,
        s: &Spring,
        drive: Option<Signal>,
    ) -> Result<()> {
        let (stiffness, damping) = (s.stiffness, s.damping);
        push(&mut self.actuators, Actuator { coordinate, rest, stiffness, damping, drive })
    }

    fn limits_of(&mut self, coordinate: Coordinate, low: f64, high: f64, e: f64) -> Result<()> {
        ordered(low, high, e)?;
        // The coordinate is compared with the middle of its range, so that angles jump outside it.
        let both = low.is_finite() && high.is_finite();
        let (middle, half) = (0.5 * (low + high), 0.5 * (high - low));
        grow(&mut self.limits, 2)?;
        for (end, sign) in [(low, -1.0), (high, 1.0)] {
            if !end.is_finite() {
                continue;
            }
            let (middle, half) = if both { (middle, half) } else { (end, 0.0) };
            let source = Source::Limit { coordinate: coordinate.clone(), middle, half, sign };
            let key = keys::of_limit(self.limits.len());
            self.limits.push(Slot { source, mu: 0.0, restitution: e, key });
        }
        Ok(())
    }

    fn distance(
        &self,
        what: &'static str,
        a: Link,
        at_a: [f64; 3],
        b: Link,
        at_b: [f64; 3],
    ) -> Result<Coordinate> {
        finite("attachment", &at_a)?;
        finite("attachment", &at_b)?;
        let [a, b] = self.ends(what, a, b)?;
        for ((_, placed), at) in [(&a, &at_a), (&b, &at_b)] {
            // exact: a point mass is where it is, a planar body in its plane
            let off = (0..3)
                .find(|&k| at[k] != 0.0 && (placed.kind.point() || (placed.kind.flat() && k == 2)));
            if let Some(index) = off {
                let must = "zero off the plane or off a point mass";
                return Err(Error::Range { what: "attachment", index, value: at[index], must });
            }
        }
        let (at_a, at_b) = (Vector3::from(at_a), Vector3::from(at_b));
        Ok(Coordinate { a: a.0, b: b.0, at_a, at_b, kind: Function::Distance })
    }

    fn length(&self, what: &'static str, c: &Coordinate, given: Option<f64>) -> Result<f64> {
        let value = given.unwrap_or_else(|| self.value(c));
        finite_number(what, value)?;
        if value > 0.0 {
            return Ok(value);
        }
        Err(Error::Range { what, index: ALONE, value, must: "positive" })
    }

    fn freedom(&self, joint: JointId, freedom: Freedom) -> Result<Coordinate> {
        let j = self.joined(joint)?;
        let coordinate = match freedom {
            Freedom::Angle => &j.angle,
            Freedom::Slide => &j.slide,
        };
        coordinate.clone().ok_or_else(|| Error::Value {
            what: "coordinate of the joint",
            got: told(format_args!("{freedom:?}")),
            must: "one that the joint leaves free",
        })
    }

    /// A coordinate at the builder's pose. Points that coincide have the distance zero there.
    fn value(&self, c: &Coordinate) -> f64 {
        let place = |i: Option<usize>| match i {
            Some(i) => self.bodies[i].place(&self.q),
            None => super::body::Placed::ground(),
        };
        c.gradient(&place(c.a), &place(c.b), 0.0).map_or(0.0, |g| g.value)
    }

    /// What a free coordinate reads at the builder's pose: only angles in the plane count from
    /// elsewhere.
    fn zero_of(&self, c: &Coordinate) -> f64 {
        if matches!(c.kind, Function::Turn(_)) { self.value(c) } else { 0.0 }
    }
}

/// Refuses ends of a range that are no numbers or out of order; an infinite end is none.
fn ordered(low: f64, high: f64, e: f64) -> Result<()> {
    for (index, value) in [low, high].into_iter().enumerate() {
        if value.is_nan() {
            return Err(Error::NonFinite { what: "limits", index, value });
        }
    }
    finite_number("restitution", e)?;
    if !(low < high) || low == f64::INFINITY || high == f64::NEG_INFINITY {
        let must = "below the upper end";
        return Err(Error::Range { what: "limits", index: 0, value: low, must });
    }
    if !(0.0..=1.0).contains(&e) {
        let must = "between 0 and 1";
        return Err(Error::Range { what: "restitution", index: ALONE, value: e, must });
    }
    Ok(())
}

fn check_spring(s: &Spring) -> Result<()> {
    for (what, value) in [("stiffness", s.stiffness), ("damping", s.damping)] {
        finite_number(what, value)?;
        if value < 0.0 {
            return Err(Error::Range { what, index: ALONE, value, must: ">= 0" });
        }
    }
    finite_number("rest", s.rest.unwrap_or(0.0))
}
