/* Siconos: lexicographic Lemke on a dense matrix. Timed is the bare solver, which calls a ray a success;
 * the claim is that of the generic driver, which checks the answer and takes a little longer. With the
 * argument "call" the driver itself is timed, as most users call it. */
#include "peer.h"

#include <siconos/numerics/LCP_Solvers.h>
#include <siconos/numerics/LinearComplementarityProblem.h>
#include <siconos/numerics/NonSmoothDrivers.h>
#include <siconos/numerics/NumericsMatrix.h>
#include <siconos/numerics/NumericsVerbose.h>
#include <siconos/numerics/SolverOptions.h>
#include <siconos/numerics/lcp_cst.h>

typedef struct {
  LinearComplementarityProblem lcp;
  SolverOptions *options;
  double *w;
} context;

static void *prepare(peer_problem *p) {
  context *c = (context *)calloc(1, sizeof *c);
  numerics_set_verbose(0);
  c->lcp.size = p->n;
  c->lcp.M = NM_create_from_data(NM_DENSE, p->n, p->n, p->m);
  c->lcp.q = p->q;
  c->options = solver_options_create(SICONOS_LCP_LEMKE);
  c->options->iparam[SICONOS_IPARAM_MAX_ITER] = peer_limit(p->n);
  c->w = (double *)calloc((size_t)p->n + 1, sizeof(double));
  p->claim = linearComplementarity_driver(&c->lcp, p->z, c->w, c->options) == 0;
  return c;
}

static void solve(peer_problem *p, void *context_) {
  context *c = (context *)context_;
  int info = 0;
  memset(p->z, 0, (size_t)p->n * sizeof(double));
  lcp_lexicolemke(&c->lcp, p->z, c->w, &info, c->options);
  p->pivots = c->options->iparam[SICONOS_IPARAM_ITER_DONE];
}

static void call(peer_problem *p, void *context_) {
  context *c = (context *)context_;
  memset(p->z, 0, (size_t)p->n * sizeof(double));
  p->claim = linearComplementarity_driver(&c->lcp, p->z, c->w, c->options) == 0;
  p->pivots = c->options->iparam[SICONOS_IPARAM_ITER_DONE];
}

static void release(void *context_) {
  context *c = (context *)context_;
  c->lcp.M->matrix0 = NULL; /* ours */
  NM_free(c->lcp.M);
  solver_options_delete(c->options);
  free(c->w);
  free(c);
}

int main(int argc, char **argv) {
  int called = argc > 1 && strcmp(argv[1], "call") == 0;
  return peer_run(prepare, called ? call : solve, release);
}
