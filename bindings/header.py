"""Reads include/stiction.h: what a binding needs to know of the C interface, and nothing of its meaning.

The header is written by cbindgen in one fixed style, so regular expressions read it fully; `read` fails on a
declaration that it does not understand instead of passing over it. Types stay as C spells them.
"""

import re
from pathlib import Path
from typing import NamedTuple

HEADER = Path(__file__).resolve().parent.parent / "include" / "stiction.h"


class Field(NamedTuple):
    """A member of a struct or an argument: its C type (`const double *`), its name, its comment."""

    ctype: str
    name: str
    doc: str = ""


class Enum(NamedTuple):
    name: str
    doc: str
    members: list  # (name, value, doc)

    def prefix(self):
        """What all names begin with, up to an underscore; the odd one out keeps its own word."""
        names = [name for name, _, _ in self.members if name != "STN_BY_METHOD"]
        if len(names) == 1:
            return "STN_"
        first, last = min(names), max(names)
        n = next((i for i, (a, b) in enumerate(zip(first, last)) if a != b), min(len(first), len(last)))
        return first[: first.rindex("_", 0, n + 1) + 1] if "_" in first[:n] else ""

    def short(self, name):
        prefix = self.prefix()
        return name[len(prefix) :] if name.startswith(prefix) else name[len("STN_") :]


class Struct(NamedTuple):
    name: str
    doc: str
    fields: list


class Function(NamedTuple):
    """A function, or the type of one, then `name` is that of the typedef."""

    name: str
    doc: str
    result: str
    args: list


class Header(NamedTuple):
    defines: dict
    enums: list
    structs: list
    callbacks: list
    functions: list
    handles: list


COMMENT = re.compile(r"/\*\*(.*?)\*/\s*", re.S)


def plain(comment):
    """The words of a doc comment on one line per paragraph or @tag."""
    lines = [re.sub(r"^\s*\* ?", "", line).rstrip() for line in comment.strip().splitlines()]
    text = "\n".join(lines).strip()
    text = re.sub(r"\n(?!\n|@)", " ", text)
    return re.sub(r" *\n+ *", "\n", text).strip()


def field(text, doc=""):
    """`const double *q` as a Field; the words struct and enum say nothing that the name does not."""
    text = re.sub(r"\b(struct|enum)\s+", "", " ".join(text.split()))
    match = re.fullmatch(r"((?:const )?\w+(?: ?\*(?: ?const\b)?)*) ?(\w+)", text)
    if not match:
        raise ValueError(f"not understood: {text!r}")
    return Field(match[1].strip(), match[2], doc)


def arguments(text):
    text = " ".join(text.split())
    return [] if text in ("", "void") else [field(part) for part in text.split(",")]


def documented(text, pattern):
    """Every match of the pattern with the comment right before it."""
    for match in re.finditer(r"(?:/\*\*((?:(?!\*/).)*)\*/\s*)?" + pattern, text, re.S):
        yield plain(match[1] or ""), match


def read(path=HEADER):
    text = Path(path).read_text(encoding="utf-8")
    defines = dict(re.findall(r"^#define (STN_\w+) (\S+)$", text, re.M))
    enums, structs, callbacks, functions = [], [], [], []
    for doc, match in documented(text, r"typedef enum (\w+) \{(.*?)\} \w+;"):
        members = documented(match[3], r"(STN_\w+) = (-?\d+),")
        enums.append(Enum(match[2], doc, [(m[2], int(m[3]), d) for d, m in members]))
    for doc, match in documented(text, r"typedef struct (\w+) \{(.*?)\} \w+;"):
        fields = [field(m[2], d) for d, m in documented(match[3], r"(?m:^  ([^/*\s][^;]*);)")]
        structs.append(Struct(match[2], doc, fields))
    for doc, match in documented(text, r"typedef (\w+ ?\**) ?\(\*(\w+)\)\(([^)]*)\);"):
        callbacks.append(Function(match[3], doc, match[2].strip(), arguments(match[4])))
    for doc, match in documented(text, r"(?m:^STN_API\s+)([^;(]*?)(\w+)\(([^)]*)\);"):
        result = re.sub(r"\b(struct|enum)\s+", "", " ".join(match[2].split()))
        functions.append(Function(match[3], doc, result, arguments(match[4])))
    handles = re.findall(r"typedef struct (stn_\w+) \1;", text)
    found = {f.name for f in functions}
    code = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    missed = set(re.findall(r"\b(stn_\w+)\((?!\*)", code)) - found
    if missed or not (enums and structs and callbacks and functions and handles):
        raise ValueError(f"{path}: declarations not understood: {sorted(missed)}")
    return Header(defines, enums, structs, callbacks, functions, handles)


def camel(name):
    """stn_impact_law -> ImpactLaw"""
    return "".join(part.capitalize() for part in name.removeprefix("stn_").split("_"))
