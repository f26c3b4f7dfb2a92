//! A chain of exchanges and its action on a column. Knows positions, no variables.

use crate::error::{Result, reserve};
use crate::lcp::path::PAD;

/// Exchanges that act on a column together.
const GROUP: usize = 4;

/// Exchanges in order. Exchange t at position i takes a column v to v + f s with v_i set to zero
/// before and f the old v_i, (lcp.22).
///
/// Four of them act in one pass over v. Their factors are needed first: within a group s_a is
/// zero at the later positions i_t, and its entry there is in `cross` of exchange t.
#[derive(Debug)]
pub(super) struct Chain {
    s: Vec<f64>,
    ld: usize,
    at: Vec<u32>,
    cross: Vec<[f64; GROUP - 1]>,
}

impl Chain {
    pub(super) fn new(n_max: usize, longest: usize) -> Result<Self> {
        let ld = n_max.next_multiple_of(PAD);
        Ok(Self {
            s: reserve(ld.saturating_mul(longest))?,
            ld: 0,
            at: reserve(longest)?,
            cross: reserve(longest)?,
        })
    }

    /// No exchange, columns of n numbers.
    pub(super) fn clear(&mut self, n: usize) {
        self.ld = n.next_multiple_of(PAD);
        self.at.clear();
        self.cross.clear();
    }

    pub(super) fn len(&self) -> usize {
        self.at.len()
    }

    /// Appends the exchange at position i whose entering column is `dir`.
    pub(super) fn push(&mut self, dir: &[f64], i: usize) {
        let ld = self.ld;
        let t = self.at.len();
        let pivot = -1.0 / dir[i];
        let start = t * ld;
        if self.s.len() < start + ld {
            // A whole group at a time; nothing is taken back.
            self.s.resize((start + GROUP * ld).min(self.s.capacity()), 0.0);
        }
        let column = &mut self.s[start..start + ld];
        for (s, d) in column.iter_mut().zip(dir) {
            *s = d * pivot;
        }
        column[i] = pivot;
        let mut cross = [0.0; GROUP - 1];
        for (a, c) in cross.iter_mut().enumerate().take(t % GROUP) {
            let earlier = &mut self.s[(t - t % GROUP + a) * ld + i];
            *c = std::mem::take(earlier);
        }
        self.at.push(i as u32);
        self.cross.push(cross);
    }

    /// Takes a column from before the first exchange to after the last.
    pub(super) fn apply(&self, v: &mut [f64]) {
        self.groups(0, v);
    }

    /// The column of the variable that left at exchange t; `v` is zero on entry.
    pub(super) fn apply_from(&self, t: usize, v: &mut [f64]) {
        let (first, end) = (t - t % GROUP, (t - t % GROUP + GROUP).min(self.len()));
        let mut f = [0.0; GROUP];
        f[t - first] = -1.0;
        for u in t + 1..end {
            let known: f64 = (t..u).map(|a| f[a - first] * self.cross[u][a - first]).sum();
            f[u - first] = known;
        }
        self.add(first, end, f, v);
        self.groups(first + GROUP, v);
    }

    #[inline]
    fn groups(&self, first: usize, v: &mut [f64]) {
        let count = self.len();
        for g in (first..count).step_by(GROUP) {
            let end = (g + GROUP).min(count);
            let mut f = [0.0; GROUP];
            for u in g..end {
                let (i, cross) = (self.at[u] as usize, &self.cross[u]);
                let own = std::mem::take(&mut v[i]);
                f[u - g] = own + ((f[0] * cross[0] + f[1] * cross[1]) + f[2] * cross[2]);
            }
            // exact: structural zeros of the data
            if f != [0.0; GROUP] {
                self.add(g, end, f, v);
            }
        }
    }

    /// v += sum of f_a s_a over the exchanges first .. end.
    #[inline]
    fn add(&self, first: usize, end: usize, f: [f64; GROUP], v: &mut [f64]) {
        let s = &self.s[first * self.ld..end * self.ld];
        match end - first {
            1 => combine_by_length::<1>(v, f, s, self.ld),
            2 => combine_by_length::<2>(v, f, s, self.ld),
            3 => combine_by_length::<3>(v, f, s, self.ld),
            _ => combine_by_length::<GROUP>(v, f, s, self.ld),
        }
    }
}

/// Short columns of a known length need no loop.
#[inline]
fn combine_by_length<const K: usize>(v: &mut [f64], f: [f64; GROUP], s: &[f64], ld: usize) {
    match ld {
        4 => combine::<K>(v, f, s, 4),
        8 => combine::<K>(v, f, s, 8),
        _ => combine::<K>(v, f, s, ld),
    }
}

/// v += sum of f_a s_a over K columns s_a of length ld.
#[inline(always)]
fn combine<const K: usize>(v: &mut [f64], f: [f64; GROUP], s: &[f64], ld: usize) {
    let v = &mut v[..ld];
    let columns: [&[f64]; K] = std::array::from_fn(|a| &s[a * ld..a * ld + ld]);
    for i in 0..ld {
        let mut sum = v[i];
        for a in 0..K {
            sum += f[a] * columns[a][i];
        }
        v[i] = sum;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A column of the data, never zero where a pivot is taken.
    fn column(j: usize, n: usize) -> Vec<f64> {
        let mut v = vec![0.0; n.next_multiple_of(PAD)];
        for (i, v) in v.iter_mut().enumerate().take(n) {
            *v = ((i * 7 + j * 13 + i * i * j) as f64).sin() + if i == j % n { 3.0 } else { 0.0 };
        }
        v
    }

    /// (lcp.22) on one column of a tableau that is kept as a whole.
    fn exchange(v: &mut [f64], d: &[f64], i: usize) {
        let f = v[i];
        for (v, rate) in v.iter_mut().zip(d) {
            *v -= f * rate / d[i];
        }
        v[i] = -f / d[i];
    }

    #[test]
    fn a_column_made_late_is_the_column_kept_in_step() {
        for n in [1, 3, 4, 7, 10] {
            let mut chain = Chain::new(n, 40).unwrap();
            chain.clear(n);
            let mut kept: Vec<Vec<f64>> = (0..12).map(|j| column(j, n)).collect();
            let mut left: Vec<Vec<f64>> = Vec::new();
            for t in 0..11 {
                // Positions come back, also within a group.
                let i = [0, 2, 2, 5, 1, 0, 7, 7, 3, 0, 4][t] % n;
                let dir = kept[t].clone();
                chain.push(&dir, i);
                for v in kept.iter_mut().skip(t + 1).chain(&mut left) {
                    exchange(v, &dir, i);
                }
                let mut own: Vec<f64> = dir.iter().map(|d| d / dir[i]).collect();
                own[i] = 1.0 / dir[i];
                left.push(own);
                for (u, kept) in left.iter().enumerate() {
                    let mut made = vec![0.0; chain.ld];
                    chain.apply_from(u, &mut made);
                    close(&made, kept);
                }
                for (j, kept) in kept.iter().enumerate().skip(t + 1) {
                    let mut made = column(j, n);
                    chain.apply(&mut made);
                    close(&made, kept);
                }
            }
        }
    }

    fn close(a: &[f64], b: &[f64]) {
        let size = b.iter().fold(1.0f64, |s, x| s.max(x.abs()));
        assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-9 * size), "{a:?} {b:?}");
    }
}
