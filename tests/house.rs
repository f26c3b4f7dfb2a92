//! The sentences of the house, read in the sources: which room may know what, where unsafe code lives, which
//! words do not occur. A sentence that cannot be kept is changed in the open, here.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A source file: its path below the root, its text, and its code without comments and tests.
struct Source {
    path: String,
    text: String,
    code: String,
}

impl Source {
    /// The room it belongs to: a folder of src, or a file of src by itself.
    fn room(&self) -> &str {
        let inside = self.path.strip_prefix("src/").unwrap_or(&self.path);
        inside.split('/').next().unwrap_or("").trim_end_matches(".rs")
    }

    /// Files beside this one that it names as modules for tests.
    fn files_for_tests(&self) -> Vec<String> {
        let folder = self.path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let named = self.text.split("#[cfg(test)]\nmod ").skip(1);
        let files = named.filter_map(|rest| rest.lines().next()?.strip_suffix(';'));
        files.map(|name| format!("{folder}/{name}.rs")).collect()
    }

    /// Lines of code with their numbers.
    fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        self.code.lines().enumerate().map(|(i, line)| (i + 1, line))
    }
}

fn walk(dir: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(dir) else { return };
    for path in entries.map(|e| e.unwrap().path()) {
        if path.is_dir() { walk(&path, found) } else { found.push(path) }
    }
}

/// All files below a folder with one of these endings, in order.
fn files(folder: &str, endings: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    walk(&root().join(folder), &mut found);
    found.retain(|p| p.extension().is_some_and(|e| endings.iter().any(|x| e == *x)));
    found.sort();
    found
}

fn below_root(path: &Path) -> String {
    path.strip_prefix(root()).unwrap().to_str().unwrap().replace('\\', "/")
}

fn sources() -> Vec<Source> {
    let read = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).unwrap();
        let library = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or("");
        let code: Vec<&str> = library.lines().map(|l| l.split("//").next().unwrap_or("")).collect();
        let code = code.join("\n");
        Source { path: below_root(path), text, code }
    };
    let mut list: Vec<_> = files("src", &["rs"]).iter().map(read).collect();
    // Files that are compiled for tests only.
    let for_tests: Vec<_> = list.iter().flat_map(Source::files_for_tests).collect();
    list.retain(|s| !for_tests.contains(&s.path));
    assert!(list.len() > 10, "the sources were not found");
    list
}

/// Fails with every place where something was found.
#[track_caller]
fn nothing_found(sentence: &str, places: Vec<String>) {
    assert!(places.is_empty(), "{sentence}\n  {}", places.join("\n  "));
}

fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|w| !w.is_empty())
}

#[test]
fn lcp_has_no_word_for_a_body() {
    // In code. Comments may say what a choice was measured on.
    let stems = [
        "body",
        "bodies",
        "mass",
        "contact",
        "friction",
        "joint",
        "gravit",
        "impuls",
        "collision",
        "velocit",
        "rigid",
    ];
    let mut places = Vec::new();
    for s in sources().iter().filter(|s| s.room() == "lcp") {
        for (i, line) in s.lines() {
            let line = line.to_lowercase();
            let parts = line.split(|c: char| !c.is_ascii_alphabetic());
            for word in parts.filter(|w| stems.iter().any(|stem| w.starts_with(stem))) {
                places.push(format!("{}:{i}: {word}", s.path));
            }
        }
    }
    nothing_found("lcp knows no mechanics", places);
}

#[test]
fn stepping_has_no_word_for_a_rigid_body() {
    let mut places = Vec::new();
    for s in sources().iter().filter(|s| s.room() == "step") {
        for (i, line) in s.lines().filter(|(_, line)| line.to_lowercase().contains("rigid")) {
            places.push(format!("{}:{i}: {line}", s.path));
        }
    }
    nothing_found("step knows only Model", places);
}

