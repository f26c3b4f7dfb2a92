//! The builder's shapes, materials and groups, and the contact slots they make. Knows no forces.

use super::body::Link;
use super::build::{Builder, unit_quaternion};
use super::contact::{Ellipse, MaterialId, Slot, Source, Surface};
use super::rotation::{matrix, stored};
use super::shape::{Local, Shape, ShapeId, pairs};
use super::spring::Signal;
use crate::error::{Error, Result, finite, finite_number};
use crate::tol;
use nalgebra::Vector3;

/// Where and how a shape is attached to its body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Attach {
    /// Place in body coordinates.
    pub at: [f64; 3],
    /// Orientation in body axes, unit quaternion w x y z.
    pub turn: [f64; 4],
    /// What it is made of.
    pub material: MaterialId,
    /// Bits of the groups it belongs to.
    pub group: u32,
    /// Bits of the groups it meets. Two shapes meet when each meets a group of the other.
    pub meets: u32,
}

impl Default for Attach {
    /// At the center of mass, along the body axes, of the default material, in group 1, meeting
    /// all.
    fn default() -> Self {
        Self {
            at: [0.0; 3],
            turn: [1.0, 0.0, 0.0, 0.0],
            material: MaterialId::default(),
            group: 1,
            meets: u32::MAX,
        }
    }
}

/// A shape as the builder keeps it.
#[derive(Clone)]
pub(super) struct Attached {
    body: Option<usize>,
    local: Local,
    material: MaterialId,
    group: u32,
    meets: u32,
    /// How far a half-space stands out at a time.
    advance: Option<Signal>,
}

impl Builder {
    /// A new material, besides the default one.
    pub fn material(&mut self) -> MaterialId {
        self.materials += 1;
        MaterialId(self.materials)
    }

    /// How shapes of material `a` meet shapes of material `b`; the last word counts. Without one,
    /// the default material meets itself without friction and restitution; other materials that
    /// meet need one.
    ///
    /// # Errors
    /// `Value` for an unknown material; `NonFinite`, `Range` for the coefficients.
    pub fn surface(&mut self, a: MaterialId, b: MaterialId, surface: Surface) -> Result<()> {
        self.known(a)?;
        self.known(b)?;
        surface.check()?;
        self.surfaces.push((a, b, surface));
        Ok(())
    }

    /// Friction directions per contact; by default 8, and 2 when everything that touches moves in
    /// the plane.
    ///
    /// # Errors
    /// `Value` unless even and at least 2.
    pub fn facets(&mut self, n: usize) -> Result<()> {
        if n < 2 || n % 2 == 1 {
            let got = n.to_string();
            return Err(Error::Value { what: "facets", got, must: "even and at least 2" });
        }
        self.facets = Some(n);
        Ok(())
    }

    /// Attaches a shape to a body or to the ground.
    ///
    /// # Errors
    /// `Value` for an unknown body or material, and for a shape that its body cannot have;
    /// `NonFinite`, `Range` for sizes, place and orientation.
    pub fn shape(&mut self, link: impl Into<Link>, shape: Shape, how: Attach) -> Result<ShapeId> {
        finite("shape position", &how.at)?;
        let turn = unit_quaternion(&how.turn)?;
        shape.check()?;
        self.known(how.material)?;
        let (body, placed) = self.link(link.into())?;
        let refuse = |must| Err(Error::Value { what: "shape", got: shape.name().into(), must });
        if placed.kind.flat() {
            if matches!(shape, Shape::Box { .. }) {
                return refuse("a ball, capsule, polygon or half-space on a body in the plane");
            }
            // exact: given so
            let off = how.at[2] != 0.0 || turn[1] != 0.0 || turn[2] != 0.0;
            if off {
                return refuse("in the plane of its body, turned about z");
            }
        }
        if placed.kind.point() && !matches!(shape, Shape::Ball { .. }) {
            return refuse("a ball on a point mass");
        }
        // exact: a point mass has no orientation that could carry a place
        if placed.kind.point() && how.at.iter().any(|&x| x != 0.0) {
            return refuse("at the place of its point mass");
        }
        if matches!(shape, Shape::Polygon { .. }) && !placed.kind.flat() {
            return refuse("anything but a polygon on a body in space");
        }
        let local = Local { shape, at: Vector3::from(how.at), rot: matrix(&stored(&turn)) };
        let id = ShapeId(self.shapes.len() as u32);
        let (material, group, meets) = (how.material, how.group, how.meets);
        self.shapes.push(Attached { body, local, material, group, meets, advance: None });
        Ok(id)
    }

