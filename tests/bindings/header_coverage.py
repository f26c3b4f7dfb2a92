"""Says for each binding which functions of stiction.h it does not call, and fails when a binding calls one that the
header does not have. The functions left out on purpose are listed here, with the reason; others are new."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bindings"))
import header  # noqa: E402

BINDINGS = {
    "cpp": ("bindings/cpp/stiction", ".hpp"),
    "python": ("bindings/python/stiction", ".py"),
    "matlab": ("bindings/matlab/src", ".c"),
    "julia": ("bindings/julia/Stiction.jl/src", ".jl"),
}

#: A batch calls the functions of models on threads of its own, which these hosts do not allow.
BATCH = dict.fromkeys(["stn_batch_step", "stn_batch_advance"], "functions of the host run on its own thread only")

LEFT_OUT = {
    "cpp": {
        "stn_version_number": "in stiction.h",
        "stn_version_string": "in stiction.h",
    },
    "python": {
        "stn_version_number": "the text says the same",
        "stn_status_name": "the enum Status has the names",
    },
    "julia": {
        "stn_version_number": "the text says the same",
        **dict.fromkeys(
            ["stn_lcp_get_basis", "stn_lcp_set_basis", "stn_lcp_set_progress"], "in the table; rarely wanted"
        ),
        **BATCH,
    },
    "matlab": {
        **dict.fromkeys(
            ["stn_lcp_solve_again", "stn_lcp_get_basis", "stn_lcp_set_basis", "stn_lcp_get_ray", "stn_lcp_set_progress"],
            "belong to a workspace that is kept between calls; here each call has its own",
        ),
        **BATCH,
    },
}


def main():
    h = header.read()
    functions = {f.name for f in h.functions}
    named = functions | {x.name for x in h.enums + h.structs + h.callbacks} | set(h.handles)
    wrong = 0
    for binding, (folder, ending) in BINDINGS.items():
        files = [p for p in sorted((ROOT / folder).rglob("*")) if p.suffix == ending]
        files = [p for p in files if p.name != "c.jl"]  # a table of all calls nothing
        words = {word for p in files for word in re.findall(r"\bstn_[a-z0-9_]+\b", p.read_text(encoding="utf-8"))}
        unknown = sorted(word for word in words - named if not word.endswith("_"))
        called, left = words & functions, set(LEFT_OUT[binding])
        new = sorted(functions - called - left)
        stale = sorted(left & called | left - functions)
        print(f"{binding}: {len(called)} of {len(functions)} functions", end="")
        print(f"; left out: {', '.join(sorted(left))}" if left else "", end="")
        print(f"; NOT COVERED: {', '.join(new)}" if new else "")
        if not files or unknown or stale:
            print(f"  not in the header: {unknown}; wrongly listed as left out: {stale}")
            wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
