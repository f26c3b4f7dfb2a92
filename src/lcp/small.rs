//! Problems of a few unknowns: a chain of exchanges like that of the tableau, in blocks of a shape
//! the compiler knows. Knows the plain path, no recovery.

use super::core::Core;
use super::engine::Problem;
use super::lemke::{Budget, End, STALL};
use super::options::Info;
use super::path::{Path, Var, complement};
use super::rules::Rules;
use crate::linalg::MatRef;
use crate::linalg::kernel::{FIRST, pad};
use crate::tol;

/// Largest problem; measured.
pub(super) const MAX: usize = 16;
/// Bits that hold the place of a row.
const PLACE: u64 = MAX as u64 - 1;
/// Numbers of all exchanges. Columns of four make the most exchanges of them.
const ROOM: usize = 32 * MAX;
const MOST: usize = ROOM / 4;
/// Marks a variable that has not left the basis; above `MOST`.
const NEVER: u8 = u8::MAX;

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

/// Room for a chain of exchanges: the vectors s of (lcp.22).
#[derive(Debug)]
pub(super) struct Small {
    s: [f64; ROOM],
    /// Row of each exchange.
    at: [u8; MOST],
}

/// Exchanges so far, with columns of P numbers, rows beyond n zero.
struct Chain<'a, const P: usize> {
    s: &'a mut [[f64; P]],
    at: &'a mut [u8; MOST],
    count: usize,
}

impl Small {
    pub(super) fn new() -> Self {
        Self { s: [0.0; ROOM], at: [0; MOST] }
    }

    /// Follows the path from the basis of all w with the covering vector of ones, by (lcp.10) and
    /// (lcp.22). Writes the last basis and its values into `path` when that is a solution; other
    /// ends are for the engines to judge again. Needs p.n() <= MAX.
    pub(super) fn follow(
        &mut self,
        p: &Problem<'_>,
        path: &mut Path,
        budget: &mut Budget<'_>,
        rules: &Rules,
    ) -> End {
        match p.n() {
            0..=4 => follow::<4>(self, p, path, budget, rules),
            5..=8 => follow::<8>(self, p, path, budget, rules),
            9..=12 => follow::<12>(self, p, path, budget, rules),
            _ => follow::<16>(self, p, path, budget, rules),
        }
    }
}

fn follow<const P: usize>(
    room: &mut Small,
    p: &Problem<'_>,
    path: &mut Path,
    budget: &mut Budget<'_>,
    rules: &Rules,
) -> End {
    let (n, artificial) = (p.n(), 2 * p.n());
    let mut chain = Chain::<P>::new(room);
    let r = pad::<P>(p.r);
    let mut x = pad::<P>(p.q);
    let mut d: [f64; P] = std::array::from_fn(|k| f64::from_bits(FIRST[n][k] & 1f64.to_bits()));
    let mut basic: [Var; MAX] = std::array::from_fn(|i| i);
    let mut left_at = [NEVER; 2 * MAX + 1];
    let mut i = lowest(&x[..n]);
    let (mut entering, mut short, at) = (artificial, 0, i);
    // The artificial variable enters at the most negative value; later ones are at least zero but
    // for rounding, which is clipped.
    let mut least = f64::NEG_INFINITY;
    loop {
        if chain.count == chain.s.len() {
            return End::Lost;
        }
        let leaving = std::mem::replace(&mut basic[i], entering);
        left_at[leaving] = chain.count as u8;
        let step = chain.push(&d, &mut x, i, least);
        least = 0.0;
        if leaving == artificial {
            budget.pivots += 1;
            path.take(&basic[..n], &x);
            return End::Solved;
        }
        if let Some(end) = budget.spend(|| x[at]) {
            return end;
        }
        short = if step <= rules.slack { short + 1 } else { 0 };
        if short > STALL {
            return End::Stalled;
        }
        entering = complement(n, leaving);
        let left = left_at[entering];
        if left == NEVER {
            // A w is basic until it leaves for the first time.
            let j = entering - n;
            d = chain.column(&p.m.masked(0, j, n), &r, p.c[j]);
        } else {
            d = chain.column_of(left as usize);
        }
        let edge = blocking(&x, &d, at, rules.pivot, rules.slack);
        path.growth = if edge.size > path.growth { edge.size } else { path.growth };
        match edge.row {
            Some(row) => i = row,
            None => return End::Ray(entering),
        }
    }
}

impl<'a, const P: usize> Chain<'a, P> {
    fn new(room: &'a mut Small) -> Self {
        Self { s: room.s.as_chunks_mut().0, at: &mut room.at, count: 0 }
    }

