#include "ground.hpp"
#include <algorithm>

namespace host {
namespace {

/// Enough for Newton's and the secant method, which here need about five.
constexpr int MOST_ITERATIONS = 30;
/// Of a point or an angle. Both are stationary points of a distance, whose own error is the square.
constexpr double FINE = 1e-11;

struct Wave {
  double amplitude, kx, ky, phase;
};

/// Their curvatures add up to 2.1 /m, that of the wheels is 5.9 /m: a wheel touches a wave once.
constexpr Wave WAVES[] = {{0.045, 3.1, 0.6, 0.3},
                          {0.030, 1.9, -2.6, 1.1},
                          {0.012, 6.1, 4.3, 2.0},
                          {0.008, -4.0, 8.0, 0.7}};
constexpr double BEGINS = 0.5, WIDTH = 1.0;

} // namespace

Ground::Shape Ground::shape(double x, double y) const {
  Shape g{};
  for (const Wave &w : WAVES) {
    const double a = w.kx * x + w.ky * y + w.phase, s = w.amplitude * std::sin(a),
                 c = w.amplitude * std::cos(a);
    g.h += s, g.hx += w.kx * c, g.hy += w.ky * c;
    g.hxx -= w.kx * w.kx * s, g.hxy -= w.kx * w.ky * s, g.hyy -= w.ky * w.ky * s;
  }
  // The fade 10 u^3 - 15 u^4 + 6 u^5 has two continuous derivatives, and so has the ground.
  const double u = std::clamp((x - BEGINS) / WIDTH, 0.0, 1.0);
  const double f = u * u * u * (10.0 + u * (6.0 * u - 15.0));
  const double f1 = 30.0 * u * u * (1.0 - u) * (1.0 - u) / WIDTH;
  const double f2 = 60.0 * u * (1.0 - u) * (1.0 - 2.0 * u) / (WIDTH * WIDTH);
  return {f * g.h,
          f * g.hx + f1 * g.h,
          f * g.hy,
          f * g.hxx + 2.0 * f1 * g.hx + f2 * g.h,
          f * g.hxy + f1 * g.hy,
          f * g.hyy};
}

Nearest Ground::nearest(Vec p) const {
  // Newton's method for the point (x, y, h) where p - (x, y, h) is along the normal (-hx, -hy, 1).
  double x = p.x, y = p.y;
  Shape s = shape(x, y);
  for (int i = 0; i < MOST_ITERATIONS; ++i) {
    const double up = s.h - p.z, fx = x - p.x + up * s.hx, fy = y - p.y + up * s.hy;
    const double a = 1.0 + s.hx * s.hx + up * s.hxx, b = s.hx * s.hy + up * s.hxy,
                 c = 1.0 + s.hy * s.hy + up * s.hyy, det = a * c - b * b;
    const double dx = (b * fy - c * fx) / det, dy = (b * fx - a * fy) / det;
    x += dx, y += dy;
    s = shape(x, y);
    if (std::fabs(dx) + std::fabs(dy) < FINE)
      break;
  }
  const Vec normal = unit({-s.hx, -s.hy, 1.0});
  return {normal, dot(p - Vec{x, y, s.h}, normal)};
}

namespace {

Nearest nearest_on(const Ball &ball, Vec p) {
  const Vec d = p - ball.center;
  return {unit(d), length(d) - ball.radius};
}

/// A direction of slip: forward, as far as the surface allows.
Contact contact(std::int64_t key, int body, Vec center, double radius, const Nearest &near) {
  const Vec along = unit(across({1, 0, 0}, near.normal));
  return {
      key, body, GROUND, center - radius * near.normal, near.normal, along, near.distance - radius};
}

/// The circle in the middle of a tread, as it stands.
struct Circle {
  Vec center, down, forward;
  double radius;
  Vec at(double angle) const {
    return center + radius * (std::cos(angle) * down + std::sin(angle) * forward);
  }
  Vec along(double angle) const { return std::cos(angle) * forward - std::sin(angle) * down; }
};

/// The angle from its lowest point at which the circle is nearest to the ground: where the normal
/// of the ground is at right angles to the circle. Secant method, started as on a plane.
double nearest_angle(const Circle &circle, const Ground &ground) {
  const auto slope = [&](double angle) {
    return dot(ground.nearest(circle.at(angle)).normal, circle.along(angle));
  };
  double a = 0.0, fa = slope(a), b = -fa, fb = slope(b);
  for (int i = 0; i < MOST_ITERATIONS && std::fabs(fb) > FINE; ++i) {
    const double next = b - fb * (b - a) / (fb - fa);
    a = b, fa = fb;
    b = next, fb = slope(b);
  }
  return b;
}

} // namespace

void GroundCollider::find(const std::vector<Pose> &poses, double margin,
                          std::vector<Contact> &found) const {
  // Keys: what touches, times the number of things it may touch, plus which of them it is.
  std::int64_t key = 0;
  const auto keep = [&](const Contact &c) {
    if (c.gap <= margin)
      found.push_back(c);
  };
  for (const Wheel &wheel : wheels) {
    const Pose &pose = poses[static_cast<std::size_t>(wheel.body)];
    const Vec axis = pose.direction(wheel.axis);
    const Vec down = unit(across({0, 0, -1}, axis));
    const Circle circle{pose.at, down, cross(down, axis), wheel.radius};
    const Vec low = circle.at(nearest_angle(circle, ground));
    keep(contact(key++, wheel.body, low, wheel.tread, ground.nearest(low)));
    for (const Ball &rock : rocks) {
      const Vec rim = pose.at + wheel.radius * unit(across(rock.center - pose.at, axis));
      keep(contact(key++, wheel.body, rim, wheel.tread, nearest_on(rock, rim)));
    }
  }
  for (const Knob &knob : knobs) {
    const Vec center = poses[static_cast<std::size_t>(knob.body)].place(knob.ball.center);
    keep(contact(key++, knob.body, center, knob.ball.radius, ground.nearest(center)));
    for (const Ball &rock : rocks)
      keep(contact(key++, knob.body, center, knob.ball.radius, nearest_on(rock, center)));
  }
}

int GroundCollider::most_contacts() const {
  return static_cast<int>((wheels.size() + knobs.size()) * (1 + rocks.size()));
}

} // namespace host
