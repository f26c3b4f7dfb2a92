// A four-wheeled rover with an arm crosses rough ground, stops, and puts its hand down.
//
//   rover [FOLDER [--html]]
//
// writes rover.csv, rover.svg and, if told to, rover.html there, and prints what it promises.
#include "promises.hpp"
#include "recorder.hpp"
#include "rover_view.hpp"
#include <cstring>
#include <optional>

using namespace host;

namespace {

int run(const std::string &folder, bool html) {
  const double dt = 0.008;
  Rover rover;
  Driver driver(rover);
  StictionModule dynamics(rover.mechanism, rover.collider);
  DepthWatch depth(rover.collider);
  EnergyWatch energy(rover.mechanism);
  Recorder recorder(folder + "/rover.csv", rover.mechanism.bodies);
  RoverFilm film(rover);

  driver.motions.connect(dynamics.motions);
  dynamics.loads.connect(driver.loads);
  depth.motions.connect(dynamics.motions);
  energy.motions.connect(dynamics.motions);
  energy.loads.connect(driver.loads);
  recorder.motions.connect(dynamics.motions);
  film.motions.connect(dynamics.motions);

  std::vector<Module *> modules{&driver, &dynamics, &depth, &energy, &recorder, &film};
  std::optional<Theater> theater;
  if (html) {
    theater.emplace(folder + "/rover.html", "A rover with an arm on rough ground", Vec{0, 0, 1},
                    Vec{0.2, -1, 0.5});
    theater->motions.connect(dynamics.motions);
    set_the_stage(rover, theater->page);
    modules.push_back(&*theater);
  }
  World(modules).run(1100, dt);
  film.write(folder + "/rover.svg");

  const Pose chassis = (*dynamics.motions)[Rover::CHASSIS].pose;
  const Vec hand = (*dynamics.motions)[Rover::FORE].pose.place({0.5 * Rover::LINK, 0, 0});
  const double reach = rover.collider.ground.nearest(hand).distance - Rover::HAND;
  Promises promises;
  promises.expect(chassis.at.x > 3.0, "the rover has gone forward, m", chassis.at.x);
  promises.expect(std::fabs(chassis.at.y) < 0.5, "and to the side, m", chassis.at.y);
  promises.expect(chassis.direction({0, 0, 1}).z > 0.9, "it stands upright, cosine of the tilt",
                  chassis.direction({0, 0, 1}).z);
  promises.expect(std::fabs(reach) < 1e-9, "its hand touches the ground, gap, m", reach);
  promises.expect_no_penetration(depth, rover.mechanism);
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
