"""Pictures of a recorded motion, with matplotlib: ``pip install matplotlib``."""

from typing import Any, Iterable, Optional, Sequence

from ._c import EventKind
from ._lib import Array
from ._stepper import Event, Run

_MARKS = {
    EventKind.IMPACT: ("v", "tab:red"),
    EventKind.STICK: ("o", "tab:green"),
    EventKind.SLIP: ("s", "tab:orange"),
    EventKind.TAKEOFF: ("^", "tab:blue"),
    EventKind.CLOSE: ("_", "tab:purple"),
    EventKind.ENERGY: ("x", "black"),
}


def _axes(ax: Any) -> Any:
    if ax is not None:
        return ax
    try:
        from matplotlib import pyplot
    except ImportError:
        raise ImportError("stiction.plot needs matplotlib: pip install matplotlib") from None
    return pyplot.subplots(figsize=(8, 4), layout="constrained")[1]


def events(marks: Iterable[Event], ax: Any = None, y: float = 0.0) -> Any:
    """One mark per event along the time axis, by kind."""
    ax = _axes(ax)
    seen = set()
    for e in marks:
        shape, color = _MARKS.get(e.kind, ("d", "gray"))
        label = None if e.kind in seen else e.kind.name.lower()
        seen.add(e.kind)
        ax.plot([e.t], [y], shape, color=color, label=label, transform=ax.get_xaxis_transform(), clip_on=False)
    if seen:
        ax.legend(loc="best")
    return ax


def trajectory(
    run: Run, coordinates: Optional[Sequence[int]] = None, names: Optional[Sequence[str]] = None, ax: Any = None
) -> Any:
    """Positions over time, with the events marked along the axis."""
    ax = _axes(ax)
    for i in range(run.q.shape[1]) if coordinates is None else coordinates:
        ax.plot(run.t, run.q[:, i], label=f"q[{i}]" if names is None else names[i])
    ax.set_xlabel("t, s")
    ax.legend(loc="best")
    return events(run.events, ax)


def path(x: Array, y: Array, name: Optional[str] = None, ax: Any = None) -> Any:
    """The way of a point in the plane, in true proportions."""
    ax = _axes(ax)
    ax.plot(x, y, label=name)
    ax.set_aspect("equal", adjustable="datalim")
    if name:
        ax.legend(loc="best")
    return ax


def energy(run: Run, ax: Any = None) -> Any:
    """The ledger of a run over time: what came from forces and drives, and what friction and impacts took.

    >>> import matplotlib; matplotlib.use("Agg")
    >>> import stiction, stiction.plot
    >>> falls = stiction.Model(nv=1, mass=[[1.0]], force=lambda t, q, v: [-9.81])
    >>> ax = stiction.plot.energy(stiction.Stepper(falls).run(1.0, 0.1, ledger=True))
    >>> ax.get_ylabel()
    'energy, J'
    """
    if run.ledger is None:
        raise ValueError("the run has no ledger: run(..., ledger=True)")
    ax = _axes(ax)
    for name in run.ledger.dtype.names or ():
        # What is lost is counted as positive in the ledger; here everything adds up to the kinetic energy.
        sign = -1.0 if name in ("friction", "impact") else 1.0
        if run.ledger[name].any():
            ax.plot(run.t, sign * run.ledger[name], label=name)
    ax.set_xlabel("t, s")
    ax.set_ylabel("energy, J")
    ax.legend(loc="best")
    return events(run.events, ax)
