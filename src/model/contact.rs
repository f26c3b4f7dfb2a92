//! Contacts of a model, asked with care: those with a gap of their own, all or some, and those that come
//! and go. Knows no method.

use super::{Checked, ContactSet, ContactSink};
use crate::error::{Error, Result, finite};

impl Checked<'_> {
    /// [`Model::gap`](super::Model::gap); not asked when there is none.
    ///
    /// # Errors
    /// As [`mass`](Self::mass).
    pub fn gap(&self, t: f64, q: &[f64], gap: &mut [f64], normal: &mut [f64]) -> Result<()> {
        if gap.is_empty() {
            return Ok(());
        }
        gap.fill(0.0);
        normal.fill(0.0);
        self.answered("gap", self.model.gap(t, q, gap, normal))?;
        finite("gap", gap)?;
        finite("normal", normal)
    }

    /// [`Model::tangent`](super::Model::tangent); not asked when there is none.
    ///
    /// # Errors
    /// As [`mass`](Self::mass).
    pub fn tangent(&self, t: f64, q: &[f64], tangent: &mut [f64]) -> Result<()> {
        if tangent.is_empty() {
            return Ok(());
        }
        tangent.fill(0.0);
        self.answered("tangent", self.model.tangent(t, q, tangent))?;
        finite("tangent", tangent)
    }

    /// [`Model::some_gaps`](super::Model::some_gaps), or all where the model does not tell some from
    /// others; the numbers of other contacts mean nothing then.
    ///
    /// # Errors
    /// As [`mass`](Self::mass).
    pub fn some_gaps(
        &self,
        t: f64,
        q: &[f64],
        which: &[usize],
        gap: &mut [f64],
        normal: &mut [f64],
    ) -> Result<()> {
        if !self.model.gives_some_contacts() {
            return self.gap(t, q, gap, normal);
        }
        let nv = normal.len() / gap.len().max(1);
        for &i in which {
            gap[i] = 0.0;
            normal[i * nv..(i + 1) * nv].fill(0.0);
        }
        self.answered("gap", self.model.some_gaps(t, q, which, gap, normal))?;
        for &i in which {
            finite_at("gap", i, &gap[i..=i])?;
            finite_at("normal", i * nv, &normal[i * nv..(i + 1) * nv])?;
        }
        Ok(())
    }

    /// The same for [`Model::some_tangents`](super::Model::some_tangents), with `size` numbers per contact.
    ///
    /// # Errors
    /// As [`mass`](Self::mass).
    pub fn some_tangents(
        &self,
        t: f64,
        q: &[f64],
        which: &[usize],
        size: usize,
        tangent: &mut [f64],
    ) -> Result<()> {
        if !self.model.gives_some_contacts() {
            return self.tangent(t, q, tangent);
        }
        for &i in which {
            tangent[i * size..(i + 1) * size].fill(0.0);
        }
        self.answered("tangent", self.model.some_tangents(t, q, which, tangent))?;
        which
            .iter()
            .try_for_each(|&i| finite_at("tangent", i * size, &tangent[i * size..(i + 1) * size]))
    }

    /// [`Model::contacts`](super::Model::contacts); what was in `set` is lost. A model whose contacts depend on the place
    /// alone is not asked for those that `set` holds: a set belongs to one model.
    ///
    /// # Errors
    /// As [`mass`](Self::mass); those of [`ContactSink::push`]; `Value` for a key pushed twice.
    pub fn contacts(&self, t: f64, q: &[f64], margin: f64, set: &mut ContactSet) -> Result<()> {
        let by_place = self.model.contacts_by_place();
        if by_place && set.answers(q, margin) {
            return Ok(());
        }
        set.clear();
        let answer = self.model.contacts(t, q, margin, &mut ContactSink::new(set));
        // A host that notices a failed push may well refuse the point for it: the cause comes first.
        set.pushed()?;
        self.answered("contacts", answer)?;
        set.distinct()?;
        if by_place { set.note_answer(q, margin) } else { Ok(()) }
    }
}

/// Refuses numbers that are not finite, the first of which has the index `first`.
fn finite_at(what: &'static str, first: usize, x: &[f64]) -> Result<()> {
    match finite(what, x) {
        Err(Error::NonFinite { what, index, value }) => {
            Err(Error::NonFinite { what, index: first + index, value })
        }
        other => other,
    }
}
