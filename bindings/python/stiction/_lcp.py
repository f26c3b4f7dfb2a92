"""Complementarity, contact and impact problems on plain arrays."""

import ctypes
from types import SimpleNamespace
from typing import Any, Callable, List, NamedTuple, Optional, Sequence

import numpy as np

from . import _c
from ._c import ImpactLaw, LcpEngine
from ._lib import Array, Handle, address, check, choose, lib, matrix, record, sized, square, trapped, vector


class LcpInfo(NamedTuple):
    """What a solve reports besides its answer; the members of stn_lcp_info."""

    pivots: int
    warm: bool
    residual: float
    refactorizations: int
    attempts: int
    engine: LcpEngine
    uncovered: int
    growth: float


class LcpSolution(NamedTuple):
    """w = M z + q with 0 <= z, 0 <= w and z'w = 0."""

    z: Array
    w: Array
    info: LcpInfo


class MlcpSolution(NamedTuple):
    """Free unknowns, then complementary ones, and w of these."""

    x: Array
    w: Array
    info: LcpInfo


class ContactSolution(NamedTuple):
    """Velocity and impulses of :func:`solve_contact` and :func:`solve_trapezoid`."""

    v: Array
    joint_impulse: Array
    normal_impulse: Array
    friction_impulse: Array
    info: LcpInfo


class ImpactSolution(NamedTuple):
    """Velocity after an impact, after its compression, and the total impulses."""

    v: Array
    v_compression: Array
    joint_impulse: Array
    normal_impulse: Array
    friction_impulse: Array
    info: LcpInfo


class Ray(NamedTuple):
    """Where a solve ended without an answer: the unknowns with z > 0 make the trouble."""

    z: Array
    w: Array
    infeasible: bool


def _info(struct: Any) -> LcpInfo:
    members = record(struct)
    members.update(warm=bool(struct.warm), engine=LcpEngine(struct.engine))
    return LcpInfo(**{name: members[name] for name in LcpInfo._fields})


