// Rough ground with rocks on it, and what of a vehicle can touch it. Knows nothing of motion.
#pragma once
#include "bodies.hpp"

namespace host {

/// A point of a surface and the unit normal out of it.
struct Nearest {
  Vec normal;
  double distance; ///< signed, negative below the surface
};

/// Waves z = height(x, y) that begin gently behind x = 0.5 m.
class Ground {
public:
  double height(double x, double y) const { return shape(x, y).h; }
  /// The nearest point of the ground to `p`, for `p` near enough that there is one.
  Nearest nearest(Vec p) const;

private:
  /// Height with its first and second derivatives.
  struct Shape {
    double h, hx, hy, hxx, hxy, hyy;
  };
  Shape shape(double x, double y) const;
};

struct Ball {
  Vec center;
  double radius;
};

/// A tire: a circle about `axis` with a round tread. Fixed to a body, its center at that of the
/// body.
struct Wheel {
  int body;
  Vec axis;      ///< unit, body axes
  double radius; ///< of the circle in the middle of the tread, m
  double tread;  ///< radius of the tread, m
};

/// A ball fixed to a body that may touch the ground: a hand, a corner.
struct Knob {
  int body;
  Ball ball; ///< body axes
};

class GroundCollider final : public Collider {
public:
  Ground ground;
  std::vector<Ball> rocks; ///< world
  std::vector<Wheel> wheels;
  std::vector<Knob> knobs;

  void find(const std::vector<Pose> &poses, double margin,
            std::vector<Contact> &found) const override;
  int most_contacts() const;
};

} // namespace host
