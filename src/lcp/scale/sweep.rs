//! Passes over the logarithms of a whole matrix. Knows blocks, not what the scales are for.

use super::EMPTY;
use super::log::{BLOCK, Block, ZERO, drift, largest, quantize, raise, shifted_max};
use crate::linalg::MatRef;

/// Calls a routine over blocks with a height the compiler knows where columns are short: no loop
/// over blocks is left, and small problems feel it.
macro_rules! by_height {
    ($height:expr, $routine:ident($($argument:expr),*)) => {
        match $height {
            1 => $routine($($argument),*, 1),
            2 => $routine($($argument),*, 2),
            3 => $routine($($argument),*, 3),
            height => $routine($($argument),*, height),
        }
    };
}

/// Logarithms of all columns, their maxima and those of the rows.
///
/// Not inlined, like the sweep: among other code the compiler takes blocks apart.
#[inline(never)]
pub(super) fn quantize_all(m: MatRef<'_>, log: &mut [Block], top: &mut [Block], side: &mut [i16]) {
    by_height!(top.len(), quantize_columns(m, log, top, side))
}

#[inline(always)]
fn quantize_columns(
    m: MatRef<'_>,
    log: &mut [Block],
    top: &mut [Block],
    side: &mut [i16],
    height: usize,
) {
    let top = &mut top[..height];
    top.fill([ZERO; BLOCK]);
    let columns = log[..height * m.cols()].chunks_exact_mut(height.max(1));
    for ((j, log), side) in columns.enumerate().zip(side) {
        *side = quantize(m, j, log, top);
    }
}

/// Largest change of a logarithm against those in hand; of the first columns only when it is beyond
/// `limit` there.
#[inline(never)]
pub(super) fn drift_all(m: MatRef<'_>, log: &[Block], height: usize, limit: i16) -> i16 {
    let mut most = [0; BLOCK];
    for (j, log) in log[..height * m.cols()].chunks_exact(height.max(1)).enumerate() {
        most = drift(m, j, log, most);
        if largest(most) > limit {
            break;
        }
    }
    largest(most)
}

/// One sweep over rows, then columns; returns the largest distance of a maximum from one. `top`
/// holds the row maxima without their row scale, before and after.
#[inline(never)]
pub(super) fn sweep(log: &[Block], lr: &mut [Block], lc: &mut [i16], top: &mut [Block]) -> i16 {
    by_height!(lr.len(), sweep_columns(log, lr, lc, top))
}

#[inline(always)]
fn sweep_columns(
    log: &[Block],
    lr: &mut [Block],
    lc: &mut [i16],
    top: &mut [Block],
    height: usize,
) -> i16 {
    let (lr, top) = (&mut lr[..height], &mut top[..height]);
    for (l, t) in lr.iter_mut().zip(top.iter_mut()) {
        for k in 0..BLOCK {
            let half = t[k].saturating_add(l[k]) / 2;
            l[k] -= if t[k] > EMPTY { half } else { 0 };
        }
        *t = [ZERO; BLOCK];
    }
    let mut gap = 0;
    let columns = log[..height * lc.len()].chunks_exact(height);
    for (col, lc) in columns.zip(lc.iter_mut()) {
        let largest = shifted_max(col, lr);
        if largest <= EMPTY {
            continue;
        }
        *lc -= (largest + *lc) / 2;
        gap = gap.max((largest + *lc).abs());
        raise(top, col, *lc);
    }
    farthest(top, lr, gap)
}

/// Largest distance of a row maximum from one, at least `gap`.
#[inline(never)]
fn farthest(top: &[Block], lr: &[Block], gap: i16) -> i16 {
    let mut far = [gap; BLOCK];
    for (t, l) in top.iter().zip(lr) {
        for k in 0..BLOCK {
            let off = t[k].saturating_add(l[k]);
            let off = off.max(0i16.saturating_sub(off));
            far[k] = far[k].max(if t[k] > EMPTY { off } else { 0 });
        }
    }
    largest(far)
}

/// What a set of maxima says as a whole.
pub(super) struct Survey {
    /// Smallest and largest that belong to a row or column with nonzeros.
    pub(super) low: i16,
    pub(super) high: i16,
    /// Empty ones, padding included.
    pub(super) empty: usize,
}

impl Survey {
    #[inline(never)]
    pub(super) fn of(maxima: &[Block]) -> Self {
        let (mut low, mut high, mut empty) = ([i16::MAX; BLOCK], [ZERO; BLOCK], [0; BLOCK]);
        for block in maxima {
            for k in 0..BLOCK {
                let nothing = block[k] <= EMPTY;
                high[k] = high[k].max(block[k]);
                low[k] = low[k].min(if nothing { i16::MAX } else { block[k] });
                empty[k] += i16::from(nothing);
            }
        }
        let low = low.into_iter().fold(i16::MAX, i16::min);
        let empty = empty.into_iter().map(|e| e as usize).sum();
        Self { low, high: largest(high), empty }
    }
}
