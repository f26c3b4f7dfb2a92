// A four-wheeled rover with an arm crosses rough ground, stops, and puts its hand down.
//
//   rover [FOLDER]   writes rover.csv and rover.svg there and prints what it promises
#include "picture.hpp"
#include "promises.hpp"
#include "recorder.hpp"
#include "rover_parts.hpp"

using namespace host;

namespace {

/// Draws the rover as it stands every now and then.
class Film final : public Module {
public:
  Input<std::vector<Motion>> motions;

  explicit Film(const Rover &rover)
      : rover_(rover), picture_({-0.35, 1.0, -0.45}, {0, 0, 1}, 180.0) {
    const Ground &ground = rover.collider.ground;
    for (double y = 0.8; y > -0.85; y -= 0.1)
      stripe([&](double s) { return Vec{-0.7 + 6.9 * s, y, ground.height(-0.7 + 6.9 * s, y)}; });
    for (double x = -0.7; x < 6.25; x += 0.1)
      stripe([&](double s) { return Vec{x, 0.8 - 1.6 * s, ground.height(x, 0.8 - 1.6 * s)}; });
    for (const Ball &rock : rover.collider.rocks)
      picture_.circle(rock.center + Vec{0, 0, 0.06}, {0, 0, 1}, 0.104, "#7a5c3e", 1.0, "#b8977a");
  }

  void update(double t, double) override {
    if (t + 1e-9 < next_)
      return;
    next_ += 2.1;
    const auto pose = [&](int body) { return (*motions)[static_cast<std::size_t>(body)].pose; };
    for (int i : {0, 2}) // the far ones lie behind
      wheel(pose(Rover::WHEEL + i));
    box(pose(Rover::CHASSIS));
    for (int i : {1, 3})
      wheel(pose(Rover::WHEEL + i));
    const Vec end{0.5 * Rover::LINK, 0, 0}, top{0, 0, 0.5 * Rover::LINK};
    const Pose upper = pose(Rover::UPPER), fore = pose(Rover::FORE);
    picture_.line({upper.place(-top), upper.place(top), fore.place(end)}, "#c0392b", 3.0);
    picture_.circle(fore.place(end), {0, 1, 0}, Rover::HAND, "#c0392b", 1.0, "#e6b0aa");
    char text[32];
    std::snprintf(text, sizeof text, "%.1f s", t);
    picture_.label(pose(Rover::CHASSIS).at + Vec{0, 0, 0.75}, text);
  }

  void write(const std::string &path) const { picture_.write(path); }

private:
  template <class Curve> void stripe(Curve curve) {
    std::vector<Vec> points;
    for (int i = 0; i <= 100; ++i)
      points.push_back(curve(i / 100.0));
    picture_.line(points, "#c9c2b5", 0.6);
  }
  void wheel(const Pose &pose) {
    const double rim = Rover::RADIUS + Rover::TREAD;
    picture_.circle(pose.at, pose.direction(Rover::ACROSS), rim, "#222", 1.2, "#555555cc");
    picture_.line({pose.at, pose.place({rim, 0, 0})}, "#ddd", 1.2); // shows that it turns
  }
  void box(const Pose &pose) {
    const Vec h = Rover::HALF;
    const Vec corner[8] = {{-h.x, -h.y, -h.z}, {h.x, -h.y, -h.z}, {h.x, h.y, -h.z},
                           {-h.x, h.y, -h.z},  {-h.x, -h.y, h.z}, {h.x, -h.y, h.z},
                           {h.x, h.y, h.z},    {-h.x, h.y, h.z}};
    const int sides[3][4] = {{4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}}; // those that are seen
    for (const auto &side : sides) {
      std::vector<Vec> points;
      for (int i : {0, 1, 2, 3, 0})
        points.push_back(pose.place(corner[side[i]]));
      picture_.line(points, "#1f4e79", 1.0, "#9dc3e6cc");
    }
  }

  const Rover &rover_;
  Picture picture_;
  double next_ = 0.0;
};

int run(const std::string &folder) {
  const double dt = 0.008;
  Rover rover;
  Driver driver(rover);
  StictionModule dynamics(rover.mechanism, rover.collider);
  DepthWatch depth(rover.collider);
  EnergyWatch energy(rover.mechanism);
  Recorder recorder(folder + "/rover.csv", rover.mechanism.bodies);
  Film film(rover);

  driver.motions.connect(dynamics.motions);
  dynamics.loads.connect(driver.loads);
  depth.motions.connect(dynamics.motions);
  energy.motions.connect(dynamics.motions);
  energy.loads.connect(driver.loads);
  recorder.motions.connect(dynamics.motions);
  film.motions.connect(dynamics.motions);

  World{&driver, &dynamics, &depth, &energy, &recorder, &film}.run(1100, dt);
  film.write(folder + "/rover.svg");

  const Pose chassis = (*dynamics.motions)[Rover::CHASSIS].pose;
  const Vec hand = (*dynamics.motions)[Rover::FORE].pose.place({0.5 * Rover::LINK, 0, 0});
  const double reach = rover.collider.ground.nearest(hand).distance - Rover::HAND;
  Promises promises;
  promises.expect(chassis.at.x > 4.0, "the rover has gone forward, m", chassis.at.x);
  promises.expect(std::fabs(chassis.at.y) < 0.5, "and to the side, m", chassis.at.y);
  promises.expect(chassis.direction({0, 0, 1}).z > 0.9, "it stands upright, cosine of the tilt",
                  chassis.direction({0, 0, 1}).z);
  promises.expect(std::fabs(reach) < 1e-9, "its hand touches the ground, gap, m", reach);
  promises.expect_no_penetration(depth);
  promises.expect_sane_energy(*dynamics.ledger, energy);
  return promises.exit_status();
}

} // namespace

int main(int argc, char **argv) {
  try {
    return run(argc > 1 ? argv[1] : ".");
  } catch (const std::exception &e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
