//! The builder's shapes, materials and groups, and the contact slots they make. Knows no forces.

use super::body::Link;
use super::build::{Builder, unit_quaternion};
use super::contact::{Ellipse, MaterialId, Slot, Source, Surface};
use super::keys::{self, SHAPES};
use super::mesh::Mesh;
use super::near::{Form, Item, Met, Near, Sort};
use super::rotation::{matrix, stored};
use super::shape::{Local, Shape, ShapeId, pairs};
use super::solid::Solid;
use super::spring::Signal;
use crate::error::{Error, Result, finite, finite_number, grow, push, reserve, told};
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
        push(&mut self.surfaces, (a, b, surface))
    }

    /// Friction directions per contact; by default 8, and 2 when everything that touches moves in
    /// the plane.
    ///
    /// # Errors
    /// `Value` unless even and from 2 to 64.
    pub fn facets(&mut self, n: usize) -> Result<()> {
        if !(2..=64).contains(&n) || n % 2 == 1 {
            let got = told(n);
            return Err(Error::Value { what: "facets", got, must: "even, from 2 to 64" });
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
            if matches!(shape, Shape::Box { .. } | Shape::Hull { .. } | Shape::Mesh { .. }) {
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
        let attached = Attached { body, local, material, group, meets, advance: None };
        push(&mut self.shapes, attached)?;
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
            let got = told(id.index());
            return Err(Error::Value { what: "shape", got, must: "one that this builder made" });
        };
        (shape.group, shape.meets) = (group, meets);
        Ok(())
    }

    fn known(&self, id: MaterialId) -> Result<()> {
        if id.0 <= self.materials {
            return Ok(());
        }
        let got = told(id.0);
        Err(Error::Value { what: "material", got, must: "one that this builder made" })
    }

    /// Contact slots of every two shapes that meet and have slots of their own, in the order of the
    /// shapes, and the shapes whose contacts come and go.
    pub(super) fn meetings(&self) -> Result<(Vec<Slot>, Near)> {
        let mut near = self.neighbors()?;
        let mut slots = Vec::new();
        let mut others = false;
        for (j, b) in self.shapes.iter().enumerate() {
            for (i, a) in self.shapes[..j].iter().enumerate() {
                let meet = a.group & b.meets != 0 && b.group & a.meets != 0;
                if !meet || a.body == b.body {
                    continue;
                }
                if near.looks_for(&near.items[i], &near.items[j]) {
                    self.can_come((i, a), (j, b), &near)?;
                    others = true;
                } else {
                    self.meet((i, a), (j, b), &mut slots)?;
                }
            }
        }
        if !others {
            near = Near::default();
        }
        Ok((slots, near))
    }

    /// All shapes as those see them that look for neighbors. Where there are so many pairs that
    /// slots for all of them would cost more than the search, all contacts come and go.
    fn neighbors(&self) -> Result<Near> {
        let materials = self.materials as usize + 1;
        let mut near = Near::default();
        near.materials = materials;
        near.items = reserve(self.shapes.len())?;
        for s in &self.shapes {
            near.items.push(self.item(s)?);
        }
        near.met = reserve(materials.saturating_mul(materials))?;
        for (low, high) in (0..materials).flat_map(|a| (0..materials).map(move |b| (a, b))) {
            let (a, b) = (MaterialId(low as u32), MaterialId(high as u32));
            let met = self.between(a, b).filter(|_| low <= high);
            near.met.push(met.map(|(surface, on_a)| met_of(&surface, on_a)));
        }
        let mut slots = 0usize;
        for (j, b) in near.items.iter().enumerate() {
            let own = |a: &&Item| a.body != b.body && a.sort.has_slot(b.sort);
            slots += near.items[..j].iter().filter(own).map(|a| a.gaps_to(b)).sum::<usize>();
        }
        near.all = slots > tol::SLOTS_OF_THEIR_OWN;
        Ok(near)
    }

    fn item(&self, s: &Attached) -> Result<Item> {
        let Local { shape, at, rot } = &s.local;
        let form = match shape {
            Shape::HalfSpace { normal } => {
                Form::Plane(*at, (rot * Vector3::from(*normal)).normalize())
            }
            Shape::Mesh { vertices, triangles } => {
                Form::Mesh(Mesh::new(vertices, triangles, at, rot)?)
            }
            other => match Solid::of(other, at, rot)? {
                Some(solid) => Form::Solid(solid),
                None => Form::Plane(*at, Vector3::z()),
            },
        };
        let sort = match shape {
            Shape::Ball { .. } => Sort::Ball,
            Shape::Capsule { .. } | Shape::Box { .. } => Sort::Simple,
            Shape::Polygon { .. } => Sort::Polygon,
            Shape::HalfSpace { .. } => Sort::Plane,
            Shape::Hull { .. } | Shape::Mesh { .. } => Sort::Other,
        };
        let flat = s.body.is_none_or(|k| self.bodies[k].kind.flat());
        let (body, moves) = (s.body, s.advance.is_some());
        let (material, group, meets) = (s.material.0, s.group, s.meets);
        Ok(Item { body, form, material, group, meets, flat, sort, moves })
    }

    /// Refuses a pair whose contacts cannot come and go.
    fn can_come(
        &self,
        (i, a): (usize, &Attached),
        (j, b): (usize, &Attached),
        near: &Near,
    ) -> Result<()> {
        let got =
            || told(format_args!("{} {i} and {} {j}", a.local.shape.name(), b.local.shape.name()));
        let refused = |must| Err(Error::Value { what: "pair of shapes", got: got(), must });
        let (one, other) = (&near.items[i], &near.items[j]);
        if j >= SHAPES {
            return refused("among the first 32768 shapes");
        }
        let solid = |x: &Item| matches!(x.form, Form::Solid(_));
        if !solid(one) && !solid(other) {
            return refused("one with a gap function; groups keep others apart");
        }
        let level = |x: &Item| match &x.form {
            Form::Solid(s) => {
                s.edges.len() < 2 && s.corners.iter().all(|c| c.z.abs() <= tol::GIVEN_UNIT)
            }
            Form::Plane(_, n) => n.z.abs() <= tol::GIVEN_UNIT,
            Form::Mesh(_) => false,
        };
        if one.flat && other.flat && !(level(one) && level(other)) {
            return refused("in one plane; groups keep others apart");
        }
        if near.between(one.material, other.material).is_none() {
            return refused("of materials with a surface between them");
        }
        Ok(())
    }

    fn meet(
        &self,
        (i, a): (usize, &Attached),
        (j, b): (usize, &Attached),
        slots: &mut Vec<Slot>,
    ) -> Result<()> {
        let flat = [a.body, b.body].iter().flatten().all(|&k| self.bodies[k].kind.flat());
        let got =
            || told(format_args!("{} {i} and {} {j}", a.local.shape.name(), b.local.shape.name()));
        let refused = |must| Error::Value { what: "pair of shapes", got: got(), must };
        let (made, swapped) = pairs(&a.local, &b.local, flat)?
            .ok_or_else(|| refused("one with a gap function; groups keep others apart"))?;
        if flat && made.iter().any(|p| p.leaves_plane(tol::GIVEN_UNIT)) {
            return Err(refused("in one plane; groups keep others apart"));
        }
        let (surface, grain_on_a) = self
            .between(a.material, b.material)
            .ok_or_else(|| refused("of materials with a surface between them"))?;
        let (first, second, at) = if swapped { (b, a, [j, i]) } else { (a, b, [i, j]) };
        let Met { mu, grain, .. } = met_of(&surface, grain_on_a != swapped);
        grow(slots, made.len())?;
        for (feature, pair) in made.into_iter().enumerate() {
            let source = Source::Shapes {
                a: first.body,
                b: second.body,
                pair,
                flat,
                grain: grain.clone(),
                advance: second.advance.clone(),
            };
            let key = keys::of_slot(at, feature);
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

/// Friction and restitution of a surface; `on_a` tells whose axes its grain is in.
fn met_of(surface: &Surface, on_a: bool) -> Met {
    let mu = surface.mu.max(surface.grain.map_or(0.0, |g| g.mu_across));
    // exact: without friction there is nothing to scale
    let grain = surface.grain.filter(|_| mu != 0.0).map(|g| Ellipse {
        on_a,
        axis: Vector3::from(g.axis),
        along: surface.mu / mu,
        across: g.mu_across / mu,
    });
    Met { mu, restitution: surface.restitution, grain }
}
