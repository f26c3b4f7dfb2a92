//! Gives the shared library its lasting name: `libstiction.so.0.MINOR` before 1.0, `.so.MAJOR` from
//! then on. Writes nothing; knows nothing of the code.
//!
//! Cargo hands `rustc-link-arg-cdylib` on to every cdylib that depends on this crate, and somebody's
//! plugin must not go by our name. `rustc-link-arg` stays in this package; that it also reaches the
//! test programs does no harm on ELF, where a program's own SONAME is not used.

use std::env::var;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // cargo-c turns the feature `capi` on and names the library itself, by the same rule.
    if var("CARGO_FEATURE_CAPI").is_ok() {
        return;
    }
    let [major, minor, patch] = ["MAJOR", "MINOR", "PATCH"]
        .map(|part| var(format!("CARGO_PKG_VERSION_{part}")).unwrap_or_default());
    let abi = if major == "0" { format!("0.{minor}") } else { major.clone() };
    let os = var("CARGO_CFG_TARGET_OS").unwrap_or_default();
    let family = var("CARGO_CFG_TARGET_FAMILY").unwrap_or_default();
    match (os.as_str(), family.as_str()) {
        // Apple's linker refuses an install name for a program. "Primary" is the package one builds,
        // in contrast to its dependencies; known only while this script is compiled.
        ("macos" | "ios", _) if option_env!("CARGO_PRIMARY_PACKAGE").is_some() => println!(
            "cargo::rustc-link-arg-cdylib=-Wl,-install_name,@rpath/libstiction.{abi}.dylib,\
             -compatibility_version,{abi},-current_version,{major}.{minor}.{patch}"
        ),
        ("macos" | "ios", _) => {}
        // Android's loader knows no versions.
        ("android", _) => println!("cargo::rustc-link-arg=-Wl,-soname,libstiction.so"),
        (_, "unix") => println!("cargo::rustc-link-arg=-Wl,-soname,libstiction.so.{abi}"),
        // Windows: the name of the file is the name.
        _ => {}
    }
}
