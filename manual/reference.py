"""Writes the reference pages of the manual from include/stiction.h, and sees that the page of troubles names every status
and that every test, script or example that a page names is there.

    python manual/reference.py PAGES
"""

import html
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "bindings"))
import header  # noqa: E402


def words(text):
    """A doc comment as one paragraph of Markdown; nothing in it is markup."""
    return html.escape(" ".join(text.split()), quote=False).replace("*", r"\*").replace("_", r"\_").replace("|", r"\|")


def group(name):
    """stn_stepper_get_state -> stepper"""
    return name.split("_")[1]


WIDTH = 90  # what a page shows of a line


def signature(function):
    """On one line, or with a line for each argument."""
    args = [f"{a.ctype} {a.name}".replace("* ", "*") for a in function.args] or ["void"]
    begin = f"{function.result} {function.name}("
    whole = f"{begin}{', '.join(args)})"
    return whole if len(whole) <= WIDTH else begin + (",\n" + " " * len(begin)).join(args) + ")"


def function_page(functions):
    out = ["# Functions", "", "All of `stiction.h`, by the noun they begin with.", ""]
    last = None
    for f in sorted(functions, key=lambda f: group(f.name)):  # stable: the header's order within a noun
        if group(f.name) != last:
            last = group(f.name)
            out += [f"## {last}", ""]
        said, *tags = re.split(r"\n(?=@)", f.doc)
        out += [f"### {f.name}", "", "```c", signature(f), "```", "", words(said), ""]
        for tag in tags:
            kind, _, rest = tag.partition(" ")
            if kind == "@param":
                name, _, rest = rest.strip().partition(" ")
                out.append(f"* `{name}`: {words(rest)}")
            else:
                out.append(f"* *{kind[1:]}*: {words(rest)}")
        out.append("")
    return "\n".join(out)


def struct_page(structs):
    out = ["# Structs", "", "Each begins with its own size, which the caller sets; members that an older caller does not know", "keep their defaults.", ""]
    for s in structs:
        out += [f"## {s.name}", "", words(s.doc), "", '<div class="names" markdown>', "", "| member | type | meaning |", "|---|---|---|"]
        out += [f"| `{f.name}` | `{f.ctype}` | {words(f.doc)} |" for f in s.fields]
        out += ["", "</div>", ""]
    return "\n".join(out)


def enum_page(enums):
    out = ["# Enums", "", "Their numbers never change. They travel as `int32_t`.", ""]
    for e in enums:
        out += [f"## {e.name}", "", words(e.doc), "", '<div class="names" markdown>', "", "| name | number | meaning |", "|---|---|---|"]
        out += [f"| `{name}` | {value} | {words(doc)} |" for name, value, doc in e.members]
        out += ["", "</div>", ""]
    return "\n".join(out)


def callback_page(callbacks):
    out = ["# Callbacks", "", "What a host gives to the library. None may throw, longjmp or call the handle that is calling it.", ""]
    for f in callbacks:
        out += [f"## {f.name}", "", "```c", signature(f), "```", "", words(f.doc), ""]
    return "\n".join(out)


def missing_tests():
    """Names of files, and of tests in them as `tests/FILE.rs: NAME`, that pages mention and the tree has not."""
    lost = []
    for page in sorted((ROOT / "manual" / "pages").rglob("*.md")):
        text = page.read_text(encoding="utf-8")
        for file, _, test in re.findall(r"`((?:tests|fuzz|examples|c_examples|manual)/[\w/]+\.(?:rs|sh|c|h|py))(: (\w+))?`", text):
            path = ROOT / file
            if not path.is_file() or (test and f"fn {test}(" not in path.read_text(encoding="utf-8")):
                lost.append(f"{page.name}: {file} {test}".strip())
    return lost


def main():
    pages = Path(sys.argv[1])
    read = header.read()
    (pages / "reference").mkdir(parents=True, exist_ok=True)
    for name, text in {
        "functions": function_page(read.functions),
        "structs": struct_page(read.structs),
        "enums": enum_page(read.enums),
        "callbacks": callback_page(read.callbacks),
    }.items():
        (pages / "reference" / f"{name}.md").write_text(text, encoding="utf-8")
    troubles = (pages / "troubleshooting.md").read_text(encoding="utf-8")
    status = next(e for e in read.enums if e.name == "stn_status")
    missing = [name for name, _, _ in status.members if f"## {name}\n" not in troubles]
    if missing:
        sys.exit(f"manual/pages/troubleshooting.md has no heading for {', '.join(missing)}")
    lost = missing_tests()
    if lost:
        sys.exit("pages name what is not there:\n" + "\n".join(lost))


main()