#[test]
fn nothing_outside_the_c_face_names_it_or_a_raw_pointer() {
    let mut places = Vec::new();
    for s in sources().iter().filter(|s| s.room() != "ffi") {
        for (i, line) in s.lines() {
            let declares_it = s.path == "src/lib.rs" && line == "pub mod ffi;";
            let named = words(line).any(|w| ["ffi", "libc", "unsafe", "no_mangle"].contains(&w));
            let pointer = ["*const ", "*mut ", "extern \""].iter().any(|p| line.contains(p));
            if (named || pointer) && !declares_it {
                places.push(format!("{}:{i}: {line}", s.path));
            }
        }
    }
    nothing_found("raw pointers, C types and unsafe code exist only in src/ffi", places);
}

#[test]
fn pointers_become_slices_in_one_file() {
    let mut places = Vec::new();
    for s in sources().iter().filter(|s| s.path != "src/ffi/ptr.rs") {
        for (i, line) in s.lines() {
            let makes =
                ["from_raw_parts", "from_raw(", "&mut *", "&*"].iter().any(|p| line.contains(p));
            // The references behind a gate, closed or counted.
            let gate = s.path == "src/ffi/guard.rs" && line.contains("*handle.inner.get()");
            if s.room() == "ffi" && makes && !gate {
                places.push(format!("{}:{i}: {line}", s.path));
            }
        }
    }
    nothing_found("a pointer becomes a slice or a reference in src/ffi/ptr.rs", places);
}

#[test]
fn a_module_opens_by_saying_what_it_holds() {
    let silent = sources().into_iter().filter(|s| !s.text.starts_with("//! "));
    nothing_found("the first line is a //! comment", silent.map(|s| s.path).collect());
}

#[test]
fn memory_is_asked_for_not_assumed() {
    // What the language offers for these ends the program when there is none; `error` has the ones that fail.
    let takes = [
        "vec![",
        ".to_vec()",
        ".collect()",
        ".collect::",
        "with_capacity(",
        "format!(",
        ".to_string()",
        "Box::new(",
        "Arc::new(",
    ];
    // The net for panics, set up once; the counted pointer that is asked for before.
    let allowed = ["src/ffi/guard.rs", "src/ffi/ptr.rs"];
    let mut places = Vec::new();
    for s in sources().iter().filter(|s| !allowed.contains(&s.path.as_str())) {
        for (number, line) in s.lines() {
            if takes.iter().any(|word| line.contains(word)) {
                places.push(format!("{}:{number}: {}", s.path, line.trim()));
            }
        }
    }
    nothing_found("memory is taken by what may fail", places);
}

#[test]
fn nothing_is_left_to_do_and_nothing_prints() {
    let never =
        ["TODO", "FIXME", "XXX", "HACK", "println!", "print!", "dbg!", "todo!", "unimplemented!"];
    let mut places = Vec::new();
    for s in sources() {
        for (i, line) in s.text.lines().enumerate() {
            if let Some(word) = never.iter().find(|w| line.contains(*w)) {
                places.push(format!("{}:{}: {word}", s.path, i + 1));
            }
        }
        let panics = [".unwrap()", ".expect(", "panic!(", "unreachable!(", "assert!("];
        // Faults on purpose, and checks that the compiler makes.
        let may = ["src/ffi/fault.rs", "src/ffi/sized.rs"].contains(&s.path.as_str());
        for (i, line) in s.lines().filter(|_| !may) {
            if panics.iter().any(|p| line.contains(p)) && !line.contains("debug_assert") {
                places.push(format!("{}:{i}: {line}", s.path));
            }
        }
    }
    nothing_found("the library neither prints nor panics on purpose, and is finished", places);
}

