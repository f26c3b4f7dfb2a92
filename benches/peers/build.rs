//! Finds and builds the peers: a driver each, compiled here and now, or the line that installs what
//! is missing.

use super::compile::{compile, sources};
use super::process::{Peer, Way};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A driver to compile, and the names and ways of its columns.
struct Driver {
    columns: &'static [(&'static str, Way)],
    source: &'static str,
    includes: &'static [&'static str],
    libraries: &'static [&'static str],
    install: &'static str,
}

const DRIVERS: [Driver; 4] = [
    Driver {
        columns: &[("stiction C", Way::Own)],
        source: "stiction.c",
        includes: &[],
        libraries: &["-lpthread", "-ldl", "-lm"],
        install: "include/stiction.h and libstiction.a, from this project",
    },
    Driver {
        columns: &[("siconos", Way::Bare), ("siconos called", Way::Called)],
        source: "siconos.c",
        includes: &["/usr/include/siconos", "/usr/include/siconos/numerics"],
        libraries: &["-lsiconos_numerics", "-lsiconos_externals"],
        install: "apt-get install libsiconos-numerics-dev",
    },
    Driver {
        columns: &[("dart", Way::Both)],
        source: "dart.cpp",
        includes: &["/usr/include/eigen3"],
        libraries: &["-ldart"],
        install: "apt-get install --no-install-recommends libdart-dev",
    },
    Driver {
        columns: &[("bullet", Way::Both)],
        source: "bullet.cpp",
        includes: &["/usr/include/bullet"],
        libraries: &[
            "-lBulletDynamics-float64",
            "-lBulletCollision-float64",
            "-lLinearMath-float64",
        ],
        install: "apt-get install --no-install-recommends libbullet-dev",
    },
];

const QUANTECON: [(&str, Way); 2] = [("quantecon", Way::Bare), ("quantecon called", Way::Called)];

/// Above this size the slower peers would take hours and are not asked, and the two ways of calling a
/// peer take the same time.
pub const MODEST: usize = 300;

/// Peers that can run, and a line for each that cannot.
pub fn peers(limit: f64) -> (Vec<Peer>, Vec<String>) {
    let (mut found, mut missing) = (Vec::new(), Vec::new());
    let mut add = |columns: &[(&'static str, Way)], start: &dyn Fn() -> Command| {
        for &(name, way) in columns {
            let mut command = start();
            command.args((way == Way::Called).then_some("call"));
            let peer = Peer::new(name, way, command, limit);
            found.push(if way == Way::Bare || way == Way::Own { peer } else { peer.up_to(MODEST) });
        }
    };
    for driver in &DRIVERS {
        match built(driver) {
            Some(program) => add(driver.columns, &|| Command::new(&program)),
            None => missing.push(format!("{}: needs {}", driver.source, driver.install)),
        }
    }
    match python() {
        Some(python) => add(&QUANTECON, &|| {
            let mut command = Command::new(&python);
            command.arg(sources().join("peer_quantecon.py"));
            command
        }),
        None => missing.push(
            "quantecon: needs python3 -m venv target/peers && target/peers/bin/pip install quantecon"
                .into(),
        ),
    }
    (found, missing)
}

/// The driver as a program.
fn built(driver: &Driver) -> Option<PathBuf> {
    if driver.source != "stiction.c" {
        return compile(driver.source, driver.includes, driver.libraries);
    }
    let header = Path::new(env!("CARGO_MANIFEST_DIR")).join("include");
    let library = own_library()?;
    let libraries: Vec<&str> =
        std::iter::once(library.to_str()?).chain(driver.libraries.iter().copied()).collect();
    compile(driver.source, &[header.to_str()?], &libraries)
}

/// The static library cargo built together with this bench.
fn own_library() -> Option<PathBuf> {
    let bench = std::env::current_exe().ok()?;
    let library = bench.parent()?.join("libstiction.a");
    library.exists().then_some(library)
}

/// A Python that has QuantEcon: `STICTION_PYTHON`, the environment under `target/peers`, or any.
fn python() -> Option<PathBuf> {
    let ours = Path::new(env!("CARGO_TARGET_TMPDIR")).join("../peers/bin/python");
    let candidates = [std::env::var_os("STICTION_PYTHON").map(PathBuf::from), Some(ours)];
    candidates.into_iter().flatten().chain([PathBuf::from("python3")]).find(|python| {
        let mut probe = Command::new(python);
        probe.args(["-c", "import quantecon"]).output().is_ok_and(|o| o.status.success())
    })
}
