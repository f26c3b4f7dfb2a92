// A block that sticks and slips. The same as c_examples/06_stick_slip_block.c, with lambdas.
//
//   stick_slip [CSV file]
// To see it: gnuplot -p -e "set datafile separator ','; plot 'FILE' using 1:2 with lines"
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iomanip>
#include <stiction.hpp>

int main(int argc, char **argv) try {
  stiction::functions block; // 1 kg, pushed by 8 cos t newtons, of which friction can hold 7.848
  block.nv = 2, block.n_contact = 1, block.n_dir = 2;
  block.mu = {0.8};
  block.mass = [](double, auto, stiction::matrix m) { m(0, 0) = m(1, 1) = 1.0; };
  block.force = [](double t, auto, auto, stiction::span<double> f) {
    f[0] = 8.0 * std::cos(t);
    f[1] = -9.81;
  };
  block.gap = [](double, auto q, stiction::span<double> gap, stiction::matrix normal) {
    gap[0] = q[1];
    normal(1, 0) = 1.0;
  };
  block.tangent = [](double, auto, stiction::matrix d) { d(0, 0) = 1.0, d(0, 1) = -1.0; };

  stiction::stepper s{stiction::model(std::move(block))};
  s.set_state(0.0, {3.0, 0.0}, {0.0, 0.0});
  std::ofstream csv;
  if (argc > 1) {
    csv.open(argv[1]);
    csv << std::setprecision(17);
  }
  while (s.t() < 10.0) {
    s.step(std::pow(2.0, -8.0));
    for (const stn_event &e : s.events())
      std::printf("%9.6f s  %s\n", e.t, e.kind == STN_EVENT_STICK ? "stick" : "slip");
    if (csv.is_open())
      csv << s.t() << ',' << s.q()[0] << ',' << s.v()[0] << '\n';
  }
  return 0;
} catch (const std::exception &e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
