//! Normals of contacts that come and go against differences of their gaps. Knows only
//! [`Model`](crate::model::Model).

use super::derivative::{Check, Worst, noise};
use crate::error::{Result, collect, zeros};
use crate::linalg::max_abs;
use crate::model::ContactSet;

impl Check<'_> {
    /// The contacts that the model pushes here, by key against what it pushes nearby; one that is not
    /// pushed at both sides of a coordinate is not compared along it.
    ///
    /// # Errors
    /// Those of the model, and of its pushes.
    pub(super) fn hosted(&mut self) -> Result<()> {
        let most = self.asked.model().hosted();
        if most == 0 {
            return Ok(());
        }
        let nv = self.d.nv;
        // A host of any size is asked for what is near in its own terms.
        let margin = max_abs(self.q).max(1.0);
        let asked = |c: &Self, q: &[f64]| -> Result<ContactSet> {
            let mut set = ContactSet::new(nv, c.d.n_dir, most);
            c.asked.contacts(c.t, q, margin, &mut set)?;
            Ok(set)
        };
        let find = |set: &ContactSet, key: i64| (0..set.len()).find(|&k| set.key(k) == key);
        let here = asked(self, self.q)?;
        let s = self.shift(self.q);
        let mut given = zeros(nv * here.len())?;
        for (k, column) in given.chunks_exact_mut(nv.max(1)).enumerate() {
            here.write_normal(k, column);
        }
        // Where nothing can be compared the difference is what is given.
        let mut differences = collect(given.iter().copied())?;
        for j in 0..nv {
            let (up, down) = (asked(self, &self.moved(j, s)?)?, asked(self, &self.moved(j, -s)?)?);
            for k in 0..here.len() {
                let key = here.key(k);
                if let (Some(a), Some(b)) = (find(&up, key), find(&down, key)) {
                    differences[k * nv + j] = (up.gap(a) - down.gap(b)) / (2.0 * s);
                }
            }
        }
        let mut w = Worst::new();
        for k in 0..here.len() {
            let at = k * nv..(k + 1) * nv;
            let size = here.gap(k).abs().max(max_abs(self.q));
            w.compare(&given[at.clone()], &differences[at], noise(size, s), k * nv);
        }
        self.found("hosted normal", &w)
    }
}
