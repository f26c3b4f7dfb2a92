//! The bits of whole motions are fixed: per platform, because elementary functions belong to it. A change of numerics
//! shows here first, and is then written down on purpose: `STN_BLESS=1 cargo test --test determinism`.

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

#[test]
fn motions_have_the_bits_that_are_written_down() {
    let now = all();
    assert_eq!(now, all(), "two runs of one program differ");
    let Some(platform) = PLATFORM else { return };
    let file =
        Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/determinism/{platform}.txt"));
    if std::env::var_os("STN_BLESS").is_some() {
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, &now).unwrap();
    }
    let fixed = std::fs::read_to_string(&file).unwrap();
    for (fixed, now) in fixed.lines().zip(now.lines()) {
        assert_eq!(now, fixed, "numerics changed; STN_BLESS=1 writes the new bits down");
    }
    assert_eq!(fixed.lines().count(), now.lines().count());
}
