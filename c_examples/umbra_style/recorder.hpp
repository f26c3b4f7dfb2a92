// Writes what moves into a table, one line per frame. Knows nothing of what it is.
#pragma once
#include "bodies.hpp"
#include "module.hpp"
#include <cstdio>

namespace host {

class Recorder final : public Module {
public:
  Input<std::vector<Motion>> motions;

  Recorder(const std::string &path, const std::vector<Body> &bodies)
      : file_(std::fopen(path.c_str(), "w")) {
    if (!file_)
      throw std::runtime_error("cannot write " + path);
    std::fputs("t", file_.get());
    for (const Body &body : bodies)
      for (const char *column : {"x", "y", "z", "qw", "qx", "qy", "qz"})
        std::fprintf(file_.get(), ",%s.%s", body.name.c_str(), column);
    std::fputc('\n', file_.get());
  }

  void update(double t, double) override {
    std::fprintf(file_.get(), "%.9g", t);
    for (const Motion &m : *motions) {
      const Pose &p = m.pose;
      std::fprintf(file_.get(), ",%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g", p.at.x, p.at.y, p.at.z,
                   p.turned.w, p.turned.x, p.turned.y, p.turned.z);
    }
    std::fputc('\n', file_.get());
  }

private:
  struct Close {
    void operator()(std::FILE *f) const { std::fclose(f); }
  };
  std::unique_ptr<std::FILE, Close> file_;
};

} // namespace host
