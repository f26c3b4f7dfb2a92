// Lemke's method on a contact problem: who carries the plank?
//
// A plank of 12 kg, 4 m long, lies loosely on two trestles 1 m left and right of its middle. A load
// of 400 N walks outwards to the right; past 1.294 m the left trestle would have to pull, which it
// cannot, so the plank lifts off. c_examples/01_lcp.c derives the problem.
#include <array>
#include <cmath>
#include <cstdio>
#include <stiction.hpp>

int main() try {
  const double mass = 12.0, inertia = 16.0, gravity = 9.81, load = 400.0; // kg, kg m^2, m/s^2, N
  const std::array<double, 2> trestle = {-1.0, 1.0};                      // m from the middle
  std::array<double, 4> push;
  for (std::size_t j = 0; j < 2; j++)
    for (std::size_t i = 0; i < 2; i++)
      push[i + 2 * j] = 1.0 / mass + trestle[i] * trestle[j] / inertia;
  const stiction::const_matrix m(push.data(), 2, 2);

  stiction::lcp lcp(2);
  std::printf("load at   push left   push right   lift left\n");
  for (double x : {0.0, 0.5, 1.0, 1.25, 1.5, 2.0}) {
    const double fall = -gravity - load / mass, spin = -load * x / inertia;
    const auto s = lcp.solve(m, {fall + trestle[0] * spin, fall + trestle[1] * spin});
    std::printf("%5.2f m %9.3f N %10.3f N %6.3f m/s^2\n", x, s.z[0], s.z[1], std::fabs(s.w[0]));
  }
  return 0;
} catch (const std::exception &e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
