#include "picture.hpp"
#include <algorithm>
#include <cstdio>
#include <stdexcept>

namespace host {

Picture::Picture(Vec view, Vec up, double scale)
    : right_(unit(cross(view, up))), up_(unit(cross(right_, view))), scale_(scale) {}

std::string Picture::place(Vec p) {
  const double x = scale_ * dot(p, right_), y = -scale_ * dot(p, up_);
  left_ = std::min(left_, x), right_end_ = std::max(right_end_, x);
  top_ = std::min(top_, y), bottom_ = std::max(bottom_, y);
  char text[64];
  std::snprintf(text, sizeof text, "%.1f,%.1f ", x, y);
  return text;
}

void Picture::line(const std::vector<Vec> &points, const std::string &color, double width,
                   const std::string &fill) {
  body_ += "<polyline points=\"";
  for (Vec p : points)
    body_ += place(p);
  body_ += "\" stroke=\"" + color + "\" stroke-width=\"" + std::to_string(width) + "\" fill=\"" +
           fill + "\"/>\n";
}

void Picture::circle(Vec center, Vec axis, double radius, const std::string &color, double width,
                     const std::string &fill) {
  const Vec other = std::fabs(axis.z) < 0.9 ? Vec{0, 0, 1} : Vec{1, 0, 0};
  const Vec u = unit(cross(axis, other)), v = cross(axis, u);
  std::vector<Vec> points;
  for (int i = 0; i <= 36; ++i) {
    const double a = 6.283185307179586 * i / 36.0;
    points.push_back(center + radius * (std::cos(a) * u + std::sin(a) * v));
  }
  line(points, color, width, fill);
}

void Picture::label(Vec at, const std::string &text) {
  const std::string p = place(at);
  const auto comma = p.find(',');
  body_ += "<text x=\"" + p.substr(0, comma) + "\" y=\"" + p.substr(comma + 1) +
           "\" font-family=\"sans-serif\" font-size=\"12\" text-anchor=\"middle\">" + text +
           "</text>\n";
}

void Picture::write(const std::string &path) const {
  std::FILE *file = std::fopen(path.c_str(), "w");
  if (!file)
    throw std::runtime_error("cannot write " + path);
  const double edge = 20.0;
  std::fprintf(file,
               "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"%.0f %.0f %.0f %.0f\">\n"
               "<rect x=\"%.0f\" y=\"%.0f\" width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n"
               "%s</svg>\n",
               left_ - edge, top_ - edge, right_end_ - left_ + 2 * edge, bottom_ - top_ + 2 * edge,
               left_ - edge, top_ - edge, body_.c_str());
  std::fclose(file);
}

} // namespace host
