"""The Julia binding without Julia: every source parses, every call of the library has as many arguments as the header
says, every @cfunction has the type of its callback, and the table src/c.jl, read as ctypes, runs the library.

    python julia_check.py LIBRARY
"""

import ctypes
import re
import sys
from pathlib import Path

import tree_sitter_julia
from tree_sitter import Language, Parser

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "bindings" / "julia" / "Stiction.jl"
sys.path.insert(0, str(PACKAGE / "gen"))
sys.path.insert(0, str(ROOT / "bindings"))
import generate  # noqa: E402
import header  # noqa: E402


def nodes(node):
    yield node
    for child in node.children:
        yield from nodes(child)


def parse(path):
    tree = Parser(Language(tree_sitter_julia.language())).parse(path.read_bytes())
    wrong = [n for n in nodes(tree.root_node) if n.type == "ERROR" or n.is_missing]
    assert not wrong, f"{path}: not understood at line {wrong[0].start_point[0] + 1}"
    return tree.root_node


def check_calls(path, tree, counts):
    """Calls of the library by name have the header's number of arguments."""
    calls = 0
    for n in nodes(tree):
        if n.type != "call_expression" or n.children[0].type != "identifier":
            continue
        name = n.children[0].text.decode()
        if name in counts:
            arguments = next(c for c in n.children if c.type == "argument_list").named_children
            found = len([a for a in arguments if "comment" not in a.type])
            assert found == counts[name], f"{path}:{n.start_point[0] + 1}: {name} takes {counts[name]} arguments, not {found}"
            calls += 1
    return calls


def read_table(text):
    """{function: (result, arguments)} and {struct: [(member, type)]} of c.jl, in Julia's types."""
    pattern = r"ccall\(_(\w+)\[\], (.+?), \(((?:[^()])*)\)(?:, ([\w, ]+))?\)"
    functions = {
        m[1]: (m[2], [t.strip() for t in m[3].split(",") if t.strip()], (m[4] or "").count(",") + bool(m[4]))
        for m in re.finditer(pattern, text)
    }
    structs = {
        m[1]: re.findall(r"(\w+)::(\S+)", m[2]) for m in re.finditer(r"^struct (\w+)\n(.*?)^end", text, re.M | re.S)
    }
    return functions, structs


def check_table(h, functions, structs):
    """The table is the header's, as far as it goes; functions that it does not have yet are named."""
    declared = {f.name: generate.signature(h, f) for f in h.functions}
    for name, (result, types, given) in functions.items():
        assert name in declared, f"c.jl has {name}, the header has not"
        assert (result, types) == declared[name] and given == len(types), f"c.jl is wrong about {name}: generate it again"
    for s in h.structs:
        if s.name in structs:
            known = [(f.name, generate.julia(h, f.ctype)) for f in s.fields][: len(structs[s.name])]
            # A reserved place may have got its name meanwhile.
            same = [t for _, t in structs[s.name]] == [t for _, t in known] and all(
                a == b or a.startswith("reserved") for (a, _), (b, _) in zip(structs[s.name], known)
            )
            assert same, f"c.jl is wrong about {s.name}: generate it again"
    new = sorted(set(declared) - set(functions))
    print(f"table: {len(functions)} functions and {len(structs)} structs as in the header", end="")
    print(f"; generate again for {', '.join(new)}" if new else "")


def check_callbacks(h, text):
    """@cfunction(call_mass, Cint, (...)) has the type of stn_mass_fn."""
    types = {c.name: generate.signature(h, c) for c in h.callbacks}
    found = re.findall(r"@cfunction\(\s*call_(\w+), (\w+),\s+\(([^()]*)\)\)", text)
    members = {f.ctype for s in h.structs if s.name == "stn_model_fns" for f in s.fields if f.ctype.endswith("_fn")}
    for name, result, arguments in found:
        assert (result, arguments.split(", ")) == types[f"stn_{name}_fn"], f"@cfunction of {name} is not stn_{name}_fn"
    missing = members - {f"stn_{name}_fn" for name, _, _ in found} - {"stn_release_fn"}
    assert len(found) >= 14, found
    print(f"callbacks: {len(found)} as in the header", f"; not offered: {sorted(missing)}" if missing else "")


