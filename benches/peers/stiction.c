/* Stiction through its C interface. A fresh handle for every solve keeps it cold; making and
 * destroying it counts. */
#include "peer.h"

#include <stiction.h>

static void *prepare(peer_problem *p) {
  (void)p;
  return NULL;
}

static void solve(peer_problem *p, void *context) {
  stn_lcp *lcp = NULL;
  stn_lcp_info info;
  (void)context;
  memset(&info, 0, sizeof info);
  info.struct_size = sizeof info;
  p->claim = 0;
  if (stn_lcp_create(p->n, &lcp) == STN_OK) {
    p->claim = stn_lcp_solve(lcp, p->n, p->m, p->n, p->q, p->z, NULL, &info) == STN_OK;
  }
  p->pivots = info.pivots;
  stn_lcp_destroy(lcp);
}

static void release(void *context) { (void)context; }

int main(void) { return peer_run(prepare, solve, release); }
