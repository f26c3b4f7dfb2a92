//! The text format of the collection, plain or gzip: `LCP`, `MLCP` and `FC` files. Whitespace
//! separates the tokens, a line that starts with `#` is a comment.

use super::Result;
use super::problem::Problem;
use flate2::read::GzDecoder;
use std::io::Read;
use std::path::Path;
use std::str::FromStr;

/// A matrix as entries (row, column, value).
pub struct Sparse {
    pub rows: usize,
    pub cols: usize,
    pub entries: Vec<(usize, usize, f64)>,
}

/// A frictional contact problem u = W r + q in local frames, normal first.
pub struct Friction {
    /// 2 or 3.
    pub dim: usize,
    pub w: Sparse,
    pub q: Vec<f64>,
    /// One coefficient per contact.
    pub mu: Vec<f64>,
}

/// What a file can hold. A mixed problem keeps its equations in front.
pub enum Content {
    Complementarity(Problem),
    Friction(Friction),
}

/// Reads one file.
pub fn read(path: &Path) -> Result<Content> {
    let bytes = std::fs::read(path)?;
    let mut text = String::new();
    if path.extension().is_some_and(|e| e == "gz") {
        GzDecoder::new(&bytes[..]).read_to_string(&mut text)?;
    } else {
        text = String::from_utf8(bytes)?;
    }
    parse(&text).map_err(|e| format!("{}: {e}", path.display()).into())
}

/// Reads the text of one file.
pub fn parse(text: &str) -> Result<Content> {
    let lines = text.lines().filter(|l| !l.starts_with('#'));
    let mut tokens = Tokens(lines.flat_map(str::split_whitespace));
    let kind = tokens.word()?;
    let version: usize = tokens.next()?;
    match (kind, version) {
        ("LCP", 1) => {
            let n = tokens.next()?;
            let m = tokens.matrix(n, n)?;
            let q = tokens.vector(n)?;
            Ok(Content::Complementarity(assemble(0, n, &[(0, 0, m)], q)))
        }
        ("MLCP", 1) => {
            let (n, m) = (tokens.next()?, tokens.next()?);
            let blocks = [
                (0, 0, tokens.matrix(n, n)?),
                (0, n, tokens.matrix(n, m)?),
                (n, 0, tokens.matrix(m, n)?),
                (n, n, tokens.matrix(m, m)?),
            ];
            let q = tokens.vector(n + m)?;
            Ok(Content::Complementarity(assemble(n, n + m, &blocks, q)))
        }
        ("FC", 1) => {
            let (dim, contacts): (usize, usize) = (tokens.next()?, tokens.next()?);
            let n = dim * contacts;
            let (w, q, mu) = (tokens.matrix(n, n)?, tokens.vector(n)?, tokens.vector(contacts)?);
            Ok(Content::Friction(Friction { dim, w, q, mu }))
        }
        _ => Err(format!("unknown kind {kind} {version}").into()),
    }
}

/// One dense matrix from blocks placed at (row, column).
fn assemble(n_free: usize, n: usize, blocks: &[(usize, usize, Sparse)], q: Vec<f64>) -> Problem {
    let mut m = vec![0.0; n * n];
    for (row, col, block) in blocks {
        for &(i, j, v) in &block.entries {
            m[row + i + (col + j) * n] += v;
        }
    }
    Problem { n_free, m, q }
}

struct Tokens<I>(I);

impl<'a, I: Iterator<Item = &'a str>> Tokens<I> {
    fn word(&mut self) -> Result<&'a str> {
        self.0.next().ok_or_else(|| "the file ends too early".into())
    }

    fn next<T: FromStr>(&mut self) -> Result<T> {
        let word = self.word()?;
        word.parse().map_err(|_| format!("{word} is not a number").into())
    }

    fn vector(&mut self, n: usize) -> Result<Vec<f64>> {
        (0..n).map(|_| self.next()).collect()
    }

    fn matrix(&mut self, rows: usize, cols: usize) -> Result<Sparse> {
        let kind = self.word()?;
        let shape: (usize, usize) = (self.next()?, self.next()?);
        if shape != (rows, cols) {
            return Err(format!("a matrix is {shape:?}, expected {:?}", (rows, cols)).into());
        }
        let mut entries = Vec::new();
        match kind {
            "dense" => {
                for i in 0..rows {
                    for j in 0..cols {
                        entries.push((i, j, self.next()?));
                    }
                }
            }
            "coo" => {
                let count: usize = self.next()?;
                for _ in 0..count {
                    let (i, j, v) = (self.next()?, self.next()?, self.next()?);
                    if i >= rows || j >= cols {
                        return Err(format!("entry {i} {j} is outside its matrix").into());
                    }
                    entries.push((i, j, v));
                }
            }
            other => return Err(format!("unknown matrix {other}").into()),
        }
        Ok(Sparse { rows, cols, entries })
    }
}
