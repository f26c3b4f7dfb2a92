//! Problems of a few unknowns: the tableau as a whole, in blocks of a shape the compiler knows. Knows
//! the plain path, no recovery.

mod whole;

use super::core::Core;
use super::lemke::{Budget, End};
use super::options::Info;
use super::path::{Var, complement};
use super::rules::{Rules, STALL};
use crate::linalg::MatRef;
use crate::linalg::kernel::{FIRST, pad};

/// Largest problem; measured.
pub(super) const MAX: usize = 16;
/// Bits that hold the place of a row.
const PLACE: u64 = MAX as u64 - 1;

/// For each row all bits but those of that row.
static OTHERS: [[u64; MAX]; MAX] = {
    let mut others = [[u64::MAX; MAX]; MAX];
    let mut i = 0;
    while i < MAX {
        others[i][i] = 0;
        i += 1;
    }
    others
};

/// Room for a tableau and for the data.
#[derive(Debug)]
pub(super) struct Small {
    board: [f64; MAX * (MAX + 1)],
    data: [f64; MAX * MAX],
}

impl Small {
    pub(super) fn new() -> Self {
        Self { board: [0.0; MAX * (MAX + 1)], data: [0.0; MAX * MAX] }
    }
}

/// The tableau: a column of P rates for each variable that is not basic, rows beyond n zero.
struct Board<'a, const P: usize> {
    n: usize,
    columns: &'a mut [[f64; P]],
    /// Which column belongs to a variable that is not basic.
    column_of: [u8; 2 * MAX + 1],
    /// Basic variables and their values.
    basic: [Var; MAX],
    x: [f64; P],
    /// Largest rate met, at least one.
    growth: f64,
}

impl<'a, const P: usize> Board<'a, P> {
    /// The basis of all w with the values x. The first n columns, those of z, are to be filled in.
    #[inline(always)]
    fn new(room: &'a mut [f64], x: [f64; P], n: usize) -> Self {
        let mut column_of = [n as u8; 2 * MAX + 1];
        for j in 0..n {
            column_of[n + j] = j as u8;
        }
        let columns = &mut room.as_chunks_mut().0[..n + 1];
        columns[n] = std::array::from_fn(|k| f64::from_bits(FIRST[n][k] & 1f64.to_bits()));
        Self { n, columns, column_of, basic: std::array::from_fn(|i| i), x, growth: 1.0 }
    }

    /// Follows the path with the covering vector of ones, by (lcp.10) and (lcp.22). Ends other than
    /// a solution are for the engines to judge again.
    fn follow(&mut self, budget: &mut Budget<'_>, rules: &Rules) -> End {
        let (n, artificial) = (self.n, 2 * self.n);
        let mut i = lowest(&self.x[..n]);
        let (mut entering, mut e, mut short, at) = (artificial, n, 0, i);
        // The artificial variable enters at the most negative value; later ones are at least zero
        // but for rounding, which is clipped.
        let mut least = f64::NEG_INFINITY;
        loop {
            let leaving = std::mem::replace(&mut self.basic[i], entering);
            self.column_of[leaving] = e as u8;
            let (s, step) = self.step(e, i, least);
            least = 0.0;
            if leaving == artificial {
                budget.pivots += 1;
                return End::Solved;
            }
            exchange(self.columns, &s, i, e);
            if let Some(end) = budget.spend(|| self.x[at]) {
                return end;
            }
            short = if step <= rules.slack { short + 1 } else { 0 };
            if short > STALL {
                return End::Stalled;
            }
            entering = complement(n, leaving);
            e = self.column_of[entering] as usize;
            let (d, mut floor) = (&self.columns[e], rules.pivot);
            let size = largest(&d.map(f64::abs), 1.0);
            self.growth = if size > self.growth { size } else { self.growth };
            let mut row = blocking(&self.x, d, at, floor, rules.slack);
            // The size of the column is known when the choice is made, seldom matters, and would be
            // waited for.
            if row.is_some_and(|i| -d[i] <= rules.pivot * size) {
                floor = rules.pivot * size;
                row = blocking(&self.x, d, at, floor, rules.slack);
            }
            match row {
                Some(row) => i = row,
                None => return End::Ray(entering),
            }
        }
    }

    /// Moves the values along column e until row i, counted as at least `least`, is zero. Returns s
    /// of (lcp.22) and the length of the step.
    #[inline(always)]
    fn step(&mut self, e: usize, i: usize, least: f64) -> ([f64; P], f64) {
        let d = &self.columns[e];
        let pivot = -1.0 / d[i];
        let value = if self.x[i] > least { self.x[i] } else { least };
        let (others, mut s) = (&OTHERS[i], [0.0; P]);
        for k in 0..P {
            let own = pivot.to_bits() & !others[k];
            s[k] = f64::from_bits(((d[k] * pivot).to_bits() & others[k]) | own);
        }
        add(&mut self.x, &s, value, others);
        (s, value * pivot)
    }
}

/// (lcp.22) on all columns; the column e of the variable that enters becomes that of the one that
/// leaves.
///
/// Not inlined, like the other loops here: among other code the compiler takes them apart into
/// single numbers.
#[inline(never)]
fn exchange<const P: usize>(columns: &mut [[f64; P]], s: &[f64; P], i: usize, e: usize) {
    let others = &OTHERS[i];
    for v in columns.iter_mut() {
        let f = v[i];
        add(v, s, f, others);
    }
    columns[e] = s.map(|s| -s);
}