class Lcp(Handle):
    """A workspace for problems of up to `n_max` unknowns. It remembers its last basis, which makes a sequence
    of related problems cheap. Options are those of stn_lcp_options.

    A matrix in column-major (Fortran) order, or a slice of its columns, is used where it lies; one in row-major
    order costs a copy at each call. Right-hand sides of contiguous doubles are used where they lie.

    >>> import numpy as np, stiction
    >>> with stiction.Lcp(2, tolerance=1e-10) as lcp:
    ...     M = np.asfortranarray([[2.0, 1.0], [1.0, 2.0]])
    ...     for force in (1.0, 2.0):
    ...         print(lcp.solve(M, [-force, -force]).z)
    [0.33333333 0.33333333]
    [0.66666667 0.66666667]
    """

    _destroy = staticmethod(lib.stn_lcp_destroy)

    def __init__(self, n_max: int, **options: Any):
        self._progress: Any = None
        self._take("stn_lcp_create", n_max)
        if options:
            self.set_options(**options)

    def set_options(self, **options: Any) -> None:
        """max_pivots, engine, warm, tolerance: what is not named gets its default."""
        struct = _c.stn_lcp_options()
        check(lib.stn_lcp_options_init(ctypes.byref(struct), ctypes.sizeof(struct)))
        choose(struct, options)
        check(lib.stn_lcp_set_options(self._handle, ctypes.byref(struct)))

    def set_progress(self, progress: Optional[Callable[[int, float], Any]]) -> None:
        """progress(pivots, artificial) is called about every 64 pivots of :meth:`solve`; an exception that it
        raises stops the solve and comes out of it. None: no more."""

        def told(pivots: int, artificial: float, user: Any) -> int:
            try:
                progress(pivots, artificial)  # type: ignore[misc]
                return 0
            except BaseException as error:
                return trapped(error)

        thunk = _c.stn_progress_fn(told) if progress else _c.stn_progress_fn()
        check(lib.stn_lcp_set_progress(self._handle, thunk, None))
        self._progress = thunk

    def _solve(self, call: Any, M: Any, q: Any) -> LcpSolution:
        m, ldm = square(M, "M")
        n = m.shape[0]
        q = vector(q, "q", n)
        z, w, info = np.empty(n), np.empty(n), sized(_c.stn_lcp_info)
        check(call(self._handle, n, address(m), ldm, address(q), address(z), address(w), ctypes.byref(info)))
        return LcpSolution(z, w, _info(info))

    def solve(self, M: Any, q: Any) -> LcpSolution:
        """Solves w = M z + q, 0 <= z, 0 <= w, z'w = 0."""
        return self._solve(lib.stn_lcp_solve, M, q)

    def solve_again(self, M: Any, q: Any) -> LcpSolution:
        """As :meth:`solve` for another q and the matrix of the last call, which is not examined again."""
        return self._solve(lib.stn_lcp_solve_again, M, q)

    def solve_mixed(self, M: Any, q: Any, n_free: int) -> MlcpSolution:
        """As :meth:`solve`, where the first `n_free` rows are equations and their unknowns are free.

        >>> import stiction
        >>> stiction.Lcp(2).solve_mixed([[1.0, 1.0], [1.0, 2.0]], [-3.0, -4.0], n_free=1).x
        array([2., 1.])
        """
        m, ldm = square(M, "M")
        n = m.shape[0]
        q = vector(q, "q", n)
        x, w, info = np.empty(n), np.empty(max(n - n_free, 0)), sized(_c.stn_lcp_info)
        problem = (self._handle, n_free, n - n_free, address(m), ldm, address(q))
        check(lib.stn_mlcp_solve(*problem, address(x), address(w), ctypes.byref(info)))
        return MlcpSolution(x, w, _info(info))

    def get_basis(self, keys: Sequence[int]) -> List[int]:
        """Of the keys, which name the unknowns in their order, those that may be positive."""
        k = np.ascontiguousarray(keys, dtype=np.int64)
        basis, needed = np.empty(k.size, dtype=np.int64), ctypes.c_int32()
        check(
            lib.stn_lcp_get_basis(self._handle, k.size, address(k), address(basis), k.size, ctypes.byref(needed))
        )
        return [int(key) for key in basis[: needed.value]]

    def set_basis(self, keys: Sequence[int], basis: Sequence[int]) -> None:
        """Starts the next solve from the basis in which the unknowns with these keys may be positive."""
        k, b = np.ascontiguousarray(keys, dtype=np.int64), np.ascontiguousarray(basis, dtype=np.int64)
        check(lib.stn_lcp_set_basis(self._handle, k.size, address(k), address(b), b.size))

    def get_ray(self, n: int) -> Ray:
        """The ray on which the last solve, of n unknowns, failed with `Status.ERR_LCP_RAY`."""
        z, w, infeasible = np.empty(n), np.empty(n), ctypes.c_int32()
        check(lib.stn_lcp_get_ray(self._handle, n, address(z), address(w), ctypes.byref(infeasible)))
        return Ray(z, w, bool(infeasible.value))

    def solve_contact(
        self, mass: Any, p: Any, *, joint: Any = None, normal: Any = None, tangent: Any = None, mu: Any = None
    ) -> ContactSolution:
        """See :func:`solve_contact`."""
        a = _directions(mass, joint, normal, tangent, mu)
        p = vector(p, "p", a.nv)
        out = _impulses(a)
        check(lib.stn_contact_solve(self._handle, *a.head, address(p), *out.tail))
        return ContactSolution(out.v, out.joint, out.normal, out.friction, _info(out.info))

    def solve_impact(
        self,
        mass: Any,
        v: Any,
        *,
        law: ImpactLaw = ImpactLaw.POISSON,
        joint: Any = None,
        normal: Any = None,
        tangent: Any = None,
        mu: Any = None,
        restitution: Any = None,
    ) -> ImpactSolution:
        """See :func:`solve_impact`."""
        a = _directions(mass, joint, normal, tangent, mu)
        before = vector(v, "v", a.nv)
        e = np.zeros(a.n_contact) if restitution is None else _each(restitution, "restitution", a.n_contact)
        out, between = _impulses(a), np.empty(a.nv)
        check(
            lib.stn_impact_solve(
                self._handle, law, *a.head, address(e), address(before), address(between), *out.tail
            )
        )
        return ImpactSolution(out.v, between, out.joint, out.normal, out.friction, _info(out.info))

    def solve_trapezoid(
        self,
        h: float,
        mass: Any,
        force_start: Any,
        force_end: Any,
        v: Any,
        *,
        dfdq: Any = None,
        dfdv: Any = None,
        joint: Any = None,
        normal: Any = None,
        tangent: Any = None,
        joint_row: Any = None,
        normal_row: Any = None,
        tangent_row: Any = None,
        joint_offset: Any = None,
        normal_offset: Any = None,
        mu: Any = None,
    ) -> ContactSolution:
        """One step of the trapezoidal rule for a host that evaluates its own model; see stn_trapezoid_solve.

        A mass of 2 kg falls for a tenth of a second:

        >>> import stiction
        >>> stiction.Lcp(1).solve_trapezoid(0.1, [[2.0]], [-20.0], [-20.0], [0.0]).v
        array([-1.])
        """
        a = _directions(mass, joint, normal, tangent, mu)
        nv = a.nv

        def optional(x: Any, what: str, columns: int) -> Optional[Array]:
            return None if x is None else matrix(x, what, nv, columns)

        # Kept in a list: an address alone does not keep a copy alive until the call.
        inputs = [
            vector(force_start, "force_start", nv),
            vector(force_end, "force_end", nv),
            optional(dfdq, "dfdq", nv),
            optional(dfdv, "dfdv", nv),
            vector(v, "v", nv),
            a.joint,
            a.normal,
            a.tangent,
            optional(joint_row, "joint_row", a.n_joint),
            optional(normal_row, "normal_row", a.n_contact),
            optional(tangent_row, "tangent_row", a.n_contact * a.n_dir),
            None if joint_offset is None else vector(joint_offset, "joint_offset", a.n_joint),
            None if normal_offset is None else vector(normal_offset, "normal_offset", a.n_contact),
            a.mu,
        ]
        out = _impulses(a)
        check(
            lib.stn_trapezoid_solve(
                self._handle, *a.sizes, h, address(a.mass), *(address(x) for x in inputs), *out.tail
            )
        )
        return ContactSolution(out.v, out.joint, out.normal, out.friction, _info(out.info))


