"""Motion of a model in time."""

import ctypes
import math
from collections import namedtuple
from typing import Any, Iterable, List, NamedTuple, Optional

import numpy as np

from . import _c
from ._c import ContactMode, EventKind, LedgerSpan, Status
from ._lib import (
    _STATUS,
    Array,
    Handle,
    Refuse,
    address,
    check,
    choose,
    done,
    fail,
    lib,
    record,
    sized,
    vector,
)
from ._model import Model

#: Counted since creation: the members of stn_stats.
Stats = namedtuple("Stats", list(record(_c.stn_stats)))  # type: ignore[misc]

#: Where kinetic energy came from and where it went, J: the members of stn_ledger.
Ledger = namedtuple("Ledger", list(record(_c.stn_ledger)))  # type: ignore[misc]
_LEDGER = np.dtype([(name, np.float64) for name in record(_c.stn_ledger)])

_MEMBERS: Any = _c.stn_event._fields_[1:]  # without struct_size
_EVENT = np.dtype([(name, np.dtype(kind)) for name, kind in _MEMBERS])


class Event(NamedTuple):
    """Something that happened during a step; see :class:`EventKind` for the meaning of the speeds."""

    kind: EventKind
    contact: int
    t: float
    speed_before: float
    speed_after: float
    impulse: float
    key: int


class State(NamedTuple):
    """Where a motion stands."""

    t: float
    q: Array
    v: Array


class Contact(NamedTuple):
    """One contact at the present state, with its impulses over the last step, impacts in it included."""

    mode: ContactMode
    key: int
    gap: float
    gap_rate: float
    slip_speed: float
    normal_impulse: float
    tangential_impulse: float


class Impulses(NamedTuple):
    """Impulses of the last step, N s: along joints, along normals, along friction directions."""

    joint: Array
    normal: Array
    friction: Array


class Forces(NamedTuple):
    """What acts at a state: dv/dt, forces along joints, normals and friction directions, and slip speeds."""

    acceleration: Array
    joint: Array
    normal: Array
    slip_speed: Array
    friction: Array


class Request(NamedTuple):
    """What a passive model is asked for, a mask of :class:`Want`, and where; see :class:`PassiveModel`."""

    number: int
    what: int
    t: float
    q: Array
    v: Array


class Run(NamedTuple):
    """A recorded motion: times, positions and velocities by rows, all events, and the ledger since the state was set
    by rows of Ledger when it was asked for."""

    t: Array
    q: Array
    v: Array
    events: List[Event]
    ledger: Optional[Array] = None


