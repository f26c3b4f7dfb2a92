/* One velocity-impulse problem: the balance of momentum and Coulomb's law hold, or a status says why not. */
#include "problem.h"

/* Momentum is kept to 1e-6 of the terms, a force that separates is none, friction stays in its polygon. */
static void check(const Problem *a, const double *v, const double *cj, const double *cn, const double *beta) {
  double scale = 1e-6;
  int32_t i, k;
  admissible(a, v, cn, beta);
  for (i = 0; i < a->nv; i++) {
    double sum = -a->p[i], size = 1e-6 + fabs(a->p[i]);
    for (k = 0; k < a->nv; k++)
      sum += a->mass[i + k * a->nv] * v[k], size += fabs(a->mass[i + k * a->nv] * v[k]);
    for (k = 0; k < a->nj; k++)
      sum -= a->joint[i + k * a->nv] * cj[k], size += fabs(a->joint[i + k * a->nv] * cj[k]);
    for (k = 0; k < a->nc; k++)
      sum -= a->normal[i + k * a->nv] * cn[k], size += fabs(a->normal[i + k * a->nv] * cn[k]);
    for (k = 0; k < a->nc * a->nd; k++)
      sum -= a->tangent[i + k * a->nv] * beta[k], size += fabs(a->tangent[i + k * a->nv] * beta[k]);
    HOLDS(fabs(sum) <= 1e-6 * size);
    scale = fmax(scale, size);
  }
  for (i = 0; i < a->nc; i++) {
    double size = scale, total = 0.0;
    const double rate = along(a->normal + i * a->nv, v, a->nv, &size);
    HOLDS(cn[i] * rate <= 1e-6 * scale * size);
    for (k = 0; k < a->nd; k++)
      total += beta[i * a->nd + k];
    HOLDS(a->nd == 0 || total <= a->mu[i] * cn[i] + 1e-6 * (scale + total));
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static stn_lcp *lcp;
  Input in = input(data, size);
  const Problem a = problem(&in);
  double *v = blank(6, a.nv), *cj = blank(7, a.nj), *cn = blank(8, a.nc), *beta = blank(9, a.nc * a.nd);
  stn_lcp_info info;
  stn_status st;
  if (!lcp)
    HOLDS(stn_lcp_create(32, &lcp) == STN_OK);
  info.struct_size = sizeof info;
  st = stn_contact_solve(lcp, a.nv, a.nj, a.nc, a.nd, a.mass, a.joint, a.normal, a.tangent, a.mu, a.p, v, cj,
                         cn, beta, &info);
  HOLDS(st != STN_ERR_PANIC && st != STN_ERR_POISONED);
  if (st != STN_OK) {
    HOLDS(untouched(v, a.nv) && untouched(cj, a.nj) && untouched(cn, a.nc) && untouched(beta, a.nc * a.nd));
    return 0;
  }
  HOLDS(all_finite(v, a.nv) && all_finite(cj, a.nj) && all_finite(cn, a.nc) && all_finite(beta, a.nc * a.nd));
  HOLDS(info.residual <= 1e-8);
  if (in.plain)
    check(&a, v, cj, cn, beta);
  return 0;
}
