//! A few unknowns of similar size from the data to the proven answer, in blocks of fixed shape. Knows
//! no recovery: what is not proven is left to the engines.

use super::{Board, MAX, exchange, largest};
use crate::error::{Error, Result};
use crate::lcp::core::Core;
use crate::lcp::lemke::{Budget, End};
use crate::lcp::options::{EngineChoice, Info, Options};
use crate::lcp::rules::ATTEMPTS;
use crate::linalg::MatRef;
use crate::linalg::kernel::{FIRST, pad};
use crate::tol;

/// Binary orders between the largest entry and the smallest maximum of a row or column up to which
/// one scale serves all.
const ORDERS: i32 = 10;
/// Exponents beyond this, either way, are left to those who look closer.
const FAR: i32 = 128;

/// The data of a problem, by columns, rows and columns beyond n zero.
struct Data<'a, const P: usize> {
    n: usize,
    m: &'a mut [[f64; P]],
    q: [f64; P],
    /// Largest |q|.
    size: f64,
    /// Scale of all columns, a power of two: no entry is larger than one with it.
    c: f64,
    /// Factor of (lcp.25): the residual in these scales may understate the definition by it.
    spread: f64,
}

/// A point and what it is worth.
struct Point<const P: usize> {
    z: [f64; P],
    w: [f64; P],
    basic: [bool; P],
    residual: f64,
}

/// Exponent e of a positive normal number: 2^e <= x < 2^(e+1).
fn exponent(x: f64) -> i32 {
    ((x.to_bits() >> 52) & 0x7ff) as i32 - 1023
}

/// 2^e. Needs e within the range of normal numbers.
fn power(e: i32) -> f64 {
    f64::from_bits(((e + 1023) as u64) << 52)
}

/// The smallest of the first n numbers.
#[inline(always)]
fn smallest<const P: usize>(x: &[f64; P], n: usize) -> f64 {
    let beyond = f64::INFINITY.to_bits();
    let mut least = f64::INFINITY;
    for k in 0..P {
        let mask = FIRST[n][k];
        let x = f64::from_bits((x[k].to_bits() & mask) | (beyond & !mask));
        least = if x < least { x } else { least };
    }
    least
}

impl<'a, const P: usize> Data<'a, P> {
    fn new(room: &'a mut [f64], q: &[f64]) -> Self {
        let n = q.len();
        let m = &mut room.as_chunks_mut().0[..n];
        Self { n, m, q: pad(q), size: 0.0, c: 1.0, spread: 1.0 }
    }

    /// Reads M. False when one scale does not serve all of it, or something is not finite.
    #[inline(never)]
    fn read(&mut self, m: MatRef<'_>) -> bool {
        let n = self.n;
        // Comparisons pass over a NaN, sums do not.
        let (mut rows, mut sum) = ([0.0; P], self.q.map(f64::abs));
        self.size = largest(&sum, 0.0);
        let mut low = f64::INFINITY;
        for (j, column) in self.m.iter_mut().enumerate() {
            *column = m.masked(0, j, n);
            let size = column.map(f64::abs);
            for k in 0..P {
                rows[k] = if size[k] > rows[k] { size[k] } else { rows[k] };
                sum[k] += size[k];
            }
            let side = largest(&size, 0.0);
            low = if side < low { side } else { low };
        }
        let least = smallest(&rows, n);
        let (low, high) = (if least < low { least } else { low }, largest(&rows, 0.0));
        let total: f64 = sum.iter().sum();
        let (low, high, far) = (exponent(low), exponent(high) + 1, exponent(self.size).abs());
        (self.c, self.spread) = (power(-high), power(high - low + 2));
        total.is_finite() && high - low <= ORDERS && high.max(far).max(-low) < FAR
    }

    /// Power of two below the size of q.
    fn unit(&self) -> f64 {
        power(exponent(self.size))
    }