    /// Moves a half-space along its normal by `motion(t)`: a wall that comes and goes, a shaking
    /// table.
    ///
    /// # Errors
    /// `Value` for an unknown shape and for one that is not a half-space; `NonFinite` when the
    /// function is so at 0.
    pub fn wall_motion(&mut self, id: ShapeId, motion: Signal) -> Result<()> {
        finite_number("wall motion", motion(0.0))?;
        match self.shapes.get_mut(id.index()) {
            Some(wall) if matches!(wall.local.shape, Shape::HalfSpace { .. }) => {
                wall.advance = Some(motion);
                Ok(())
            }
            other => {
                let got = other.map_or("unknown", |s| s.local.shape.name()).into();
                Err(Error::Value {
                    what: "moving shape",
                    got,
                    must: "a half-space of this builder",
                })
            }
        }
    }

    /// Puts a shape into other groups: bits of the groups it belongs to, and of those it meets.
    ///
    /// # Errors
    /// `Value` for an unknown shape.
    pub fn groups(&mut self, id: ShapeId, group: u32, meets: u32) -> Result<()> {
        let Some(shape) = self.shapes.get_mut(id.index()) else {
            let got = id.index().to_string();
            return Err(Error::Value { what: "shape", got, must: "one that this builder made" });
        };
        (shape.group, shape.meets) = (group, meets);
        Ok(())
    }

    fn known(&self, id: MaterialId) -> Result<()> {
        if id.0 <= self.materials {
            return Ok(());
        }
        let got = id.0.to_string();
        Err(Error::Value { what: "material", got, must: "one that this builder made" })
    }

    /// Contact slots of every two shapes that meet, in the order of the shapes.
    pub(super) fn meetings(&self) -> Result<Vec<Slot>> {
        let mut slots = Vec::new();
        for (j, b) in self.shapes.iter().enumerate() {
            for (i, a) in self.shapes[..j].iter().enumerate() {
                let meet = a.group & b.meets != 0 && b.group & a.meets != 0;
                if meet && a.body != b.body {
                    self.meet((i, a), (j, b), &mut slots)?;
                }
            }
        }
        Ok(slots)
    }

    fn meet(
        &self,
        (i, a): (usize, &Attached),
        (j, b): (usize, &Attached),
        slots: &mut Vec<Slot>,
    ) -> Result<()> {
        let flat = [a.body, b.body].iter().flatten().all(|&k| self.bodies[k].kind.flat());
        let got = || format!("{} {i} and {} {j}", a.local.shape.name(), b.local.shape.name());
        let refused = |must| Error::Value { what: "pair of shapes", got: got(), must };
        let (made, swapped) = pairs(&a.local, &b.local, flat)
            .ok_or_else(|| refused("one with a gap function; groups keep others apart"))?;
        if flat && made.iter().any(|p| p.leaves_plane(tol::GIVEN_UNIT)) {
            return Err(refused("in one plane; groups keep others apart"));
        }
        let (surface, grain_on_a) = self
            .between(a.material, b.material)
            .ok_or_else(|| refused("of materials with a surface between them"))?;
        let (first, second, at) = if swapped { (b, a, [j, i]) } else { (a, b, [i, j]) };
        let mu = surface.mu.max(surface.grain.map_or(0.0, |g| g.mu_across));
        // exact: without friction there is nothing to scale
        let grain = surface.grain.filter(|_| mu != 0.0).map(|g| Ellipse {
            on_a: grain_on_a != swapped,
            axis: Vector3::from(g.axis),
            along: surface.mu / mu,
            across: g.mu_across / mu,
        });
        for (feature, pair) in made.into_iter().enumerate() {
            let source = Source::Shapes {
                a: first.body,
                b: second.body,
                pair,
                flat,
                grain: grain.clone(),
                advance: second.advance.clone(),
            };
            let key = (at[0] as i64) << 38 | (at[1] as i64) << 14 | feature as i64;
            slots.push(Slot { source, mu, restitution: surface.restitution, key });
        }
        Ok(())
    }

    /// The last surface given for two materials, and whether its first material is `a`.
    fn between(&self, a: MaterialId, b: MaterialId) -> Option<(Surface, bool)> {
        let same = |x, y| (x, y) == (a, b) || (y, x) == (a, b);
        match self.surfaces.iter().rev().find(|(x, y, _)| same(*x, *y)) {
            Some((x, _, surface)) => Some((*surface, *x == a)),
            None if a == b && a == MaterialId::default() => Some((Surface::default(), true)),
            None => None,
        }
    }
}
