//! Which of many balls may be near each other: sorted into the cells of a grid, so that the cost
//! grows with neighbors. Knows neither shapes nor bodies.

use crate::error::{Result, grow, push};
use nalgebra::Vector3;

/// A ball is too large for the grid from this many times the median radius on, and is compared with
/// all others: one floor among a thousand grains must not make every cell as large as itself.
const LARGE: f64 = 4.0;

/// Widens cells against the rounding of places divided by their width.
const ROOM: f64 = 1.001;

/// A cell, by its number along each axis.
type Cell = [i64; 3];

/// Storage of one search, used again.
#[derive(Debug, Default)]
pub(super) struct Grid {
    /// Number, middle and radius of each ball.
    pub balls: Vec<(u32, Vector3<f64>, f64)>,
    /// Cells with the balls in them, by place in `balls`, sorted.
    cells: Vec<(Cell, u32)>,
    /// Balls that are in no cell.
    large: Vec<u32>,
    radii: Vec<f64>,
    pairs: Vec<(u32, u32)>,
    /// Distances computed so far.
    #[cfg(test)]
    tested: usize,
}

impl Grid {
    /// Numbers of all two balls that are not further apart than `margin` and for which `meet` holds, the
    /// lower one first, in ascending order.
    ///
    /// # Errors
    /// `Memory`.
    pub(super) fn search(
        &mut self,
        margin: f64,
        meet: impl Fn(u32, u32) -> bool,
    ) -> Result<&[(u32, u32)]> {
        self.pairs.clear();
        let largest = self.sort(margin)?;
        for at in 0..self.cells.len() {
            let ([x, y, z], i) = self.cells[at];
            // Its own cell and the next above, which follow it, then half of the cells around: the
            // other half finds it.
            self.run(i, at + 1, [x, y, z.saturating_add(1)], margin, &meet)?;
            for [dx, dy] in [[0, 1], [1, -1], [1, 0], [1, 1]] {
                let (x, y) = (x.saturating_add(dx), y.saturating_add(dy));
                let first = [x, y, z.saturating_sub(1)];
                let from = self.cells.partition_point(|(cell, _)| *cell < first);
                self.run(i, from, [x, y, z.saturating_add(1)], margin, &meet)?;
            }
        }
        for at in 0..self.large.len() {
            let i = self.large[at];
            for j in 0..self.balls.len() as u32 {
                let both_large = self.balls[j as usize].2 > largest;
                if j != i && !(both_large && j < i) {
                    self.test(i, j, margin, &meet)?;
                }
            }
        }
        self.pairs.sort_unstable();
        Ok(&self.pairs)
    }

    /// Puts the balls into cells; gives the largest radius that fits.
    fn sort(&mut self, margin: f64) -> Result<f64> {
        self.radii.clear();
        grow(&mut self.radii, self.balls.len())?;
        self.radii.extend(self.balls.iter().map(|b| b.2));
        let middle = self.radii.len() / 2;
        let median = match self.radii.is_empty() {
            true => 0.0,
            false => *self.radii.select_nth_unstable_by(middle, f64::total_cmp).1,
        };
        let fits = self.radii.iter().copied().filter(|&r| r <= LARGE * median);
        let largest = fits.fold(0.0, f64::max);
        let width = ROOM * (2.0 * largest + margin);
        // Points that are to touch: any cell will do.
        let width = if width > 0.0 { width } else { 1.0 };
        self.cells.clear();
        self.large.clear();
        grow(&mut self.cells, self.balls.len())?;
        for (k, (_, middle, radius)) in self.balls.iter().enumerate() {
            if *radius > largest {
                push(&mut self.large, k as u32)?;
            } else {
                let cell = [middle.x, middle.y, middle.z].map(|x| (x / width).floor() as i64);
                self.cells.push((cell, k as u32));
            }
        }
        self.cells.sort_unstable();
        Ok(largest)
    }

    /// Tests ball `i` against those in the cells from place `from` up to the cell `last`.
    fn run(
        &mut self,
        i: u32,
        from: usize,
        last: Cell,
        margin: f64,
        meet: &impl Fn(u32, u32) -> bool,
    ) -> Result<()> {
        for at in from..self.cells.len() {
            let (cell, j) = self.cells[at];
            if cell > last {
                break;
            }
            self.test(i, j, margin, meet)?;
        }
        Ok(())
    }

    fn test(
        &mut self,
        i: u32,
        j: u32,
        margin: f64,
        meet: &impl Fn(u32, u32) -> bool,
    ) -> Result<()> {
        #[cfg(test)]
        {
            self.tested += 1;
        }
        let ((a, at, r), (b, other, s)) = (self.balls[i as usize], self.balls[j as usize]);
        if meet(a, b) && (other - at).norm() <= r + s + margin {
            push(&mut self.pairs, (a.min(b), a.max(b)))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `side` cubed balls at random places, about one per unit of volume.
    fn scattered(side: u32, radius: impl Fn(u32) -> f64) -> Grid {
        let mut grid = Grid::default();
        let mut seed = 12345u64;
        let mut random = || {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (seed >> 11) as f64 / (1u64 << 53) as f64
        };
        for k in 0..side.pow(3) {
            let place = Vector3::from_fn(|_, _| f64::from(side) * (random() - 0.5));
            grid.balls.push((7 * k % side.pow(3), place, radius(k)));
        }
        grid
    }

    #[test]
    fn every_near_pair_is_found_once_and_no_other() {
        let sizes: [fn(u32) -> f64; 4] =
            [|_| 0.5, |k| 0.1 * f64::from(k % 9), |k| if k % 50 == 0 { 3.0 } else { 0.2 }, |_| 0.0];
        for radius in sizes {
            for margin in [0.0, 0.3, 5.0] {
                let mut grid = scattered(6, radius);
                let mut expected = Vec::new();
                for (k, (a, at, r)) in grid.balls.iter().enumerate() {
                    for (b, other, s) in &grid.balls[..k] {
                        if (at - other).norm() <= r + s + margin {
                            expected.push((*a.min(b), *a.max(b)));
                        }
                    }
                }
                expected.sort_unstable();
                assert_eq!(grid.search(margin, |_, _| true).unwrap(), expected);
                expected.retain(|(a, b)| (a + b) % 2 == 0);
                assert_eq!(grid.search(margin, |a, b| (a + b) % 2 == 0).unwrap(), expected);
            }
        }
    }

    #[test]
    fn the_cost_grows_with_the_number_of_neighbors() {
        let cost = |side| {
            let mut grid = scattered(side, |_| 0.5);
            grid.search(0.05, |_, _| true).unwrap();
            grid.tested as f64
        };
        // Eight times as many balls at the same density; the surface of the box, where neighbors are
        // missing, is half as large a part of it.
        let (few, many) = (cost(8), cost(16));
        assert!(many / few < 8.0 * 1.25, "{few} distances, then {many}");
    }
}
