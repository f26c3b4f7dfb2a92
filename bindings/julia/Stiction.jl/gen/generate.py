"""Writes src/c.jl, the C interface for Julia, from include/stiction.h:

    python3 gen/generate.py > src/c.jl

A function that the table does not have yet breaks nothing; tests/bindings/julia_check.py says which are new.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))
import header  # noqa: E402  (bindings/header.py)

SCALARS = {
    "double": "Cdouble",
    "int": "Cint",
    "int32_t": "Int32",
    "int64_t": "Int64",
    "uint32_t": "UInt32",
    "uint64_t": "UInt64",
    "size_t": "Csize_t",
    "char": "UInt8",
    "void": "Cvoid",
}


def julia(h, ctype):
    """A C type as Julia spells it; handles and functions are plain pointers."""
    ctype = ctype.replace("const ", "").strip()
    if ctype.endswith("*"):
        inner = ctype[:-1].strip()
        return f"Ptr{{{'Cvoid' if inner in h.handles else julia(h, inner)}}}"
    if ctype in {c.name for c in h.callbacks}:
        return "Ptr{Cvoid}"
    if ctype in {e.name for e in h.enums}:
        return "Int32"
    if ctype in {s.name for s in h.structs}:
        return ctype
    return SCALARS[ctype]


def signature(h, f):
    """(type of the result, types of the arguments), for functions and for types of functions."""
    return julia(h, f.result), [julia(h, a.ctype) for a in f.args]


def table(h):
    out = ["# The C interface, generated from stiction.h by gen/generate.py; do not edit.\n\n"]
    out.append(f"const STN_ABI_VERSION = {h.defines['STN_ABI_VERSION']}\n")
    for e in h.enums:
        out.append(f"\n# {e.name}\n")
        out.extend(f"const {name} = Int32({value})\n" for name, value, _ in e.members)
    for s in h.structs:
        out.append(f"\nstruct {s.name}\n")
        out.extend(f"    {f.name}::{julia(h, f.ctype)}\n" for f in s.fields)
        out.append("end\n")
    out.append("\n# Addresses, found when the package is loaded; C_NULL for what the library does not have.\n")
    out.append("const ADDRESSES = Pair{Symbol,Base.RefValue{Ptr{Cvoid}}}[]\n")
    for f in h.functions:
        result, types = signature(h, f)
        names = [a.name if a.name != "end" else "end_" for a in f.args]
        listed = ", ".join(types) + ("," if len(types) == 1 else "")
        call = ", ".join([f"_{f.name}[]", result, f"({listed})", *names])
        out.append(f"\nconst _{f.name} = Ref{{Ptr{{Cvoid}}}}(C_NULL)\npush!(ADDRESSES, :{f.name} => _{f.name})\n")
        out.append(f"{f.name}({', '.join(names)}) =\n    ccall({call})\n")
    return "".join(out)


if __name__ == "__main__":
    sys.stdout.write(table(header.read()))
