/* Hosts that trap floating-point exceptions, round otherwise or flush subnormal numbers: the library computes as ever, to the
 * last bit, and leaves what the host has set as it was. Run with the name of a section, or with none for all. */
#define _GNU_SOURCE
#include "say.h"
#include "scene.h"
#include <fenv.h>
#ifdef __SSE__
#include <xmmintrin.h>
#endif

enum { STEPS = 200, COORDINATES = 4, STEPPERS = 4 };

/* A block that is thrown, bounces, slips and comes to rest, and a problem without an answer. Writes the last state. */
static void motion(double *state, int batch) {
  static const int32_t method[STEPPERS] = {STN_METHOD_TRAPEZOID, STN_METHOD_EULER, STN_METHOD_MOREAU, STN_METHOD_LOBATTO_IIIA_4};
  const stn_dims dims = block_dims();
  const stn_model_fns fns = block_fns(NULL);
  const double mu = 0.5, e = 0.5, q[2] = {0, 0.3}, v[2] = {2, 0};
  const double m1 = -1, q1 = -1;
  double z = 7;
  stn_stepper *s[STEPPERS];
  stn_model *model = NULL;
  stn_lcp *lcp = NULL;
  int i, k;
  expect("model", stn_model_create(&dims, &fns, &mu, &e, NULL, &model), STN_OK, NULL);
  for (i = 0; i < STEPPERS; i++) {
    stn_stepper_options opt;
    stn_stepper_options_init(&opt, sizeof opt);
    opt.method = method[i];
    expect("stepper", stn_stepper_create(model, &opt, &s[i]), STN_OK, NULL);
    expect("state", stn_stepper_set_state(s[i], 0, q, 2, v, 2), STN_OK, NULL);
  }
  for (k = 0; k < STEPS; k++) {
    if (batch)
      check(stn_batch_step(s, STEPPERS, 0.01, 2, NULL) >= 0, "a batch fails");
    for (i = 0; i < STEPPERS && !batch; i++)
      check(stn_stepper_step(s[i], 0.01) >= 0, "a step fails");
  }
  for (i = 0; i < STEPPERS; i++) {
    expect("read", stn_stepper_get_state(s[i], NULL, state + 4 * i, 2, state + 4 * i + 2, 2), STN_OK, NULL);
    stn_stepper_destroy(s[i]);
  }
  stn_model_destroy(model);
  expect("workspace", stn_lcp_create(1, &lcp), STN_OK, NULL);
  expect("no answer", stn_lcp_solve(lcp, 1, &m1, 1, &q1, &z, NULL, NULL), STN_ERR_LCP_RAY, NULL);
  stn_lcp_destroy(lcp);
}

static int traps(void) {
#ifdef __GLIBC__
  return fegetexcept();
#else
  return 0;
#endif
}

static unsigned all(void) {
#ifdef __SSE__
  return _mm_getcsr() & ~0x3fu; /* but for flags of what has happened */
#else
  return 0;
#endif
}

/* The same bits as with what a program has at its start. */
static void same(const char *what) {
  double plain[STEPPERS * COORDINATES], other[STEPPERS * COORDINATES];
  const int rounding = fegetround(), trapped = traps();
  const unsigned csr = all();
  fenv_t host;
  int batch;
  for (batch = 0; batch < 2; batch++) {
    memset(other, 0, sizeof other);
    motion(other, batch);
    check(fegetround() == rounding && traps() == trapped && all() == csr, "the host's environment was changed");
    fegetenv(&host);
    fesetenv(FE_DFL_ENV);
    memset(plain, 0, sizeof plain);
    motion(plain, batch);
    fesetenv(&host);
    check(memcmp(plain, other, sizeof plain) == 0, what);
  }
}

static void trapping(void) {
#ifdef __GLIBC__
  feenableexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW | FE_UNDERFLOW);
#endif
  same("a host that traps gets other bits");
  fesetenv(FE_DFL_ENV);
}

static void rounding(void) {
#if defined(__x86_64__) /* elsewhere the library computes as the host has it */
  static const int mode[3] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  int i;
  for (i = 0; i < 3; i++) {
    check(fesetround(mode[i]) == 0, "no such rounding");
    same("a host that rounds otherwise gets other bits");
  }
  fesetenv(FE_DFL_ENV);
#endif
  same("two motions differ");
}

static void flushing(void) {
#ifdef __SSE__
  _mm_setcsr(_mm_getcsr() | 0x8040u); /* flush to zero, subnormal numbers are zeros */
#endif
  same("a host that flushes subnormal numbers gets other bits");
  fesetenv(FE_DFL_ENV);
}

int main(int argc, char **argv) {
  static const Section sections[] = {{"trapping", trapping}, {"rounding", rounding}, {"flushing", flushing}};
  return run_sections(sections, sizeof sections / sizeof *sections, argc, argv);
}
