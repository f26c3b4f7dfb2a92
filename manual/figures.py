"""Draws the pictures of the gallery from the motions that `examples/gallery` wrote.

    python manual/figures.py FOLDER_OF_CSV FOLDER_OF_SVG
"""

import csv
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
# The same picture gives the same file.
matplotlib.rcParams["svg.hashsalt"] = "stiction"
import matplotlib.pyplot as plt  # noqa: E402

# Per experiment: curves as (abscissa, ordinate, label), names of the axes, equal scales or not. Without a common name of the
# ordinate every curve has a panel of its own: a velocity of millimetres per second is not seen beside a place of metres.
FIGURES = {
    "pendulum": ([("x1", "y1", "first bob"), ("x2", "y2", "second bob")], "x, m", "y, m", True),
    "block": ([("t", "x", "place, m"), ("t", "v", "velocity, m/s")], "t, s", "", False),
    "carts": ([("t", "x1", "first cart"), ("t", "x2", "second cart")], "t, s", "x, m", False),
    "damper": ([("t", "x1", "first body"), ("t", "x2", "second body")], "t, s", "x, m", False),
    "bars": ([("t", "joint", "place of the joint, m"), ("t", "energy", "energy, J")], "t, s", "", False),
    "rod": ([("t", "y", "height of the center, m"), ("t", "angle", "angle, rad")], "t, s", "", False),
    "balls": ([("t", "x1", "thrown ball"), ("t", "x2", "second"), ("t", "x3", "third"), ("t", "x4", "fourth")], "t, s", "x, m", False),
    "bouncing": ([("t", "q", "height, m"), ("t", "v", "velocity, m/s")], "t, s", "", False),
}


def draw(name, source, target):
    curves, across, up, equal = FIGURES[name]
    with open(source / f"{name}.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    figure, panels = plt.subplots(1 if up else len(curves), sharex=True, squeeze=False, figsize=(6.4, 3.6))
    panels = list(panels[:, 0]) * (len(curves) if up else 1)
    for k, (axes, (x, y, label)) in enumerate(zip(panels, curves)):
        axes.plot([float(r[x]) for r in rows], [float(r[y]) for r in rows], f"C{k}", label=label, linewidth=1.2)
        axes.set_ylabel(up or label)
        # Numbers as they are, none to be added to those at the axis.
        axes.ticklabel_format(axis="y", useOffset=False)
        axes.grid(alpha=0.3)
    panels[-1].set_xlabel(across)
    if equal:
        panels[0].set_aspect("equal")
    if up:
        panels[0].legend(frameon=False)
    figure.align_ylabels()
    figure.savefig(target / f"{name}.svg", bbox_inches="tight", metadata={"Date": None})
    plt.close(figure)


def main():
    source, target = Path(sys.argv[1]), Path(sys.argv[2])
    for name in FIGURES:
        draw(name, source, target)


main()
