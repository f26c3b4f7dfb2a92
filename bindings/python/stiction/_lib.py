"""The loaded library: finding it, turning a status into an exception, lending numpy memory to it."""

import ctypes
import os
import sys
import threading
from pathlib import Path
from typing import Any, Callable, NoReturn, Optional, TypeVar

import numpy as np

from . import _c
from ._c import Status

Array = np.ndarray
Self = TypeVar("Self", bound="Handle")

_NAMES = {"darwin": "libstiction.dylib", "win32": "stiction.dll"}


class Error(RuntimeError):
    """A call that failed; nothing was changed by it.

    `status` is its :class:`Status`, `text` what the library says about it.

    >>> import stiction
    >>> try:
    ...     stiction.solve_lcp([[-1.0]], [-1.0])
    ... except stiction.Error as error:
    ...     print(error.status.name)
    ERR_LCP_RAY
    """

    def __init__(self, status: Status, text: str):
        super().__init__(f"{status.name}: {text}")
        self.status = status
        self.text = text


class Refuse(Exception):
    """Raise it in a function of a model to refuse a point: the step returns `Status.REJECTED` and the
    state stays as it was, so that a shorter step can be tried."""


def _load() -> Any:
    given = os.environ.get("STICTION_LIBRARY")
    path = Path(given) if given else Path(__file__).with_name(_NAMES.get(sys.platform, "libstiction.so"))
    try:
        library = ctypes.CDLL(str(path))
    except OSError as error:
        raise ImportError(
            f"the Stiction library was not found or cannot be loaded: {path} ({error}). It is part of the wheel "
            "that `pip install ./bindings/python` builds; STICTION_LIBRARY can name another file."
        ) from None
    for name, (result, arguments) in _c.FUNCTIONS.items():
        function = getattr(library, name, None)
        if function is not None:
            function.restype, function.argtypes = result, arguments
    found = library.stn_abi_version() if hasattr(library, "stn_abi_version") else None
    if found != _c.ABI_VERSION:
        raise ImportError(f"{path} has the binary interface {found}; this package needs {_c.ABI_VERSION}")
    return library


lib: Any = _load()

_STATUS = {int(s): s for s in Status}
# An exception that waits for its call to come back; each thread has its own, as the library's error text.
_waiting = threading.local()


def trapped(error: BaseException) -> int:
    """Keeps what a callback raised for `check`; gives the number that the callback returns."""
    if isinstance(error, Refuse):
        return 1
    _waiting.error = error
    return -1


def fail(code: int) -> NoReturn:
    """Raises what a callback raised, with its traceback, else an Error with the library's text."""
    error: Optional[BaseException] = getattr(_waiting, "error", None)
    if error is not None:
        _waiting.error = None
        raise error
    size = lib.stn_last_error(None, 0) + 1
    text = ctypes.create_string_buffer(size)
    lib.stn_last_error(text, size)
    raise Error(_STATUS.get(code, Status.ERR_PANIC), text.value.decode("utf-8", "replace"))


def check(code: int) -> Status:
    """The status of a call as such, or an exception."""
    if code < 0:
        fail(code)
    return _STATUS[code]


def done(code: int) -> None:
    """As `check` for calls where a refused point leaves no answer."""
    if check(code) is not Status.OK:
        raise Refuse("a function of the model refused this point")


def vector(x: Any, what: str, n: Optional[int] = None) -> Array:
    """x as contiguous doubles: itself when it is that already, else a copy."""
    a = np.ascontiguousarray(x, dtype=np.float64)
    if a.ndim != 1 or (n is not None and a.shape[0] != n):
        wanted = "a vector" if n is None else f"a vector of {n} numbers"
        raise ValueError(f"{what} must be {wanted}, its shape is {a.shape}")
    return a


def matrix(x: Any, what: str, rows: int, columns: Optional[int] = None) -> Array:
    """x as doubles in column-major order: itself when it is that already, else a copy."""
    a = np.asarray(x, dtype=np.float64, order="F")
    if a.ndim == 1 and columns is None:  # one direction
        a = a.reshape(-1, 1)
    if a.ndim != 2 or a.shape[0] != rows or (columns is not None and a.shape[1] != columns):
        wanted = f"{rows} by {'any number' if columns is None else columns}"
        raise ValueError(f"{what} must be {wanted}, its shape is {a.shape}")
    return a


def square(x: Any, what: str) -> Any:
    """A square matrix and the distance of its columns in numbers; a slice of columns stays where it is."""
    a = np.asarray(x)
    if a.ndim != 2 or a.shape[0] != a.shape[1]:
        raise ValueError(f"{what} must be a square matrix, its shape is {a.shape}")
    n = a.shape[0]
    column, rest = divmod(a.strides[1], 8)
    if a.dtype != np.float64 or not a.flags.aligned or a.strides[0] != 8 or rest or column < n:
        a, column = np.asarray(a, dtype=np.float64, order="F"), max(n, 1)
    return a, column


def address(a: Any) -> Any:
    """Where the numbers of an array lie; None for no array."""
    return None if a is None else a.__array_interface__["data"][0]


class Handle:
    """Owns one handle of the library. `close` or the end of a `with` block gives it up."""

    _destroy: Callable[[Any], None] = staticmethod(lambda handle: None)
    _handle: Optional[int] = None

    def _take(self, create: str, *arguments: Any) -> None:
        out = ctypes.c_void_p()
        check(getattr(lib, create)(*arguments, ctypes.byref(out)))
        self._handle = out.value

    def close(self) -> None:
        """Gives the handle up; calling it again does nothing."""
        handle, self._handle = self._handle, None
        if handle is not None:
            self._destroy(handle)

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(self, *exception: Any) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()


def record(struct: Any) -> dict:
    """The members of a struct by name, without its size and its reserved places."""
    names = (name for name, _ in struct._fields_)
    return {n: getattr(struct, n) for n in names if n != "struct_size" and not n.startswith("reserved")}


def sized(kind: Any) -> Any:
    """A struct that knows its size."""
    struct = kind()
    struct.struct_size = ctypes.sizeof(kind)
    return struct


def choose(options: Any, given: dict) -> None:
    """Sets members of an option struct by name."""
    known = record(options)
    for name, value in given.items():
        if name not in known:
            raise TypeError(f"no option {name!r}; there are {', '.join(known)}")
        setattr(options, name, value)
