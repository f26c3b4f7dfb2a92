//! What a program that was linked yesterday relies on: exported names, struct layouts, numbers of
//! enumerators, the name of the shared library. The golden files are in tests/abi;
//! `STN_BLESS=1 cargo test --test abi` rewrites the layouts (symbols.txt is edited by hand, in the change
//! that adds a function).
#![cfg(unix)]

#[path = "support/c.rs"]
mod c;
#[path = "support/declarations.rs"]
mod declarations;

use c::{STRICT, clang, compilers, installed, link, root, run, scratch, shared_library};
use declarations::{Declarations, parse};
use std::path::Path;
use std::process::Command;

fn header() -> Declarations {
    parse(&std::fs::read_to_string(root().join("include/stiction.h")).unwrap())
}

/// The lines of a golden file without its remarks.
fn golden(name: &str) -> Vec<String> {
    let path = root().join("tests/abi").join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    text.lines().filter(|l| !l.starts_with('#')).map(str::to_string).collect()
}

#[test]
fn the_header_declares_what_symbols_txt_lists() {
    let mut declared = header().functions;
    declared.sort();
    assert_eq!(declared, golden("symbols.txt"), "tests/abi/symbols.txt is edited by hand");
}

#[test]
fn the_library_exports_what_symbols_txt_lists_and_nothing_else() {
    let Some(nm) = installed("nm").filter(|_| cfg!(target_os = "linux")) else {
        eprintln!("skipped: needs nm and an ELF library");
        return;
    };
    let output = run(Command::new(nm).args(["-D", "--defined-only"]).arg(shared_library()));
    let text = String::from_utf8(output.stdout).unwrap();
    let mut exported: Vec<_> = text.lines().filter_map(|l| l.split(' ').next_back()).collect();
    // Cargo keeps one file for all sets of features, and the last build wins: with the feature
    // inject-faults these are in it. tests/all.sh looks at the library that is shipped.
    exported.retain(|name| !name.starts_with("stn_inject_"));
    exported.sort_unstable();
    assert_eq!(exported, golden("symbols.txt"));
}

#[test]
fn the_shared_library_carries_its_lasting_name() {
    let Some(readelf) = installed("readelf").filter(|_| cfg!(target_os = "linux")) else {
        eprintln!("skipped: needs readelf and an ELF library");
        return;
    };
    let output = run(Command::new(readelf).args(["-d", "--dyn-syms", "-W"]).arg(shared_library()));
    let text = String::from_utf8(output.stdout).unwrap();
    let line = text.lines().find(|l| l.contains("SONAME")).unwrap_or_default();
    // Cargo keeps one file for all sets of features, and the last build wins. With all features cargo-c
    // would name the library.
    if line.is_empty() && text.contains("stn_inject_panic") {
        eprintln!("skipped: this library was built with all features");
        return;
    }
    let (major, minor) = (env!("CARGO_PKG_VERSION_MAJOR"), env!("CARGO_PKG_VERSION_MINOR"));
    let abi = if major == "0" { format!("0.{minor}") } else { major.to_string() };
    assert!(line.contains(&format!("[libstiction.so.{abi}]")), "{line}");
}

/// Added to every number in the assembly, so that none is zero, which compilers write in other ways.
const SHIFT: i64 = 1_000_000;

/// Every size, offset and enumerator as the compiler for a target lays them out. It needs neither a
/// library nor a machine of that kind: the numbers are read from the assembly.
fn layout(compiler: &Path, target: &[&str], header: &Declarations) -> Vec<String> {
    let mut facts = Vec::new();
    for s in &header.structs {
        facts.push((format!("sizeof {}", s.name), format!("sizeof({})", s.name)));
        for m in &s.members {
            let value = format!("offsetof({}, {m})", s.name);
            facts.push((format!("offsetof {} {m}", s.name), value));
            let value = format!("sizeof((({} *)0)->{m})", s.name);
            facts.push((format!("sizeof {} {m}", s.name), value));
        }
    }
    for e in &header.enums {
        facts.push((format!("sizeof {}", e.name), format!("sizeof({})", e.name)));
        facts.extend(e.members.iter().map(|m| (format!("value {m}"), m.clone())));
    }
    facts.push(("sizeof size_t".into(), "sizeof(size_t)".into()));
    facts.push(("sizeof pointer".into(), "sizeof(void *)".into()));
    let mut source = String::from("#include <stiction.h>\n");
    for (i, (_, value)) in facts.iter().enumerate() {
        source += &format!(
            "extern const int fact_{i};\nconst int fact_{i} = (int)({value}) + {SHIFT};\n"
        );
    }
    let dir = scratch("layout");
    let file = dir.join(format!("{}.c", target.join("-").replace(['/', '='], "_")));
    std::fs::write(&file, source).unwrap();
    let mut command = Command::new(compiler);
    command.args(target).args(["-std=c99", "-ffreestanding", "-S", "-o", "-", "-I"]);
    let output = run(command.arg(root().join("include")).arg(&file));
    let assembly = String::from_utf8(output.stdout).unwrap();
    let number = |i: usize| -> i64 {
        let mut lines = assembly.lines().map(str::trim);
        let label = [format!("fact_{i}:"), format!("_fact_{i}:")];
        lines.find(|l| label.iter().any(|x| l.starts_with(x))).expect("a label in the assembly");
        let data = lines.next().expect("a number behind the label");
        let text = data.split_whitespace().nth(1).expect(data);
        text.parse::<i64>().expect(data) - SHIFT
    };
    facts.iter().enumerate().map(|(i, (name, _))| format!("{name} = {}", number(i))).collect()
}

