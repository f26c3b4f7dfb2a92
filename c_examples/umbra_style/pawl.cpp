// A pawl is pushed into a hole that has its shape: a throat with a bend, and a seat at its end.
//
//   pawl [FOLDER [--html]]
//
// writes pawl.csv, pawl.svg and, if told to, pawl.html there, and prints what it promises.
#include "outline.hpp"
#include "picture.hpp"
#include "promises.hpp"
#include "recorder.hpp"
#include "theater.hpp"
#include <cstring>
#include <optional>

using namespace host;

namespace {

constexpr double BEND = 0.45;                              // rad, from the throat to the seat
constexpr double HALF = 0.007, BACK = 0.018, NOSE = 0.016; // of the pawl's core, m
constexpr double ROUND = 0.001;                            // of its corners, m
constexpr double PUSH = 12.0, FRICTION = 0.15;             // N, 1

const Vec DOWN{std::sin(BEND), -std::cos(BEND)}, SIDE{std::cos(BEND), std::sin(BEND)};
const Vec SEAT{0.030, -0.085}; // where the flanks of the seat meet

/// A wedge: a back, two sides, and flanks at 45 degrees that meet in the nose. The nose looks down.
Outline pawl_core() {
  return {{{-HALF, BACK}, {-HALF, -NOSE + HALF}, {0, -NOSE}, {HALF, -NOSE + HALF}, {HALF, BACK}},
          true};
}

/// From the left: a face, a funnel, the throat, the bend, the flanks of the seat, and back up.
Outline hole() {
  const double wide = 0.0105; // half of the way that leads to the seat, m
  const auto seat = [](double up, double side) { return SEAT - up * DOWN + side * SIDE; };
  return {{{-0.05, 0},
           {-0.017, 0},
           {-0.0115, -0.010},
           {-0.0115, -0.022},
           seat(wide, -wide),
           SEAT,
           seat(wide, wide),
           {0.0135, -0.030},
           {0.0135, -0.010},
           {0.019, 0},
           {0.05, 0}},
          false};
}

/// A finger behind the back of the pawl, which follows it and yields a little when it is fast.
class Finger final : public Module {
public:
  Input<std::vector<Motion>> motions;
  Output<std::vector<Screw>> loads;

  Finger() { loads.edit().resize(1); }
  void update(double, double) override {
    const Motion &m = motions->front();
    const Vec at = m.pose.place({0, BACK, 0});
    const Vec speed = m.velocity.linear + cross(m.velocity.angular, at - m.pose.at);
    const Vec force = m.pose.direction({0, -PUSH, 0}) - 8.0 * speed;
    loads.edit()[0] = point_direction(m.pose, at, force);
  }
};

class Film final : public Module {
public:
  Input<std::vector<Motion>> motions;

  Film(const Outline &core, const Outline &walls)
      : core_(core), picture_({0, 0, -1}, {0, 1, 0}, 5000.0) {
    std::vector<Vec> solid = walls.corners;
    solid.push_back({0.05, -0.1}), solid.push_back({-0.05, -0.1}), solid.push_back(solid.front());
    picture_.line(solid, "#444", 1.5, "#d8d4cc");
  }
  void update(double t, double) override {
    if (t + 1e-9 < next_)
      return;
    next_ += 0.012;
    std::vector<Vec> points;
    for (Vec c : core_.corners)
      points.push_back(motions->front().pose.place(c));
    points.push_back(points.front());
    picture_.line(points, "#1f4e79", 1.2, "#9dc3e633");
  }
  void write(const std::string &path) const { picture_.write(path); }

private:
  Outline core_;
  Picture picture_;
  double next_ = 0.0;
};

/// The block with the hole, and the pawl, as thick as each other.
void set_the_stage(const OutlineCollider &collider, scene_html &page) {
  const auto numbers = [](const std::vector<Vec> &points) {
    std::vector<double> out;
    for (Vec p : points)
      out.insert(out.end(), {p.x, p.y});
    return out;
  };
  const char *prism = R"("kind":"prism","depth":0.02,"outline")";
  std::vector<Vec> solid = collider.walls.corners;
  solid.insert(solid.end(), {{0.05, -0.1}, {-0.05, -0.1}});
  const std::vector<double> block = numbers(solid), core = numbers(collider.core.corners);
  scene_list(&page, prism, block.data(), static_cast<int>(block.size()));
  scene_body(&page, "pawl", "#8fb3d9");
  scene_list(&page, prism, core.data(), static_cast<int>(core.size()));
}

int run(const std::string &folder, bool html) {
  const double dt = 0.001;
  Mechanism mechanism;
  const Pose start{{0.004, 0.022, 0}, rotation({0, 0, -0.25})};
  mechanism.bodies.push_back({"pawl", 0.05, {7e-6, 7e-6, 1e-5}, start});
  mechanism.joints.push_back(std::make_unique<InPlane>(0));
  mechanism.gravity = {0, -9.81, 0};
  mechanism.friction = FRICTION;
  mechanism.directions = 2;
  mechanism.size = 0.05;
  mechanism.max_contacts = 32;
  OutlineCollider collider;
  collider.walls = hole(), collider.core = pawl_core(), collider.radius = ROUND;

  Finger finger;
  StictionModule dynamics(mechanism, collider);
  DepthWatch depth(collider);
  EnergyWatch energy(mechanism);
  Recorder recorder(folder + "/pawl.csv", mechanism.bodies);
  Film film(collider.core, collider.walls);
  finger.motions.connect(dynamics.motions);
  dynamics.loads.connect(finger.loads);
  depth.motions.connect(dynamics.motions);
  energy.motions.connect(dynamics.motions);
  energy.loads.connect(finger.loads);
  recorder.motions.connect(dynamics.motions);
  film.motions.connect(dynamics.motions);
  std::vector<Module *> modules{&finger, &dynamics, &depth, &energy, &recorder, &film};
  std::optional<Theater> theater;
  if (html) {
    theater.emplace(folder + "/pawl.html", "A pawl is pushed into a shaped hole", Vec{0, 1, 0},
                    Vec{0.3, 0.2, 1});
    theater->motions.connect(dynamics.motions);
    set_the_stage(collider, theater->page);
    modules.push_back(&*theater);
  }
  World(modules).run(400, dt);
  film.write(folder + "/pawl.svg");

  // Seated, its flanks lie on those of the seat: closed form.
  const Pose seated{SEAT - (ROUND * std::sqrt(2.0) + NOSE) * DOWN, rotation({0, 0, BEND})};
  const Motion &end = dynamics.motions->front();
  const double off = length(end.pose.at - seated.at);
  const double tilt = length(cross(end.pose.direction({0, 1, 0}), seated.direction({0, 1, 0})));
  Promises promises;
  promises.expect(off < 1e-6, "the pawl is seated up to, m", off);
  promises.expect(tilt < 1e-6, "and up to, rad", tilt);
  promises.expect(length(end.velocity.linear) < 1e-6, "its speed, m/s",
                  length(end.velocity.linear));
  promises.expect(dynamics.carrying() >= 2, "contacts that hold it", dynamics.carrying());
  promises.expect_no_penetration(depth, mechanism);
  promises.expect_small_residuals(*dynamics.stats);
  promises.expect_sane_energy(*dynamics.ledger, energy);
  return promises.exit_status();
}

} // namespace

int main(int argc, char **argv) {
  try {
    return run(argc > 1 ? argv[1] : ".", argc > 2 && std::strcmp(argv[2], "--html") == 0);
  } catch (const std::exception &e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
