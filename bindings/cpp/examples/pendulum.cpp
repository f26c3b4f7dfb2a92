// A double pendulum swings against a wall. The same as c_examples/05_double_pendulum.c, with
// lambdas.
//
//   pendulum [CSV file]
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iomanip>
#include <stiction.hpp>

// Two bobs of 1 kg on rods of 1 m, by their plain coordinates; the wall x = 0 stops either, e =
// 0.1.
static stiction::model pendulum() {
  stiction::functions f;
  f.nv = 4, f.n_joint = 2, f.n_contact = 2;
  f.restitution = {0.1, 0.1};
  f.mass = [](double, auto, stiction::matrix m) {
    for (std::size_t i = 0; i < 4; i++)
      m(i, i) = 1.0;
  };
  f.force = [](double, auto, auto, stiction::span<double> force) { force[1] = force[3] = -9.8; };
  f.joint = [](double, auto q, stiction::span<double> phi, stiction::matrix jt) {
    const double dx = q[0] - q[2], dy = q[1] - q[3];
    phi[0] = q[0] * q[0] + q[1] * q[1] - 1.0;
    phi[1] = dx * dx + dy * dy - 1.0;
    jt(0, 0) = 2.0 * q[0], jt(1, 0) = 2.0 * q[1];
    jt(0, 1) = 2.0 * dx, jt(1, 1) = 2.0 * dy, jt(2, 1) = -2.0 * dx, jt(3, 1) = -2.0 * dy;
  };
  f.gap = [](double, auto q, stiction::span<double> gap, stiction::matrix normal) {
    gap[0] = q[0], gap[1] = q[2];
    normal(0, 0) = normal(2, 1) = 1.0;
  };
  return stiction::model(std::move(f));
}

int main(int argc, char **argv) try {
  const double a = std::acos(-1.0) / 3.0, b = std::acos(-1.0) / 5.0, h = std::pow(2.0, -8.0);
  const double x = std::sin(a), y = -std::cos(a);
  stiction::stepper s(pendulum());
  s.set_state(0.0, {x, y, x + std::sin(b), y - std::cos(b)}, {0.0, 0.0, 0.0, 0.0});
  std::ofstream csv;
  if (argc > 1) {
    csv.open(argv[1]);
    csv << std::setprecision(17);
  }
  while (s.t() < 2.5) {
    s.step(h);
    for (const stn_event &e : s.events())
      std::printf("bob %d  %8.5f s   %7.4f -> %6.4f m/s\n", e.contact + 1, e.t, e.speed_before,
                  e.speed_after);
    if (csv.is_open()) {
      csv << s.t();
      for (double coordinate : s.q())
        csv << ',' << coordinate;
      csv << '\n';
    }
  }
  return 0;
} catch (const std::exception &e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
