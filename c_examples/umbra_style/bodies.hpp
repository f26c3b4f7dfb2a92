// Bodies, joints and contacts as the host describes them. Knows nothing of how motion is computed.
#pragma once
#include "vec.hpp"
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace host {

/// Stands for the ground where the number of a body is asked for.
constexpr int GROUND = -1;

struct Body {
  std::string name;
  double mass; ///< kg
  Vec inertia; ///< principal moments about the center of mass, along the axes of the body, kg m^2
  Pose start;
};

struct Motion {
  Pose pose;
  Screw velocity;
};

/// One equation of a joint: its error, and how fast the error grows with the motion of each body.
struct Row {
  double error;
  Screw first, second;
};

/// Ties `second` to `first`.
class Joint {
public:
  Joint(int one, int other) : first(one), second(other) {}
  virtual ~Joint() = default;
  virtual int rows() const = 0;
  virtual void write(const Pose &a, const Pose &b, Row *rows) const = 0;
  const int first, second;
};

/// A common point and a common axis, given in the axes of each body.
class Hinge final : public Joint {
public:
  Hinge(int one, Vec at_one, int other, Vec at_other, Vec about)
      : Joint(one, other), at_first_(at_one), at_second_(at_other), axis_(about),
        side_(unit(cross(about, std::fabs(about.x) < 0.9 ? Vec{1, 0, 0} : Vec{0, 1, 0}))),
        edge_(cross(about, side_)) {}
  int rows() const override { return 5; }
  void write(const Pose &a, const Pose &b, Row *rows) const override {
    const Vec p = a.place(at_first_), q = b.place(at_second_), u = axis(a);
    const Vec world[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int i = 0; i < 3; ++i) {
      const Screw back = point_direction(a, p, -world[i]);
      rows[i] = {dot(q - p, world[i]), back, point_direction(b, q, world[i])};
    }
    const Vec sides[2] = {b.direction(side_), b.direction(edge_)};
    for (int i = 0; i < 2; ++i) {
      const Vec swing = cross(u, sides[i]);
      rows[3 + i] = {dot(u, sides[i]), {{}, swing}, {{}, -swing}};
    }
  }
  Vec axis(const Pose &a) const { return a.direction(axis_); }
  /// How far the second body has turned against the first about the axis, rad in (-pi, pi].
  double angle(const Pose &a, const Pose &b) const {
    const Vec side = turn_back(a.turned, b.direction(side_));
    return std::atan2(dot(side, edge_), dot(side, side_));
  }

private:
  Vec at_first_, at_second_, axis_, side_, edge_;
};

/// Keeps a body in the plane z = 0 of the world, turning about z only.
class InPlane final : public Joint {
public:
  explicit InPlane(int body) : Joint(GROUND, body) {}
  int rows() const override { return 3; }
  void write(const Pose &, const Pose &b, Row *rows) const override {
    const Vec up = b.direction({0, 0, 1});
    rows[0] = {b.at.z, {}, {{0, 0, 1}, {}}};
    rows[1] = {up.x, {}, {{}, cross(up, {1, 0, 0})}};
    rows[2] = {up.y, {}, {{}, cross(up, {0, 1, 0})}};
  }
};

/// A place where `body` touches or nearly touches `other`.
struct Contact {
  std::int64_t key; ///< stays the same as long as it is the same contact
  int body, other;
  Vec at;     ///< world
  Vec normal; ///< unit, out of `other` into `body`
  Vec along;  ///< unit, a direction of slip
  double gap; ///< m, positive when open
};

/// The host's collision detection: everything nearer than `margin` when the bodies stand at
/// `poses`.
class Collider {
public:
  virtual ~Collider() = default;
  virtual void find(const std::vector<Pose> &poses, double margin,
                    std::vector<Contact> &found) const = 0;
};

struct Mechanism {
  std::vector<Body> bodies;
  std::vector<std::unique_ptr<Joint>> joints;
  Vec gravity;          ///< m/s^2
  double friction = 0;  ///< coefficient of every contact
  int directions = 8;   ///< of friction, 2 for motion in a plane
  double size = 1;      ///< of what moves, m: what counts as near follows from it
  int max_contacts = 0; ///< the most that the collider finds at once
};

} // namespace host