def _each(x: Any, what: str, n: int) -> Array:
    """One number for each of n contacts; a single number holds for all."""
    return np.full(n, float(x)) if np.ndim(x) == 0 else vector(x, what, n)


def _directions(mass: Any, joint: Any, normal: Any, tangent: Any, mu: Any) -> Any:
    """The inputs that contact problems share, checked, with their sizes and addresses."""
    a = SimpleNamespace()
    nv = np.shape(mass)[0] if np.ndim(mass) == 2 else 0
    a.nv, a.mass = nv, matrix(mass, "mass", nv, nv)
    a.joint = None if joint is None else matrix(joint, "joint", nv)
    a.normal = None if normal is None else matrix(normal, "normal", nv)
    a.tangent = None if tangent is None else matrix(tangent, "tangent", nv)
    a.n_joint = 0 if a.joint is None else a.joint.shape[1]
    a.n_contact = 0 if a.normal is None else a.normal.shape[1]
    columns = 0 if a.tangent is None else a.tangent.shape[1]
    a.n_dir, rest = divmod(columns, a.n_contact) if a.n_contact else (0, columns)
    if rest:
        raise ValueError(f"{columns} columns of tangent cannot be shared by {a.n_contact} contacts")
    a.mu = _each(0.0 if mu is None else mu, "mu", a.n_contact)
    a.sizes = (nv, a.n_joint, a.n_contact, a.n_dir)
    a.head = a.sizes + tuple(address(x) for x in (a.mass, a.joint, a.normal, a.tangent, a.mu))
    return a


