//! Compiles the driver of a peer, here and now. Knows nothing of what it does.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Where the drivers are.
pub fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/peers")
}

/// The driver `source` as a program, or `None` when its compiler, headers or libraries are not there.
pub fn compile(source: &str, includes: &[&str], libraries: &[&str]) -> Option<PathBuf> {
    let source = sources().join(source);
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(source.file_stem()?);
    let cpp = source.extension()? == "cpp";
    let (variable, standard) = if cpp { ("CXX", "c++") } else { ("CC", "cc") };
    let compiler = std::env::var(variable).unwrap_or(standard.into());
    let mut command = Command::new(compiler);
    // Warnings of their headers are not ours to fix.
    command.args(["-O2", "-w", "-o"]).arg(&program).arg(&source);
    command.args(includes.iter().map(|i| format!("-I{i}")));
    command.args(libraries);
    let built = command.output().is_ok_and(|o| o.status.success());
    built.then_some(program)
}
