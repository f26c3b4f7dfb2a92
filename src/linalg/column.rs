//! A column of which one or two runs of rows are stored, the others being zero: what a contact of two
//! bodies says about the velocities of all. Knows no mechanics.

use super::kernel;

/// Columns up to this length are taken whole: looking for zeros in them costs more than it saves.
const SHORT: usize = 12;

/// Zeros that are worth leaving out between two runs.
const HOLE: usize = 4;

/// Which rows of a column may be other than zero: up to two runs, ascending and apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Runs {
    first: [usize; 2],
    len: [usize; 2],
}

impl Runs {
    /// All of `n` rows.
    pub fn whole(n: usize) -> Self {
        Self { first: [0, n], len: [n, 0] }
    }

    /// The shortest runs that hold every row below `n` for which `filled` is true.
    pub fn of(n: usize, mut filled: impl FnMut(usize) -> bool) -> Self {
        if n <= SHORT {
            return Self::whole(n);
        }
        Self::around((0..n).filter(|&i| filled(i)))
    }

    /// The shortest runs that hold the given rows, which must ascend.
    pub fn around(rows: impl Iterator<Item = usize>) -> Self {
        let (mut start, mut last): (Option<usize>, usize) = (None, 0);
        // The longest hole so far: its first row and the first one behind it.
        let mut hole = (0, 0);
        for i in rows {
            if start.is_none() {
                start = Some(i);
            } else if i > last && i - last - 1 > hole.1 - hole.0 {
                hole = (last + 1, i);
            }
            last = i;
        }
        let Some(start) = start else { return Self::default() };
        let end = last + 1;
        if hole.1 - hole.0 < HOLE {
            return Self { first: [start, end], len: [end - start, 0] };
        }
        Self { first: [start, hole.1], len: [hole.0 - start, end - hole.1] }
    }

    /// Whether every row of a whole column outside of the runs is zero.
    pub fn hold(&self, column: &[f64]) -> bool {
        let [a, b] = [0, 1].map(|k| self.first[k]..self.first[k] + self.len[k]);
        let outside =
            [&column[..a.start], &column[a.end..b.start.max(a.end)], &column[b.end.max(a.end)..]];
        // exact: all bits but the sign, without a branch per number
        outside.iter().all(|x| x.iter().fold(0, |bits, x| bits | (x.to_bits() << 1)) == 0)
    }

    /// Number of rows in the runs.
    #[inline]
    pub fn width(&self) -> usize {
        self.len[0] + self.len[1]
    }

    /// The first rows of the runs.
    pub fn starts(&self) -> [usize; 2] {
        self.first
    }

    /// Whether row `i` is in the first half of its run.
    pub fn leads(&self, i: usize) -> bool {
        let halves = [0, 1].map(|k| self.first[k]..self.first[k] + self.len[k].div_ceil(2));
        halves.iter().any(|half| half.contains(&i))
    }

    /// The rows in the runs, ascending.
    pub fn rows(&self) -> impl Iterator<Item = usize> + use<> {
        let [a, b] = [0, 1].map(|k| self.first[k]..self.first[k] + self.len[k]);
        a.chain(b)
    }

    /// Runs that hold the rows of both.
    #[inline]
    pub fn and(&self, other: &Runs) -> Self {
        if self == other { *self } else { self.joined(other) }
    }

    fn joined(&self, other: &Runs) -> Self {
        let (mut a, mut b) = (self.rows().peekable(), other.rows().peekable());
        Self::around(std::iter::from_fn(move || match (a.peek(), b.peek()) {
            (Some(x), Some(y)) if x > y => b.next(),
            (None, _) => b.next(),
            // A row of both comes twice, which makes no hole.
            _ => a.next(),
        }))
    }

    /// Where row `i` stands in the stored numbers. Needs it in one of the runs.
    pub fn place(&self, i: usize) -> usize {
        if i < self.first[0] + self.len[0] {
            i - self.first[0]
        } else {
            self.len[0] + (i - self.first[1])
        }
    }

    /// The column with these `values` in the runs, one behind the other.
    #[inline]
    pub fn pack<'a>(&self, values: &'a [f64]) -> Column<'a> {
        let (a, b) = values[..self.width()].split_at(self.len[0]);
        Column { first: self.first, part: [a, b] }
    }

    /// The column that a whole one is when only the runs of it are looked at.
    #[inline]
    pub fn within<'a>(&self, column: &'a [f64]) -> Column<'a> {
        let part = [0, 1].map(|k| {
            let end = (self.first[k] + self.len[k]).min(column.len());
            &column[self.first[k].min(end)..end]
        });
        Column { first: self.first, part }
    }
}

/// A column in somebody else's memory: two runs of numbers, and the rows where they begin.
#[derive(Clone, Copy, Debug, Default)]
pub struct Column<'a> {
    first: [usize; 2],
    part: [&'a [f64]; 2],
}

