/* A host that is told how a long solve goes on, uses the workspace from inside, and stops it: not a
 * byte changed, and a workspace that gives the same bits afterwards. Says what differs on stderr
 * and ends with 1. */
#include "say.h"
#include <math.h>

enum { N = 300 };

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

int main(int argc, char **argv) {
  static const Section sections[] = {{"progress", progress}};
  return run_sections(sections, sizeof sections / sizeof sections[0], argc, argv);
}