/// v := v + f s where the entry of v that `others` leaves out is f.
#[inline(always)]
fn add<const P: usize>(v: &mut [f64; P], s: &[f64; P], f: f64, others: &[u64; MAX]) {
    for k in 0..P {
        v[k] = f64::from_bits(v[k].to_bits() & others[k]) + f * s[k];
    }
}

/// r x c, entry by entry.
#[inline(never)]
fn scaled<const P: usize>(r: &[f64; P], x: &[f64; P], c: f64) -> [f64; P] {
    let mut v = [0.0; P];
    for k in 0..P {
        v[k] = r[k] * x[k] * c;
    }
    v
}

/// Row of the smallest value, the last of equal ones.
#[inline]
fn lowest(x: &[f64]) -> usize {
    let mut at = 0;
    for i in 1..x.len() {
        at = if x[i] <= x[at] { i } else { at };
    }
    at
}

/// Two numbers at a time: what the narrowest vector unit takes.
type Pair = [f64; 2];

#[inline(always)]
fn larger(a: Pair, b: Pair) -> Pair {
    [if a[0] > b[0] { a[0] } else { b[0] }, if a[1] > b[1] { a[1] } else { b[1] }]
}

/// Largest of the numbers, at least `least`.
#[inline(always)]
fn largest<const P: usize>(x: &[f64; P], least: f64) -> f64 {
    let most = x.as_chunks().0.iter().fold([least; 2], |most, x| larger(*x, most));
    if most[0] > most[1] { most[0] } else { most[1] }
}

/// The choice (lcp.10) without a branch among the rows with a rate above `floor`, as in
/// [`super::path::Path::ratio_test`].
#[inline(never)]
fn blocking<const P: usize>(
    x: &[f64; P],
    d: &[f64; P],
    artificial: usize,
    floor: f64,
    slack: f64,
) -> Option<usize> {
    let rate = d.map(|d| if -d > floor { -d } else { 0.0 });
    let mut steep = [0.0; P];
    for k in 0..P {
        let room = if x[k] > 0.0 { x[k] } else { 0.0 };
        steep[k] = rate[k] / (room + slack);
    }
    let steepest = largest(&steep, 0.0);
    if rate[artificial] > 0.0 && x[artificial] * steepest <= rate[artificial] {
        return Some(artificial);
    }
    let mut key = [0.0; P];
    for k in 0..P {
        let tied = if x[k] * steepest <= rate[k] { rate[k] } else { 0.0 };
        key[k] = f64::from_bits((tied.to_bits() & !PLACE) | (PLACE - k as u64));
    }
    let key = largest(&key, 0.0);
    // A key of nothing but a place: no row has a rate, or rounding emptied the set.
    (key > f64::from_bits(PLACE)).then_some((PLACE - (key.to_bits() & PLACE)) as usize)
}

impl Core {
    /// One unknown in closed form: z = max(0, -q / m). `None` for what must be refused or judged
    /// with more care. `known`: a basis of such a problem is remembered; what it says takes no pivot.
    pub(super) fn solve_one(&mut self, m: f64, q: f64, kind: usize, known: bool) -> Option<Info> {
        // Product and sum have two roundings of q at most where q is no subnormal number.
        if 2.0 * f64::EPSILON > self.trust || q.abs() < f64::MIN_POSITIVE && q != 0.0 {
            return None;
        }
        let basic = q < 0.0;
        let warm = known && basic && self.memory.has_basic(0);
        let z = if basic { -q / m } else { 0.0 };
        let w = m * z + q;
        // Any scales cancel in the residual (lcp.2) of one row whose z is not zero.
        let residual = if basic { (w / q).abs() } else { 0.0 };
        if !(m.is_finite() && w.is_finite() && z >= 0.0 && residual <= self.fine) {
            return None;
        }
        self.size(1);
        self.ray_found = false;
        (self.best.z[0], self.best.w[0], self.basic[0]) = (z, w, basic);
        self.forget();
        self.memory.keep(&self.basic, kind);
        Some(Info { residual, pivots: usize::from(basic && !warm), warm, ..Info::trivial() })
    }

    /// The first attempt for few unknowns. Ends without a solution are for the engines to judge.
    pub(super) fn attempt_small(
        &mut self,
        m: MatRef<'_>,
        q: &[f64],
        rules: &Rules,
        budget: &mut Budget<'_>,
    ) -> End {
        self.tableau.rest();
        let end = match q.len() {
            0..=4 => self.walk::<4>(m, budget, rules),
            5..=8 => self.walk::<8>(m, budget, rules),
            9..=12 => self.walk::<12>(m, budget, rules),
            _ => self.walk::<16>(m, budget, rules),
        };
        if end == End::Solved && self.consider(m, q) > self.fine {
            return self.polish(m, q, rules, true, budget);
        }
        end
    }

    /// The path in the scales in hand; a solution is taken over.
    fn walk<const P: usize>(
        &mut self,
        m: MatRef<'_>,
        budget: &mut Budget<'_>,
        rules: &Rules,
    ) -> End {
        let (n, r) = (self.q.len(), pad::<P>(&self.scale.r));
        let mut board = Board::<P>::new(&mut self.small.board, pad(&self.q), n);
        for (j, c) in self.scale.c.iter().enumerate() {
            board.columns[j] = scaled(&r, &m.masked(0, j, n), *c);
        }
        let end = board.follow(budget, rules);
        self.path.growth = self.path.growth.max(board.growth);
        if end == End::Solved {
            self.path.take(&board.basic[..n], &board.x);
        }
        end
    }
}