class Stepper(Handle):
    """State and workspace of one motion, for one thread at a time. Options are those of stn_stepper_options:

    >>> import stiction
    >>> ball = stiction.Model(
    ...     nv=1, n_contact=1, restitution=0.5, mass=[[2.0]],
    ...     force=lambda t, q, v: [-20.0], gap=lambda t, q: (q, [[1.0]]))
    >>> with stiction.Stepper(ball, method=stiction.Method.TRAPEZOID) as s:
    ...     s.set_state(0.0, q=[1.0], v=[0.0])
    ...     status = s.advance(0.7, h=0.01)
    ...     event = s.events[0]
    ...     print(status.name, event.kind.name, round(event.t, 6), s.q.round(6))
    EVENT IMPACT 0.447214 [0.245743]
    """

    _destroy = staticmethod(lib.stn_stepper_destroy)

    def __init__(self, model: Model, **options: Any):
        struct = _c.stn_stepper_options()
        check(lib.stn_stepper_options_init(ctypes.byref(struct), ctypes.sizeof(struct)))
        choose(struct, options)
        self.model = model  # its functions must live as long as this
        self._nq, self._nv = model.dims.nq, model.dims.nv
        self._take("stn_stepper_create", model._handle, ctypes.byref(struct))

    def set_state(self, t: float, q: Any, v: Any) -> None:
        """Puts the motion at (t, q, v)."""
        q, v = vector(q, "q", self._nq), vector(v, "v", self._nv)
        check(lib.stn_stepper_set_state(self._handle, t, address(q), q.size, address(v), v.size))

    def state(self) -> State:
        """(t, q, v), arrays of your own."""
        t, q, v = ctypes.c_double(), np.empty(self._nq), np.empty(self._nv)
        check(lib.stn_stepper_get_state(self._handle, ctypes.byref(t), address(q), q.size, address(v), v.size))
        return State(t.value, q, v)

    def read_state(self, q: Array, v: Array) -> float:
        """Writes q and v into your arrays of contiguous doubles; gives t."""
        for a, n in ((q, self._nq), (v, self._nv)):
            if a.dtype != np.float64 or not a.flags.carray or a.size != n:
                raise ValueError(f"needs a writable array of {n} contiguous doubles")
        t = ctypes.c_double()
        check(lib.stn_stepper_get_state(self._handle, ctypes.byref(t), address(q), q.size, address(v), v.size))
        return t.value

    @property
    def t(self) -> float:
        """Present time, s."""
        t = ctypes.c_double()
        check(lib.stn_stepper_get_state(self._handle, ctypes.byref(t), None, self._nq, None, self._nv))
        return t.value

    @property
    def q(self) -> Array:
        """Present position, an array of your own."""
        return self.state().q

    @property
    def v(self) -> Array:
        """Present velocity, an array of your own."""
        return self.state().v

    def step(self, h: float) -> Status:
        """One step, to t + h exactly: `Status.OK`, `EVENT` or, with the state as before, `REJECTED`."""
        code = lib.stn_stepper_step(self._handle, h)
        return _STATUS[code] if code >= 0 else fail(code)

    def advance(self, t_end: float, h: float) -> Status:
        """Steps of h to t_end; :attr:`events` then holds those of all steps."""
        return check(lib.stn_stepper_advance(self._handle, t_end, h))

    @property
    def events(self) -> List[Event]:
        """What happened in the last step or advance, in order of time."""
        count = lib.stn_stepper_event_count(self._handle)
        if count <= 0:
            return [] if count == 0 else fail(count)
        return [self._event(i) for i in range(count)]

    def _event(self, i: int) -> Event:
        e = sized(_c.stn_event)
        check(lib.stn_stepper_get_event(self._handle, i, ctypes.byref(e)))
        return Event(EventKind(e.kind), e.contact, e.t, e.speed_before, e.speed_after, e.impulse, e.key)

    @property
    def stats(self) -> Any:
        """Counters since creation and the worst residual, gap and joint drift."""
        out = sized(_c.stn_stats)
        check(lib.stn_stepper_get_stats(self._handle, ctypes.byref(out)))
        return Stats(**record(out))

    def state_at(self, t: float) -> State:
        """The state at any time inside the last step: between events a cubic in q; at an event the state after it."""
        q, v = np.empty(self._nq), np.empty(self._nv)
        done(lib.stn_stepper_get_state_at(self._handle, t, address(q), q.size, address(v), v.size))
        return State(t, q, v)

    def ledger(self, span: LedgerSpan = LedgerSpan.SUM) -> Any:
        """Energies since the state was set, or those of the last step."""
        out = sized(_c.stn_ledger)
        check(lib.stn_stepper_get_ledger(self._handle, span, ctypes.byref(out)))
        return Ledger(**record(out))

    def impulses(self) -> Impulses:
        """Impulses of the last step, impacts in it included."""
        d, n = self.model.dims, self.contact_count
        i = Impulses(np.empty(d.n_joint), np.empty(n), np.empty(n * d.n_dir))
        check(lib.stn_stepper_get_impulses(self._handle, *(x for a in i for x in (address(a), a.size))))
        return i

    def brake_impulses(self) -> Array:
        """Impulses of the brakes over the last step, N s."""
        brake = np.empty(self.model.dims.n_brake)
        check(lib.stn_stepper_get_brake_impulses(self._handle, address(brake), brake.size))
        return brake

    def forces(self) -> Forces:
        """What acts at the present state; changes nothing."""
        d, count = self.model.dims, self.contact_count
        f = Forces(*(np.empty(n) for n in (d.nv, d.n_joint, count, count, count * d.n_dir)))
        a, j, n, s, t = (address(x) for x in f)
        sizes = (d.nv, d.n_joint, count, count * d.n_dir)
        done(lib.stn_stepper_get_forces(self._handle, a, sizes[0], j, sizes[1], n, s, sizes[2], t, sizes[3]))
        return f

    @property
    def contact_count(self) -> int:
        """Contacts that have an index: those with a gap, then the places of those that come and go."""
        count: int = lib.stn_stepper_contact_count(self._handle)
        return count if count >= 0 else fail(count)

    def find_contact(self, key: int) -> Optional[int]:
        """Index of a contact by its key at the present state; None when it is not there."""
        contact = ctypes.c_int32()
        check(lib.stn_stepper_find_contact(self._handle, key, ctypes.byref(contact)))
        return contact.value if contact.value >= 0 else None

    def contact_key(self, i: int) -> Optional[int]:
        """Key of a contact at the present state; None for a place that is free."""
        key, taken = ctypes.c_int64(), ctypes.c_int32()
        check(lib.stn_stepper_get_contact_key(self._handle, i, ctypes.byref(key), ctypes.byref(taken)))
        return key.value if taken.value else None

    def contact(self, i: int) -> Contact:
        """What a contact does at the present state."""
        out = sized(_c.stn_contact_state)
        done(lib.stn_stepper_get_contact(self._handle, i, ctypes.byref(out)))
        members = record(out)
        members["mode"] = ContactMode(out.mode)
        return Contact(**{name: members[name] for name in Contact._fields})

    def passive_step(self, h: float) -> Status:
        """One step of a :class:`PassiveModel`. On `Status.WANTED` answer all :attr:`requests` by :meth:`put` and call it
        again with the same h; the rest as :meth:`step`."""
        return check(lib.stn_passive_step(self._handle, h))

    @property
    def requests(self) -> List[Request]:
        """What the last :meth:`passive_step` wants to know."""
        count = lib.stn_passive_request_count(self._handle)
        return [self._request(i) for i in range(count if count >= 0 else fail(count))]

    def _request(self, i: int) -> Request:
        what, t, q, v = ctypes.c_int32(), ctypes.c_double(), np.empty(self._nq), np.empty(self._nv)
        where = (ctypes.byref(t), address(q), q.size, address(v), v.size)
        check(lib.stn_passive_get_request(self._handle, i, ctypes.byref(what), *where))
        return Request(i, what.value, t.value, q, v)

    def put(self, request: Request, what: int, values: Any) -> None:
        """Answers one array of a request."""
        numbers = np.asarray(values, dtype=np.float64).ravel(order="F")
        check(lib.stn_passive_put(self._handle, request.number, what, address(numbers), numbers.size))

    def cancel(self) -> None:
        """Forgets all requests and answers of a passive step, for another try with other answers or another h."""
        check(lib.stn_passive_cancel(self._handle))

    def save(self) -> bytes:
        """A snapshot: after :meth:`restore`, the following steps give the same bits."""
        needed = ctypes.c_size_t()
        lib.stn_stepper_save(self._handle, None, 0, ctypes.byref(needed))
        buffer = ctypes.create_string_buffer(max(needed.value, 1))
        check(lib.stn_stepper_save(self._handle, buffer, needed.value, ctypes.byref(needed)))
        return buffer.raw[: needed.value]

    def restore(self, snapshot: bytes) -> None:
        """Takes up a snapshot of a stepper with the same model and options."""
        check(lib.stn_stepper_restore(self._handle, snapshot, len(snapshot)))

    def run(
        self, t_end: float, h: float, *, record: bool = True, ledger: bool = False, progress: bool = False
    ) -> Run:
        """Advances to t_end and keeps the state after every h; without `record` only first and last.

        `ledger` keeps the energies too, `progress` shows a bar when tqdm is installed. A refused point raises :class:`Refuse`; the stepper then
        stands at its last completed step.

        >>> import stiction
        >>> free = stiction.Model(nv=1, mass=[[1.0]], force=lambda t, q, v: [2.0])
        >>> run = stiction.Stepper(free).run(1.0, h=0.25)
        >>> run.t, run.q[:, 0]
        (array([0.  , 0.25, 0.5 , 0.75, 1.  ]), array([0.    , 0.0625, 0.25  , 0.5625, 1.    ]))
        """
        start = self.t
        # As stn_stepper_advance counts: a remainder below 1e-9 of a step is rounding.
        ratio = (t_end - start) / h if h > 0 else 0.0
        n = round(ratio) if abs(ratio - round(ratio)) <= 1e-9 else math.ceil(ratio)
        rows = n + 1 if record else 2
        t, q, v = np.empty(rows), np.empty((rows, self._nq)), np.empty((rows, self._nv))
        t[0] = self.read_state(q[0], v[0])
        books = np.zeros(rows, dtype=_LEDGER) if ledger else None
        events: List[Event] = []
        for k in _counted(n, progress):
            status = self.advance(t_end if k == n else start + k * h, h)
            if status is Status.REJECTED:
                raise Refuse(f"a function of the model refused a point after t = {self.t}")
            if status is Status.EVENT:
                events.extend(self.events)
            row = k if record else 1
            t[row] = self.read_state(q[row], v[row])
            if books is not None:
                books[row] = tuple(self.ledger())
        if n == 0 and not record:
            t[1], q[1], v[1] = t[0], q[0], v[0]
        return Run(t, q, v, events, books)


