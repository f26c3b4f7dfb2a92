/* What a workspace may be told and asked besides its problems: options, progress, bases, rays. Run
 * with the name of a section, or with none for all; says what differs on stderr and ends with 1. */
#include "say.h"
#include <limits.h>
#include <math.h>

enum { N = 500 };

/* A rope pulled off the ground everywhere: each of its points takes a pivot. */
static double rope[N * N], pull[N];

static void fill(void) {
  int j;
  for (j = 0; j < N; j++) {
    pull[j] = -1.0;
    rope[j + j * N] = 2.0;
    if (j > 0)
      rope[j - 1 + j * N] = rope[j + (j - 1) * N] = -1.0;
  }
}

static stn_lcp *workspace(void) {
  stn_lcp *lcp = NULL;
  fill();
  expect("create", stn_lcp_create(N, &lcp), STN_OK, NULL);
  return lcp;
}

static stn_lcp_options defaults(void) {
  stn_lcp_options opt;
  memset(&opt, 0xA5, sizeof opt);
  expect("defaults", stn_lcp_options_init(&opt, sizeof opt), STN_OK, NULL);
  return opt;
}

static stn_lcp_info no_info(void) {
  stn_lcp_info info;
  memset(&info, 0xA5, sizeof info);
  info.struct_size = sizeof info;
  return info;
}

static const double two = 2.0, four = -4.0;

/* w = 2 z - 4 still gives 2. */
static void still_works(stn_lcp *lcp) {
  double z = -7.0;
  expect("afterwards", stn_lcp_solve(lcp, 1, &two, 1, &four, &z, NULL, NULL), STN_OK, NULL);
  check(z == 2.0, "the answer afterwards");
}

static void refused(stn_lcp *lcp, const char *say, const stn_lcp_options *opt, stn_status expected,
                    const char *text) {
  expect(say, stn_lcp_set_options(lcp, opt), expected, text);
  still_works(lcp);
}

static void options(void) {
  const size_t first = sizeof(size_t),
               ends[6] = {first, first + 4, first + 8, first + 12, first + 16, first + 24};
  const double bad[3] = {NAN, INFINITY, -INFINITY};
  stn_lcp *lcp = workspace();
  stn_lcp_options opt = defaults(), whole = opt;
  unsigned char room[sizeof opt + 32];
  double z[N];
  size_t k, i;
  check(opt.struct_size == sizeof opt && opt.max_pivots == 0 && opt.warm == 1 &&
            opt.engine == STN_LCP_ENGINE_AUTO && opt.tolerance == 1e-9,
        "defaults are those of the header");
  expect("no workspace", stn_lcp_set_options(NULL, &opt), STN_ERR_NULL, "lcp is NULL");
  expect("NULL is the defaults", stn_lcp_set_options(lcp, NULL), STN_OK, NULL);
  opt.max_pivots = -1;
  refused(lcp, "max_pivots", &opt, STN_ERR_DIMENSION, "max_pivots is -1");
  opt = defaults(), opt.engine = 3;
  refused(lcp, "engine", &opt, STN_ERR_VALUE, "engine is 3");
  opt.engine = -1;
  refused(lcp, "engine", &opt, STN_ERR_VALUE, "engine is -1");
  opt = defaults(), opt.warm = 2;
  refused(lcp, "warm", &opt, STN_ERR_VALUE, "warm is 2");
  opt = defaults(), opt.tolerance = 0.0;
  refused(lcp, "tolerance", &opt, STN_ERR_VALUE, "tolerance is 0");
  opt.tolerance = -1e-9;
  refused(lcp, "tolerance", &opt, STN_ERR_VALUE, "tolerance is -");
  for (k = 0; k < 3; k++) {
    opt.tolerance = bad[k];
    refused(lcp, "tolerance", &opt, STN_ERR_NONFINITE, "tolerance");
  }
  /* A limit holds from the next call on, and a refused change leaves it. */
  opt = defaults(), opt.max_pivots = 5, opt.warm = 0;
  expect("a limit", stn_lcp_set_options(lcp, &opt), STN_OK, NULL);
  memset(z, 0, sizeof z);
  expect("over the limit", stn_lcp_solve(lcp, N, rope, N, pull, z, NULL, NULL), STN_ERR_LCP_PIVOTS,
         "needs more than 5 pivots");
  check(z[0] == 0.0 && z[N - 1] == 0.0, "z is untouched");
  opt.engine = 77;
  expect("refused", stn_lcp_set_options(lcp, &opt), STN_ERR_VALUE, NULL);
  expect("the limit stays", stn_lcp_solve(lcp, N, rope, N, pull, z, NULL, NULL), STN_ERR_LCP_PIVOTS,
         NULL);
  expect("defaults", stn_lcp_set_options(lcp, NULL), STN_OK, NULL);
  /* Cut at any byte: members that are not there in whole are not looked at. */
  whole.max_pivots = 5, whole.warm = 0, whole.tolerance = -1.0;
  for (k = 0; k <= sizeof opt + 8; k++) {
    const size_t bytes = k < first ? first : k;
    unsigned char *p = (unsigned char *)malloc(bytes);
    memset(p, 0xA5, bytes);
    memcpy(p, &whole, bytes < sizeof whole ? bytes : sizeof whole);
    memcpy(p, &k, sizeof k);
    expect("cut", stn_lcp_set_options(lcp, (const stn_lcp_options *)(const void *)p),
           k < first     ? STN_ERR_ABI
           : k < ends[5] ? STN_OK
                         : STN_ERR_VALUE,
           NULL);
    free(p);
  }
  opt = defaults();
  for (k = 0; k <= sizeof opt + 8; k++) {
    size_t end = 0;
    memset(room, 0xA5, sizeof room);
    expect("init", stn_lcp_options_init((stn_lcp_options *)(void *)room, k),
           k < first ? STN_ERR_ABI : STN_OK, NULL);
    for (i = 0; i < 6; i++)
      if (ends[i] <= k)
        end = ends[i];
    check(end <= first || memcmp(room + first, (char *)&opt + first, end - first) == 0,
          "defaults are written");
    for (i = end; i < sizeof room; i++)
      if (room[i] != 0xA5)
        check(0, "init wrote behind its size");
  }
  expect("init NULL", stn_lcp_options_init(NULL, sizeof opt), STN_ERR_NULL, "opt is NULL");
  expect("misaligned", stn_lcp_options_init((stn_lcp_options *)(void *)(room + 1), sizeof opt),
         STN_ERR_VALUE, "opt is at an address");
  stn_lcp_destroy(lcp);
}

