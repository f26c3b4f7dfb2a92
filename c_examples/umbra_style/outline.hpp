// Shapes in the plane z = 0 and where they touch. Knows nothing of motion.
#pragma once
#include "bodies.hpp"

namespace host {

/// Straight edges from corner to corner.
struct Outline {
  std::vector<Vec> corners;
  bool closed;
  std::size_t edges() const { return corners.size() - (closed ? 0 : 1); }
  Vec from(std::size_t edge) const { return corners[edge]; }
  Vec to(std::size_t edge) const { return corners[(edge + 1) % corners.size()]; }
};

/// A body with a rounded outline against walls with a sharp one. Corners touch edges, and corners
/// touch corners where neither lies beside an edge of the other; so two flat sides touch twice.
class OutlineCollider final : public Collider {
public:
  Outline walls; ///< world
  int body = 0;
  Outline core;  ///< body axes, closed; the body reaches `radius` further on all sides
  double radius; ///< m

  void find(const std::vector<Pose> &poses, double margin,
            std::vector<Contact> &found) const override;
};

} // namespace host
