"""Writes stiction/_c.py, the C interface for ctypes, from include/stiction.h."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
import header  # noqa: E402  (bindings/header.py)

SCALARS = {
    "double": "c_double",
    "int": "c_int",
    "int32_t": "c_int32",
    "int64_t": "c_int64",
    "uint32_t": "c_uint32",
    "uint64_t": "c_uint64",
    "size_t": "c_size_t",
    "const char *": "c_char_p",
    "void": "None",
}


def ctypes_name(h, ctype):
    """Pointers are plain addresses: numpy arrays, structs and buffers all have one."""
    if ctype in SCALARS:
        return SCALARS[ctype]
    if ctype in {c.name for c in h.callbacks}:
        return ctype
    if ctype in {e.name for e in h.enums}:
        return "c_int32"
    if ctype.endswith("*"):
        return "c_void_p"
    raise ValueError(f"no ctypes type for {ctype!r}")


def comment(text, indent):
    return f"{indent}#: {text}\n" if text else ""


def table(h):
    """The text of the module."""
    out = ['"""The C interface, generated from stiction.h by tools/table.py; do not edit."""\n']
    out.append(
        "from ctypes import (  # noqa: F401\n    CFUNCTYPE, Structure, c_char_p, c_double, c_int, c_int32,"
        " c_int64, c_size_t, c_uint32, c_uint64, c_void_p,\n)\nfrom enum import IntEnum\n\n"
        f"VERSION = {h.defines['STN_VERSION_STRING']}\nABI_VERSION = {h.defines['STN_ABI_VERSION']}\n"
    )
    for e in h.enums:
        out.append(f'\n\nclass {header.camel(e.name)}(IntEnum):\n    """{e.doc}"""\n\n')
        for name, value, doc in e.members:
            out.append(comment(doc, "    ") + f"    {e.short(name)} = {value}\n")
    for c in h.callbacks:
        args = [ctypes_name(h, c.result)] + [ctypes_name(h, a.ctype) for a in c.args]
        out.append(f"\n\n{comment(c.doc, '')}{c.name} = CFUNCTYPE({', '.join(args)})")
    for s in h.structs:
        out.append(f'\n\n\nclass {s.name}(Structure):\n    """{s.doc}"""\n\n    _fields_ = [\n')
        for f in s.fields:
            out.append(comment(f.doc, "        ") + f'        ("{f.name}", {ctypes_name(h, f.ctype)}),\n')
        out.append("    ]")
    out.append("\n\n\n#: name: (type of the result, types of the arguments)\nFUNCTIONS = {\n")
    for f in h.functions:
        args = ", ".join(ctypes_name(h, a.ctype) for a in f.args)
        out.append(f'    "{f.name}": ({ctypes_name(h, f.result)}, [{args}]),\n')
    out.append("}\n")
    return "".join(out)


if __name__ == "__main__":
    sys.stdout.write(table(header.read()))