def _impulses(a: Any) -> Any:
    """The outputs that contact problems share, and their addresses."""
    out = SimpleNamespace()
    out.v, out.joint, out.normal = np.empty(a.nv), np.empty(a.n_joint), np.empty(a.n_contact)
    out.friction, out.info = np.empty(a.n_contact * a.n_dir), sized(_c.stn_lcp_info)
    arrays = (out.v, out.joint, out.normal, out.friction)
    out.tail = tuple(address(x) for x in arrays) + (ctypes.byref(out.info),)
    return out


def _room(mass: Any, joint: Any, normal: Any, tangent: Any) -> int:
    """Unknowns of a contact problem: what stn_contact_solve asks of its workspace."""
    a = _directions(mass, joint, normal, tangent, None)
    return int(max(a.nv + a.n_joint, a.n_contact * (a.n_dir + 2)))


def solve_lcp(M: Any, q: Any, **options: Any) -> LcpSolution:
    """Solves w = M z + q, 0 <= z, 0 <= w, z'w = 0; options as in :class:`Lcp`.

    >>> import stiction
    >>> z, w, info = stiction.solve_lcp([[2.0, 1.0], [1.0, 2.0]], [-5.0, 1.0])
    >>> z, w
    (array([2.5, 0. ]), array([0. , 3.5]))
    """
    with Lcp(np.shape(M)[0], **options) as lcp:
        return lcp.solve(M, q)


def lcp_residual(M: Any, q: Any, z: Any) -> float:
    """How far z is from solving the problem, without units: at most 1e-9 is a solution.

    >>> import stiction
    >>> stiction.lcp_residual([[2.0]], [-4.0], [2.0]), stiction.lcp_residual([[2.0]], [-4.0], [1.0])
    (0.0, 0.5)
    """
    m, ldm = square(M, "M")
    n = m.shape[0]
    q, z = vector(q, "q", n), vector(z, "z", n)
    residual = ctypes.c_double()
    check(lib.stn_lcp_residual(n, address(m), ldm, address(q), address(z), ctypes.byref(residual)))
    return residual.value


def solve_contact(
    mass: Any, p: Any, *, joint: Any = None, normal: Any = None, tangent: Any = None, mu: Any = None
) -> ContactSolution:
    """One velocity-impulse problem: mass v = p + impulses, joints kept, contacts not penetrated, friction in its
    cone. Directions are columns of length nv; `tangent` has n_dir columns per contact, in angular order.

    A box of 1 kg is pushed into the floor and along it, friction takes half of what it is pressed by:

    >>> import stiction
    >>> s = stiction.solve_contact([[1, 0], [0, 1]], [2, -2], normal=[0, 1], tangent=[[1, -1], [0, 0]], mu=0.5)
    >>> s.v, s.normal_impulse, s.friction_impulse
    (array([1., 0.]), array([2.]), array([0., 1.]))
    """
    with Lcp(_room(mass, joint, normal, tangent)) as lcp:
        return lcp.solve_contact(mass, p, joint=joint, normal=normal, tangent=tangent, mu=mu)


def solve_impact(mass: Any, v: Any, **arguments: Any) -> ImpactSolution:
    """The velocity after an impact with velocity v before; arguments as in :meth:`Lcp.solve_impact`.

    A ball falls onto the floor, e = 0.5:

    >>> import stiction
    >>> stiction.solve_impact([[2.0]], [-3.0], normal=[1.0], restitution=0.5).v
    array([1.5])
    """
    directions = (arguments.get(name) for name in ("joint", "normal", "tangent"))
    with Lcp(_room(mass, *directions)) as lcp:
        return lcp.solve_impact(mass, v, **arguments)


def solve_trapezoid(
    h: float, mass: Any, force_start: Any, force_end: Any, v: Any, **arguments: Any
) -> ContactSolution:
    """As :meth:`Lcp.solve_trapezoid`, on a workspace of its own."""
    directions = (arguments.get(name) for name in ("joint", "normal", "tangent"))
    with Lcp(_room(mass, *directions)) as lcp:
        return lcp.solve_trapezoid(h, mass, force_start, force_end, v, **arguments)
