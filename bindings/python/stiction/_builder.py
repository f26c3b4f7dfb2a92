"""Built-in bodies: one method for each stn_builder function."""

import ctypes
import math
from typing import Any, Callable, List, Optional

import numpy as np
from numpy.typing import ArrayLike

from . import _c
from ._c import Freedom, JointKind
from ._lib import Handle, address, check, lib, trapped, vector
from ._model import Model

#: The world, which does not move, where a body is asked for.
GROUND = -1


def _optional(x: Any, what: str, n: int) -> Any:
    return None if x is None else vector(x, what, n)


class Builder(Handle):
    """Collects bodies and what acts between them. Bodies, joints, shapes and materials are numbers, counted
    from zero; :data:`GROUND` is the world. SI units; points in body coordinates; None is the center of mass.

    A ball falls from half a meter and bounces, e = 0.5:

    >>> import stiction
    >>> b = stiction.Builder(gravity=[0, 0, -9.81])
    >>> b.set_surface(0, 0, mu=0.3, restitution=0.5)
    >>> ball = b.add_point3(mass=2.0, at=[0, 0, 0.6])
    >>> b.add_ball(ball, radius=0.1), b.add_half_space(stiction.GROUND, normal=[0, 0, 1])
    (0, 1)
    >>> with stiction.Stepper(b.build()) as s:
    ...     status = s.advance(0.5, h=1e-2)
    ...     [(event.kind.name, round(event.t, 6)) for event in s.events]
    [('IMPACT', 0.319275)]
    """

    _destroy = staticmethod(lib.stn_builder_destroy)

    def __init__(self, gravity: Optional[ArrayLike] = None):
        self._kept: List[Any] = []
        self._take("stn_builder_create")
        if gravity is not None:
            self.set_gravity(gravity)

    def build(self) -> Model:
        """A model of everything added so far; the builder can be used further."""
        out = ctypes.c_void_p()
        check(lib.stn_builder_build(self._handle, ctypes.byref(out)))
        assert out.value is not None
        return Model._built(out.value, list(self._kept))

    def _add(self, function: Any, *arguments: Any) -> int:
        """Calls a function whose last argument receives a number."""
        number = ctypes.c_int32()
        check(function(self._handle, *arguments, ctypes.byref(number)))
        return number.value

    def _signal(self, given: Callable[[float], float]) -> Any:
        def value(t: float, user: Any) -> float:
            try:
                return float(given(t))
            except BaseException as error:
                trapped(error)
                return math.nan  # which stops the step

        self._kept.append(_c.stn_signal_fn(value))
        return self._kept[-1]

    def _vector_signal(self, given: Callable[[float], Any]) -> Any:
        def value(t: float, at: int, user: Any) -> None:
            try:
                numbers = vector(given(t), "a force or torque", 3)
            except BaseException as error:
                trapped(error)
                numbers = np.full(3, math.nan)
            ctypes.memmove(at, address(numbers), 24)

        self._kept.append(_c.stn_vector_signal_fn(value))
        return self._kept[-1]

    def set_gravity(self, g: ArrayLike) -> None:
        """Acceleration of gravity, m/s^2; zero before."""
        g = vector(g, "gravity", 3)
        check(lib.stn_builder_set_gravity(self._handle, address(g)))

    def set_facets(self, n: int) -> None:
        """Friction directions per contact; by default 8, and 2 in the plane."""
        check(lib.stn_builder_set_facets(self._handle, n))

    # Bodies

    def add_point2(self, mass: float, at: ArrayLike) -> int:
        """A point mass in the plane: q = (x, y)."""
        at = vector(at, "at", 2)
        return self._add(lib.stn_builder_add_point2, mass, address(at))

    def add_point3(self, mass: float, at: ArrayLike) -> int:
        """A point mass in space: q = (x, y, z)."""
        at = vector(at, "at", 3)
        return self._add(lib.stn_builder_add_point3, mass, address(at))

    def add_planar(self, mass: float, inertia: float, at: ArrayLike, angle: float = 0.0) -> int:
        """A rigid body in the plane: q = (x, y, theta)."""
        at = vector(at, "at", 2)
        return self._add(lib.stn_builder_add_planar, mass, inertia, address(at), angle)

    def add_spatial(self, mass: float, inertia: Any, at: ArrayLike) -> int:
        """A rigid body in space; inertia 3 by 3 or three principal moments; at: x y z, or x y z and a unit
        quaternion w x y z."""
        i = np.asarray(inertia, dtype=np.float64)
        i = vector(np.diag(i).ravel() if i.shape == (3,) else i.ravel(), "inertia", 9)
        pose = self._pose(at)
        return self._add(lib.stn_builder_add_spatial, mass, address(i), address(pose))

    @staticmethod
    def _pose(pose: Any) -> Any:
        """7 numbers; a place alone stands along the axes."""
        if pose is None:
            return None
        pose = vector(pose, "pose")
        if pose.size == 3:
            pose = np.concatenate([pose, [1.0, 0.0, 0.0, 0.0]])
        return vector(pose, "pose", 7)

    def set_velocity(self, body: int, linear: ArrayLike, angular: Optional[ArrayLike] = None) -> None:
        """Initial velocity of a body, world axes; zero before."""
        linear, spin = vector(linear, "linear", 3), _optional(angular, "angular", 3)
        check(lib.stn_builder_set_velocity(self._handle, body, address(linear), address(spin)))

    # Joints

    def add_joint(
        self,
        kind: JointKind,
        a: int,
        b: int,
        at: ArrayLike,
        axis: Optional[ArrayLike] = None,
        axis_b: Optional[ArrayLike] = None,
    ) -> int:
        """Joins two bodies at a point of the pose, world axes."""
        at, x, y = vector(at, "at", 3), _optional(axis, "axis", 3), _optional(axis_b, "axis_b", 3)
        return self._add(lib.stn_builder_add_joint, kind, a, b, address(at), address(x), address(y))

    def add_rod(self, a: int, b: int, at_a: Any = None, at_b: Any = None, length: float = 0.0) -> int:
        """Keeps two points at a distance; 0: that of the pose."""
        p, r = _optional(at_a, "at_a", 3), _optional(at_b, "at_b", 3)
        return self._add(lib.stn_builder_add_rod, a, address(p), b, address(r), length)

    def add_drive(self, joint: int, freedom: Freedom, motion: Callable[[float], float]) -> int:
        """Prescribes a free coordinate of a joint as a function of time."""
        return self._add(lib.stn_builder_add_drive, joint, freedom, self._signal(motion), None, _c.stn_release_fn())

    def add_limit(
        self, joint: int, freedom: Freedom, low: float = -math.inf, high: float = math.inf, restitution: float = 0.0
    ) -> None:
        """Keeps a free coordinate of a joint between two ends."""
        check(lib.stn_builder_add_limit(self._handle, joint, freedom, low, high, restitution))

    def add_distance_limit(
        self,
        a: int,
        b: int,
        at_a: Any = None,
        at_b: Any = None,
        low: float = -math.inf,
        high: float = math.inf,
        restitution: float = 0.0,
    ) -> None:
        """Keeps the distance of two points between two ends: a rope has no lower end."""
        p, r = _optional(at_a, "at_a", 3), _optional(at_b, "at_b", 3)
        check(
            lib.stn_builder_add_distance_limit(self._handle, a, address(p), b, address(r), low, high, restitution)
        )

    # Forces

    def add_spring(
        self,
        a: int,
        b: int,
        stiffness: float,
        damping: float = 0.0,
        at_a: Any = None,
        at_b: Any = None,
        rest: float = 0.0,
    ) -> None:
        """A spring and damper between two points; rest 0: their distance at the pose."""
        p, r = _optional(at_a, "at_a", 3), _optional(at_b, "at_b", 3)
        check(lib.stn_builder_add_spring(self._handle, a, address(p), b, address(r), stiffness, damping, rest))

    def add_bushing(
        self, a: int, b: int, stiffness: float, damping: float = 0.0, at_a: Any = None, at_b: Any = None
    ) -> None:
        """A spring and damper that pulls two points together in every direction."""
        p, r = _optional(at_a, "at_a", 3), _optional(at_b, "at_b", 3)
        check(lib.stn_builder_add_bushing(self._handle, a, address(p), b, address(r), stiffness, damping))

    def add_joint_spring(
        self, joint: int, freedom: Freedom, stiffness: float, damping: float = 0.0, rest: float = 0.0
    ) -> None:
        """A spring and damper along a free coordinate of a joint."""
        check(lib.stn_builder_add_joint_spring(self._handle, joint, freedom, stiffness, damping, rest))

    def add_joint_friction(self, joint: int, freedom: Freedom, bound: float) -> None:
        """Dry friction along a free coordinate of a joint, of at most `bound`, N m or N."""
        check(lib.stn_builder_add_joint_friction(self._handle, joint, freedom, bound))

    def add_motor(self, joint: int, freedom: Freedom, force: Callable[[float], float]) -> None:
        """A force or torque along a free coordinate of a joint, given in time."""
        check(lib.stn_builder_add_motor(self._handle, joint, freedom, self._signal(force), None, _c.stn_release_fn()))

    def add_force(self, body: int, force: Callable[[float], Any], at: Any = None) -> None:
        """A force on a body, given in time, world axes."""
        p = _optional(at, "at", 3)
        signal = self._vector_signal(force)
        check(lib.stn_builder_add_force(self._handle, body, address(p), signal, None, _c.stn_release_fn()))

    def add_torque(self, body: int, torque: Callable[[float], Any]) -> None:
        """A torque on a body, given in time, world axes."""
        check(lib.stn_builder_add_torque(self._handle, body, self._vector_signal(torque), None, _c.stn_release_fn()))

    # Contact

    def add_material(self) -> int:
        """A material besides the default one, which is 0."""
        return self._add(lib.stn_builder_add_material)

    def set_surface(
        self, a: int, b: int, mu: float = 0.0, restitution: float = 0.0, axis: Any = None, mu_across: float = 0.0
    ) -> None:
        """How two materials meet; with an axis, friction is mu along it and mu_across across it."""
        x = _optional(axis, "axis", 3)
        check(lib.stn_builder_set_surface(self._handle, a, b, mu, restitution, address(x), mu_across))

    def add_ball(self, body: int, radius: float, pose: Any = None, material: int = 0) -> int:
        """A ball, in the plane a disc; a point when the radius is zero."""
        p = self._pose(pose)
        return self._add(lib.stn_builder_add_ball, body, radius, address(p), material)

    def add_capsule(self, body: int, half_length: float, radius: float, pose: Any = None, material: int = 0) -> int:
        """All points within a radius of a segment along the x axis of its pose."""
        p = self._pose(pose)
        return self._add(lib.stn_builder_add_capsule, body, half_length, radius, address(p), material)

    def add_box(self, body: int, half: ArrayLike, pose: Any = None, material: int = 0) -> int:
        """A box by half its edges."""
        half, p = vector(half, "half", 3), self._pose(pose)
        return self._add(lib.stn_builder_add_box, body, address(half), address(p), material)

    @staticmethod
    def _rows(points: Any, what: str, width: int, kind: Any = np.float64) -> Any:
        a = np.ascontiguousarray(points, dtype=kind)
        if a.ndim != 2 or a.shape[1] != width:
            raise ValueError(f"{what} must be rows of {width} numbers, their shape is {a.shape}")
        return a

    def add_polygon(self, body: int, vertices: Any, pose: Any = None, material: int = 0) -> int:
        """The convex hull of points of the plane, one point per row."""
        points, p = self._rows(vertices, "vertices", 2), self._pose(pose)
        return self._add(lib.stn_builder_add_polygon, body, points.shape[0], address(points), address(p), material)

    def add_half_space(self, body: int, normal: ArrayLike, pose: Any = None, material: int = 0) -> int:
        """Everything below a plane."""
        normal, p = vector(normal, "normal", 3), self._pose(pose)
        return self._add(lib.stn_builder_add_half_space, body, address(normal), address(p), material)

    def add_hull(self, body: int, points: Any, pose: Any = None, material: int = 0) -> int:
        """The convex hull of 4 to 64 points in space, one point per row."""
        x, p = self._rows(points, "points", 3), self._pose(pose)
        return self._add(lib.stn_builder_add_hull, body, x.shape[0], address(x), address(p), material)

    def add_mesh(self, body: int, vertices: Any, triangles: Any, pose: Any = None, material: int = 0) -> int:
        """A sheet of triangles, solid below: corners by rows, and rows of three numbers of corners, counterclockwise
        seen from outside."""
        x, i, p = self._rows(vertices, "vertices", 3), self._rows(triangles, "triangles", 3, np.int32), self._pose(pose)
        arrays = (x.shape[0], address(x), i.shape[0], address(i), address(p))
        return self._add(lib.stn_builder_add_mesh, body, *arrays, material)

    def add_height_field(self, body: int, size: ArrayLike, heights: Any, pose: Any = None, material: int = 0) -> int:
        """Heights over a grid around the pose, of `size` along x and y; ``heights[i, j]`` stands at the i-th x and the
        j-th y."""
        h, p = np.asarray(heights, dtype=np.float64), self._pose(pose)
        if h.ndim != 2:
            raise ValueError(f"heights must be nx by ny, their shape is {h.shape}")
        x, y = vector(size, "size", 2)
        columns = h.ravel(order="F")  # those along x side by side
        return self._add(
            lib.stn_builder_add_height_field, body, *h.shape, x, y, address(columns), address(p), material
        )

    def set_groups(self, shape: int, group: int, meets: int) -> None:
        """Bits of the groups that a shape belongs to, and of those that it meets."""
        check(lib.stn_builder_set_groups(self._handle, shape, group, meets))
