//! Which shapes are near each other, and the contacts between them as they come and go. Knows
//! neither forces nor how contacts are solved.
//!
//! Shapes are sorted into a grid, so that the cost grows with neighbors, not with pairs.

use super::body::Placed;
use super::contact::{Ellipse, tangents};
use super::features::{gaps, gaps_to_plane};
use super::grid::Grid;
use super::keys;
use super::mesh::Mesh;
use super::shape::Touch;
use super::solid::Solid;
use super::stand::{Stand, Stands};
use crate::error::{Result, grow, push};
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
    /// The bodies and where they stand.
    pub bodies: [(Option<usize>, &'a Placed); 2],
    pub touch: &'a Touch,
    pub met: &'a Met,
    flat: bool,
    on_a: bool,
}

/// Who is told of contacts.
pub(super) trait Hears {
    /// Whether the contact of this key need not be told.
    fn skips(&mut self, key: i64) -> bool;
    /// A contact was found.
    fn hear(&mut self, found: &Found<'_>);
}

impl Found<'_> {
    /// Tangents, scaled for friction along and across the grain.
    pub(super) fn tangents(&self) -> [Vector3<f64>; 2] {
        let [(_, pa), (_, pb)] = self.bodies;
        let turned = |g: &Ellipse| Ellipse { on_a: g.on_a == self.on_a, ..g.clone() };
        tangents(self.touch, self.flat, self.met.grain.as_ref().map(turned).as_ref(), pa, pb)
    }
}

/// What hears of gaps, with the number of their pair of features, and what looks for them.
type Say<'a> = &'a mut dyn FnMut(usize, Touch);
type Look<'a> = &'a mut dyn FnMut(Say<'_>);

/// Storage of one search.
#[derive(Debug, Default)]
struct Scratch {
    /// Places of bodies, and per item which of them is its own.
    places: Vec<Placed>,
    stand: Vec<usize>,
    stands: Stands,
    grid: Grid,
    triangles: Vec<u32>,
}

impl Scratch {
    fn placed(&self, item: usize) -> &Placed {
        &self.places[self.stand[item]]
    }

    fn solid<'a>(&'a self, item: usize, solid: &'a Solid) -> Stand<'a> {
        self.stands.get(item, solid, self.placed(item))
    }
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

    /// Gives every contact with a gap up to `margin` that `hears` wants; `place` tells where a body stands.
    ///
    /// # Errors
    /// `Memory`.
    pub(super) fn search(
        &self,
        margin: f64,
        place: impl Fn(Option<usize>) -> Placed,
        hears: &mut dyn Hears,
    ) -> Result<()> {
        let mut scratch = self.pool.lock().ok().and_then(|mut p| p.pop()).unwrap_or_default();
        let done = self.search_in(&mut scratch, margin, place, hears);
        if let Ok(mut pool) = self.pool.lock() {
            // Without room for it the next search takes storage of its own.
            push(&mut pool, scratch).ok();
        }
        done
    }

    fn search_in(
        &self,
        scratch: &mut Scratch,
        margin: f64,
        place: impl Fn(Option<usize>) -> Placed,
        hears: &mut dyn Hears,
    ) -> Result<()> {
        scratch.places.clear();
        scratch.stand.clear();
        grow(&mut scratch.stand, self.items.len())?;
        let mut before = None;
        for item in &self.items {
            // Shapes of one body mostly follow each other.
            if before != Some(item.body) {
                push(&mut scratch.places, place(item.body))?;
                before = Some(item.body);
            }
            scratch.stand.push(scratch.places.len() - 1);
        }
        scratch.stands.clear();
        for (item, &stand) in self.items.iter().zip(&scratch.stand) {
            let solid = if let Form::Solid(s) = &item.form { Some(s) } else { None };
            scratch.stands.push(solid, &scratch.places[stand])?;
        }
        // Points of one body do not meet each other.
        let solids = || self.items.iter().filter(|i| matches!(i.form, Form::Solid(_)));
        let first = solids().next().map(|i| i.body);
        if solids().any(|i| Some(i.body) != first) {
            scratch.grid.balls.clear();
            grow(&mut scratch.grid.balls, self.items.len())?;
            for (k, item) in self.items.iter().enumerate() {
                if let Form::Solid(s) = &item.form {
                    let middle = scratch.placed(k).point(&s.middle);
                    scratch.grid.balls.push((k as u32, middle, s.reach));
                }
            }
            self.solids(scratch, margin, hears)?;
        }
        self.against_the_rest(scratch, margin, hears)
    }

    /// Pairs of solids, in the order of creation.
    fn solids(&self, scratch: &mut Scratch, margin: f64, hears: &mut dyn Hears) -> Result<()> {
        let mut grid = std::mem::take(&mut scratch.grid);
        let looks =
            |i: u32, j: u32| self.looks_for(&self.items[i as usize], &self.items[j as usize]);
        for &(i, j) in grid.search(margin, looks)? {
            let (i, j) = (i as usize, j as usize);
            let (Form::Solid(s), Form::Solid(o)) = (&self.items[i].form, &self.items[j].form)
            else {
                continue;
            };
            let (a, b) = (scratch.solid(i, s), scratch.solid(j, o));
            let flat = self.items[i].flat && self.items[j].flat;
            self.pair(i, j, scratch, hears, &mut |say| gaps(a, b, flat, margin, say));
        }
        scratch.grid = grid;
        Ok(())
    }

    /// Solids against half-spaces and meshes.
    fn against_the_rest(
        &self,
        scratch: &mut Scratch,
        margin: f64,
        hears: &mut dyn Hears,
    ) -> Result<()> {
        let mut triangles = std::mem::take(&mut scratch.triangles);
        for (j, other) in self.items.iter().enumerate() {
            if matches!(other.form, Form::Solid(_)) {
                continue;
            }
            for (i, item) in self.items.iter().enumerate() {
                let Form::Solid(solid) = &item.form else { continue };
                let plane = matches!(other.form, Form::Plane(..));
                // The one corner of a ball has the number zero.
                if plane && solid.corners.len() == 1 && hears.skips(keys::of_coming([i, j], 0)) {
                    continue;
                }
                let (a, pb) = (scratch.solid(i, solid), scratch.placed(j));
                match &other.form {
                    Form::Plane(origin, normal) => {
                        let (origin, normal) = (pb.point(origin), pb.rot * normal);
                        if normal.dot(&(a.middle() - origin)) <= solid.reach + margin {
                            self.pair(i, j, scratch, hears, &mut |say| {
                                gaps_to_plane(a, &origin, &normal, margin, say);
                            });
                        }
                    }
                    Form::Mesh(mesh) => {
                        mesh.near(&pb.local(&a.middle()), solid.reach + margin, &mut triangles)?;
                        for &k in &triangles {
                            let sheet = &mesh.triangles[k as usize];
                            let (mut corners, mut normal) = Default::default();
                            let b = Stand::of_sheet(sheet, pb, &mut corners, &mut normal);
                            self.pair(i, j, scratch, hears, &mut |say| {
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
        Ok(())
    }

    /// Completes the gaps of one pair of shapes to contacts.
    fn pair(&self, i: usize, j: usize, scratch: &Scratch, hears: &mut dyn Hears, look: Look<'_>) {
        let (a, b) = (&self.items[i], &self.items[j]);
        if !self.looks_for(a, b) {
            return;
        }
        let Some(met) = self.between(a.material, b.material) else { return };
        let bodies = [(a.body, scratch.placed(i)), (b.body, scratch.placed(j))];
        // The grain lies on the shape with the lower material.
        let on_a = a.material <= b.material;
        let flat = a.flat && b.flat;
        look(&mut |feature, touch| {
            let key = keys::of_coming([i, j], feature);
            hears.hear(&Found { key, bodies, touch: &touch, met, flat, on_a });
        });
    }
}

impl Item {
    /// Number of gaps to `other` where they are always there: every corner has one to a half-space.
    pub(super) fn gaps_to(&self, other: &Item) -> usize {
        match (&self.form, &other.form) {
            (Form::Plane(..), Form::Solid(s)) | (Form::Solid(s), Form::Plane(..)) => {
                s.corners.len()
            }
            _ => 1,
        }
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
