//! Half-explicit stages: one after the other, without iteration. Knows no events.

use super::flow::{Held, look};
use super::stages::Stages;
use super::works::Works;
use crate::error::Result;
use crate::linalg::{axpy, dot};
use crate::step::host::Host;
use crate::step::method::Start;

impl Stages {
    /// Stages one after the other; the multipliers of each make the velocity of the next satisfy
    /// the constraints there, (cap.12).
    pub(super) fn half_explicit(
        &mut self,
        host: &mut Host<'_>,
        start: &Start,
        held: &Held<'_>,
        q: &mut [f64],
        v: &mut [f64],
    ) -> Result<()> {
        let (s, nv, nq, h) = (self.tableau.stages, self.nv, self.nq, held.h);
        let free = held.free(&host.dims);
        let by_rate = host.asked.model().gives_rate();
        q.copy_from_slice(&start.q);
        v.copy_from_slice(&start.v);
        self.impulses.clear();
        self.works = Works { ends: true, ..Works::default() };
        for i in 0..s {
            // (q, v) is stage i here, and stage i + 1, or the end, afterwards.
            let t = start.t + self.tableau.c[i] * h;
            let (acc, rate) = (i * nv..(i + 1) * nv, i * nq..(i + 1) * nq);
            if i == 0 {
                self.flow.free_at(start, &mut self.acc[acc.clone()])?;
            } else {
                self.flow.free(host, (t, q, v), &mut self.acc[acc.clone()])?;
            }
            if by_rate {
                host.asked.rate(t, q, v, &mut self.rate[rate])?;
            } else {
                self.rate[rate].copy_from_slice(v);
            }
            self.vel[acc.clone()].copy_from_slice(v);
            if !free {
                look(host, held.moving, t, q, &mut self.flow.here)?;
            }
            let (weights, then) = if i + 1 < s {
                (self.tableau.a[i + 1], self.tableau.c[i + 1])
            } else {
                (self.tableau.b, 1.0)
            };
            q.copy_from_slice(&start.q);
            v.copy_from_slice(&start.v);
            for j in 0..=i {
                axpy(h * weights[j], &self.rate[j * nq..(j + 1) * nq], q);
                axpy(h * weights[j], &self.acc[j * nv..(j + 1) * nv], v);
            }
            if free {
                let external = dot(&self.flow.force, &self.vel[acc]);
                self.works.external += h * self.tableau.b[i] * external;
                continue;
            }
            look(host, held.moving, start.t + then * h, q, &mut self.next)?;
            let next = std::mem::take(&mut self.next);
            self.flow.list_next(host, held, &self.vel[acc.clone()], &next)?;
            self.next = next;
            self.change[..nv].copy_from_slice(v);
            self.flow.equations.correct(v)?;
            self.one.clear();
            self.one.add_multipliers(&self.flow.equations, held.modes, held.mu);
            let part = self.tableau.b[i] / weights[i];
            self.impulses.add_turned(part, &self.one, &self.no_turns);
            // Forces act for their time, multipliers are impulses already.
            let mut power = self.flow.power(host, held, &self.vel[acc.clone()], &self.one);
            power.external *= h * self.tableau.b[i];
            (power.drive, power.friction) = (part * power.drive, part * power.friction);
            self.works.add(1.0, &power);
            for ((a, v), free) in self.acc[acc].iter_mut().zip(v.iter()).zip(&self.change) {
                *a += (v - free) / (h * weights[i]);
            }
        }
        Ok(())
    }
}
