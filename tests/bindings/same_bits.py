"""The pendulum of the examples, computed through different languages, is the same motion to the last bit."""

import csv
import sys


def rows(path):
    """Every number of the file in the form that shows its bits."""
    with open(path, newline="") as file:
        return [[float(x).hex() for x in row] for row in csv.reader(file)]


first, *others = sys.argv[1:]
expected = rows(first)
assert len(expected) == 640 and others, f"{first} has {len(expected)} steps, compared with {len(others)} files"
for path in others:
    found = rows(path)
    for k, (a, b) in enumerate(zip(expected, found)):
        assert a == b, f"{path} step {k}: {b} instead of {a}"
    assert len(found) == len(expected), f"{path}: {len(found)} steps"
print(f"{len(others) + 1} languages, {len(expected)} steps, the same bits; q(T) =", *expected[-1][1:])