/* ---- progress ---- */

typedef struct Watch {
  stn_lcp *lcp;
  int calls, stop_at, finite;
  int64_t last;
} Watch;

static int watch(int64_t pivots, double artificial, void *user) {
  Watch *w = (Watch *)user;
  double z = 5.0;
  w->calls++;
  w->finite = w->finite && artificial >= 0.0 && isfinite(artificial) && pivots > w->last;
  w->last = pivots;
  expect("from inside", stn_lcp_solve(w->lcp, 1, &two, 1, &four, &z, NULL, NULL), STN_ERR_BUSY,
         "in use");
  expect("from inside", stn_lcp_set_progress(w->lcp, NULL, NULL), STN_ERR_BUSY, "in use");
  expect("from inside", stn_lcp_set_options(w->lcp, NULL), STN_ERR_BUSY, "in use");
  expect("from inside", stn_lcp_get_ray(w->lcp, 1, &z, NULL, NULL), STN_ERR_BUSY, "in use");
  stn_lcp_destroy(w->lcp); /* nothing, too */
  check(z == 5.0, "a busy handle writes nothing");
  return w->calls == w->stop_at ? -3 : 0;
}

static void progress(void) {
  stn_lcp *lcp = workspace();
  Watch w = {NULL, 0, 0, 1, 0};
  double z[N], undisturbed[N], wz[N];
  stn_lcp_info info = no_info(), before = info;
  int i, k, calls;
  w.lcp = lcp;
  expect("no workspace", stn_lcp_set_progress(NULL, watch, &w), STN_ERR_NULL, "lcp is NULL");
  expect("solve", stn_lcp_solve(lcp, N, rope, N, pull, undisturbed, NULL, NULL), STN_OK, NULL);
  stn_lcp_destroy(lcp);
  w.lcp = lcp = workspace();
  expect("watch", stn_lcp_set_progress(lcp, watch, &w), STN_OK, NULL);
  expect("solve", stn_lcp_solve(lcp, N, rope, N, pull, z, wz, &info), STN_OK, NULL);
  check(memcmp(z, undisturbed, sizeof z) == 0, "watching changes no bit");
  check(w.calls >= 4 && w.finite, "called again and again, with growing counts and numbers");
  calls = w.calls;
  for (k = 1; k <= calls; k += 2) {
    stn_lcp_destroy(lcp);
    w.lcp = lcp = workspace();
    w.calls = 0, w.last = 0, w.stop_at = k;
    expect("watch", stn_lcp_set_progress(lcp, watch, &w), STN_OK, NULL);
    for (i = 0; i < N; i++)
      z[i] = wz[i] = -7.0;
    info = before;
    expect("stopped", stn_lcp_solve(lcp, N, rope, N, pull, z, wz, &info), STN_ERR_CALLBACK,
           "progress returned -3");
    check(w.calls == k, "not called again");
    for (i = 0; i < N; i++)
      if (z[i] != -7.0 || wz[i] != -7.0)
        check(0, "outputs are untouched");
    check(memcmp(&info, &before, sizeof info) == 0, "info is untouched");
    still_works(lcp);
    w.stop_at = 0, w.last = 0;
    expect("and again", stn_lcp_solve(lcp, N, rope, N, pull, z, NULL, NULL), STN_OK, NULL);
    check(memcmp(z, undisturbed, sizeof z) == 0, "the answer of an undisturbed workspace");
  }
  calls = w.calls;
  expect("none", stn_lcp_set_progress(lcp, NULL, NULL), STN_OK, NULL);
  still_works(lcp);
  expect("none", stn_lcp_solve(lcp, N, rope, N, pull, z, NULL, NULL), STN_OK, NULL);
  check(w.calls == calls, "a function that was taken away is not called");
  stn_lcp_destroy(lcp);
}

