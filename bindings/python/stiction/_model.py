"""Mechanical systems: from Python functions, from a class, or as a Builder makes them."""

import ctypes
import weakref
from collections import namedtuple
from typing import Any, Callable, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from . import _c
from ._c import Freedom
from ._lib import Array, Handle, address, check, done, lib, record, sized, trapped, vector
from ._sink import ContactSink

#: How far a state is from being allowed: the members of stn_consistency.
Consistency = namedtuple("Consistency", list(record(_c.stn_consistency)))  # type: ignore[misc]


class Dims(NamedTuple):
    """Sizes of a model."""

    nq: int
    nv: int
    n_joint: int
    n_contact: int
    n_dir: int
    n_brake: int = 0


class Pair(NamedTuple):
    """The bodies and shapes of a contact; shape -1 for a limit."""

    body_a: int
    body_b: int
    shape_a: int
    shape_b: int


class Energy(NamedTuple):
    """J; `potential` is None for models of functions without elements; with them it is that of the elements."""

    kinetic: float
    potential: Optional[float]


def _reader(n: int) -> Callable[[int], Array]:
    """Copies n numbers of the library into a read-only array, which may outlive the call."""
    if n == 0:
        return lambda at: np.empty(0)
    size = 8 * n
    return lambda at: np.frombuffer(ctypes.string_at(at, size))


def _writer(what: str, *shape: int) -> Callable[[int, Any], None]:
    """Writes what a function gave into the library's memory, column by column."""
    size = int(np.prod(shape))

    def write(at: int, value: Any) -> None:
        a = np.asarray(value, dtype=np.float64)
        if a.shape != shape and (a.size != size or max(shape) != size):
            raise ValueError(f"{what} must have the shape {shape}, not {a.shape}")
        ctypes.memmove(at, a.tobytes("F"), 8 * size)

    return write