    /// Appends the exchange of row i with the variable whose column is `d` and takes the values `x`
    /// through it; the one that leaves counts as at least `least`. Returns the new value there.
    ///
    /// Not inlined, like the other loops here: among other code the compiler takes them apart into
    /// single numbers.
    #[inline(never)]
    fn push(&mut self, d: &[f64; P], x: &mut [f64; P], i: usize, least: f64) -> f64 {
        let pivot = -1.0 / d[i];
        let value = if x[i] > least { x[i] } else { least };
        let (others, s) = (&OTHERS[i], &mut self.s[self.count]);
        for k in 0..P {
            let own = pivot.to_bits() & !others[k];
            s[k] = f64::from_bits(((d[k] * pivot).to_bits() & others[k]) | own);
        }
        exchange(x, s, value, i);
        self.at[self.count] = i as u8;
        self.count += 1;
        value * pivot
    }

    /// The column r M_j c of the data after all exchanges.
    #[inline(never)]
    fn column(&self, m: &[f64; P], r: &[f64; P], c: f64) -> [f64; P] {
        let mut v = [0.0; P];
        for k in 0..P {
            v[k] = r[k] * m[k] * c;
        }
        self.apply(0, &mut v);
        v
    }

    /// The column of the variable that left at exchange t after all exchanges.
    #[inline(never)]
    fn column_of(&self, t: usize) -> [f64; P] {
        let mut v = self.s[t].map(|s| -s);
        self.apply(t + 1, &mut v);
        v
    }

    #[inline(always)]
    fn apply(&self, from: usize, v: &mut [f64; P]) {
        for t in from..self.count.min(self.s.len()) {
            let i = self.at[t] as usize;
            exchange(v, &self.s[t], v[i], i);
        }
    }
}

/// (lcp.22) on one column whose entry in row i is f.
#[inline(always)]
fn exchange<const P: usize>(v: &mut [f64; P], s: &[f64; P], f: f64, i: usize) {
    let others = &OTHERS[i];
    for k in 0..P {
        v[k] = f64::from_bits(v[k].to_bits() & others[k]) + f * s[k];
    }
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

/// What blocks an edge, and its largest rate, at least one.
struct Blocking {
    row: Option<usize>,
    size: f64,
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

/// The choice (lcp.10) without a branch, as in [`Path::ratio_test`].
#[inline(never)]
fn blocking<const P: usize>(
    x: &[f64; P],
    d: &[f64; P],
    artificial: usize,
    pivot: f64,
    slack: f64,
) -> Blocking {
    let size = largest(&d.map(f64::abs), 1.0);
    let floor = pivot * size;
    let rate = d.map(|d| if -d > floor { -d } else { 0.0 });
    let mut steep = [0.0; P];
    for k in 0..P {
        let room = if x[k] > 0.0 { x[k] } else { 0.0 };
        steep[k] = rate[k] / (room + slack);
    }
    let steepest = largest(&steep, 0.0);
    if rate[artificial] > 0.0 && x[artificial] * steepest <= rate[artificial] {
        return Blocking { row: Some(artificial), size };
    }
    let mut key = [0.0; P];
    for k in 0..P {
        let tied = if x[k] * steepest <= rate[k] { rate[k] } else { 0.0 };
        key[k] = f64::from_bits((tied.to_bits() & !PLACE) | (PLACE - k as u64));
    }
    let key = largest(&key, 0.0);
    // A key of nothing but a place: no row has a rate, or rounding emptied the set.
    let row = (key > f64::from_bits(PLACE)).then_some((PLACE - (key.to_bits() & PLACE)) as usize);
    Blocking { row, size }
}

impl Core {
    /// One unknown in closed form: z = max(0, -q / m). `None` for what must be refused or judged
    /// with more care. `known`: a basis of such a problem is remembered; what it says takes no pivot.
    pub(super) fn solve_one(&mut self, m: f64, q: f64, kind: usize, known: bool) -> Option<Info> {
        let basic = q < 0.0;
        let warm = known && basic && self.memory.has_basic(0);
        let z = if basic { -q / m } else { 0.0 };
        let w = m * z + q;
        // Any scales cancel in the residual (lcp.2) of one row whose z is not zero.
        let residual = if basic { (w / q).abs() } else { 0.0 };
        if !(m.is_finite() && w.is_finite() && z >= 0.0 && residual <= tol::LCP_FINE) {
            return None;
        }
        self.size(1);
        self.ray_found = false;
        (self.best.z[0], self.best.w[0], self.basic[0]) = (z, w, basic);
        self.scale.forget();
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
        let p = Problem { m, r: &self.scale.r, c: &self.scale.c, q: &self.q };
        self.tableau.rest();
        let end = self.small.follow(&p, &mut self.path, budget, rules);
        if end == End::Solved && self.consider(m, q) > tol::LCP_FINE {
            return self.polish(m, q, rules, true, budget);
        }
        end
    }
}
