//! Any model with some of its gaps turned into contacts that come and go.
#![allow(dead_code)]

use stiction::model::{Answer, ContactSink, Dims, Friction, HostContact, Model};

/// `inner`, of which the contacts from number `fixed` on are reported only within the margin.
pub struct Hosted<M> {
    pub inner: M,
    pub fixed: usize,
    pub most: usize,
    /// Columns are pushed on their nonzero coordinates only.
    pub sparse: bool,
}

impl<M: Model> Hosted<M> {
    /// All contacts come and go.
    pub fn all(inner: M) -> Self {
        let most = inner.dims().n_contact;
        Self { inner, fixed: 0, most, sparse: false }
    }
}

/// The key of contact `i` of the inner model: neither small nor in order.
pub fn key(i: usize) -> i64 {
    (i as i64 * 7919) % 101 - 50
}

impl<M: Model> Model for Hosted<M> {
    fn dims(&self) -> Dims {
        Dims { n_contact: self.fixed, ..self.inner.dims() }
    }
    fn mass(&self, t: f64, q: &[f64], mass: &mut [f64]) -> Answer {
        self.inner.mass(t, q, mass)
    }
    fn force(&self, t: f64, q: &[f64], v: &[f64], force: &mut [f64]) -> Answer {
        self.inner.force(t, q, v, force)
    }
    fn joint(&self, t: f64, q: &[f64], phi: &mut [f64], jt: &mut [f64]) -> Answer {
        self.inner.joint(t, q, phi, jt)
    }
    fn gap(&self, t: f64, q: &[f64], gap: &mut [f64], normal: &mut [f64]) -> Answer {
        let d = self.inner.dims();
        let (mut all, mut columns) = (vec![0.0; d.n_contact], vec![0.0; d.n_contact * d.nv]);
        self.inner.gap(t, q, &mut all, &mut columns)?;
        gap.copy_from_slice(&all[..self.fixed]);
        normal.copy_from_slice(&columns[..self.fixed * d.nv]);
        Ok(())
    }
    fn tangent(&self, t: f64, q: &[f64], tangent: &mut [f64]) -> Answer {
        let d = self.inner.dims();
        let mut all = vec![0.0; d.n_contact * d.n_dir * d.nv];
        self.inner.tangent(t, q, &mut all)?;
        tangent.copy_from_slice(&all[..tangent.len()]);
        Ok(())
    }
    fn hosted(&self) -> usize {
        self.most
    }
    fn contacts(&self, t: f64, q: &[f64], margin: f64, sink: &mut ContactSink<'_>) -> Answer {
        let Dims { nv, n_contact, n_dir, .. } = self.inner.dims();
        let (mut gap, mut normal) = (vec![0.0; n_contact], vec![0.0; n_contact * nv]);
        let mut tangent = vec![0.0; n_contact * n_dir * nv];
        self.inner.gap(t, q, &mut gap, &mut normal)?;
        self.inner.tangent(t, q, &mut tangent)?;
        for i in (self.fixed..n_contact).filter(|&i| gap[i] <= margin) {
            let n = &normal[i * nv..(i + 1) * nv];
            let d = &tangent[i * n_dir * nv..(i + 1) * n_dir * nv];
            let on = |k: &usize| n[*k] != 0.0 || d.iter().skip(*k).step_by(nv).any(|&x| x != 0.0);
            let coordinates: Vec<usize> = (0..nv).rev().filter(|k| !self.sparse || on(k)).collect();
            let gather = |c: &[f64]| coordinates.iter().map(|&k| c[k]).collect::<Vec<f64>>();
            let columns: Vec<f64> = d.chunks_exact(nv).flat_map(gather).collect();
            let friction = |d| if n_dir == 0 { Friction::None } else { Friction::Directions(d) };
            let mut contact = HostContact {
                key: key(i),
                gap: gap[i],
                coordinates: None,
                normal: n,
                friction: friction(d),
                mu: self.inner.mu(i),
                restitution: self.inner.restitution(i),
            };
            let few = gather(n);
            if self.sparse {
                contact.coordinates = Some(&coordinates);
                contact.normal = &few;
                contact.friction = friction(&columns);
            }
            // A host need not look at what a push returns.
            let _ = sink.push(&contact);
        }
        Ok(())
    }
    fn constraints_move(&self) -> bool {
        self.inner.constraints_move()
    }
    fn mu(&self, i: usize) -> f64 {
        self.inner.mu(i)
    }
    fn restitution(&self, i: usize) -> f64 {
        self.inner.restitution(i)
    }
}
