//! Facts that are written in more than one place of the package agree, and what the package states
//! about itself is true.

use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// The target folder this test was built in, so that nothing is compiled twice.
fn target_dir() -> PathBuf {
    let exe = std::env::current_exe().expect("a test knows where it lies");
    exe.ancestors().nth(3).expect("<target>/<profile>/deps/<test>").to_path_buf()
}

fn cargo(args: &[&str]) -> (String, String) {
    let output =
        Command::new(env!("CARGO")).args(args).current_dir(root()).output().expect("cargo");
    let text = |bytes| String::from_utf8(bytes).expect("cargo writes UTF-8");
    let (stdout, stderr) = (text(output.stdout), text(output.stderr));
    assert!(output.status.success(), "cargo {args:?}:\n{stderr}");
    (stdout, stderr)
}

fn host() -> String {
    let (text, _) = cargo(&["-vV"]);
    let line = text.lines().find_map(|line| line.strip_prefix("host: "));
    line.expect("cargo names its host").to_string()
}

/// The dependencies on this platform; asking for all platforms would download them.
fn metadata() -> serde_json::Value {
    let (json, _) =
        cargo(&["metadata", "--format-version", "1", "--locked", "--filter-platform", &host()]);
    serde_json::from_str(&json).expect("cargo metadata is JSON")
}

/// "1.89" or "1.89.0" as numbers that compare.
fn release(version: &str) -> Vec<u32> {
    let mut parts: Vec<u32> = version.split('.').map(|part| part.parse().expect(version)).collect();
    parts.resize(3, 0);
    parts
}

/// Names in the branch of native-libs.cmake that CMake takes on this system.
fn libraries_of_cmake(condition: &str) -> Vec<String> {
    let text = read("cmake/native-libs.cmake");
    let branch = text.split_once(condition).expect(condition).1;
    let list = branch.split_once("set(stiction_native_libs ").expect("a list").1;
    list.split_once(')').expect("its end").0.split_whitespace().map(str::to_string).collect()
}

#[test]
fn the_readme_links_the_archive_with_the_libraries_of_cmake() {
    let libraries = libraries_of_cmake("\"Linux\"");
    let flags: String = libraries.iter().map(|name| format!(" -l{name}")).collect();
    let line = format!("`cc main.c -Iinclude target/release/libstiction.a{flags}`");
    assert!(read("README.md").contains(&line), "{line}");
}

#[test]
#[cfg(any(target_os = "macos", all(target_os = "linux", target_env = "gnu")))]
fn a_static_link_names_the_libraries_that_the_compiler_names() {
    let condition = if cfg!(target_os = "macos") { "elseif(APPLE)" } else { "\"Linux\"" };
    let target = target_dir();
    let target = target.to_str().expect("a UTF-8 path");
    let (_, notes) = cargo(&[
        "rustc",
        "--locked",
        "--lib",
        "--crate-type",
        "staticlib",
        "--target-dir",
        target,
        "--",
        "--print",
        "native-static-libs",
    ]);
    let line = notes.lines().find_map(|line| line.split_once("native-static-libs: "));
    let named: Vec<_> = line.expect(&notes).1.split_whitespace().collect();
    let ours: Vec<_> = libraries_of_cmake(condition).iter().map(|lib| format!("-l{lib}")).collect();
    assert_eq!(ours, named);
}