/* ---- bases ---- */

/* w = m z + q with the answer z = (2, 0, 1). */
static const double m3[9] = {2, 1, 0, 1, 3, 1, 0, 2, 4}, q3[3] = {-4, 3, -4};

static void bases(void) {
  const int64_t keys[3] = {30, -5, 7}, many[4] = {1, 2, 3, 4};
  int64_t basis[4] = {99, 99, 99, 99};
  stn_lcp *lcp = workspace(), *other;
  stn_lcp_info info = no_info();
  int32_t needed = 77;
  double z[3];
  expect("no solution yet", stn_lcp_get_basis(lcp, 3, keys, basis, 4, &needed), STN_ERR_DIMENSION,
         NULL);
  expect("solve", stn_lcp_solve(lcp, 3, m3, 3, q3, z, NULL, NULL), STN_OK, NULL);
  expect("no workspace", stn_lcp_get_basis(NULL, 3, keys, basis, 4, &needed), STN_ERR_NULL,
         "lcp is NULL");
  expect("no keys", stn_lcp_get_basis(lcp, 3, NULL, basis, 4, &needed), STN_ERR_NULL,
         "keys is NULL");
  expect("no basis", stn_lcp_get_basis(lcp, 3, keys, NULL, 4, &needed), STN_ERR_NULL,
         "basis is NULL");
  expect("no needed", stn_lcp_get_basis(lcp, 3, keys, basis, 4, NULL), STN_ERR_NULL,
         "needed is NULL");
  expect("n < 0", stn_lcp_get_basis(lcp, -1, keys, basis, 4, &needed), STN_ERR_DIMENSION,
         "n is -1");
  expect("cap < 0", stn_lcp_get_basis(lcp, 3, keys, basis, -1, &needed), STN_ERR_DIMENSION,
         "cap is -1");
  expect("another size", stn_lcp_get_basis(lcp, 2, keys, basis, 4, &needed), STN_ERR_DIMENSION,
         NULL);
  expect("overlap", stn_lcp_get_basis(lcp, 3, keys, (int64_t *)(size_t)keys, 3, &needed),
         STN_ERR_VALUE, "overlap");
  expect("misaligned",
         stn_lcp_get_basis(lcp, 3, keys, (int64_t *)(void *)((char *)basis + 1), 2, &needed),
         STN_ERR_VALUE, "basis is at an address");
  check(needed == 77 && basis[0] == 99, "outputs are untouched");
  expect("how many", stn_lcp_get_basis(lcp, 3, keys, NULL, 0, &needed), STN_OK, NULL);
  check(needed == 2, "two unknowns are positive");
  needed = 77;
  expect("too small", stn_lcp_get_basis(lcp, 3, keys, basis, 1, &needed), STN_ERR_CAPACITY,
         "basis");
  check(needed == 2 && basis[0] == 99, "needed is written, basis is not");
  expect("basis", stn_lcp_get_basis(lcp, 3, keys, basis, 2, &needed), STN_OK, NULL);
  check(basis[0] == 7 && basis[1] == 30 && basis[2] == 99, "the keys of z1 and z3, ascending");

  other = workspace();
  expect("no workspace", stn_lcp_set_basis(NULL, 3, keys, basis, 2), STN_ERR_NULL, "lcp is NULL");
  expect("no keys", stn_lcp_set_basis(other, 3, NULL, basis, 2), STN_ERR_NULL, "keys is NULL");
  expect("no basis", stn_lcp_set_basis(other, 3, keys, NULL, 2), STN_ERR_NULL, "basis is NULL");
  expect("n < 0", stn_lcp_set_basis(other, -1, keys, basis, 2), STN_ERR_DIMENSION, "n is -1");
  expect("n_basis < 0", stn_lcp_set_basis(other, 3, keys, basis, -1), STN_ERR_DIMENSION,
         "n_basis is -1");
  {
    int64_t too_many[N + 1];
    int i;
    for (i = 0; i <= N; i++)
      too_many[i] = i;
    expect("n > n_max", stn_lcp_set_basis(other, N + 1, too_many, basis, 2), STN_ERR_CAPACITY,
           NULL);
  }
  expect("set", stn_lcp_set_basis(other, 3, keys, basis, 2), STN_OK, NULL);
  expect("solve", stn_lcp_solve(other, 3, m3, 3, q3, z, NULL, &info), STN_OK, NULL);
  check(info.warm == 1 && info.pivots == 0, "the basis of another workspace answers at once");
  check(fabs(z[0] - 2.0) < 1e-12 && z[1] == 0.0 && fabs(z[2] - 1.0) < 1e-12, "with the answer");
  /* Keys nobody knows, keys twice, an empty basis: another start, the same answer. */
  expect("strangers", stn_lcp_set_basis(other, 3, keys, many, 4), STN_OK, NULL);
  expect("solve", stn_lcp_solve(other, 3, m3, 3, q3, z, NULL, NULL), STN_OK, NULL);
  check(fabs(z[0] - 2.0) < 1e-12 && fabs(z[2] - 1.0) < 1e-12, "the answer");
  expect("nothing", stn_lcp_set_basis(other, 3, keys, NULL, 0), STN_OK, NULL);
  expect("solve", stn_lcp_solve(other, 3, m3, 3, q3, z, NULL, NULL), STN_OK, NULL);
  check(fabs(z[0] - 2.0) < 1e-12 && fabs(z[2] - 1.0) < 1e-12, "the answer");
  stn_lcp_destroy(lcp);
  stn_lcp_destroy(other);
}

