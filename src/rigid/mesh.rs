//! Meshes: triangles as thin solids, and a grid to find the ones near a point. Knows no bodies.

use super::shape::Shape;
use super::solid::Solid;
use crate::error::{Error, Result, collect, finite, grow, length, push, reserve, told};
use crate::tol;
use nalgebra::{Matrix3, Vector3};

/// Most triangles of a mesh: their numbers are part of the keys of contacts.
const TRIANGLES: usize = 1 << 18;

/// Refuses no triangles and too many.
///
/// # Errors
/// `Value`.
pub(super) fn check_count(triangles: usize) -> Result<()> {
    if (1..=TRIANGLES).contains(&triangles) {
        return Ok(());
    }
    let got = told(triangles);
    Err(Error::Value { what: "triangles", got, must: "from 1 to 262144" })
}

/// Refuses triangles without corners or without an area.
///
/// # Errors
/// `Value`, `Dimension`.
pub(super) fn check(vertices: &[[f64; 3]], triangles: &[[u32; 3]]) -> Result<()> {
    check_count(triangles.len())?;
    for (i, t) in triangles.iter().enumerate() {
        if let Some(&k) = t.iter().find(|&&k| k as usize >= vertices.len()) {
            let expected = told(format_args!("less than {}", vertices.len()));
            return Err(Error::Dimension { what: "corner of a triangle", got: k.into(), expected });
        }
        let [a, b, c] = t.map(|k| Vector3::from(vertices[k as usize]));
        let (u, v) = (b - a, c - a);
        if !(u.cross(&v).norm() > tol::HULL_FLAT * u.norm() * v.norm()) {
            let got = told(format_args!("triangle {i}"));
            return Err(Error::Value { what: "triangles", got, must: "with an area" });
        }
    }
    Ok(())
}

/// Refuses numbers of heights that no field may have.
///
/// # Errors
/// `Value`.
pub(super) fn check_grid([nx, ny]: [usize; 2]) -> Result<()> {
    if nx < 2 || ny < 2 {
        let got = told(format_args!("{nx} by {ny}"));
        return Err(Error::Value { what: "heights", got, must: "at least 2 by 2" });
    }
    check_count((nx - 1).saturating_mul(ny - 1).saturating_mul(2))
}

/// A mesh over a grid of `count` heights along x and y, `size` long, around the place where it is
/// attached; heights along x side by side.
///
/// # Errors
/// `Dimension` for another number of heights, `Value` for fewer than two along an axis and for too many, `Range` and
/// `NonFinite` for the lengths, `NonFinite` for heights, `Memory`.
pub fn height_field(count: [usize; 2], size: [f64; 2], heights: &[f64]) -> Result<Shape> {
    let [nx, ny] = count;
    check_grid(count)?;
    finite("size", &size)?;
    if let Some(index) = size.iter().position(|x| !(*x > 0.0)) {
        return Err(Error::Range { what: "size", index, value: size[index], must: "positive" });
    }
    length("heights", heights, nx.saturating_mul(ny))?;
    finite("heights", heights)?;
    let mut vertices = reserve(nx * ny)?;
    let mut triangles = reserve(2 * (nx - 1) * (ny - 1))?;
    for (k, z) in heights.iter().enumerate() {
        let part = |i: usize, n: usize| i as f64 / (n - 1) as f64 - 0.5;
        vertices.push([size[0] * part(k % nx, nx), size[1] * part(k / nx, ny), *z]);
    }
    for (j, i) in (0..ny - 1).flat_map(|j| (0..nx - 1).map(move |i| (j, i))) {
        let [a, b, c, d] = [0, 1, nx + 1, nx].map(|k| (i + j * nx + k) as u32);
        triangles.extend([[a, b, c], [a, c, d]]);
    }
    Ok(Shape::Mesh { vertices, triangles })
}

/// A mesh in the axes of its body.
#[derive(Clone, Debug)]
pub(super) struct Mesh {
    pub triangles: Vec<Solid>,
    /// Lowest corner, size of a cell, cells along x and y, and the first entry of each cell.
    low: Vector3<f64>,
    cell: [f64; 2],
    count: [usize; 2],
    first: Vec<u32>,
    entries: Vec<u32>,
}

