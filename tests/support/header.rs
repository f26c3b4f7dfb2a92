//! How `include/stiction.h` is made: cbindgen on the sources, plus the version macros.

use std::path::Path;

/// The header as it should be.
pub fn generate() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut config =
        cbindgen::Config::from_file(root.join("cbindgen.toml")).expect("cbindgen.toml");
    config.after_includes = Some(macros());
    let bindings = cbindgen::Builder::new()
        .with_config(config)
        .with_src(root.join("src/ffi/status.rs"))
        .with_src(root.join("src/ffi/version.rs"))
        .with_src(root.join("src/ffi/lcp.rs"))
        .with_src(root.join("src/ffi/lcp_options.rs"))
        .with_src(root.join("src/ffi/lcp_memory.rs"))
        .with_src(root.join("src/ffi/contact.rs"))
        .with_src(root.join("src/ffi/impact.rs"))
        .with_src(root.join("src/ffi/trapezoid.rs"))
        .with_src(root.join("src/ffi/sink.rs"))
        .with_src(root.join("src/ffi/callback.rs"))
        .with_src(root.join("src/ffi/model.rs"))
        .with_src(root.join("src/ffi/stepper_options.rs"))
        .with_src(root.join("src/ffi/stepper.rs"))
        .with_src(root.join("src/ffi/batch.rs"))
        .with_src(root.join("src/ffi/passive.rs"))
        .with_src(root.join("src/ffi/event.rs"))
        .with_src(root.join("src/ffi/report.rs"))
        .with_src(root.join("src/ffi/forces.rs"))
        .with_src(root.join("src/ffi/signal.rs"))
        .with_src(root.join("src/ffi/builder.rs"))
        .with_src(root.join("src/ffi/builder_joint.rs"))
        .with_src(root.join("src/ffi/builder_force.rs"))
        .with_src(root.join("src/ffi/builder_shape.rs"))
        .with_src(root.join("src/ffi/builder_solid.rs"))
        .with_src(root.join("src/ffi/measure.rs"))
        .with_src(root.join("src/ffi/pose.rs"))
        .with_src(root.join("src/ffi/pair.rs"))
        .with_src(root.join("src/ffi/consistency.rs"))
        .with_src(root.join("src/ffi/derived.rs"))
        .generate()
        .expect("cbindgen");
    let mut bytes = Vec::new();
    bindings.write(&mut bytes);
    String::from_utf8(bytes).expect("UTF-8")
}

/// Version and export macros. Numbers come from Cargo.toml and from the library itself.
fn macros() -> String {
    let part = |text: &str| text.parse::<i32>().expect("version");
    let major = part(env!("CARGO_PKG_VERSION_MAJOR"));
    let minor = part(env!("CARGO_PKG_VERSION_MINOR"));
    let patch = part(env!("CARGO_PKG_VERSION_PATCH"));
    let number = 1_000_000 * major + 1000 * minor + patch;
    let abi = stiction::ffi::stn_abi_version();
    format!(
        r#"
#define STN_VERSION_MAJOR {major}
#define STN_VERSION_MINOR {minor}
#define STN_VERSION_PATCH {patch}
#define STN_VERSION_NUMBER {number}
#define STN_VERSION_STRING "{major}.{minor}.{patch}"
#define STN_ABI_VERSION {abi}

/* On Windows define STN_SHARED to link the DLL; the CMake target stiction::shared does. */
#ifndef STN_API
#if defined(_WIN32) && defined(STN_SHARED)
#define STN_API __declspec(dllimport)
#else
#define STN_API
#endif
#endif"#
    )
}