impl<'a> Column<'a> {
    /// A column with all its rows.
    pub fn whole(x: &'a [f64]) -> Self {
        Self { first: [0, x.len()], part: [x, &[]] }
    }

    /// Its runs.
    #[inline]
    pub fn runs(&self) -> Runs {
        Runs { first: self.first, len: self.part.map(<[f64]>::len) }
    }

    /// The stored numbers, run by run.
    pub fn parts(&self) -> [&'a [f64]; 2] {
        self.part
    }

    /// The stored numbers, run by run, each with the row where it begins.
    #[inline]
    pub fn pieces(&self) -> [(usize, &'a [f64]); 2] {
        [0, 1].map(|k| (self.first[k], self.part[k]))
    }

    /// The stored numbers with their rows.
    pub fn entries(&self) -> impl Iterator<Item = (usize, f64)> + use<'a> {
        let [a, b] = [0, 1].map(|k| (self.first[k]..).zip(self.part[k].iter().copied()));
        a.chain(b)
    }

    /// Sum of the products with the rows of `x`.
    #[inline]
    pub fn dot(&self, x: &[f64]) -> f64 {
        let a = kernel::dot(self.part[0], &x[self.first[0]..]);
        if self.part[1].is_empty() { a } else { a + kernel::dot(self.part[1], &x[self.first[1]..]) }
    }

    /// y += f times the column.
    #[inline]
    pub fn add(&self, f: f64, y: &mut [f64]) {
        for (part, &first) in self.part.iter().zip(&self.first) {
            if !part.is_empty() {
                kernel::axpy(f, part, &mut y[first..]);
            }
        }
    }

    /// Sum of the absolute values of the products with the rows of `x`.
    pub fn size(&self, x: &[f64]) -> f64 {
        self.entries().map(|(i, c)| (c * x[i]).abs()).sum()
    }

    /// sizes += |f| times the absolute values of the column.
    pub fn add_size(&self, f: f64, sizes: &mut [f64]) {
        for (i, c) in self.entries() {
            sizes[i] += (f * c).abs();
        }
    }

    /// Sum of squares.
    pub fn square(&self) -> f64 {
        let [a, b] = self.part;
        if b.is_empty() { kernel::dot(a, a) } else { kernel::dot(a, a) + kernel::dot(b, b) }
    }

    /// Product with another column, also of other runs.
    pub fn times(&self, other: &Column<'_>) -> f64 {
        if self.runs() == other.runs() {
            let [a, b] = [0, 1].map(|k| kernel::dot(self.part[k], other.part[k]));
            return if self.part[1].is_empty() { a } else { a + b };
        }
        self.entries().map(|(i, c)| c * other.at(i)).sum()
    }

    /// Whether this column is minus `other` to the last bit but the sign of zeros, in equal runs.
    pub fn is_minus(&self, other: &Column<'_>) -> bool {
        // exact: signs are changed without rounding; without a branch per number
        let opposite = |(a, b): (&[f64], &[f64])| {
            a.len() == b.len() && a.iter().zip(b).fold(true, |all, (a, b)| all & (*a == -b))
        };
        self.first == other.first && self.part.into_iter().zip(other.part).all(opposite)
    }

