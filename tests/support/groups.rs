//! Bodies without rotation among obstacles that are made of half spaces: a convex obstacle is a
//! group, free where one of its faces is in front; everything else is a contact alone.
#![allow(dead_code)]

use stiction::model::{Answer, ContactSink, Dims, Friction, HostContact, Model};

/// gap = normal'q + offset, with a key.
#[derive(Clone)]
pub struct Face {
    pub key: i64,
    pub normal: Vec<f64>,
    pub offset: f64,
    pub mu: f64,
    pub restitution: f64,
}

pub fn face(key: i64, normal: &[f64], offset: f64) -> Face {
    Face { key, normal: normal.to_vec(), offset, mu: 0.0, restitution: 0.0 }
}

/// A point of 1 kg under a constant force.
#[derive(Clone, Default)]
pub struct Among {
    pub force: Vec<f64>,
    /// With the group of those that are branches of one.
    pub faces: Vec<(Option<i64>, Face)>,
    /// Stiffness of a spring that pulls along the first coordinate to zero.
    pub spring: f64,
}

impl Among {
    pub fn new(force: &[f64]) -> Self {
        Self { force: force.to_vec(), ..Self::default() }
    }

    pub fn alone(mut self, f: Face) -> Self {
        self.faces.push((None, f));
        self
    }

    /// An obstacle that is where all faces have negative gaps.
    pub fn obstacle(mut self, group: i64, faces: &[Face]) -> Self {
        self.faces.extend(faces.iter().map(|f| (Some(group), f.clone())));
        self
    }

    pub fn surface(mut self, mu: f64, restitution: f64) -> Self {
        for (_, f) in &mut self.faces {
            (f.mu, f.restitution) = (mu, restitution);
        }
        self
    }

    fn gap(f: &Face, q: &[f64]) -> f64 {
        f.normal.iter().zip(q).map(|(n, x)| n * x).sum::<f64>() + f.offset
    }

    /// The gap of the obstacle that `i` is a face of.
    fn group_gap(&self, i: usize, q: &[f64]) -> f64 {
        let (group, f) = &self.faces[i];
        let fellows = self.faces.iter().filter(|(g, _)| group.is_some() && g == group);
        fellows.map(|(_, f)| Self::gap(f, q)).fold(Self::gap(f, q), f64::max)
    }

    /// The deepest penetration, as a negative number.
    pub fn depth(&self, q: &[f64]) -> f64 {
        (0..self.faces.len()).map(|i| self.group_gap(i, q)).fold(0.0, f64::min)
    }
}

/// Two opposite directions at a right angle to `normal`, in space along a coordinate.
fn across(normal: &[f64]) -> Vec<f64> {
    let n = normal.len();
    if let [x, y] = *normal {
        return vec![-y, x, y, -x];
    }
    let axis = normal.iter().position(|x| *x == 0.0).unwrap_or(0);
    let mut d = vec![0.0; 2 * n];
    (d[axis], d[n + axis]) = (1.0, -1.0);
    d
}

impl Model for Among {
    fn dims(&self) -> Dims {
        let n = self.force.len();
        Dims { nq: n, nv: n, n_dir: 2, ..Dims::default() }
    }
    fn mass(&self, _: f64, q: &[f64], mass: &mut [f64]) -> Answer {
        (0..q.len()).for_each(|i| mass[i * (q.len() + 1)] = 1.0);
        Ok(())
    }
    fn force(&self, _: f64, q: &[f64], _: &[f64], force: &mut [f64]) -> Answer {
        force.copy_from_slice(&self.force);
        force[0] -= self.spring * q[0];
        Ok(())
    }
    fn constraints_move(&self) -> bool {
        false
    }
    fn hosted(&self) -> usize {
        self.faces.len()
    }
    fn contacts(&self, _: f64, q: &[f64], margin: f64, sink: &mut ContactSink<'_>) -> Answer {
        for (i, (group, f)) in self.faces.iter().enumerate() {
            if self.group_gap(i, q) > margin {
                continue;
            }
            let d = across(&f.normal);
            let friction = if f.mu > 0.0 { Friction::Directions(&d) } else { Friction::None };
            let Face { key, mu, restitution, .. } = *f;
            let (gap, normal) = (Self::gap(f, q), &*f.normal);
            let contact =
                HostContact { key, gap, coordinates: None, normal, friction, mu, restitution };
            // A failure is remembered and fails the step.
            let _ = sink.push(&contact);
            if let Some(group) = group {
                let _ = sink.join(*group, &[key]);
            }
        }
        Ok(())
    }
}
