//! C compilers, and the library as a C program finds it. For tests that speak C.
#![allow(dead_code)] // each test takes what it needs

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

/// Warnings that are errors in everything we compile.
pub const STRICT: [&str; 4] = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"];

/// What a static link needs besides the library, here: tests/package.rs keeps the list of CMake true.
const NATIVE: &[&str] = if cfg!(target_os = "linux") {
    &["-lgcc_s", "-lutil", "-lrt", "-lpthread", "-lm", "-ldl", "-lc"]
} else {
    &["-lm"]
};

/// One compiler, as C and as C++.
pub struct Compiler {
    pub c: PathBuf,
    pub cpp: PathBuf,
}

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A folder of this test's own below target/tmp.
pub fn scratch(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&dir).unwrap();
    dir
}

/// The compilers of this machine: first the one that Rust would use, then gcc and clang if they are
/// others and installed.
pub fn compilers() -> &'static [Compiler] {
    static FOUND: OnceLock<Vec<Compiler>> = OnceLock::new();
    FOUND.get_or_init(|| {
        let mut found = vec![default_compiler()];
        for (c, cpp) in [("gcc", "g++"), ("clang", "clang++")] {
            let (Some(c), Some(cpp)) = (installed(c), installed(cpp)) else { continue };
            if found.iter().all(|f| real(&f.c) != real(&c)) {
                found.push(Compiler { c, cpp });
            }
        }
        found
    })
}

/// The first compiler that is clang, which knows other targets than this machine.
pub fn clang() -> Option<&'static Compiler> {
    let is_clang = |c: &&Compiler| {
        let version = Command::new(&c.c).arg("--version").output();
        version.is_ok_and(|v| String::from_utf8_lossy(&v.stdout).contains("clang"))
    };
    compilers().iter().find(is_clang)
}

fn default_compiler() -> Compiler {
    let rust = Command::new(env!("CARGO")).arg("-vV").output().unwrap();
    let rust = String::from_utf8(rust.stdout).unwrap();
    let host = rust.lines().find_map(|l| l.strip_prefix("host: ")).expect("cargo names its host");
    let tool = |cpp: bool| {
        let mut build = cc::Build::new();
        build.target(host).host(host).opt_level(0).cargo_metadata(false).cpp(cpp);
        let path = build.get_compiler().path().to_path_buf();
        installed(&path)
            .unwrap_or_else(|| panic!("{}: these tests need a compiler", path.display()))
    };
    Compiler { c: tool(false), cpp: tool(true) }
}

/// Where a program lies, if it is there.
pub fn installed(program: impl AsRef<Path>) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|dir| dir.join(&program)).find(|p| p.is_file())
}

fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_path_buf())
}

/// Makes a file under a name of this process, then gives it its own: other tests may be at it as well.
pub fn replace(path: &Path, make: impl FnOnce(&Path)) {
    let mine = PathBuf::from(format!("{}.{}", path.display(), std::process::id()));
    let _ = std::fs::remove_file(&mine);
    make(&mine);
    std::fs::rename(&mine, path).unwrap();
}

/// Runs a command that must end well and gives what it printed.
#[track_caller]
pub fn run(command: &mut Command) -> Output {
    let output = command.output().unwrap_or_else(|e| panic!("{command:?}: {e}"));
    assert!(
        output.status.success(),
        "{command:?} ended with {}\n{}{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    output
}

/// Folder with the shared and the static library of this very build. Cargo puts both beside the test
/// executable.
fn built() -> PathBuf {
    let exe = std::env::current_exe().unwrap();
    let beside = exe.parent().unwrap();
    if beside.join(SHARED).is_file() && beside.join("libstiction.a").is_file() {
        return beside.to_path_buf();
    }
    // A runner that moves executables about: build into a folder of our own, whose lock nobody holds.
    let target = scratch("library");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--lib", "--manifest-path"]).arg(root().join("Cargo.toml"));
    run(cargo.arg("--target-dir").arg(&target));
    target.join("debug")
}

#[cfg(target_os = "macos")]
const SHARED: &str = "libstiction.dylib";
#[cfg(not(target_os = "macos"))]
const SHARED: &str = "libstiction.so";

/// The shared library, under its plain name and under the one programs ask for at run time.
pub fn shared_library() -> &'static Path {
    static LINKED: OnceLock<PathBuf> = OnceLock::new();
    LINKED.get_or_init(|| {
        let dir = scratch("lib");
        let (major, minor) = (env!("CARGO_PKG_VERSION_MAJOR"), env!("CARGO_PKG_VERSION_MINOR"));
        let abi = if major == "0" { format!("0.{minor}") } else { major.to_string() };
        let (stem, suffix) = SHARED.split_once('.').unwrap();
        let versioned = match suffix {
            "dylib" => format!("{stem}.{abi}.dylib"),
            _ => format!("{SHARED}.{abi}"),
        };
        for name in [SHARED, &versioned] {
            replace(&dir.join(name), |link| {
                std::os::unix::fs::symlink(built().join(SHARED), link).unwrap();
            });
        }
        dir.join(SHARED)
    })
}

pub fn static_library() -> PathBuf {
    built().join("libstiction.a")
}

/// Arguments that link the shared or the static library.
pub fn link(shared: bool) -> Vec<String> {
    if shared {
        let library = shared_library();
        let rpath = format!("-Wl,-rpath,{}", library.parent().unwrap().display());
        return vec![library.display().to_string(), rpath, "-lm".into(), "-lpthread".into()];
    }
    let mut args = vec![static_library().display().to_string()];
    args.extend(NATIVE.iter().map(|s| s.to_string()));
    args
}
