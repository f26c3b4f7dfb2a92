"""A motion as one HTML page that shows it in three dimensions, in any browser and without a network.

>>> import stiction, stiction.viewer, tempfile, pathlib
>>> b = stiction.Builder(gravity=[0, 0, -9.81])
>>> box = b.add_spatial(1.0, [0.1, 0.1, 0.1], at=[0, 0, 0.5])
>>> run = stiction.Stepper(b.build()).run(0.2, 0.01)
>>> scene = stiction.viewer.Scene("A box falls")
>>> scene.body("box", stiction.viewer.shape("box", half=[0.1, 0.1, 0.1]))
>>> page = pathlib.Path(tempfile.mkdtemp()) / "falls.html"
>>> scene.write(page, run.t, stiction.viewer.poses(b.build(), run.q, [box]))
>>> "A box falls" in page.read_text()
True
"""

import json
from pathlib import Path
from typing import Any, Dict, List, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike

from ._lib import Array
from ._model import Model

_PAGE = Path(__file__).with_name("viewer.html")


def shape(kind: str, **members: Any) -> Dict[str, Any]:
    """A shape of a scene: kinds and members are those of the repository's viewer/README.md, such as
    ``shape("box", half=[1, 1, 1])``, ``shape("sphere", radius=0.1, pose=[0, 0, 1, 1, 0, 0, 0])``."""
    return {"kind": kind, **{name: np.asarray(x).tolist() for name, x in members.items()}}


def poses(model: Model, q: ArrayLike, bodies: Sequence[int]) -> Array:
    """Place and quaternion of built-in bodies for each row of q: frames by bodies by 7."""
    return np.array([[model.pose(body, row) for body in bodies] for row in np.atleast_2d(np.asarray(q))])


class Scene:
    """What is shown: the ground, bodies with their shapes, and from where one looks."""

    def __init__(self, title: str = "Stiction", up: ArrayLike = (0, 0, 1), view: ArrayLike = (0.6, -1, 0.5)):
        self._head = {"title": title, "up": np.asarray(up).tolist(), "view": np.asarray(view).tolist()}
        self._ground: Dict[str, Any] = {}
        self._bodies: List[Dict[str, Any]] = []

    def ground(self, *shapes: Dict[str, Any], color: str = "#d8cfc0") -> None:
        """What does not move."""
        self._ground = {"color": color, "shapes": shapes}

    def body(self, name: str, *shapes: Dict[str, Any], color: str = "#8fb3d9") -> None:
        """The next body, with shapes in its own axes."""
        self._bodies.append({"name": name, "color": color, "shapes": shapes})

    def write(self, path: Union[str, Path], t: ArrayLike, poses: ArrayLike) -> None:
        """Writes the page: times, and for each time and body x y z and a unit quaternion w x y z."""
        times, places = np.asarray(t, dtype=float), np.asarray(poses, dtype=float)
        if places.shape != (times.size, len(self._bodies), 7):
            raise ValueError(f"poses must have the shape {(times.size, len(self._bodies), 7)}, not {places.shape}")
        if not (np.isfinite(times).all() and np.isfinite(places).all()):
            raise ValueError("a time or a pose is not finite")
        rows = np.column_stack([times, places.reshape(times.size, -1)])
        frames = [[float(f"{x:.7g}") for x in row] for row in rows]
        scene = {**self._head, "ground": self._ground, "bodies": self._bodies, "frames": frames}
        # A name must not end the script that it stands in.
        text = json.dumps(scene).replace("</", "<\\/")
        Path(path).write_text(_PAGE.read_text(encoding="utf-8") + f"show({text});\n</script>\n", encoding="utf-8")
