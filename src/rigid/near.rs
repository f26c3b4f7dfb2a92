//! Which shapes are near each other, and the contacts between them as they come and go. Knows
//! neither forces nor how contacts are solved.
//!
//! Shapes are sorted into a grid, so that the cost grows with neighbors, not with pairs.

use super::body::Placed;
use super::contact::{Ellipse, tangents};
use super::features::{Stand, gaps, gaps_to_plane};
use super::grid::Grid;
use super::keys;
use super::mesh::Mesh;
use super::shape::Touch;
use super::solid::Solid;
use nalgebra::Vector3;
use std::sync::Mutex;

/// What a shape is to those that look for neighbors.
#[derive(Clone, Debug)]
pub(super) enum Form {
    Solid(Solid),
    Mesh(Mesh),
    /// A half-space: a point of its plane and its normal, body axes.
    Plane(Vector3<f64>, Vector3<f64>),
}

/// A shape on its body.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub body: Option<usize>,
    pub form: Form,
    pub material: u32,
    pub group: u32,
    pub meets: u32,
    /// The body moves in the plane, or is the ground.
    pub flat: bool,
    pub sort: Sort,
    /// A wall that is moved in time; its contacts always have slots.
    pub moves: bool,
}

/// How two materials meet.
#[derive(Clone, Debug)]
pub(super) struct Met {
    pub mu: f64,
    pub restitution: f64,
    /// `on_a`: the axis belongs to the shape with the lower material.
    pub grain: Option<Ellipse>,
}

/// A contact found, with everything that is needed to push it.
pub(super) struct Found<'a> {
    pub key: i64,
    pub a: Option<usize>,
    pub b: Option<usize>,
    pub touch: &'a Touch,
    pub tangents: [Vector3<f64>; 2],
    pub met: &'a Met,
}