    /// The `n` rows from `first` on, where one run holds them.
    pub fn run(&self, first: usize, n: usize) -> Option<&'a [f64]> {
        (0..2).find_map(|k| {
            let at = first.checked_sub(self.first[k])?;
            self.part[k].get(at..at + n)
        })
    }

    /// Largest difference from `other` in the rows that `counts`. Needs equal runs.
    #[inline]
    pub fn difference(&self, other: &Column<'_>, counts: impl Fn(usize) -> bool) -> f64 {
        let mut most = 0.0f64;
        for k in 0..2 {
            for (j, (&a, &b)) in self.part[k].iter().zip(other.part[k]).enumerate() {
                let apart = (a - b).abs();
                if apart > most && counts(self.first[k] + j) {
                    most = apart;
                }
            }
        }
        most
    }

    /// Product of what this column and `other` differ by from `from`. Needs equal runs.
    #[inline]
    pub fn product_from(&self, other: &Column<'_>, from: &Column<'_>) -> f64 {
        let mut sum = 0.0;
        for k in 0..2 {
            for ((&a, &b), &o) in self.part[k].iter().zip(other.part[k]).zip(from.part[k]) {
                sum += (a - o) * (b - o);
            }
        }
        sum
    }

    /// Largest value of `f` over the rows of three columns. Needs equal runs.
    #[inline]
    pub fn largest(&self, b: &Column<'_>, c: &Column<'_>, f: impl Fn(f64, f64, f64) -> f64) -> f64 {
        let mut most = 0.0f64;
        for k in 0..2 {
            for ((&a, &b), &c) in self.part[k].iter().zip(b.part[k]).zip(c.part[k]) {
                most = most.max(f(a, b, c));
            }
        }
        most
    }

    /// Row `i`.
    pub fn at(&self, i: usize) -> f64 {
        for k in 0..2 {
            if let Some(x) = i.checked_sub(self.first[k]).and_then(|at| self.part[k].get(at)) {
                return *x;
            }
        }
        0.0
    }

    /// Largest absolute value.
    #[inline]
    pub fn max_abs(&self) -> f64 {
        let [a, b] = self.part;
        if a.len() + b.len() > SHORT {
            return kernel::max_abs(a).max(kernel::max_abs(b));
        }
        a.iter().chain(b).fold(0.0, |most, x| if x.abs() > most { x.abs() } else { most })
    }

    /// The first and the last row that are not zero.
    pub fn reach(&self) -> Option<(usize, usize)> {
        // exact: what nobody wrote is zero
        let filled = |x: &f64| *x != 0.0;
        let [a, b] = self.part;
        let first = match a.iter().position(filled) {
            Some(i) => self.first[0] + i,
            None => self.first[1] + b.iter().position(filled)?,
        };
        let last = match b.iter().rposition(filled) {
            Some(i) => self.first[1] + i,
            None => self.first[0] + a.iter().rposition(filled)?,
        };
        Some((first, last))
    }

    /// Whether every row is zero.
    pub fn is_zero(&self) -> bool {
        // exact: what nobody wrote
        self.part.iter().all(|part| part.iter().all(|&x| x == 0.0))
    }

    /// Whether no stored number is NaN or infinite.
    pub fn is_finite(&self) -> bool {
        self.part.iter().all(|part| part.iter().all(|x| x.is_finite()))
    }

    /// Writes all rows of the column into `x`.
    pub fn write(&self, x: &mut [f64]) {
        x.fill(0.0);
        for (part, &first) in self.part.iter().zip(&self.first) {
            if !part.is_empty() {
                x[first..first + part.len()].copy_from_slice(part);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two bodies among five, of six coordinates each, and a row of the fourth left out.
    fn sparse() -> Vec<f64> {
        let mut x = vec![0.0; 30];
        for i in 6..12 {
            x[i] = i as f64;
        }
        for i in 18..23 {
            x[i] = -(i as f64);
        }
        x
    }

    #[test]
    fn two_runs_hold_what_two_bodies_have() {
        let dense = sparse();
        let runs = Runs::of(30, |i| dense[i] != 0.0);
        assert_eq!(runs.width(), 11);
        assert_eq!(runs.rows().collect::<Vec<_>>(), (6..12).chain(18..23).collect::<Vec<_>>());
        assert_eq!((runs.place(6), runs.place(11), runs.place(18), runs.place(22)), (0, 5, 6, 10));
        // A hole too short to be worth it, nothing at all, and a short column.
        assert_eq!(Runs::around([3, 4, 7].into_iter()).width(), 5);
        assert_eq!(Runs::around(std::iter::empty()).width(), 0);
        assert_eq!(Runs::of(4, |_| false).width(), 4);
        assert!(runs.hold(&dense) && Runs::whole(30).hold(&dense) && !Runs::default().hold(&dense));
        for i in 0..30 {
            let mut other = dense.clone();
            other[i] = -1e-300;
            assert_eq!(runs.hold(&other), runs.rows().any(|row| row == i), "{i}");
        }
    }

    #[test]
    fn a_packed_column_does_what_the_whole_one_does() {
        let dense = sparse();
        let runs = Runs::of(30, |i| dense[i] != 0.0);
        let packed: Vec<f64> = runs.rows().map(|i| dense[i]).collect();
        let x: Vec<f64> = (0..30).map(|i| f64::from(i % 5) - 1.5).collect();
        let sum: f64 = dense.iter().zip(&x).map(|(a, b)| a * b).sum();
        let size: f64 = dense.iter().zip(&x).map(|(a, b)| (a * b).abs()).sum();
        let mut moved = x.clone();
        kernel::axpy(2.0, &dense, &mut moved);
        for column in [runs.pack(&packed), runs.within(&dense), Column::whole(&dense)] {
            assert_eq!((column.dot(&x), column.size(&x)), (sum, size));
            let mut y = x.clone();
            column.add(2.0, &mut y);
            assert_eq!(y, moved);
            column.write(&mut y);
            assert_eq!(y, dense);
            assert_eq!((column.max_abs(), column.at(20), column.at(15)), (22.0, -20.0, 0.0));
            assert_eq!(column.times(&Column::whole(&x)), sum);
            assert_eq!(column.square(), column.times(&column));
            assert!(column.is_finite() && !column.is_zero());
        }
    }
}