impl Mesh {
    /// The mesh placed at (`at`, `rot`) on its body. Needs [`check`] to have passed.
    ///
    /// # Errors
    /// `Memory`.
    pub(super) fn new(
        vertices: &[[f64; 3]],
        triangles: &[[u32; 3]],
        at: &Vector3<f64>,
        rot: &Matrix3<f64>,
    ) -> Result<Self> {
        let points = collect(vertices.iter().map(|v| at + rot * Vector3::from(*v)))?;
        let open = open_edges(&points, triangles)?;
        let mut solids = reserve(triangles.len())?;
        for (t, open) in triangles.iter().zip(open) {
            solids.push(Solid::triangle(t.map(|k| points[k as usize]), open)?);
        }
        let low = points.iter().fold(points[0], |a, b| a.inf(b));
        let size = points.iter().fold(points[0], |a, b| a.sup(b)) - low;
        // About one triangle per cell.
        let side = (solids.len() as f64).sqrt().ceil().max(1.0);
        let count = [side as usize; 2];
        let cell = [size.x / side, size.y / side].map(|x| if x > 0.0 { x } else { 1.0 });
        let mut mesh =
            Self { triangles: solids, low, cell, count, first: Vec::new(), entries: Vec::new() };
        mesh.fill()?;
        Ok(mesh)
    }

    fn fill(&mut self) -> Result<()> {
        let mut cells: Vec<(u32, u32)> = Vec::new();
        for (i, t) in self.triangles.iter().enumerate() {
            let low = t.corners.iter().fold(t.corners[0], |a, b| a.inf(b));
            let high = t.corners.iter().fold(t.corners[0], |a, b| a.sup(b));
            let mut covered = 0;
            self.each_cell(&low, &high, |_| covered += 1);
            grow(&mut cells, covered)?;
            self.each_cell(&low, &high, |c| cells.push((c as u32, i as u32)));
        }
        cells.sort_unstable();
        let before = |c: usize| cells.partition_point(|x| (x.0 as usize) < c) as u32;
        self.first = collect((0..=self.count[0] * self.count[1]).map(before))?;
        self.entries = collect(cells.iter().map(|x| x.1))?;
        Ok(())
    }

    fn each_cell(&self, low: &Vector3<f64>, high: &Vector3<f64>, mut f: impl FnMut(usize)) {
        let index = |x: f64, k: usize| {
            (((x - self.low[k]) / self.cell[k]).max(0.0) as usize).min(self.count[k] - 1)
        };
        for i in index(low.x, 0)..=index(high.x, 0) {
            for j in index(low.y, 1)..=index(high.y, 1) {
                f(i * self.count[1] + j);
            }
        }
    }

    /// Lists the triangles within `reach` of the point `p` (body axes), each once, in order.
    ///
    /// # Errors
    /// `Memory`.
    pub(super) fn near(&self, p: &Vector3<f64>, reach: f64, list: &mut Vec<u32>) -> Result<()> {
        list.clear();
        let mut room = Ok(());
        let around = Vector3::repeat(reach);
        self.each_cell(&(p - around), &(p + around), |c| {
            let cell = &self.entries[self.first[c] as usize..self.first[c + 1] as usize];
            for &k in cell {
                let t = &self.triangles[k as usize];
                if room.is_ok() && (t.middle - p).norm() <= t.reach + reach {
                    room = push(list, k);
                }
            }
        });
        list.sort_unstable();
        list.dedup();
        room
    }
}

/// Which edges of each triangle stand out: those without a neighbor, and those where the neighbor
/// falls away.
///
/// # Errors
/// `Memory`.
fn open_edges(points: &[Vector3<f64>], triangles: &[[u32; 3]]) -> Result<Vec<[bool; 3]>> {
    // (lower end, upper end, triangle, edge)
    let mut edges: Vec<(u32, u32, usize, usize)> = reserve(3 * triangles.len())?;
    for (i, t) in triangles.iter().enumerate() {
        for k in 0..3 {
            let (a, b) = (t[k], t[(k + 1) % 3]);
            edges.push((a.min(b), a.max(b), i, k));
        }
    }
    edges.sort_unstable();
    let normal = |i: usize| {
        let [a, b, c] = triangles[i].map(|k| points[k as usize]);
        (b - a).cross(&(c - a)).normalize()
    };
    let mut open = collect(triangles.iter().map(|_| [true; 3]))?;
    for pair in edges.windows(2) {
        let ((a, b, i, k), (c, d, j, m)) = (pair[0], pair[1]);
        if (a, b) != (c, d) {
            continue;
        }
        let far = points[triangles[j][(m + 2) % 3] as usize] - points[a as usize];
        let falls = normal(i).dot(&far) < -tol::FEATURE_SLACK * far.norm();
        // One of the two triangles carries the edge that both share.
        open[i][k] = falls;
        open[j][m] = false;
    }
    Ok(open)
}