CTYPES = {
    "Cdouble": ctypes.c_double,
    "Cint": ctypes.c_int,
    "Int32": ctypes.c_int32,
    "Int64": ctypes.c_int64,
    "UInt32": ctypes.c_uint32,
    "UInt64": ctypes.c_uint64,
    "Csize_t": ctypes.c_size_t,
    "Cvoid": None,
}


def as_ctypes(julia):
    return ctypes.c_void_p if julia.startswith("Ptr") else CTYPES[julia]


def run(path, functions, structs):
    """A problem is solved and a ball lands, through nothing but the table."""
    library = ctypes.CDLL(path)
    for name, (result, types, _) in functions.items():
        f = getattr(library, name)
        f.restype, f.argtypes = as_ctypes(result), [as_ctypes(t) for t in types]
    kinds = {
        name: type(name, (ctypes.Structure,), {"_fields_": [(n, as_ctypes(t)) for n, t in members]})
        for name, members in structs.items()
    }

    def sized(name):
        struct = kinds[name]()
        struct.struct_size = ctypes.sizeof(struct)
        return struct

    lcp, info = ctypes.c_void_p(), sized("stn_lcp_info")
    m, q, z, w = (ctypes.c_double * 4)(1, 0, 2, 1), (ctypes.c_double * 2)(-4, -1), (ctypes.c_double * 2)(), (ctypes.c_double * 2)()
    assert library.stn_lcp_create(2, ctypes.byref(lcp)) == 0
    assert library.stn_lcp_solve(lcp, 2, m, 2, q, z, w, ctypes.byref(info)) == 0
    library.stn_lcp_destroy(lcp)
    assert [round(x, 12) for x in z] == [2, 1] and info.residual <= 1e-9 and info.pivots > 0

    # The callbacks of the Julia model have these types.
    at = ctypes.POINTER(ctypes.c_double)
    two = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_double, at, at, ctypes.c_void_p)
    three = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_double, at, at, at, ctypes.c_void_p)

    def put(array, value):
        array[0] = value
        return 0

    mass = two(lambda t, q, m, user: put(m, 2.0))
    force = three(lambda t, q, v, f, user: put(f, -20.0))
    gap = three(lambda t, q, g, n, user: put(g, q[0]) or put(n, 1.0))
    dims, fns, event = sized("stn_dims"), sized("stn_model_fns"), sized("stn_event")
    dims.nq = dims.nv = dims.n_contact = 1
    fns.mass, fns.force, fns.gap = (ctypes.cast(f, ctypes.c_void_p).value for f in (mass, force, gap))
    model, stepper = ctypes.c_void_p(), ctypes.c_void_p()
    one, none, e = (ctypes.c_double * 1)(1.0), (ctypes.c_double * 1)(0.0), (ctypes.c_double * 1)(0.5)
    assert library.stn_model_create(ctypes.byref(dims), ctypes.byref(fns), None, e, None, ctypes.byref(model)) == 0
    assert library.stn_stepper_create(model, None, ctypes.byref(stepper)) == 0
    assert library.stn_stepper_set_state(stepper, 0.0, one, 1, none, 1) == 0
    assert library.stn_stepper_advance(stepper, 0.7, 0.01) == 1
    assert library.stn_stepper_get_event(stepper, 0, ctypes.byref(event)) == 0
    assert event.kind == 1 and abs(event.t - 0.2**0.5) < 1e-12
    library.stn_stepper_destroy(stepper)
    library.stn_model_destroy(model)
    print("the table solves a problem and lands a ball")


def main():
    h = header.read()
    files = sorted(PACKAGE.rglob("*.jl"))
    counts = {f.name: len(f.args) for f in h.functions}
    calls = 0
    for path in files:
        tree = parse(path)
        if path.name != "c.jl":
            calls += check_calls(path, tree, counts)
    assert len(files) >= 10 and calls >= 40, (files, calls)
    print(f"{len(files)} files parse, {calls} calls of the library have the right number of arguments")
    functions, structs = read_table((PACKAGE / "src" / "c.jl").read_text())
    check_table(h, functions, structs)
    check_callbacks(h, "".join((PACKAGE / "src" / name).read_text() for name in ("model.jl", "builder.jl")))
    run(sys.argv[1], functions, structs)


main()
