// Shows the motion as a page for a browser, one frame in four. Knows nothing of what it shows.
#pragma once
#include "../scene_html.h"
#include "bodies.hpp"
#include "module.hpp"

namespace host {

class Theater final : public Module {
public:
  Input<std::vector<Motion>> motions;
  /// For the shapes: the ground first, then each body.
  scene_html page{};

  Theater(const std::string &path, const char *title, Vec up, Vec view) {
    const double u[3] = {up.x, up.y, up.z}, v[3] = {view.x, view.y, view.z};
    if (scene_open(&page, path.c_str(), title, u, v) < 0)
      throw std::runtime_error("no page at " + path);
  }
  Theater(const Theater &) = delete;
  Theater &operator=(const Theater &) = delete;
  ~Theater() override { scene_close(&page); }

  void update(double t, double) override {
    if (frame_++ % 4 != 0)
      return;
    scene_frame(&page, t);
    for (const Motion &m : *motions) {
      const Pose &p = m.pose;
      const double pose[7] = {p.at.x,     p.at.y,     p.at.z,    p.turned.w,
                              p.turned.x, p.turned.y, p.turned.z};
      scene_pose(&page, pose);
    }
  }

private:
  int frame_ = 0;
};

} // namespace host
