// A drawing as an SVG file: lines in space seen from one direction. Knows nothing of bodies.
#pragma once
#include "vec.hpp"
#include <string>
#include <vector>

namespace host {

class Picture {
public:
  /// Looks along `view`, which is not vertical; `up` is up on the paper. Pixels per meter.
  Picture(Vec view, Vec up, double scale);
  void line(const std::vector<Vec> &points, const std::string &color, double width,
            const std::string &fill = "none");
  void circle(Vec center, Vec axis, double radius, const std::string &color, double width,
              const std::string &fill = "none");
  void label(Vec at, const std::string &text);
  void write(const std::string &path) const;

private:
  std::string place(Vec p);
  Vec right_, up_;
  double scale_, left_ = 1e9, right_end_ = -1e9, top_ = 1e9, bottom_ = -1e9;
  std::string body_;
};

} // namespace host