#[track_caller]
fn same_layout(file: &str, about: &str, fresh: &[String]) {
    let path = root().join("tests/abi").join(file);
    if std::env::var_os("STN_BLESS").is_some() {
        std::fs::write(&path, format!("# {about}\n{}\n", fresh.join("\n"))).unwrap();
    }
    let committed = golden(file);
    let differs: Vec<_> = fresh.iter().filter(|line| !committed.contains(line)).collect();
    assert!(differs.is_empty(), "{file} does not say {differs:#?}");
    assert_eq!(committed, fresh, "{file}: order or a line too many");
}

#[test]
#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
fn layouts_are_as_published_where_long_and_pointers_have_64_bits() {
    for compiler in compilers() {
        let fresh = layout(&compiler.c, &["-m64"], &header());
        same_layout("layout-lp64.txt", "Linux and macOS, 64 bits", &fresh);
    }
}

#[test]
fn layouts_are_as_published_on_64_bit_windows() {
    let Some(clang) = clang() else {
        eprintln!("skipped: only clang knows the layouts of other systems");
        return;
    };
    let fresh = layout(&clang.c, &["--target=x86_64-pc-windows-msvc"], &header());
    same_layout("layout-llp64.txt", "Windows, 64 bits", &fresh);
}

#[test]
fn layouts_are_as_published_with_32_bits() {
    let Some(clang) = clang() else {
        eprintln!("skipped: only clang knows the layouts of other systems");
        return;
    };
    let fresh = layout(&clang.c, &["--target=i686-unknown-linux-gnu"], &header());
    same_layout(
        "layout-ilp32.txt",
        "Linux on i686, where a double in a struct is aligned to 4",
        &fresh,
    );
}

#[test]
fn structs_have_no_hidden_padding_and_begin_with_their_size() {
    let lines = golden("layout-lp64.txt");
    let number = |key: String| -> usize {
        let line = lines.iter().find(|l| l.starts_with(&format!("{key} = "))).expect(&key);
        line.rsplit(' ').next().unwrap().parse().unwrap()
    };
    for s in header().structs {
        assert_eq!(s.members.first().map(String::as_str), Some("struct_size"), "{}", s.name);
        let mut end = 0;
        for m in &s.members {
            assert_eq!(number(format!("offsetof {} {m}", s.name)), end, "{}.{m}", s.name);
            end += number(format!("sizeof {} {m}", s.name));
        }
        assert_eq!(number(format!("sizeof {}", s.name)), end, "{}", s.name);
    }
}

/// Folders of earlier releases: header, client and what it prints.
fn releases() -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(root().join("tests/abi")).unwrap();
    let mut found: Vec<_> = entries.map(|e| e.unwrap().path()).filter(|p| p.is_dir()).collect();
    found.sort();
    found
}

#[test]
fn clients_of_earlier_releases_run_on_this_library() {
    let releases = releases();
    assert!(!releases.is_empty());
    let compiler = &compilers()[0];
    for dir in releases {
        let release = dir.file_name().unwrap().to_string_lossy().into_owned();
        let expected = std::fs::read_to_string(dir.join("client.expected")).unwrap();
        for (tool, language, std) in
            [(&compiler.c, "c", "-std=c99"), (&compiler.cpp, "c++", "-std=c++11")]
        {
            for shared in [true, false] {
                let program = scratch("clients").join(format!("{release}-{language}-{shared}"));
                let mut command = Command::new(tool);
                command.args(STRICT).args([std, "-x", language, "-I"]).arg(&dir);
                // Behind the source, libraries are no source of that language.
                command.arg(dir.join("client.c")).args(["-x", "none", "-o"]).arg(&program);
                run(command.args(link(shared)));
                let output = run(&mut Command::new(&program));
                assert_eq!(String::from_utf8(output.stdout).unwrap(), expected, "{release}");
            }
        }
    }
}