/// Which rooms a room may use, lowest first.
const FLOORS: [(&str, &[&str]); 15] = [
    ("error", &[]),
    ("tol", &[]),
    ("batch", &[]),
    ("linalg", &["error", "tol"]),
    ("model", &["error", "tol", "linalg", "contact"]),
    ("lcp", &["error", "tol", "linalg"]),
    ("contact", &["error", "tol", "linalg"]),
    ("velocity", &["error", "tol", "linalg", "lcp", "contact"]),
    ("impact", &["error", "tol", "linalg", "lcp", "contact", "velocity"]),
    ("step", &["error", "tol", "linalg", "lcp", "contact", "velocity", "impact", "model"]),
    ("passive", &["error", "linalg", "contact", "model", "step"]),
    ("rigid", &["error", "tol", "linalg", "model", "contact"]),
    ("check", &["error", "tol", "linalg", "velocity", "model"]),
    (
        "ffi",
        &[
            "error", "tol", "linalg", "lcp", "contact", "velocity", "impact", "model", "step",
            "rigid", "check", "passive", "batch", "ffi",
        ],
    ),
    ("lib", &["error"]),
];

/// The rooms that a piece of code names by `crate::room` or `crate::{room, ...}`.
fn used_rooms(code: &str) -> BTreeSet<String> {
    let mut rooms = BTreeSet::new();
    for rest in code.split("crate::").skip(1) {
        let list = match rest.strip_prefix('{') {
            Some(list) => outer_names(list),
            None => words(rest).take(1).map(str::to_string).collect(),
        };
        // The error type is offered at the top as well.
        rooms.extend(list.into_iter().map(|r| if r == "Error" { "error".to_string() } else { r }));
    }
    rooms
}

/// First names of a use list, without what is nested in it.
fn outer_names(list: &str) -> Vec<String> {
    let mut depth = 0;
    let mut flat = String::new();
    for c in list.chars() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            c if depth == 0 => flat.push(c),
            _ => {}
        }
    }
    flat.split(',').filter_map(|item| words(item).next().map(str::to_string)).collect()
}

#[test]
fn a_room_uses_only_rooms_below_it() {
    let mut places = Vec::new();
    for s in sources() {
        let Some((_, allowed)) = FLOORS.iter().find(|(room, _)| *room == s.room()) else {
            places.push(format!("{}: no floor for this room", s.path));
            continue;
        };
        for used in used_rooms(&s.code) {
            if used != s.room() && !allowed.contains(&used.as_str()) {
                places.push(format!("{} uses {used}", s.path));
            }
        }
    }
    nothing_found("knowledge flows one way", places);
}

#[test]
fn use_lists_are_read_as_the_compiler_reads_them() {
    let code = "use crate::{Error, impact};\nuse crate::error::{Result, finite};\nuse crate::{lcp::{Info, Lcp}, tol};";
    let rooms: Vec<_> = used_rooms(code).into_iter().collect();
    assert_eq!(rooms, ["error", "impact", "lcp", "tol"]);
}

/// Folder of the theory that numbers its equations with this prefix.
const THEORIES: [(&str, &str); 6] = [
    ("lcp", "src/lcp"),
    ("vel", "src/velocity"),
    ("imp", "src/impact"),
    ("step", "src/step"),
    ("cap", "src/step/capture"),
    ("rigid", "src/rigid"),
];

/// Equation numbers in a text, as `lcp.7`, each with its line.
fn cited(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (i, line) in text.lines().enumerate() {
        for rest in line.split('(').skip(1) {
            let Some((inside, _)) = rest.split_once(')') else { continue };
            let Some((room, number)) = inside.split_once('.') else { continue };
            let is_number = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
            if is_number && THEORIES.iter().any(|(prefix, _)| *prefix == room) {
                found.push((i + 1, inside.to_string()));
            }
        }
    }
    found
}

#[test]
fn every_cited_equation_exists_in_the_theory_of_its_room() {
    // An equation is defined where its number ends a line or begins one.
    let mut defined = BTreeSet::new();
    for (prefix, folder) in THEORIES {
        let theory =
            std::fs::read_to_string(root().join(folder).join("theory.md")).unwrap_or_default();
        for (line, number) in cited(&theory) {
            let text = theory.lines().nth(line - 1).unwrap().trim();
            let tag = format!("({number})");
            if number.starts_with(prefix) && (text.ends_with(&tag) || text.starts_with(&tag)) {
                defined.insert(number);
            }
        }
    }
    let mut places = Vec::new();
    for path in files("src", &["rs", "md"]) {
        for (line, number) in cited(&std::fs::read_to_string(&path).unwrap()) {
            if !defined.contains(&number) {
                places.push(format!("{}:{line}: ({number})", below_root(&path)));
            }
        }
    }
    nothing_found("cited, but in no theory.md", places);
}

