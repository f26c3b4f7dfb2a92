// How the rover looks: a drawing of it every now and then, and its shapes for a page. Knows nothing
// of how it moves.
#pragma once
#include "module.hpp"
#include "picture.hpp"
#include "rover_parts.hpp"
#include "theater.hpp"
#include <cstdio>

namespace host {

/// Draws the rover as it stands every now and then.
class RoverFilm final : public Module {
public:
  Input<std::vector<Motion>> motions;

  explicit RoverFilm(const Rover &rover) : picture_({-0.35, 1.0, -0.45}, {0, 0, 1}, 180.0) {
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

  Picture picture_;
  double next_ = 0.0;
};

/// The ground and the shapes of the bodies, in their order, for the page of a theater.
inline void set_the_stage(const Rover &rover, scene_html &page) {
  const char *along_x = R"("pose":[0,0,0,0.70710678,0,0.70710678,0])"; // turns z into x
  const char *across = R"("pose":[0,0,0,0.70710678,0.70710678,0,0])";  // turns z into y
  constexpr int nx = 140, ny = 40;
  std::vector<double> heights;
  for (int j = 0; j < ny; ++j)
    for (int i = 0; i < nx; ++i)
      heights.push_back(
          rover.collider.ground.height(-0.7 + 7.0 * i / (nx - 1), -1.0 + 2.0 * j / (ny - 1)));
  scene_list(&page,
             R"("kind":"heights","nx":140,"ny":40,"size":[7,2],"pose":[2.8,0,0,1,0,0,0],"heights")",
             heights.data(), nx * ny);
  for (const Ball &rock : rover.collider.rocks)
    scene_shape(&page, R"("kind":"sphere","radius":%g,"color":"#a58468","pose":[%g,%g,%g,1,0,0,0])",
                rock.radius, rock.center.x, rock.center.y, rock.center.z);
  const Vec half = Rover::HALF;
  scene_body(&page, "chassis", "#8fb3d9");
  scene_shape(&page, R"("kind":"box","half":[%g,%g,%g])", half.x, half.y, half.z);
  for (int i = 0; i < 4; ++i) {
    scene_body(&page, "wheel", "#555555");
    scene_shape(&page, R"("kind":"wheel","radius":%g,"tread":%g,%s)", Rover::RADIUS, Rover::TREAD,
                across);
    scene_shape(&page, R"("kind":"box","half":[%g,0.015,0.015])", Rover::RADIUS); // a spoke
  }
  scene_body(&page, "upper arm", "#c0392b");
  scene_shape(&page, R"("kind":"capsule","radius":0.025,"length":%g)", Rover::LINK);
  scene_body(&page, "forearm", "#d98880");
  scene_shape(&page, R"("kind":"capsule","radius":0.02,"length":%g,%s)", Rover::LINK, along_x);
  scene_shape(&page, R"("kind":"sphere","radius":%g,"pose":[%g,0,0,1,0,0,0])", Rover::HAND,
              0.5 * Rover::LINK);
}

} // namespace host