def _counted(n: int, progress: bool) -> Iterable[int]:
    """1 .. n, with a bar where there is one to be had."""
    numbers = range(1, n + 1)
    if progress:
        try:
            from tqdm.auto import tqdm  # type: ignore[import-untyped]
        except ImportError:
            return numbers
        return tqdm(numbers, unit="step")  # type: ignore[no-any-return]
    return numbers


def event_array(events: Iterable[Event]) -> Array:
    """Events as a structured array: ``event_array(run.events)["t"]``."""
    return np.array([tuple(e) for e in events], dtype=_EVENT)


def advance_all(steppers: Iterable[Stepper], t_end: float, h: float, threads: int = 0) -> List[Status]:
    """Every stepper to t_end with steps of h, over several threads (0: as many as the machine runs at once), for parameter
    studies. Gives the status of each; one that fails does not keep the others from going on. Models of Python functions
    share one interpreter and gain nothing; what they raise ends their stepper with ERR_CALLBACK.

    >>> import stiction
    >>> b = stiction.Builder()
    >>> _ = b.add_planar(1.0, 0.1, [0.0, 0.0])
    >>> model = b.build()
    >>> study = [stiction.Stepper(model) for _ in range(3)]
    >>> [status.name for status in stiction.advance_all(study, 1.0, 0.01)]
    ['OK', 'OK', 'OK']
    """
    return _all(list(steppers), lambda handles, n, status: lib.stn_batch_advance(handles, n, t_end, h, threads, status))


def step_all(steppers: Iterable[Stepper], h: float, threads: int = 0) -> List[Status]:
    """One step of each, as :func:`advance_all`."""
    return _all(list(steppers), lambda handles, n, status: lib.stn_batch_step(handles, n, h, threads, status))


#: What no stepper answers: still there when none was stepped.
_UNSTEPPED = -(2**31)


def _all(steppers: List[Stepper], call: Any) -> List[Status]:
    n = len(steppers)
    handles = (ctypes.c_void_p * n)(*(s._handle for s in steppers))
    status = (ctypes.c_int32 * n)(*[_UNSTEPPED] * n)
    code = call(ctypes.cast(handles, ctypes.c_void_p), n, status)
    if code < 0 and _UNSTEPPED in list(status):
        fail(code)
    return [_STATUS[x] for x in status]