#[test]
fn a_file_fits_one_idea() {
    let long = sources().into_iter().filter(|s| s.text.lines().count() > 450);
    let long = long.map(|s| format!("{}: {} lines", s.path, s.text.lines().count()));
    nothing_found("at most 450 lines", long.collect());
}

/// Small numbers that are not tolerances: file, number, and what it is.
const NOT_TOLERANCES: [(&str, &str, &str); 1] = [(
    "src/lcp/scale.rs",
    "1e-6",
    "lifts a ceiling above the rounding of logarithms; part of the proof of the bound",
)];

#[test]
fn tolerances_live_in_one_file() {
    let mut places = Vec::new();
    for s in sources().iter().filter(|s| !s.path.starts_with("src/tol")) {
        for (i, line) in s.lines() {
            let literals = line.split(|c: char| !c.is_ascii_alphanumeric() && !"._-".contains(c));
            for literal in literals.filter(|l| is_small(l)) {
                let known = |(path, n, _): &(&str, &str, &str)| s.path == *path && literal == *n;
                if !NOT_TOLERANCES.iter().any(known) {
                    places.push(format!("{}:{i}: {literal}", s.path));
                }
            }
        }
    }
    nothing_found(
        "a tolerance has a name, a dimension and a reason in src/tol.rs or src/tol",
        places,
    );
}

/// Whether this is a literal such as 1e-9 or 0.0001.
fn is_small(literal: &str) -> bool {
    let begins = literal.starts_with(|c: char| c.is_ascii_digit());
    let number = literal.trim_end_matches("_f64").trim_end_matches("f64").parse::<f64>();
    begins && number.is_ok_and(|x| x > 0.0 && x < 1e-3)
}

#[test]
fn small_literals_are_recognised() {
    assert!(is_small("1e-9") && is_small("2.5e-7f64") && is_small("0.0001"));
    assert!(!is_small("0.5") && !is_small("0.0") && !is_small("row-9") && !is_small("f64"));
}

#[test]
fn the_project_speaks_only_of_itself() {
    // Written in pieces, so that this file does not find itself.
    let foreign =
        [concat!("/wo", "rk/"), concat!("/tm", "p/"), concat!("/ro", "ot/"), concat!("/ho", "me/")];
    let mut places = Vec::new();
    for folder in
        ["src", "tests", "c_examples", "include", "benches", "cmake", "scripts", "bindings"]
    {
        let endings =
            ["rs", "c", "h", "md", "sh", "txt", "cmake", "in", "toml", "expected", "py", "jl", "m"];
        for path in files(folder, &endings) {
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            for (i, line) in text.lines().enumerate() {
                if foreign.iter().any(|f| line.contains(f)) {
                    places.push(format!("{}:{}: {line}", below_root(&path), i + 1));
                }
            }
        }
    }
    nothing_found("no path of somebody's machine", places);
}

#[test]
fn a_test_is_named_by_a_sentence() {
    let mut places = Vec::new();
    for path in files("tests", &["rs"]).into_iter().chain(files("src", &["rs"])) {
        let text = std::fs::read_to_string(&path).unwrap();
        for (i, line) in text.lines().enumerate() {
            let after_attribute =
                i > 0 && text.lines().nth(i - 1).is_some_and(|l| l.trim() == "#[test]");
            let name = line.trim().strip_prefix("fn ").and_then(|l| l.split('(').next());
            let Some(name) = name.filter(|_| after_attribute) else { continue };
            if name.starts_with("test_") || name.split('_').count() < 2 {
                places.push(format!("{}:{}: {name}", below_root(&path), i + 1));
            }
        }
    }
    nothing_found("a test name says something about the world", places);
}
