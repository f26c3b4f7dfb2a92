//! What a C header declares, read from its text, so that nothing is forgotten in a list.

/// A struct with its members, or an enum with its enumerators.
#[allow(dead_code)] // each test takes what it needs
pub struct Named {
    pub name: String,
    pub members: Vec<String>,
}

pub struct Declarations {
    pub functions: Vec<String>,
    pub structs: Vec<Named>,
    pub enums: Vec<Named>,
}

/// Reads the shape of header that cbindgen writes.
pub fn parse(header: &str) -> Declarations {
    let text = without_comments(header);
    let mut found = Declarations { functions: Vec::new(), structs: Vec::new(), enums: Vec::new() };
    for declaration in text.split("STN_API ").skip(1).chain(text.split("STN_API\n").skip(1)) {
        // The macro itself is defined in lines without a parenthesis before their end.
        let head = declaration.split(['(', '\n']).next().unwrap_or("");
        let name = identifiers(head).last().cloned().unwrap_or_default();
        if name.starts_with("stn_") {
            found.functions.push(name);
        }
    }
    for (keyword, list) in [("struct", &mut found.structs), ("enum", &mut found.enums)] {
        let bodies = text.matches(&format!("typedef {keyword} ")).count();
        let opaque = text
            .lines()
            .filter(|l| l.starts_with(&format!("typedef {keyword} ")) && l.ends_with(';'));
        let opaque = opaque.count();
        for block in text.split(&format!("typedef {keyword} ")).skip(1) {
            let Some((name, rest)) = block.split_once('{') else { continue };
            if name.contains(';') {
                continue; // an opaque type
            }
            let body = rest.split('}').next().unwrap_or("");
            let members = if keyword == "enum" {
                body.split(',').filter_map(|e| identifiers(e).first().cloned()).collect()
            } else {
                body.split(';').filter_map(member).collect()
            };
            list.push(Named { name: name.trim().to_string(), members });
        }
        assert_eq!(list.len() + opaque, bodies, "a {keyword} was not understood");
    }
    found
}

/// The name a member declaration gives: the last identifier, or that of a function pointer.
fn member(declaration: &str) -> Option<String> {
    match declaration.split_once("(*") {
        Some((_, rest)) => identifiers(rest).first().cloned(),
        None => identifiers(declaration.split('[').next()?).last().cloned(),
    }
}

fn identifiers(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.filter(|w| w.starts_with(|c: char| c.is_ascii_alphabetic())).map(str::to_string).collect()
}

fn without_comments(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, comment)) = rest.split_once("/*") {
        out += before;
        rest = comment.split_once("*/").map_or("", |(_, after)| after);
    }
    out += rest;
    out.lines()
        .map(|l| l.split("//").next().unwrap_or("").trim_end())
        .collect::<Vec<_>>()
        .join("\n")
}
