//! Gives the shared library its lasting name: `libstiction.so.0.MINOR` before 1.0, `.so.MAJOR` from
//! then on. Writes nothing; knows nothing of the code.

use std::env::var;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // cargo-c turns the feature `capi` on and names the library itself, by the same rule.
    if var("CARGO_FEATURE_CAPI").is_ok() {
        return;
    }
    // Cargo hands these linker arguments on to every cdylib that depends on this crate, and a plugin
    // must not go by our name. Only a build of this very package is "primary".
    if option_env!("CARGO_PRIMARY_PACKAGE").is_none() {
        return;
    }
    let [major, minor, patch] = ["MAJOR", "MINOR", "PATCH"]
        .map(|part| var(format!("CARGO_PKG_VERSION_{part}")).unwrap_or_default());
    let abi = if major == "0" { format!("0.{minor}") } else { major.clone() };
    let full = format!("{major}.{minor}.{patch}");
    let os = var("CARGO_CFG_TARGET_OS").unwrap_or_default();
    let family = var("CARGO_CFG_TARGET_FAMILY").unwrap_or_default();
    let name = match (os.as_str(), family.as_str()) {
        ("macos" | "ios", _) => format!(
            "-Wl,-install_name,@rpath/libstiction.{abi}.dylib,\
             -compatibility_version,{abi},-current_version,{full}"
        ),
        // Android's loader knows no versions.
        ("android", _) => "-Wl,-soname,libstiction.so".to_string(),
        (_, "unix") => format!("-Wl,-soname,libstiction.so.{abi}"),
        // Windows: the file name is the name.
        _ => return,
    };
    println!("cargo::rustc-link-arg-cdylib={name}");
}