#[test]
fn no_dependency_asks_for_a_newer_compiler_than_we_promise() {
    let metadata = metadata();
    let packages = metadata["packages"].as_array().expect("packages");
    let package = |id: &str| packages.iter().find(|p| p["id"] == id).expect("a listed package");
    let nodes = metadata["resolve"]["nodes"].as_array().expect("nodes");
    let node = |id: &str| nodes.iter().find(|n| n["id"] == id).expect("a resolved package");
    let ours = metadata["resolve"]["root"].as_str().expect("root");
    let promised = release(package(ours)["rust_version"].as_str().expect("rust-version is stated"));

    // Everything a user compiles: normal and build dependencies, not those of our tests.
    let mut seen = vec![ours];
    let mut next = 0;
    while let Some(&id) = seen.get(next) {
        next += 1;
        if let Some(needed) = package(id)["rust_version"].as_str() {
            assert!(release(needed) <= promised, "{id} needs Rust {needed}");
        }
        for dep in node(id)["deps"].as_array().expect("deps") {
            let mut kinds = dep["dep_kinds"].as_array().expect("kinds").iter();
            let to = dep["pkg"].as_str().expect("pkg");
            if kinds.any(|kind| kind["kind"] != "dev") && !seen.contains(&to) {
                seen.push(to);
            }
        }
    }
    assert!(seen.len() > 3, "nalgebra, thiserror and libc should be among {seen:?}");
}

#[test]
fn clippy_watches_the_promised_compiler() {
    // The lint compares every call with rust-version; a clippy.toml must not tell it another one.
    assert!(read("Cargo.toml").contains("\nincompatible_msrv = \"deny\"\n"));
    let own = std::fs::read_to_string(root().join("clippy.toml")).unwrap_or_default();
    assert!(!own.contains("msrv"));
}

#[test]
fn one_version_everywhere() {
    let version = env!("CARGO_PKG_VERSION");
    let first =
        read("CHANGELOG.md").lines().find_map(|l| l.strip_prefix("## ").map(str::to_string));
    let first = first.expect("CHANGELOG.md has a release");
    assert_eq!(first.split(' ').next(), Some(version), "newest entry of CHANGELOG.md");

    let header = read("include/stiction.h");
    for part in ["MAJOR", "MINOR", "PATCH"] {
        let value =
            header.lines().find_map(|l| l.strip_prefix(&format!("#define STN_VERSION_{part} ")));
        let value = value.unwrap_or_else(|| panic!("the header states STN_VERSION_{part}"));
        let numbers = release(version);
        let position = ["MAJOR", "MINOR", "PATCH"].iter().position(|p| p == &part).expect("a part");
        assert_eq!(value.trim(), numbers[position].to_string(), "STN_VERSION_{part}");
    }
}

#[test]
fn every_release_tells_interface_binary_and_numerics_apart() {
    let log = read("CHANGELOG.md");
    let releases: Vec<_> = log.split("\n## ").skip(1).collect();
    assert!(!releases.is_empty());
    for release in releases {
        let headings: Vec<_> = release.lines().filter_map(|l| l.strip_prefix("### ")).collect();
        assert_eq!(
            headings,
            ["Interface", "Binary", "Numerics"],
            "{}",
            release.lines().next().unwrap()
        );
    }
}

#[test]
fn the_changelog_names_every_function_of_the_header() {
    let log = read("CHANGELOG.md");
    for name in read("tests/abi/symbols.txt").lines().filter(|line| line.starts_with("stn_")) {
        assert!(log.contains(&format!("`{name}`")), "CHANGELOG.md does not name {name}");
    }
}

#[test]
fn the_program_in_the_readme_is_the_one_that_is_compiled_and_run() {
    let readme = read("README.md");
    let program = readme.split_once("```c\n").expect("a C program").1;
    let program = program.split_once("```").expect("its end").0;
    assert_eq!(program, read("c_examples/00_readme.c"));
    assert!(program.lines().count() < 40);
}

#[test]
fn files_that_the_readme_names_exist() {
    let readme = read("README.md");
    let named = readme.split('`').skip(1).step_by(2);
    let ours = ["src/", "tests/", "cmake/", "scripts/", "c_examples/", "include/", "bindings/"];
    let mut count = 0;
    for name in named.filter(|n| ours.iter().any(|o| n.starts_with(o)) && !n.contains(' ')) {
        assert!(root().join(name).exists(), "README.md names {name}");
        count += 1;
    }
    assert!(count > 0);
}