class Model(Handle):
    """A mechanical system: M(t, q) dv/dt = force(t, q, v) + forces of joints and contacts.

    Either from functions, or by a subclass that has them as methods and the sizes as attributes:

    ======================  ==================================================================
    ``mass(t, q)``          nv by nv; may also be a constant matrix
    ``force(t, q, v)``      nv numbers with every Coriolis term; None: no force
    ``force_jac(t, q, v)``  (df/dq, df/dv), nv by nq and nv by nv; None: by differences
    ``rate(t, q, v)``       dq/dt, nq numbers; None: v
    ``joint(t, q)``         (phi, jt), n_joint errors and nv by n_joint directions
    ``gap(t, q)``           (gap, normal), n_contact gaps and nv by n_contact normals
    ``tangent(t, q)``       nv by n_contact*n_dir friction directions; may also be constant
    ``brake(t, q)``         (bound, direction), n_brake bounds and nv by n_brake directions
    ``displace(t, q, d)``   the position reached from q by the displacement d; None: through rate
    ``accel(t, q, v)``      (joint, normal, tangent), what v alone adds to accelerations; None: by differences
    ``element(t, q)``       (phi, gradient, stiffness, damping) of n_element springs and dampers that the library adds
    ``contacts(...)``       (t, q, margin, sink): pushes contacts that come and go into a :class:`ContactSink`
    ======================  ==================================================================

    q and v come as read-only copies, which may be kept. Results are written straight into the library's
    memory. An exception ends the step, which changes nothing, and comes out of the call that made it;
    :class:`Refuse` makes the step return `Status.REJECTED`. A model shared by steppers on several threads is
    called from all of them.

    >>> import stiction
    >>> ball = stiction.Model(
    ...     nv=1, n_contact=1, restitution=0.5, mass=[[2.0]],
    ...     force=lambda t, q, v: [-20.0], gap=lambda t, q: (q, [[1.0]]))
    >>> class Ball(stiction.Model):
    ...     nv, n_contact, restitution = 1, 1, 0.5
    ...     mass = [[2.0]]
    ...     def force(self, t, q, v):
    ...         return [-20.0]
    ...     def gap(self, t, q):
    ...         return q, [[1.0]]
    >>> ball.dims == Ball().dims
    True
    """

    _destroy = staticmethod(lib.stn_model_destroy)

    nv: int = 0
    nq: Optional[int] = None
    n_joint: int = 0
    n_contact: int = 0
    n_dir: int = 0
    n_brake: int = 0
    n_element: int = 0
    max_contacts: int = 0
    mu: Any = None
    restitution: Any = None
    mass: Any = None
    force: Any = None
    force_jac: Any = None
    rate: Any = None
    joint: Any = None
    gap: Any = None
    tangent: Any = None
    brake: Any = None
    displace: Any = None
    accel: Any = None
    element: Any = None
    contacts: Any = None
    _bodies = False

    def __init__(self, **given: Any):
        """Sizes and functions by name, as in the table above; what is not given is taken from the class."""
        dims, fns = self._given(given), sized(_c.stn_model_fns)
        nq, nv, nj, nc, nb = dims.nq, dims.nv, dims.n_joint, dims.n_contact, dims.n_brake
        at_q, at_qv = (_reader(nq),), (_reader(nq), _reader(nv))
        directions = _writer("tangent", nv, nc * self.n_dir)
        self._set(fns, "mass", at_q, [_writer("mass", nv, nv)])
        self._set(fns, "force", at_qv, [_writer("force", nv)])
        self._set(fns, "force_jac", at_qv, [_writer("df/dq", nv, nq), _writer("df/dv", nv, nv)])
        self._set(fns, "rate", at_qv, [_writer("rate", nq)])
        self._set(fns, "joint", at_q, [_writer("phi", nj), _writer("jt", nv, nj)])
        self._set(fns, "gap", at_q, [_writer("gap", nc), _writer("normal", nv, nc)])
        self._set(fns, "tangent", at_q, [directions])
        self._set(fns, "brake", at_q, [_writer("bound", nb), _writer("direction", nv, nb)])
        self._set(fns, "displace", at_qv, [_writer("displace", nq)])
        added = [_writer("joint", nj), _writer("normal", nc), _writer("tangent", nc * self.n_dir)]
        self._set(fns, "accel", at_qv, added)
        ne = dims.n_element
        springs = [_writer("phi", ne), _writer("gradient", nv, ne), _writer("stiffness", ne), _writer("damping", ne)]
        self._set(fns, "element", at_q, springs)
        given_at = (_reader(nq), lambda margin: margin, lambda at: ContactSink(at, nv))
        self._set(fns, "contacts", given_at, [])
        fns.max_contacts = self.max_contacts
        # The thunks must live as long as the model; steppers keep this object, and with it the thunks.
        self._kept: List[Any] = [fns]
        mu, e = self._contacts("mu"), self._contacts("restitution")
        self._take("stn_model_create", ctypes.byref(dims), ctypes.byref(fns), address(mu), address(e), None)
        self._sizes()

    def _given(self, given: dict) -> Any:
        """Takes what the constructor was given; the sizes for the library."""
        for name, value in given.items():
            if name.startswith("_") or not hasattr(Model, name) or callable(getattr(Model, name)):
                raise TypeError(f"a model has no {name!r}")
            setattr(self, name, value)
        dims = sized(_c.stn_dims)
        dims.nq, dims.nv = self.nv if self.nq is None else self.nq, self.nv
        dims.n_joint, dims.n_contact, dims.n_dir, dims.n_brake = self.n_joint, self.n_contact, self.n_dir, self.n_brake
        dims.n_element = self.n_element
        return dims

    def _contacts(self, name: str) -> Optional[Array]:
        value = getattr(self, name)
        if value is None or np.ndim(value) > 0:
            return None if value is None else vector(value, name, self.n_contact)
        return np.full(self.n_contact, float(value))

    def _set(self, fns: Any, name: str, readers: Sequence[Any], writers: Sequence[Any]) -> None:
        """Puts the function of that name into the table, wrapped so that nothing escapes from it."""
        given = getattr(self, name)
        if given is None:
            return
        if not callable(given):
            constant = given
            given = lambda *point: constant  # noqa: E731
        # A method would keep the model alive that keeps the thunk: held weakly, the model ends with its last user.
        method = getattr(given, "__self__", None) is self
        function: Callable[[], Any] = weakref.WeakMethod(given) if method else lambda: given
        n, single = len(readers), len(writers) == 1
        pushes = not writers  # into a sink; what it returns does not matter

        def thunk(t: float, *at: Any) -> int:
            try:
                result = function()(t, *[read(a) for read, a in zip(readers, at)])
                results = () if pushes else (result,) if single else result
                if len(results) != len(writers):
                    raise ValueError(f"{name} gave {len(results)} arrays, must give {len(writers)}")
                for write, to, values in zip(writers, at[n:], results):
                    write(to, values)
                return 0
            except BaseException as error:
                return trapped(error)

        kinds: Any = _c.stn_model_fns._fields_
        setattr(fns, name, dict(kinds)[name](thunk))

    def _sizes(self) -> None:
        dims = sized(_c.stn_dims)
        check(lib.stn_model_get_dims(self._handle, ctypes.byref(dims)))
        self._dims = Dims(dims.nq, dims.nv, dims.n_joint, dims.n_contact, dims.n_dir, dims.n_brake)

    @classmethod
    def _built(cls, handle: int, kept: List[Any]) -> "Model":
        """The model of a builder, with what must live as long as it."""
        model = cls.__new__(cls)
        model._handle, model._kept, model._bodies = handle, kept, True
        model._sizes()
        return model

    @property
    def dims(self) -> Dims:
        """Sizes: nq, nv, n_joint, n_contact, n_dir, n_brake."""
        return self._dims

    def _state(self, q: Any, v: Any) -> Tuple[Array, Array]:
        return vector(q, "q", self._dims.nq), vector(v, "v", self._dims.nv)

    def check(self, t: float, q: Any, v: Any) -> float:
        """Largest relative error of the derivatives that the model gives: about 1 for a wrong one, below 1e-6
        for correct ones. :func:`last_error` says where it is.

        >>> import stiction
        >>> wrong = stiction.Model(nv=1, n_contact=1, mass=[[1.0]], gap=lambda t, q: (2 * q, [[1.0]]))
        >>> wrong.check(0.0, [1.0], [1.0]) > 0.1
        True
        """
        q, v = self._state(q, v)
        worst = ctypes.c_double()
        done(lib.stn_model_check(self._handle, t, address(q), q.size, address(v), v.size, ctypes.byref(worst)))
        return worst.value

    def initial(self) -> Tuple[Array, Array]:
        """(q, v) that a stepper starts from: zero, and for built-in bodies the builder's."""
        q, v = np.empty(self._dims.nq), np.empty(self._dims.nv)
        check(lib.stn_model_get_initial(self._handle, address(q), q.size, address(v), v.size))
        return q, v

    def energy(self, t: float, q: Any, v: Any) -> Energy:
        """Kinetic and, for built-in bodies and elements, potential energy."""
        q, v = self._state(q, v)
        kinetic, potential = ctypes.c_double(), ctypes.c_double()
        state = (self._handle, t, address(q), q.size, address(v), v.size, ctypes.byref(kinetic))
        if not self._bodies and self.n_element == 0:
            done(lib.stn_model_get_energy(*state, None))
            return Energy(kinetic.value, None)
        done(lib.stn_model_get_energy(*state, ctypes.byref(potential)))
        return Energy(kinetic.value, potential.value)

    def check_state(self, t: float, q: Any, v: Any) -> Any:
        """How far a state is from satisfying joints, joint velocities and gaps."""
        q, v = self._state(q, v)
        out = sized(_c.stn_consistency)
        done(lib.stn_model_check_state(self._handle, t, address(q), q.size, address(v), v.size, ctypes.byref(out)))
        return Consistency(**record(out))

    def nearest_state(self, t: float, q: Any, v: Any) -> Tuple[Array, Array, Any]:
        """The nearest state that satisfies joints, joint velocities and gaps, and what is left of the distances."""
        q, v = (np.array(x) for x in self._state(q, v))
        out = sized(_c.stn_consistency)
        done(lib.stn_model_nearest_state(self._handle, t, address(q), q.size, address(v), v.size, ctypes.byref(out)))
        return q, v, Consistency(**record(out))

    def coriolis(self, t: float, q: Any, v: Any) -> Array:
        """Coriolis and centrifugal forces that the mass makes, by differences of it; for models without rate.

        >>> import stiction
        >>> bead = stiction.Model(nv=1, mass=lambda t, q: [[1 + q[0] ** 2]])
        >>> bead.coriolis(0.0, [0.5], [2.0]).round(6)  # -x v^2
        array([-2.])
        """
        q, v = self._state(q, v)
        out = np.empty(self._dims.nv)
        done(lib.stn_model_coriolis(self._handle, t, address(q), q.size, address(v), v.size, address(out)))
        return out

    def cone_margin(self, t: float, q: Any, near: float = 0.0) -> float:
        """Margin of the friction cone of the contacts with gaps up to near: 0 where impulses can cancel and bodies may
        jam, infinite without contacts."""
        q, margin = vector(q, "q", self._dims.nq), ctypes.c_double()
        done(lib.stn_model_check_cone(self._handle, t, address(q), q.size, near, None, ctypes.byref(margin)))
        return margin.value

    # The rest is for models of built-in bodies.

    def momentum(self, q: Any, v: Any) -> Tuple[Array, Array]:
        """Linear and angular momentum, the latter about the origin."""
        q, v = self._state(q, v)
        linear, angular = np.empty(3), np.empty(3)
        state = (self._handle, address(q), q.size, address(v), v.size)
        check(lib.stn_model_get_momentum(*state, address(linear), address(angular)))
        return linear, angular

    def total_mass(self) -> float:
        """Mass of all bodies, kg."""
        mass = ctypes.c_double()
        check(lib.stn_model_get_total_mass(self._handle, ctypes.byref(mass)))
        return mass.value

    def body_range(self, body: int) -> Tuple[slice, slice]:
        """Where the coordinates of a body lie in q and in v."""
        n = [ctypes.c_int32() for _ in range(4)]
        check(lib.stn_model_get_body_range(self._handle, body, *(ctypes.byref(x) for x in n)))
        q_at, n_q, v_at, n_v = (x.value for x in n)
        return slice(q_at, q_at + n_q), slice(v_at, v_at + n_v)

    def joint_range(self, joint: int) -> slice:
        """Which joint equations are those of a joint."""
        first, n = ctypes.c_int32(), ctypes.c_int32()
        check(lib.stn_model_get_joint_range(self._handle, joint, ctypes.byref(first), ctypes.byref(n)))
        return slice(first.value, first.value + n.value)

    def contact_pair(self, key: int) -> Pair:
        """The bodies and shapes of a contact, by its key."""
        n = [ctypes.c_int32() for _ in range(4)]
        check(lib.stn_model_get_contact_pair(self._handle, key, *(ctypes.byref(x) for x in n)))
        return Pair(*(x.value for x in n))

    def pose(self, body: int, q: Any) -> Array:
        """Center of mass x y z and unit quaternion w x y z of a body."""
        q, pose = vector(q, "q", self._dims.nq), np.empty(7)
        check(lib.stn_model_get_pose(self._handle, body, address(q), q.size, address(pose)))
        return pose

    def point(self, body: int, q: Any, v: Any, at: Any = None) -> Tuple[Array, Array]:
        """World place and velocity of a point of a body; `at` in body coordinates, None: the center of mass."""
        q, v = self._state(q, v)
        at = None if at is None else vector(at, "at", 3)
        place, velocity = np.empty(3), np.empty(3)
        state = (self._handle, body, address(at), address(q), q.size, address(v), v.size)
        check(lib.stn_model_get_point(*state, address(place), address(velocity)))
        return place, velocity

    def joint_coordinate(self, joint: int, freedom: Freedom, q: Any) -> float:
        """A free coordinate of a joint, counted from the builder's pose, rad or m."""
        q, value = vector(q, "q", self._dims.nq), ctypes.c_double()
        check(lib.stn_model_get_joint_coordinate(self._handle, joint, freedom, address(q), q.size, ctypes.byref(value)))
        return value.value