/// What hears of gaps, with the number of their pair of features, and what looks for them.
type Say<'a> = &'a mut dyn FnMut(usize, Touch);
type Look<'a> = &'a mut dyn FnMut(Say<'_>);

/// Storage of one search.
#[derive(Debug, Default)]
struct Scratch {
    placed: Vec<Placed>,
    grid: Grid,
    triangles: Vec<u32>,
}

/// Shapes whose contacts come and go.
#[derive(Debug, Default)]
pub(super) struct Near {
    pub items: Vec<Item>,
    /// By pairs of materials, lower number first.
    pub met: Vec<Option<Met>>,
    pub materials: usize,
    /// Which pairs are looked for: all, or only those that have no slot of their own.
    pub all: bool,
    pool: Mutex<Vec<Scratch>>,
}

impl Clone for Near {
    fn clone(&self) -> Self {
        let (items, met) = (self.items.clone(), self.met.clone());
        Self { items, met, materials: self.materials, all: self.all, pool: Mutex::default() }
    }
}

impl Near {
    /// Whether a pair of items is looked for here.
    pub(super) fn looks_for(&self, a: &Item, b: &Item) -> bool {
        let meet = a.group & b.meets != 0 && b.group & a.meets != 0;
        let still = !a.moves && !b.moves;
        meet && still && a.body != b.body && (self.all || !a.sort.has_slot(b.sort))
    }

    /// The surface between two materials.
    pub(super) fn between(&self, a: u32, b: u32) -> Option<&Met> {
        let (low, high) = (a.min(b) as usize, a.max(b) as usize);
        self.met.get(low * self.materials + high)?.as_ref()
    }

    /// Gives every contact with a gap up to `margin` to `found`; `place` tells where a body stands.
    pub(super) fn search(
        &self,
        margin: f64,
        place: impl Fn(Option<usize>) -> Placed,
        found: &mut dyn FnMut(Found<'_>),
    ) {
        let mut scratch = self.pool.lock().ok().and_then(|mut p| p.pop()).unwrap_or_default();
        scratch.placed.clear();
        for (k, item) in self.items.iter().enumerate() {
            // Shapes of one body mostly follow each other.
            let again = k.checked_sub(1).filter(|&last| self.items[last].body == item.body);
            let placed =
                again.map_or_else(|| place(item.body), |last| scratch.placed[last].clone());
            scratch.placed.push(placed);
        }
        scratch.grid.balls.clear();
        for (k, item) in self.items.iter().enumerate() {
            if let Form::Solid(s) = &item.form {
                let middle = scratch.placed[k].point(&s.middle);
                scratch.grid.balls.push((k as u32, middle, s.reach));
            }
        }
        let of = |k: u32| self.items[k as usize].body;
        // Patches of one body do not meet each other.
        if scratch.grid.balls.windows(2).any(|two| of(two[0].0) != of(two[1].0)) {
            self.solids(&mut scratch, margin, found);
        }
        self.against_the_rest(&mut scratch, margin, found);
        if let Ok(mut pool) = self.pool.lock() {
            pool.push(scratch);
        }
    }

    /// Pairs of solids, in the order of creation.
    fn solids(&self, scratch: &mut Scratch, margin: f64, found: &mut dyn FnMut(Found<'_>)) {
        let mut grid = std::mem::take(&mut scratch.grid);
        let looks =
            |i: u32, j: u32| self.looks_for(&self.items[i as usize], &self.items[j as usize]);
        for &(i, j) in grid.search(margin, looks) {
            let (i, j) = (i as usize, j as usize);
            let (Form::Solid(s), Form::Solid(o)) = (&self.items[i].form, &self.items[j].form)
            else {
                continue;
            };
            let a = Stand { solid: s, placed: &scratch.placed[i] };
            let b = Stand { solid: o, placed: &scratch.placed[j] };
            let flat = self.items[i].flat && self.items[j].flat;
            self.pair(i, j, scratch, found, &mut |say| gaps(a, b, flat, margin, say));
        }
        scratch.grid = grid;
    }

    /// Solids against half-spaces and meshes.
    fn against_the_rest(
        &self,
        scratch: &mut Scratch,
        margin: f64,
        found: &mut dyn FnMut(Found<'_>),
    ) {
        let mut triangles = std::mem::take(&mut scratch.triangles);
        for (j, other) in self.items.iter().enumerate() {
            if matches!(other.form, Form::Solid(_)) {
                continue;
            }
            for (i, item) in self.items.iter().enumerate() {
                let Form::Solid(solid) = &item.form else { continue };
                if !self.looks_for(item, other) {
                    continue;
                }
                let (pa, pb) = (&scratch.placed[i], &scratch.placed[j]);
                let a = Stand { solid, placed: pa };
                match &other.form {
                    Form::Plane(origin, normal) => {
                        let (origin, normal) = (pb.point(origin), pb.rot * normal);
                        if normal.dot(&(a.middle() - origin)) <= solid.reach + margin {
                            self.pair(i, j, scratch, found, &mut |say| {
                                gaps_to_plane(a, &origin, &normal, margin, say);
                            });
                        }
                    }
                    Form::Mesh(mesh) => {
                        mesh.near(&pb.local(&a.middle()), solid.reach + margin, &mut triangles);
                        for &k in &triangles {
                            let sheet = &mesh.triangles[k as usize];
                            let b = Stand { solid: sheet, placed: pb };
                            self.pair(i, j, scratch, found, &mut |say| {
                                let mut on = |f, t| say(((k as usize) << 12) + f, t);
                                gaps(a, b, false, margin, &mut on);
                            });
                        }
                    }
                    Form::Solid(_) => {}
                }
            }
        }
        scratch.triangles = triangles;
    }

    /// Completes the gaps of one pair of shapes to contacts.
    fn pair(
        &self,
        i: usize,
        j: usize,
        scratch: &Scratch,
        found: &mut dyn FnMut(Found<'_>),
        look: Look<'_>,
    ) {
        let (a, b) = (&self.items[i], &self.items[j]);
        if !self.looks_for(a, b) {
            return;
        }
        let Some(met) = self.between(a.material, b.material) else { return };
        let (pa, pb) = (&scratch.placed[i], &scratch.placed[j]);
        // The grain lies on the shape with the lower material.
        let on_a = a.material <= b.material;
        let flat = a.flat && b.flat;
        look(&mut |feature, touch| {
            let grain = met.grain.as_ref().map(|g| Ellipse { on_a: g.on_a == on_a, ..g.clone() });
            let tangents = tangents(&touch, flat, grain.as_ref(), pa, pb);
            let key = keys::of_coming([i, j], feature);
            found(Found { key, a: a.body, b: b.body, touch: &touch, tangents, met });
        });
    }
}

/// Kinds of shapes, as far as it matters which of their pairs have slots of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Ball,
    /// Capsule or box.
    Simple,
    Polygon,
    Plane,
    /// Hull or mesh.
    Other,
}

impl Sort {
    /// Whether pairs of these kinds have a few gaps that are always there.
    pub(super) fn has_slot(self, other: Sort) -> bool {
        match (self, other) {
            (Sort::Other, _) | (_, Sort::Other) => false,
            (Sort::Plane, _) | (_, Sort::Plane) => true,
            (Sort::Ball, Sort::Ball | Sort::Simple) | (Sort::Simple, Sort::Ball) => true,
            _ => false,
        }
    }
}