    /// The tableau of the basis of all w in the scales, with q of size one, (lcp.7).
    #[inline(always)]
    fn board<'b>(&self, room: &'b mut [f64]) -> Board<'b, P> {
        let shrink = 1.0 / self.unit();
        let board = Board::new(room, self.q.map(|q| q * shrink), self.n);
        for (to, from) in board.columns.iter_mut().zip(&*self.m) {
            *to = from.map(|x| x * self.c);
        }
        board
    }

    /// The basic z of a tableau in the units of the problem, w = M z + q afresh, and the residual in
    /// the scales; infinite where a row alone is violated, (lcp.23), or rounding may hide something.
    #[inline(never)]
    fn judge(&self, board: &Board<'_, P>, trust: f64) -> Point<P> {
        let (n, unit) = (self.n, self.unit());
        let (back, enlarge) = (self.c * unit, 1.0 / self.c);
        let mut at = Point { z: [0.0; P], w: self.q, basic: [false; P], residual: 0.0 };
        let mut open = [1.0; P];
        for (&v, &x) in board.basic.iter().zip(&board.x).take(n) {
            if (n..n + P).contains(&v) {
                let j = v - n;
                at.z[j] = if x > 0.0 { x * back } else { 0.0 };
                (at.basic[j], open[j]) = (true, 0.0);
            }
        }
        for (column, z) in self.m.iter().zip(at.z) {
            // exact: nonbasic unknowns are set to zero
            if z != 0.0 {
                for k in 0..P {
                    at.w[k] += column[k] * z;
                }
            }
        }
        let (mut least, mut hidden, noise) = ([0.0; P], [0.0; P], f64::EPSILON * unit);
        for k in 0..P {
            let (column, row) = (at.z[k] * enlarge, at.w[k]);
            least[k] = (if column < row { column } else { row }).abs();
            let (low, floor) = (-row * open[k], tol::LCP_ROW * self.q[k].abs());
            hidden[k] = if low > floor { low } else { 0.0 };
        }
        let sum: f64 = at.w.iter().map(|w| w.abs()).sum();
        // (lcp.27); entries are at most one in these scales.
        let terms = at.z.iter().sum::<f64>() * enlarge;
        let rounding = f64::EPSILON * (P + 2) as f64 * (self.size + terms);
        let sound =
            sum.is_finite() && largest(&hidden, 0.0) <= noise && rounding <= trust * self.size;
        at.residual = if sound { largest(&least, 0.0) / self.size } else { f64::INFINITY };
        at
    }
}

impl<const P: usize> Board<'_, P> {
    /// From the basis of all w to the one with the unknowns `basic`, by one exchange each with the
    /// largest pivot of its column. False when it is singular.
    fn load(&mut self, basic: &[bool]) -> bool {
        let n = self.n;
        let mut open = [false; MAX];
        open[..n].copy_from_slice(basic);
        for j in (0..n).filter(|&j| basic[j]) {
            let d = &self.columns[j];
            let mut best = (tol::LCP_PIVOT * largest(&d.map(f64::abs), 1.0), None);
            for (i, x) in d.iter().enumerate().take(n) {
                if open[i] && x.abs() > best.0 {
                    best = (x.abs(), Some(i));
                }
            }
            let Some(i) = best.1 else { return false };
            (open[i], self.basic[i]) = (false, n + j);
            let (s, _) = self.step(j, i, f64::NEG_INFINITY);
            exchange(self.columns, &s, i, j);
        }
        true
    }
}

impl Core {
    /// Solves a problem of 2 to `MAX` unknowns whose entries are of similar size: by the remembered
    /// basis if one is `known`, else by the path. `None` leaves everything but the count of pivots
    /// as it was.
    ///
    /// # Errors
    /// `Callback` when the caller's progress function breaks off.
    pub(in crate::lcp) fn solve_few(
        &mut self,
        m: MatRef<'_>,
        q: &[f64],
        options: &Options,
        kind: usize,
        known: bool,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Info>> {
        match q.len() {
            2..=4 => self.few::<4>(m, q, options, kind, known, budget),
            5..=8 => self.few::<8>(m, q, options, kind, known, budget),
            9..=12 => self.few::<12>(m, q, options, kind, known, budget),
            13..=MAX => self.few::<MAX>(m, q, options, kind, known, budget),
            _ => Ok(None),
        }
    }

    fn few<const P: usize>(
        &mut self,
        m: MatRef<'_>,
        q: &[f64],
        options: &Options,
        kind: usize,
        known: bool,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Info>> {
        let mut data = Data::<P>::new(&mut self.small.data, q);
        if !data.read(m) || q.iter().all(|&x| x >= 0.0) {
            return Ok(None);
        }
        let mut board = data.board(&mut self.small.board);
        let found = if known {
            board.load(self.memory.remembered())
        } else {
            match board.follow(budget, &ATTEMPTS[0]) {
                End::Stopped(code) => return Err(Error::Callback { what: "progress", code }),
                end => end == End::Solved,
            }
        };
        if !found {
            return Ok(None);
        }
        let at = data.judge(&board, self.trust);
        let residual = at.residual * data.spread;
        if !(at.residual <= tol::LCP_FINE && residual <= options.tolerance) {
            return Ok(None);
        }
        let (n, growth) = (data.n, board.growth);
        self.size(n);
        self.best.z.copy_from_slice(&at.z[..n]);
        self.best.w.copy_from_slice(&at.w[..n]);
        self.basic.copy_from_slice(&at.basic[..n]);
        self.memory.keep(&self.basic, kind);
        self.forget();
        self.ray_found = false;
        Ok(Some(Info {
            pivots: budget.pivots,
            warm: known,
            residual,
            growth,
            attempts: usize::from(!known),
            refactorizations: usize::from(known),
            engine: EngineChoice::Tableau,
            ..Info::trivial()
        }))
    }
}
