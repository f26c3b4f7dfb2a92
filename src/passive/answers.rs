//! How a passive model answers: from what its host has put, or later. Knows no steps.

use super::quantity::{Quantities, Quantity};
use super::store::{Place, Store};
use super::{ACCELERATIONS, Passive};
use crate::linalg::axpy;
use crate::model::{Answer, Dims, Model, Refusal};
use std::any::Any;

/// What a host answers, by refusing it, to a point that is none: an overflow inside the step.
const NO_POINT: i32 = 1;

impl Passive {
    /// Hands the point at `place` where all of `what` is known to `take`, or notes what is wanted.
    fn answer(
        &self,
        place: Place<'_>,
        what: Quantities,
        take: impl FnOnce(&Store, usize),
    ) -> Answer {
        let mut store = self.store();
        if !store.open {
            return Err(Refusal::Later);
        }
        if let Some(point) = store.known(place, what) {
            take(&store, point);
            return Ok(());
        }
        let numbers = place.q.iter().chain(place.v.into_iter().flatten());
        if !place.t.is_finite() || numbers.into_iter().any(|x| !x.is_finite()) {
            return Err(Refusal::Point(NO_POINT));
        }
        store.want(place, what);
        Err(Refusal::Later)
    }

    /// The one quantity `what` at `place`.
    fn copy(&self, place: Place<'_>, what: Quantity, to: &mut [f64]) -> Answer {
        self.answer(place, Quantities::of(&[what]), |store, point| {
            to.copy_from_slice(store.get(point, what))
        })
    }

    /// The two quantities `what` at `place`.
    fn copy_both(&self, place: Place<'_>, what: [Quantity; 2], to: [&mut [f64]; 2]) -> Answer {
        self.answer(place, Quantities::of(&what), |store, point| {
            for (quantity, to) in what.into_iter().zip(to) {
                to.copy_from_slice(store.get(point, quantity));
            }
        })
    }
}

impl Model for Passive {
    fn dims(&self) -> Dims {
        self.dims
    }

    fn mass(&self, t: f64, q: &[f64], mass: &mut [f64]) -> Answer {
        self.copy(Place { t, q, v: None }, Quantity::Mass, mass)
    }

    fn force(&self, t: f64, q: &[f64], v: &[f64], force: &mut [f64]) -> Answer {
        if !self.gives.contains(Quantity::Force) {
            return Ok(());
        }
        self.copy(Place { t, q, v: Some(v) }, Quantity::Force, force)
    }

    fn gives_force_jac(&self) -> bool {
        self.gives.contains(Quantity::Dfdv)
    }

    fn force_jac(
        &self,
        t: f64,
        q: &[f64],
        v: &[f64],
        dfdq: &mut [f64],
        dfdv: &mut [f64],
    ) -> Answer {
        let place = Place { t, q, v: Some(v) };
        self.copy_both(place, [Quantity::Dfdq, Quantity::Dfdv], [dfdq, dfdv])
    }

    fn gives_rate(&self) -> bool {
        self.gives.contains(Quantity::Rate)
    }

    /// The matrix serves every velocity at the same position.
    fn rate(&self, t: f64, q: &[f64], v: &[f64], qdot: &mut [f64]) -> Answer {
        if !self.gives_rate() {
            qdot.copy_from_slice(v);
            return Ok(());
        }
        self.answer(Place { t, q, v: None }, Quantities::of(&[Quantity::Rate]), |store, point| {
            let columns = store.get(point, Quantity::Rate).chunks_exact(qdot.len().max(1));
            for (column, &vj) in columns.zip(v) {
                axpy(vj, column, qdot);
            }
        })
    }

    fn gives_displacement(&self) -> bool {
        self.gives.contains(Quantity::Moved)
    }

    fn displace(&self, t: f64, q: &[f64], d: &[f64], moved: &mut [f64]) -> Answer {
        self.copy(Place { t, q, v: Some(d) }, Quantity::Moved, moved)
    }

    fn joint(&self, t: f64, q: &[f64], phi: &mut [f64], jt: &mut [f64]) -> Answer {
        self.copy_both(Place { t, q, v: None }, [Quantity::Phi, Quantity::Jt], [phi, jt])
    }

    fn gap(&self, t: f64, q: &[f64], gap: &mut [f64], normal: &mut [f64]) -> Answer {
        self.copy_both(Place { t, q, v: None }, [Quantity::Gap, Quantity::Normal], [gap, normal])
    }

    fn tangent(&self, t: f64, q: &[f64], tangent: &mut [f64]) -> Answer {
        self.copy(Place { t, q, v: None }, Quantity::Tangent, tangent)
    }

    fn brake(&self, t: f64, q: &[f64], bound: &mut [f64], direction: &mut [f64]) -> Answer {
        let what = [Quantity::BrakeBound, Quantity::Brake];
        self.copy_both(Place { t, q, v: None }, what, [bound, direction])
    }

    fn gives_acceleration_terms(&self) -> bool {
        !Quantities::of(&ACCELERATIONS).and(self.gives).is_empty()
    }

    fn acceleration_terms(
        &self,
        t: f64,
        q: &[f64],
        v: &[f64],
        joint: &mut [f64],
        normal: &mut [f64],
        tangent: &mut [f64],
    ) -> Answer {
        let place = Place { t, q, v: Some(v) };
        let wanted = Quantities::of(&ACCELERATIONS).and(self.gives);
        self.answer(place, wanted, |store, point| {
            for (quantity, to) in ACCELERATIONS.into_iter().zip([joint, normal, tangent]) {
                to.copy_from_slice(store.get(point, quantity));
            }
        })
    }

    fn constraints_move(&self) -> bool {
        self.moving
    }

    fn mu(&self, contact: usize) -> f64 {
        self.mu.get(contact).copied().unwrap_or(0.0)
    }

    fn restitution(&self, contact: usize) -> f64 {
        self.restitution.get(contact).copied().unwrap_or(0.0)
    }

    fn answers_later(&self) -> bool {
        true
    }

    fn as_any(&self) -> Option<&dyn Any> {
        Some(self)
    }
}
