// A host that breaks its promise and throws out of a function that the library called. The process
// must end with a message: unwinding through the library would leave it half changed.
#include "scene.h"
#include <cstdio>
#include <cstring>
#include <stdexcept>

static int throwing_force(double, const double *, const double *, double *, void *) {
  throw std::runtime_error("from a callback");
}

static void throwing_release(void *) { throw std::runtime_error("from release"); }

static int throwing_progress(int64_t, double, void *) { throw std::runtime_error("from progress"); }

static void from_a_model(bool at_release) {
  const stn_dims dims = block_dims();
  stn_model_fns fns = block_fns(nullptr);
  stn_model *model = nullptr;
  stn_stepper *s = nullptr;
  if (at_release)
    fns.release = throwing_release;
  else
    fns.force = throwing_force;
  if (stn_model_create(&dims, &fns, nullptr, nullptr, nullptr, &model) != STN_OK ||
      stn_stepper_create(model, nullptr, &s) != STN_OK)
    return;
  if (!at_release)
    stn_stepper_step(s, 0.01);
  stn_stepper_destroy(s);
  stn_model_destroy(model);
}

static void from_a_solve() {
  enum { N = 200 };
  static double m[N * N], q[N], z[N];
  stn_lcp *lcp = nullptr;
  for (int j = 0; j < N; j++) {
    q[j] = -1.0;
    m[j + j * N] = 2.0;
    if (j > 0)
      m[j - 1 + j * N] = m[j + (j - 1) * N] = -1.0;
  }
  if (stn_lcp_create(N, &lcp) != STN_OK ||
      stn_lcp_set_progress(lcp, throwing_progress, nullptr) != STN_OK)
    return;
  stn_lcp_solve(lcp, N, m, N, q, z, nullptr, nullptr);
}

int main(int argc, char **argv) {
  try {
    if (argc > 1 && std::strcmp(argv[1], "progress") == 0)
      from_a_solve();
    else
      from_a_model(argc > 1 && std::strcmp(argv[1], "release") == 0);
  } catch (...) {
    std::puts("the exception came through, and the program went on");
    return 0;
  }
  std::puts("the library went on");
  return 0;
}
