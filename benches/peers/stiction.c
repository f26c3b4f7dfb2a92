/* Stiction through its C interface, on one workspace that starts every problem afresh. */
#include "peer.h"

#include <stiction.h>

static void *prepare(peer_problem *p) {
  stn_lcp *lcp = NULL;
  stn_lcp_options options;
  if (stn_lcp_create(p->n, &lcp) != STN_OK ||
      stn_lcp_options_init(&options, sizeof options) != STN_OK) {
    exit(1);
  }
  options.warm = 0;
  if (stn_lcp_set_options(lcp, &options) != STN_OK) {
    exit(1);
  }
  return lcp;
}

static void solve(peer_problem *p, void *context) {
  stn_lcp_info info;
  memset(&info, 0, sizeof info);
  info.struct_size = sizeof info;
  p->claim =
      stn_lcp_solve((stn_lcp *)context, p->n, p->m, p->n, p->q, p->z, NULL, &info) == STN_OK;
  p->pivots = info.pivots;
}

static void release(void *context) { stn_lcp_destroy((stn_lcp *)context); }

int main(void) { return peer_run(prepare, solve, release); }
