//! A folder of problems: where it is, what it lists, and each problem ready to solve.

use super::Result;
use super::facet::{facet, schur};
use super::format::{Content, Friction, read};
use super::manifest::{self, Entry, Expect};
use super::problem::Problem;
use std::path::{Path, PathBuf};

/// A folder and its list.
pub struct Collection {
    folder: PathBuf,
    pub entries: Vec<Entry>,
}

/// The folder named by `STICTION_LCP_DATA`, or the one beside the project.
pub fn default_folder() -> PathBuf {
    match std::env::var_os("STICTION_LCP_DATA") {
        Some(folder) => folder.into(),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/lcp"),
    }
}

impl Collection {
    /// Reads `manifest.csv`; a folder without one is listed by its files, with nothing promised.
    pub fn open(folder: &Path) -> Result<Self> {
        let list = folder.join("manifest.csv");
        let entries = if list.exists() { manifest::read(&list)? } else { list_files(folder)? };
        Ok(Self { folder: folder.into(), entries })
    }

    /// The default collection, or `None` and a line that says so.
    pub fn find() -> Result<Option<Self>> {
        let folder = default_folder();
        if folder.is_dir() {
            return Self::open(&folder).map(Some);
        }
        let place = folder.display();
        println!("collection not present, skipped ({place}; set STICTION_LCP_DATA to its folder)");
        Ok(None)
    }

    /// The problem of an entry, derived where it has no file. `None` for a friction problem, which
    /// is solved through the LCPs derived from it.
    pub fn load(&self, entry: &Entry) -> Result<Option<Problem>> {
        if entry.file.is_empty() {
            return self.derive(&entry.derive).map(Some);
        }
        if entry.kind == "FC" {
            return Ok(None);
        }
        match read(&self.folder.join(&entry.file))? {
            Content::Complementarity(p) => Ok(Some(p)),
            Content::Friction(_) => Err(format!("{} is a friction problem", entry.name).into()),
        }
    }

    /// `facet(name, k=4)` or `mlcp2lcp(name)`.
    pub fn derive(&self, rule: &str) -> Result<Problem> {
        let parts = rule.strip_suffix(')').and_then(|r| r.split_once('('));
        let (how, arguments) = parts.ok_or_else(|| format!("cannot derive {rule:?}"))?;
        match (how, arguments.split_once(',')) {
            ("facet", Some((name, k))) => {
                Ok(facet(&self.friction(name)?, k.trim().trim_start_matches("k=").parse()?))
            }
            ("mlcp2lcp", None) => match self.parent(arguments)? {
                Content::Complementarity(p) => schur(&p),
                Content::Friction(_) => Err(format!("{arguments} has no equations").into()),
            },
            _ => Err(format!("cannot derive {rule:?}").into()),
        }
    }

    fn friction(&self, name: &str) -> Result<Friction> {
        match self.parent(name)? {
            Content::Friction(p) => Ok(p),
            Content::Complementarity(_) => Err(format!("{name} has no friction").into()),
        }
    }

    fn parent(&self, name: &str) -> Result<Content> {
        let entry = self.entries.iter().find(|e| e.name == name);
        let entry = entry.ok_or_else(|| format!("{name} is not in the list"))?;
        read(&self.folder.join(&entry.file))
    }
}

/// Every problem file of a folder in the order of its name; friction problems with 4 and 8 facets.
fn list_files(folder: &Path) -> Result<Vec<Entry>> {
    let mut files = Vec::new();
    for file in std::fs::read_dir(folder)? {
        files.push(file?.file_name().to_string_lossy().into_owned());
    }
    files.sort();
    let mut entries = Vec::new();
    for file in files {
        let stem = file.strip_suffix(".gz").unwrap_or(&file);
        let Some((name, kind)) = stem.rsplit_once('.') else { continue };
        let entry = |name: &str, kind: &str, file: &str, derive: String| Entry {
            name: name.into(),
            kind: kind.into(),
            class: kind.to_lowercase(),
            n: 0,
            expect: Expect::Open,
            file: file.into(),
            derive,
        };
        match kind {
            "lcp" => entries.push(entry(name, "LCP", &file, String::new())),
            "mlcp" => entries.push(entry(name, "MLCP", &file, String::new())),
            "fc" => {
                entries.push(entry(name, "FC", &file, String::new()));
                for k in [4, 8] {
                    let derive = format!("facet({name}, k={k})");
                    entries.push(entry(&format!("{name}_k{k}"), "LCP", "", derive));
                }
            }
            _ => {}
        }
    }
    Ok(entries)
}
