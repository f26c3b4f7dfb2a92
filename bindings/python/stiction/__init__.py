"""Motion of bodies that touch: hard contact, joints, Coulomb friction and impacts by linear complementarity.

Complementarity problems on arrays: :func:`solve_lcp`, :func:`solve_contact`, :func:`solve_impact`, :class:`Lcp`.
Motion: a :class:`Model` of functions, or one that a :class:`Builder` makes of bodies, moved by a :class:`Stepper`.
Pictures: :mod:`stiction.plot`, in a browser :mod:`stiction.viewer`. SI units throughout; what the library promises is in stiction.h.
"""

from ._c import (
    ContactMode,
    EventKind,
    EventLevel,
    Freedom,
    Hypothesis,
    ImpactLaw,
    JointKind,
    LcpEngine,
    LedgerSpan,
    Method,
    Stabilization,
    Status,
    Want,
)
from ._builder import GROUND, Builder
from ._lcp import (
    ContactSolution,
    ImpactSolution,
    Lcp,
    LcpInfo,
    LcpSolution,
    MlcpSolution,
    Ray,
    lcp_residual,
    solve_contact,
    solve_impact,
    solve_lcp,
    solve_trapezoid,
)
from ._lib import Error, Refuse, lib
from ._sink import ContactSink
from ._model import Consistency, Dims, Energy, Model, Pair, PassiveModel, last_error
from ._stepper import Contact, Event, Forces, Impulses, Ledger, Request, Run, State, Stats, Stepper
from ._stepper import advance_all, event_array, step_all

#: Version of the library that was loaded.
__version__: str = lib.stn_version_string().decode()

__all__ = [
    "Builder",
    "Consistency",
    "Contact",
    "ContactMode",
    "ContactSink",
    "ContactSolution",
    "Dims",
    "Energy",
    "Error",
    "Event",
    "EventKind",
    "EventLevel",
    "Forces",
    "Freedom",
    "GROUND",
    "Hypothesis",
    "ImpactLaw",
    "ImpactSolution",
    "Impulses",
    "JointKind",
    "Lcp",
    "LcpEngine",
    "LcpInfo",
    "LcpSolution",
    "Ledger",
    "LedgerSpan",
    "Method",
    "MlcpSolution",
    "Model",
    "Pair",
    "PassiveModel",
    "Ray",
    "Refuse",
    "Request",
    "Run",
    "Stabilization",
    "State",
    "Stats",
    "Status",
    "Stepper",
    "Want",
    "advance_all",
    "event_array",
    "last_error",
    "lcp_residual",
    "solve_contact",
    "solve_impact",
    "solve_lcp",
    "solve_trapezoid",
    "step_all",
]