class PassiveModel(Model):
    """A model that is never called: a stepper of it says what it wants, and is given arrays.

    For programs that own their evaluation loop, or that want to evaluate many points at once. Sizes, `mu` and
    `restitution` as in :class:`Model`. `gives` names what you give besides mass, joints, gaps and directions, which the
    sizes demand: a mask of `Want.FORCE`, `Want.DFDQ` with `Want.DFDV`, `Want.RATE`, `Want.MOVED`. `moving` says that
    joints or gaps depend on t at fixed q. See :meth:`Stepper.passive_step`.

    >>> import stiction
    >>> from stiction import Status, Want
    >>> model = stiction.PassiveModel(nv=1, n_contact=1, restitution=0.5, gives=Want.FORCE)
    >>> with stiction.Stepper(model) as s:
    ...     s.set_state(0.0, q=[1.0], v=[0.0])
    ...     while s.t < 0.45:
    ...         while s.passive_step(0.01) is Status.WANTED:
    ...             for r in s.requests:
    ...                 if r.what & Want.MASS: s.put(r, Want.MASS, [[2.0]])
    ...                 if r.what & Want.FORCE: s.put(r, Want.FORCE, [-20.0])
    ...                 if r.what & Want.GAP: s.put(r, Want.GAP, r.q)
    ...                 if r.what & Want.NORMAL: s.put(r, Want.NORMAL, [[1.0]])
    ...     print(s.events[0].kind.name, round(s.events[0].t, 6))
    IMPACT 0.447214
    """

    def __init__(self, *, gives: int = 0, moving: bool = False, max_points: int = 0, **given: Any):
        dims = self._given(given)
        self._kept = []
        mu, e = self._contacts("mu"), self._contacts("restitution")
        choices = (ctypes.byref(dims), gives, int(moving), max_points)
        self._take("stn_passive_create", *choices, address(mu), address(e))
        self._sizes()


def last_error() -> str:
    """What the library said last on this thread, also about a check that found something."""
    size = lib.stn_last_error(None, 0) + 1
    text = ctypes.create_string_buffer(size)
    lib.stn_last_error(text, size)
    return text.value.decode("utf-8", "replace")
