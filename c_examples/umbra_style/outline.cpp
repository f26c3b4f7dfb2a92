#include "outline.hpp"

namespace host {
namespace {

/// Whether `p` lies beside the inner part of an edge; then `foot` is the nearest point of it.
bool beside(const Outline &shape, std::size_t edge, Vec p, Vec &foot) {
  const Vec a = shape.from(edge), d = shape.to(edge) - a;
  const double s = dot(p - a, d) / dot(d, d);
  foot = a + s * d;
  return s > 0.0 && s < 1.0;
}

/// Whether corner `i` of a shape is nearer to `p` than the edges that meet there.
bool foremost(const Outline &shape, std::size_t i, Vec p) {
  const std::size_t n = shape.corners.size();
  const Vec c = shape.corners[i];
  const bool first = !shape.closed && i == 0, last = !shape.closed && i + 1 == n;
  return (first || dot(p - c, shape.corners[(i + n - 1) % n] - c) <= 0.0) &&
         (last || dot(p - c, shape.corners[(i + 1) % n] - c) <= 0.0);
}

} // namespace

void OutlineCollider::find(const std::vector<Pose> &poses, double margin,
                           std::vector<Contact> &found) const {
  const Pose &pose = poses[static_cast<std::size_t>(body)];
  Outline here{core.corners, true};
  for (Vec &c : here.corners)
    c = pose.place(c);

  // One key for each pair of features that can meet.
  std::int64_t key = 0;
  const auto keep = [&](bool meets, Vec on_body, Vec on_wall) {
    const Vec d = on_body - on_wall;
    const double gap = length(d) - radius;
    if (meets && gap <= margin) {
      const Vec normal = unit(d);
      found.push_back({key, body, GROUND, on_wall, normal, cross({0, 0, 1}, normal), gap});
    }
    ++key;
  };
  Vec foot;
  for (std::size_t i = 0; i < here.corners.size(); ++i) {
    const Vec corner = here.corners[i];
    for (std::size_t e = 0; e < walls.edges(); ++e) {
      const bool meets = beside(walls, e, corner, foot);
      keep(meets, corner, foot);
    }
    for (std::size_t w = 0; w < walls.corners.size(); ++w) {
      const Vec wall = walls.corners[w];
      keep(foremost(walls, w, corner) && foremost(here, i, wall), corner, wall);
    }
  }
  for (const Vec &wall : walls.corners)
    for (std::size_t e = 0; e < here.edges(); ++e) {
      const bool meets = beside(here, e, wall, foot);
      keep(meets, foot, wall);
    }
}

} // namespace host
