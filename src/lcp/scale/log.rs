//! Logarithms of matrix entries in fixed point, a block at a time. Knows no scales.

use crate::linalg::MatRef;

/// Fixed-point units per binary order: exponent and the top four bits of the fraction, (lcp.5).
pub(super) const UNIT: i16 = 16;
/// Field value of 1.0 in those units.
pub(super) const ONE: i16 = 1023 * UNIT;
/// Stands for the logarithm of zero. Saturated sums with it stay below `EMPTY`.
pub(super) const ZERO: i16 = i16::MIN;
/// Logarithms come in blocks of this many: the compiler turns loops over a block into vector
/// instructions, and padding spares the tails.
pub(super) const BLOCK: usize = 8;

/// Logarithms, or other numbers in their units.
pub(super) type Block = [i16; BLOCK];

/// The larger of two blocks, entry by entry.
#[inline]
fn larger(a: Block, b: Block) -> Block {
    let mut c = a;
    for k in 0..BLOCK {
        c[k] = c[k].max(b[k]);
    }
    c
}

/// Largest entry of a block.
#[inline]
pub(super) fn largest(block: Block) -> i16 {
    block.into_iter().fold(ZERO, i16::max)
}

/// Largest of the logarithms `log`, each shifted by its own scale.
#[inline(always)]
pub(super) fn shifted_max(log: &[Block], scale: &[Block]) -> i16 {
    let mut most = [ZERO; BLOCK];
    for (l, s) in log.iter().zip(scale) {
        for k in 0..BLOCK {
            most[k] = most[k].max(l[k].saturating_add(s[k]));
        }
    }
    largest(most)
}

/// Raises `top` to the logarithms `log` shifted by one scale.
#[inline(always)]
pub(super) fn raise(top: &mut [Block], log: &[Block], shift: i16) {
    for (t, l) in top.iter_mut().zip(log) {
        let mut shifted = *l;
        for s in &mut shifted {
            *s = s.saturating_add(shift);
        }
        *t = larger(*t, shifted);
    }
}

/// Nearest power of two of a fixed-point logarithm within the range of the fast path.
pub(super) fn power(l: i16) -> f64 {
    let exponent = i64::from((l + UNIT / 2) >> 4) + 1023;
    f64::from_bits((exponent as u64) << 52)
}

/// Logarithms of a block of numbers, (lcp.5): exponent and top fraction bits. Subnormal numbers
/// count as zero.
///
/// Not inlined: in a loop over blocks the compiler would work across them, number by number.
#[inline(never)]
fn logarithms(x: &[f64; BLOCK], log: &mut Block) {
    for k in 0..BLOCK {
        // By halves: truncation from 64 bits at once is not a vector instruction.
        let upper = (x[k].to_bits() >> 32) as u32;
        log[k] = ((upper >> 16) & 0x7fff) as i16;
    }
    for l in log {
        // All ones for zero, whose difference has the sign bit and keeps only that: `ZERO`.
        let zero = -i16::from(*l < UNIT);
        *l = l.wrapping_sub(ONE) & !(zero & i16::MAX);
    }
}

/// The logarithms of column j by blocks, the last one padded with those of zeros.
#[inline(always)]
fn blocks(m: MatRef<'_>, j: usize, mut each: impl FnMut(usize, Block)) {
    let (whole, rest) = m.col(j).as_chunks::<BLOCK>();
    let mut log = [ZERO; BLOCK];
    for (b, x) in whole.iter().enumerate() {
        logarithms(x, &mut log);
        each(b, log);
    }
    if !rest.is_empty() {
        let b = whole.len();
        logarithms(&m.masked(b * BLOCK, j, rest.len()), &mut log);
        each(b, log);
    }
}

/// Logarithms of one column; raises the row maxima `top` and returns the column's maximum.
#[inline(always)]
pub(super) fn quantize(m: MatRef<'_>, j: usize, log: &mut [Block], top: &mut [Block]) -> i16 {
    let mut side = [ZERO; BLOCK];
    blocks(m, j, |b, fresh| {
        top[b] = larger(top[b], fresh);
        side = larger(side, fresh);
        log[b] = fresh;
    });
    largest(side)
}

/// Raises `most` to the changes of the logarithms of one column against those in hand.
#[inline(always)]
pub(super) fn drift(m: MatRef<'_>, j: usize, log: &[Block], mut most: Block) -> Block {
    blocks(m, j, |b, fresh| {
        let old = log[b];
        let mut change = [0; BLOCK];
        for k in 0..BLOCK {
            change[k] = fresh[k].saturating_sub(old[k]).max(old[k].saturating_sub(fresh[k]));
        }
        most = larger(most, change);
    });
    most
}
