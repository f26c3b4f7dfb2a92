"""Contacts that come and go: what a function of a model pushes them into."""

from typing import Any, Tuple

import numpy as np

from ._lib import Array, address, check, lib, vector


def _directions(tangent: Any, rows: int) -> Tuple[Array, int]:
    """Friction directions by columns, as the library reads them, and their number."""
    a = np.asarray(tangent, dtype=np.float64)
    if a.ndim != 2 or a.shape[0] != rows:
        raise ValueError(f"tangent must have {rows} rows, its shape is {a.shape}")
    return a.ravel(order="F"), a.shape[1]


class ContactSink:
    """Takes the contacts of one point, each by a key, the whole number that the program knows it by from call to call.
    Serves during the call that got it.

    A block slides on a floor, 3 m/s, mu g = 5 m/s^2: it comes 0.9 m far.

    >>> import stiction
    >>> def contacts(t, q, margin, sink):
    ...     if q[1] <= margin:
    ...         sink.push(7, gap=q[1], normal=[0, 1], tangent=[[1, -1], [0, 0]], mu=0.5)
    >>> block = stiction.Model(
    ...     nv=2, n_dir=2, max_contacts=1, mass=[[1, 0], [0, 1]],
    ...     force=lambda t, q, v: [0, -10], contacts=contacts)
    >>> s = stiction.Stepper(block)
    >>> s.set_state(0.0, q=[0, 0], v=[3, 0])
    >>> status = s.advance(1.0, h=0.01)
    >>> round(float(s.q[0]), 6), s.contact(s.find_contact(7)).mode.name
    (0.9, 'STICK')
    """

    def __init__(self, at: int, nv: int):
        self._at, self._nv = at, nv

    def push(
        self, key: int, gap: float, normal: Any, tangent: Any = None, mu: float = 0.0, restitution: float = 0.0
    ) -> None:
        """The rate of the gap is normal'v; tangent: nv by an even number of directions, the second half opposite."""
        n = vector(normal, "normal", self._nv)
        d, count = (None, 0) if tangent is None else _directions(tangent, self._nv)
        check(lib.stn_contact_push(self._at, key, gap, address(n), count, address(d), mu, restitution))

    def push_tangents(
        self, key: int, gap: float, normal: Any, facets: int, first: Any, second: Any, mu: float, restitution: float = 0.0
    ) -> None:
        """Friction directions are the corners of a polygon: cos first + sin second."""
        n, a, b = (vector(x, name, self._nv) for x, name in ((normal, "normal"), (first, "first"), (second, "second")))
        arrays = (address(n), facets, address(a), address(b))
        check(lib.stn_contact_push_tangents(self._at, key, gap, *arrays, mu, restitution))

    def push_sparse(
        self,
        key: int,
        gap: float,
        index: Any,
        normal: Any,
        tangent: Any = None,
        mu: float = 0.0,
        restitution: float = 0.0,
    ) -> None:
        """Columns on a few velocity coordinates, those of the two bodies that touch, say."""
        i = np.ascontiguousarray(index, dtype=np.int32)
        n = vector(normal, "normal", i.size)
        d, count = (None, 0) if tangent is None else _directions(tangent, i.size)
        arrays = (i.size, address(i), address(n), count, address(d))
        check(lib.stn_contact_push_sparse(self._at, key, gap, *arrays, mu, restitution))

    def join(self, group: int, keys: Any) -> None:
        """Contacts that were pushed become branches of a group: at least one of their gaps must hold. All branches
        of a group are pushed and joined, or none.

        A point slides over the edge of a corner, which is free where x >= 0 or y >= 0, after 1/2 s, and falls.

        >>> import stiction
        >>> def contacts(t, q, margin, sink):
        ...     sink.push(1, gap=q[1], normal=[0, 1])
        ...     sink.push(2, gap=q[0], normal=[1, 0])
        ...     sink.join(9, [1, 2])
        >>> point = stiction.Model(
        ...     nv=2, max_contacts=2, mass=[[1, 0], [0, 1]], force=lambda t, q, v: [0, -10], contacts=contacts)
        >>> s = stiction.Stepper(point)
        >>> s.set_state(0.0, q=[-1, 0], v=[2, 0])
        >>> status = s.advance(1.0, h=0.07)
        >>> [round(float(x), 9) for x in s.q]
        [1.0, -1.25]
        """
        k = np.ascontiguousarray(keys, dtype=np.int64).ravel()
        check(lib.stn_contact_join(self._at, group, k.size, address(k)))
