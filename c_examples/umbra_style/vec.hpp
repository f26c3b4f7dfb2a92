// Vectors, rotations and rigid motions of the host. Knows no mechanics.
#pragma once
#include <cmath>

namespace host {

struct Vec {
  double x = 0, y = 0, z = 0;
};

inline Vec operator+(Vec a, Vec b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vec operator-(Vec a, Vec b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vec operator-(Vec a) { return {-a.x, -a.y, -a.z}; }
inline Vec operator*(double s, Vec a) { return {s * a.x, s * a.y, s * a.z}; }
inline double dot(Vec a, Vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline double length(Vec a) { return std::sqrt(dot(a, a)); }
inline Vec unit(Vec a) { return (1.0 / length(a)) * a; }
inline Vec cross(Vec a, Vec b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
/// The part of `a` at right angles to the unit vector `n`.
inline Vec across(Vec a, Vec n) { return a - dot(a, n) * n; }

/// A unit quaternion, w x y z.
struct Quat {
  double w = 1, x = 0, y = 0, z = 0;
};

inline Quat operator*(Quat a, Quat b) {
  return {
      a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

inline Vec turn(Quat q, Vec a) {
  const Vec u{q.x, q.y, q.z}, c = cross(u, a);
  return a + 2.0 * q.w * c + 2.0 * cross(u, c);
}

inline Quat inverse(Quat q) { return {q.w, -q.x, -q.y, -q.z}; }
inline Vec turn_back(Quat q, Vec a) { return turn(inverse(q), a); }

/// The rotation by |r| about the axis r.
inline Quat rotation(Vec r) {
  const double angle = length(r);
  // The series of sin(angle/2)/angle where the quotient would be 0/0.
  const double s = angle > 1e-6 ? std::sin(0.5 * angle) / angle : 0.5 - angle * angle / 48.0;
  return {std::cos(0.5 * angle), s * r.x, s * r.y, s * r.z};
}

/// The rotation vector of a small rotation, up to its third power.
inline Vec small_rotation(Quat q) { return (q.w < 0 ? -2.0 : 2.0) * Vec{q.x, q.y, q.z}; }

/// Where a body stands: its center of mass and how its axes are turned.
struct Pose {
  Vec at;
  Quat turned;
  Vec place(Vec in_body) const { return at + turn(turned, in_body); }
  Vec direction(Vec in_body) const { return turn(turned, in_body); }
};

/// A linear and an angular part, in world axes: a velocity, a direction of motion, or a force with
/// its torque about the center of mass.
struct Screw {
  Vec linear, angular;
};

inline double dot(const Screw &a, const Screw &b) {
  return dot(a.linear, b.linear) + dot(a.angular, b.angular);
}

/// How the point `at` of a body moves along `direction`: its speed is dot(this, velocity).
inline Screw point_direction(const Pose &body, Vec at, Vec direction) {
  return {direction, cross(at - body.at, direction)};
}

} // namespace host
