//! The committed header is what the sources say. `STN_BLESS=1 cargo test --test header_sync` updates it.

#[path = "support/header.rs"]
mod header;

use std::path::Path;

#[test]
fn the_committed_header_equals_fresh_generator_output() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("include/stiction.h");
    let fresh = header::generate();
    if std::env::var_os("STN_BLESS").is_some() {
        std::fs::write(&path, &fresh).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    if let Some((line, (a, b))) =
        committed.lines().zip(fresh.lines()).enumerate().find(|(_, (a, b))| a != b)
    {
        panic!(
            "include/stiction.h:{}: has {a:?}, sources say {b:?}; run with STN_BLESS=1",
            line + 1
        );
    }
    assert_eq!(committed.len(), fresh.len(), "include/stiction.h is cut; run with STN_BLESS=1");
}

/// Each function of the header with its comment.
fn functions(header: &str) -> Vec<(String, String, String)> {
    let mut found = Vec::new();
    for block in header.split("/**").skip(1) {
        let Some((comment, rest)) = block.split_once("*/") else { continue };
        let declaration = rest.split(';').next().unwrap_or("").trim();
        if let Some(call) = declaration.strip_prefix("STN_API") {
            let name = call.split('(').next().unwrap().split([' ', '*']).next_back().unwrap();
            found.push((name.to_string(), comment.to_string(), declaration.to_string()));
        }
    }
    found
}

#[test]
fn every_function_says_what_a_caller_must_know() {
    let header = header::generate();
    let list = functions(&header);
    let declared = header.lines().filter(|l| l.starts_with("STN_API")).count();
    assert_eq!(list.len(), declared, "a function has no comment");
    assert!(declared > 0);
    for (name, comment, declaration) in list {
        assert!(comment.contains("@note Thread class: "), "{name}: no thread class");
        assert!(comment.contains("Since 0."), "{name}: no version");
        assert!(
            declaration.contains("void stn_") || comment.contains("@return"),
            "{name}: no @return"
        );
        for line in declaration.split_once('(').unwrap().1.split(',') {
            let parameter = line.trim_end_matches(')').split([' ', '*']).next_back().unwrap();
            if parameter == "void" || parameter.is_empty() {
                continue;
            }
            let Some((_, text)) = comment.split_once(&format!("@param {parameter}  ")) else {
                panic!("{name}: {parameter} is not described");
            };
            let text = text.split('@').next().unwrap();
            assert!(
                !line.contains('*') || text.contains("Nullable: "),
                "{name}: {parameter}: NULL?"
            );
        }
    }
}
