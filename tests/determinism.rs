//! The bits of whole motions are fixed: per platform, because elementary functions belong to it. A change of numerics
//! shows here first, and is then written down on purpose: `STN_BLESS=1 cargo test --test determinism`.

#[cfg(unix)]
#[path = "support/c.rs"]
mod c;
#[path = "support/experiments.rs"]
mod experiments;
#[path = "support/norms.rs"]
mod norms;
mod scenes;

use experiments::{Experiment, ball, block, carts, driven, oscillator, pendulum, rod_on_table};
use std::fmt::Write as _;
use std::path::Path;
use stiction::step::{MethodKind, Options};

/// Systems with hashes of their own; on others motions are compared with themselves only.
const PLATFORM: Option<&str> =
    if cfg!(all(target_arch = "x86_64", target_os = "linux", target_env = "gnu")) {
        Some("x86_64-linux-gnu")
    } else {
        None
    };

const METHODS: [MethodKind; 6] = [
    MethodKind::Euler,
    MethodKind::ImplicitEuler,
    MethodKind::Trapezoid,
    MethodKind::TrapezoidII,
    MethodKind::Moreau,
    MethodKind::RadauIIA5,
];

/// FNV-1a over the bits of time, positions and velocities at the ends of 100 steps.
fn hash(e: &Experiment, method: MethodKind) -> u64 {
    let mut s = e.stepper(&Options { method, ..Options::default() });
    let mut sum = 0xcbf2_9ce4_8422_2325u64;
    for _ in 0..100 {
        s.step(e.t_end / 100.0).unwrap();
        for x in [&[s.t()], s.q(), s.v()].concat() {
            for byte in x.to_bits().to_le_bytes() {
                sum = (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
            }
        }
    }
    sum
}

fn all() -> String {
    let mut text = String::new();
    for e in [ball(), oscillator(), pendulum(), block(), carts(), driven(), rod_on_table()] {
        for method in METHODS {
            let _ = writeln!(text, "{} {method:?} {:016x}", e.name, hash(&e, method));
        }
    }
    text
}

/// Compares `now` with the file of this platform whose name ends in `kind`, or writes it.
fn as_written_down(kind: &str, now: &str) {
    let Some(platform) = PLATFORM else { return };
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join(format!("tests/determinism/{platform}{kind}.txt"));
    if std::env::var_os("STN_BLESS").is_some() {
        std::fs::write(&file, now).unwrap();
    }
    let fixed = std::fs::read_to_string(&file).unwrap();
    for (fixed, now) in fixed.lines().zip(now.lines()) {
        assert_eq!(now, fixed, "numerics changed; STN_BLESS=1 writes the new bits down");
    }
    assert_eq!(fixed.lines().count(), now.lines().count());
}

#[test]
fn motions_have_the_bits_that_are_written_down() {
    let now = all();
    assert_eq!(now, all(), "two runs of one program differ");
    as_written_down("", &now);
}

/// Every chapter of c_examples, with the states after all its calls and the answers of its problems.
#[test]
#[cfg(unix)]
fn chapters_move_with_the_bits_that_are_written_down() {
    let folder = c::root().join("c_examples");
    let mut chapters: Vec<_> =
        std::fs::read_dir(&folder).unwrap().map(|e| e.unwrap().path()).collect();
    chapters.retain(|p| p.extension().is_some_and(|e| e == "c"));
    chapters.sort();
    let mut now = String::new();
    for chapter in &chapters {
        let name = chapter.file_stem().unwrap().to_string_lossy();
        let program = c::scratch("determinism").join(&*name);
        let mut command = std::process::Command::new(&c::compilers()[0].c);
        command.args(["-std=c99", "-I"]).arg(c::root().join("include")).arg("-include");
        command.arg(c::root().join("tests/determinism/hash.h")).arg(chapter);
        c::run(command.arg("-o").arg(&program).args(c::link(true)));
        let output = c::run(&mut std::process::Command::new(&program));
        let told = String::from_utf8(output.stderr).unwrap();
        let hash = told.lines().find_map(|l| l.strip_prefix("hash "));
        let hash = hash.unwrap_or_else(|| panic!("{name} computes nothing that is hashed"));
        let _ = writeln!(now, "{name} {hash}");
    }
    as_written_down("-chapters", &now);
}
