// The rover: a chassis, four driven wheels, and an arm of two links on its nose; its ground; its
// driver.
#pragma once
#include "ground.hpp"
#include "module.hpp"
#include <algorithm>
#include <array>

namespace host {

struct Rover {
  enum { CHASSIS, WHEEL, UPPER = WHEEL + 4, FORE, BODIES };
  static constexpr double RADIUS = 0.13, TREAD = 0.04; ///< of the wheels, m
  static constexpr double LINK = 0.36, HAND = 0.03;    ///< length of a link, radius of the hand, m
  static constexpr Vec HALF{0.40, 0.18, 0.06};         ///< of the chassis
  static constexpr Vec ACROSS{0, 1, 0};                ///< axis of all its hinges

  Mechanism mechanism;
  GroundCollider collider;
  std::array<const Hinge *, 6> hinges{}; ///< of the wheels, then shoulder and elbow

  Rover() {
    const Vec at{0, 0, 0.26}, shoulder{0.34, 0, 0.10};
    const double x = 0.5 * LINK;
    const Vec elbow = at + shoulder + Vec{0, 0, LINK}, arm{0.009, 0.009, 0.001};
    mechanism.bodies.push_back({"chassis", 20.0, {0.3, 1.1, 1.3}, {at, {}}});
    for (int i = 0; i < 4; ++i) {
      const Vec hub{i < 2 ? 0.32 : -0.32, i % 2 ? -0.30 : 0.30, -0.08};
      mechanism.bodies.push_back(
          {"wheel" + std::to_string(i), 1.5, {0.012, 0.022, 0.012}, {at + hub, {}}});
      collider.wheels.push_back({WHEEL + i, ACROSS, RADIUS, TREAD});
      hinge(static_cast<std::size_t>(i), CHASSIS, hub, WHEEL + i, {});
    }
    mechanism.bodies.push_back({"upper arm", 0.8, arm, {elbow - Vec{0, 0, x}, {}}});
    mechanism.bodies.push_back({"forearm", 0.6, {0.001, 0.007, 0.007}, {elbow + Vec{x, 0, 0}, {}}});
    hinge(4, CHASSIS, shoulder, UPPER, {0, 0, -x});
    hinge(5, UPPER, {0, 0, x}, FORE, {-x, 0, 0});

    collider.knobs.push_back({FORE, {{x, 0, 0}, HAND}});
    for (double side : {0.15, -0.15}) // the belly
      for (double end : {0.37, -0.37})
        collider.knobs.push_back({CHASSIS, {{end, side, -0.03}, 0.03}});
    for (Vec rock : {Vec{1.3, 0.30}, Vec{1.9, -0.26}, Vec{2.5, 0.34}, Vec{3.1, -0.30}})
      collider.rocks.push_back(
          {{rock.x, rock.y, collider.ground.height(rock.x, rock.y) - 0.09}, 0.13});

    mechanism.gravity = {0, 0, -9.81};
    mechanism.friction = 0.8;
    mechanism.max_contacts = collider.most_contacts();
  }

private:
  void hinge(std::size_t i, int first, Vec at_first, int second, Vec at_second) {
    auto joint = std::make_unique<Hinge>(first, at_first, second, at_second, ACROSS);
    hinges[i] = joint.get();
    mechanism.joints.push_back(std::move(joint));
  }
};

/// Turns the wheels and moves the arm by torques at the hinges: ahead first, then the hand goes
/// down.
class Driver final : public Module {
public:
  static constexpr double STOPS = 6.0; ///< s
  Input<std::vector<Motion>> motions;
  Output<std::vector<Screw>> loads;

  explicit Driver(const Rover &rover) : rover_(rover) { loads.edit().resize(Rover::BODIES); }

  void update(double t, double dt) override {
    std::fill(loads.edit().begin(), loads.edit().end(), Screw{});
    const double wheel_speed = t < STOPS ? 0.95 / (Rover::RADIUS + Rover::TREAD) : 0.0; // rad/s
    for (std::size_t i = 0; i < 4; ++i)
      twist(i, std::clamp(2.0 * (wheel_speed - speed(i)), -12.0, 12.0));
    // At the end the hand aims below the ground; what the servos can give decides how hard it
    // presses.
    const double goal[2] = {t < STOPS ? 0.4 * std::sin(1.5 * t) : 2.0, t < STOPS ? 0.0 : -0.6};
    const double stiffness[2] = {120.0, 40.0}, damping[2] = {8.0, 1.5}, most[2] = {10.0, 5.0};
    for (std::size_t i = 0; i < 2; ++i) {
      aim_[i] += std::clamp(goal[i] - aim_[i], -0.9 * dt, 0.9 * dt); // rad, at most 0.9 rad/s
      const double torque = stiffness[i] * (aim_[i] - angle(4 + i)) - damping[i] * speed(4 + i);
      twist(4 + i, std::clamp(torque, -most[i], most[i]));
    }
  }

private:
  const Motion &motion(int body) const { return (*motions)[static_cast<std::size_t>(body)]; }
  double angle(std::size_t i) const {
    const Hinge &h = *rover_.hinges[i];
    return h.angle(motion(h.first).pose, motion(h.second).pose);
  }
  double speed(std::size_t i) const {
    const Hinge &h = *rover_.hinges[i];
    const Vec relative = motion(h.second).velocity.angular - motion(h.first).velocity.angular;
    return dot(h.axis(motion(h.first).pose), relative);
  }
  /// A torque on the second body of a hinge; the first one feels the opposite.
  void twist(std::size_t i, double torque) {
    const Hinge &h = *rover_.hinges[i];
    const Vec t = torque * h.axis(motion(h.first).pose);
    Vec &first = loads.edit()[static_cast<std::size_t>(h.first)].angular;
    Vec &second = loads.edit()[static_cast<std::size_t>(h.second)].angular;
    first = first - t;
    second = second + t;
  }

  const Rover &rover_;
  double aim_[2] = {0.0, 0.0};
};

} // namespace host