static void rays(void) {
  const double m[4] = {-1, 0, 0, 1}, q[2] = {-1, -1};
  double z[2] = {-7, -7}, w[2] = {-7, -7};
  stn_lcp *lcp = workspace();
  int32_t infeasible = 77;
  expect("no failure yet", stn_lcp_get_ray(lcp, 2, z, w, &infeasible), STN_ERR_DIMENSION,
         "failed on a ray");
  still_works(lcp);
  expect("success has no ray", stn_lcp_get_ray(lcp, 1, z, w, &infeasible), STN_ERR_DIMENSION, NULL);
  expect("no solution", stn_lcp_solve(lcp, 2, m, 2, q, z, NULL, NULL), STN_ERR_LCP_RAY, "ray");
  expect("another size", stn_lcp_get_ray(lcp, 1, z, w, &infeasible), STN_ERR_DIMENSION, "n is 1");
  expect("overlap", stn_lcp_get_ray(lcp, 2, z, z + 1, &infeasible), STN_ERR_VALUE, "overlap");
  expect("misaligned", stn_lcp_get_ray(lcp, 2, z, w, (int32_t *)(void *)((char *)w + 1)),
         STN_ERR_VALUE, "infeasible is at an address");
  check(z[0] == -7.0 && w[1] == -7.0 && infeasible == 77, "outputs are untouched");
  expect("only the verdict", stn_lcp_get_ray(lcp, 2, NULL, NULL, &infeasible), STN_OK, NULL);
  check(infeasible == 1, "-z1 - 1 >= 0 has no solution z1 >= 0");
  expect("ray", stn_lcp_get_ray(lcp, 2, z, w, NULL), STN_OK, NULL);
  check(z[0] > 0.0 && z[1] >= 0.0 && w[0] >= 0.0 && w[1] >= 0.0,
        "the first unknown is the trouble");
  still_works(lcp);
  stn_lcp_destroy(lcp);
}

int main(int argc, char **argv) {
  static const Section sections[] = {
      {"options", options}, {"progress", progress}, {"bases", bases}, {"rays", rays}};
  return run_sections(sections, sizeof sections / sizeof sections[0], argc, argv);
}
