// Modules that look on: the host's own measure of penetration and its own account of energy, for
// comparison with what the library says. They know the bodies, and nothing of the library.
#pragma once
#include "bodies.hpp"
#include "module.hpp"
#include <algorithm>

namespace host {

/// The deepest that anything has been inside anything at the end of a frame.
class DepthWatch final : public Module {
public:
  Input<std::vector<Motion>> motions;
  double deepest = 0.0; ///< m, >= 0

  explicit DepthWatch(const Collider &collider) : collider_(collider) {}
  void update(double, double) override {
    poses_.clear();
    found_.clear();
    for (const Motion &m : *motions)
      poses_.push_back(m.pose);
    collider_.find(poses_, 0.0, found_);
    for (const Contact &c : found_)
      deepest = std::max(deepest, -c.gap);
  }

private:
  const Collider &collider_;
  std::vector<Pose> poses_;
  std::vector<Contact> found_;
};

/// Work of gravity and of loads, and kinetic energy, from what moved.
class EnergyWatch final : public Module {
public:
  Input<std::vector<Motion>> motions;
  Input<std::vector<Screw>> loads;
  double gravity_work = 0.0, load_work = 0.0, turnover = 0.0; ///< J; turnover: work without signs

  explicit EnergyWatch(const Mechanism &mechanism) : mechanism_(mechanism) {
    for (const Body &body : mechanism.bodies)
      before_.push_back({body.start, {}});
  }

  void update(double, double) override {
    if (loads_before_.empty())
      loads_before_ = *loads;
    for (std::size_t b = 0; b < before_.size(); ++b) {
      const Motion &from = before_[b], &to = (*motions)[b];
      const double fall =
          mechanism_.bodies[b].mass * dot(mechanism_.gravity, to.pose.at - from.pose.at);
      const Screw way{to.pose.at - from.pose.at,
                      small_rotation(to.pose.turned * inverse(from.pose.turned))};
      // The load has come from its value at the last frame to the present one.
      const double work = 0.5 * (dot(loads_before_[b], way) + dot((*loads)[b], way));
      gravity_work += fall, load_work += work;
      turnover += std::fabs(fall) + std::fabs(work);
    }
    before_ = *motions;
    loads_before_ = *loads;
  }

  double kinetic() const {
    double twice = 0.0;
    for (std::size_t b = 0; b < before_.size(); ++b) {
      const Body &body = mechanism_.bodies[b];
      const Vec w = turn_back(before_[b].pose.turned, before_[b].velocity.angular);
      const Vec v = before_[b].velocity.linear, i = body.inertia;
      twice += body.mass * dot(v, v) + i.x * w.x * w.x + i.y * w.y * w.y + i.z * w.z * w.z;
    }
    return 0.5 * twice;
  }

private:
  const Mechanism &mechanism_;
  std::vector<Motion> before_;
  std::vector<Screw> loads_before_;
};

} // namespace host
