//! The header and the library as C and C++ programmers meet them: every chapter of c_examples is
//! compiled, linked both ways and run, and the header compiles without a warning wherever we promise it.
#![cfg(unix)]

#[path = "support/c.rs"]
mod c;

use c::{Compiler, STRICT, compilers, link, root, run, scratch};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The chapters in order.
fn examples() -> Vec<PathBuf> {
    let dir = std::fs::read_dir(root().join("c_examples")).unwrap();
    let mut list: Vec<_> = dir.map(|entry| entry.unwrap().path()).collect();
    list.retain(|p| p.extension().is_some_and(|e| e == "c"));
    list.sort();
    assert!(list.len() >= 3, "{list:?}");
    list
}

fn stem(path: &Path) -> &str {
    path.file_stem().unwrap().to_str().unwrap()
}

/// Compiles `source` strictly, as C99 or as C++11, and links the library.
fn build(compiler: &Compiler, cpp: bool, source: &Path, shared: bool, program: &Path) {
    let (path, language) = if cpp {
        (&compiler.cpp, ["-x", "c++", "-std=c++11"])
    } else {
        (&compiler.c, ["-x", "c", "-std=c99"])
    };
    let mut command = Command::new(path);
    command.args(language).args(STRICT).arg("-I").arg(root().join("include")).arg(source);
    // What follows is no source file.
    command.args(["-x", "none", "-o"]).arg(program).args(link(shared));
    run(&mut command);
}

/// Runs a chapter and compares what it prints with the text beside it.
fn prints_what_it_should(program: &Path, example: &Path) {
    let output = run(&mut Command::new(program));
    let printed = String::from_utf8(output.stdout).unwrap();
    let file = example.with_extension("expected");
    if std::env::var_os("STN_BLESS").is_some() {
        std::fs::write(&file, &printed).unwrap();
    }
    let expected = std::fs::read_to_string(&file).unwrap_or_default();
    assert_eq!(printed, expected, "{} does not print {}", program.display(), file.display());
    assert!(!printed.contains("-0.000 "), "a negative zero depends on the platform:\n{printed}");
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn every_chapter(cpp: bool, shared: bool) {
    let dir = scratch(&format!("c_face-{cpp}-{shared}"));
    // The second compiler reads the same sources differently, but links the same library.
    let all = if shared { compilers() } else { &compilers()[..1] };
    for (i, compiler) in all.iter().enumerate() {
        for example in examples() {
            let program = dir.join(format!("{}-{i}", stem(&example)));
            build(compiler, cpp, &example, shared, &program);
            prints_what_it_should(&program, &example);
        }
    }
}

#[test]
fn every_chapter_runs_as_c_on_the_shared_library() {
    every_chapter(false, true);
}

#[test]
fn every_chapter_runs_as_c_on_the_static_library() {
    every_chapter(false, false);
}

#[test]
fn every_chapter_runs_as_cpp_on_the_shared_library() {
    every_chapter(true, true);
}

#[test]
fn every_chapter_runs_as_cpp_on_the_static_library() {
    every_chapter(true, false);
}

/// The header alone and twice; after what others include; before it.
const INCLUDES: [&str; 3] = [
    "#include <stiction.h>\n#include <stiction.h>\n",
    "#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <stiction.h>\n",
    "#include <stiction.h>\n#include <errno.h>\n#include <math.h>\n#include <stdio.h>\n#include <time.h>\n",
];

#[test]
fn the_header_compiles_without_a_warning_in_every_mode() {
    let dir = scratch("header-modes");
    for (k, includes) in INCLUDES.iter().enumerate() {
        let source = dir.join(format!("order-{k}.c"));
        // Uses a macro, an enum, a struct and a handle, so that each is looked at.
        let text = format!(
            "{includes}int use(void);\nint use(void) {{\n  stn_lcp *lcp = NULL;\n  \
             stn_lcp_info info;\n  const stn_status st = stn_lcp_create(1, &lcp);\n  \
             info.struct_size = sizeof info;\n  return st == STN_OK && info.struct_size > 0 && stn_abi_version() == STN_ABI_VERSION;\n}}\n"
        );
        std::fs::write(&source, text).unwrap();
        for compiler in compilers() {
            for std in ["c99", "c11", "c17", "c++11", "c++17", "c++20"] {
                let cpp = std.contains("++");
                let mut command = Command::new(if cpp { &compiler.cpp } else { &compiler.c });
                command.args([
                    "-x",
                    if cpp { "c++" } else { "c" },
                    "-fsyntax-only",
                    "-Wconversion",
                ]);
                // Not a system header: -isystem or /usr/include would silence it.
                command.arg(format!("-std={std}")).args(STRICT).arg("-Wshadow");
                run(command.arg("-I").arg(root().join("include")).arg(&source));
            }
        }
    }
}

#[test]
fn the_signatures_that_programs_rely_on_are_those_of_the_header() {
    let source = root().join("tests/abi/contract.c");
    for compiler in compilers() {
        for (path, language) in
            [(&compiler.c, ["-x", "c", "-std=c99"]), (&compiler.cpp, ["-x", "c++", "-std=c++11"])]
        {
            let mut command = Command::new(path);
            command.args(language).args(STRICT).arg("-fsyntax-only");
            run(command.arg("-I").arg(root().join("include")).arg(&source));
        }
    }
}

#[test]
fn chapters_are_written_as_the_house_demands() {
    for example in examples() {
        let text = std::fs::read_to_string(&example).unwrap();
        let name = stem(&example);
        assert!(text.starts_with("/* "), "{name}: no head that says what to look at");
        assert!(!text.contains("//"), "{name}: C99 knows //, but the chapters keep to one style");
        let lines = text.lines().count();
        assert!(lines <= 130, "{name}: {lines} lines");
        assert!(name != "00_readme" || lines < 40, "{name}: {lines} lines");
        // A call whose status nobody looks at stands alone as a statement.
        for (i, line) in text.lines().enumerate() {
            let call = line.trim_start().split('(').next().unwrap();
            let unchecked = call.starts_with("stn_")
                && !call.contains(' ')
                && line.contains('(')
                && !["stn_lcp_destroy", "stn_last_error"].contains(&call);
            assert!(!unchecked, "{name}:{}: status not checked", i + 1);
        }
        assert!(text.contains("stn_last_error("), "{name}: a failure must say why");
        if name != "00_readme" {
            assert!(text.contains("goto fail;"), "{name}: frees in one place");
        }
    }
}
