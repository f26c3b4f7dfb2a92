/* Velocity jumps by every law: nothing approaches afterwards, and the laws that promise it create no energy. */
#include "problem.h"

/* v'Mv/2, by the symmetric part, which is all that a quadratic form sees. */
static double energy(const Problem *a, const double *v) {
  double sum = 0.0;
  int32_t i, k;
  for (k = 0; k < a->nv; k++)
    for (i = 0; i < a->nv; i++)
      sum += 0.5 * v[i] * a->mass[i + k * a->nv] * v[k];
  return sum;
}

static int symmetric(const Problem *a) {
  int32_t i, k;
  for (k = 0; k < a->nv; k++)
    for (i = 0; i < k; i++)
      if (a->mass[i + k * a->nv] != a->mass[k + i * a->nv])
        return 0;
  return 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static stn_lcp *lcp;
  Input in = input(data, size);
  Problem a = problem(&in);
  double *e = given(&in, 10, a.nc), *vc, *v, *cj, *cn, *beta;
  const int32_t law = choice(&in, 5); /* one too many */
  stn_lcp_info info;
  stn_status st;
  int32_t i, k;
  if (!lcp)
    HOLDS(stn_lcp_create(32, &lcp) == STN_OK);
  if (choice(&in, 4)) {
    for (i = 0; i < a.nc; i++)
      e[i] = fmod(fabs(e[i]), 1.0);
    for (k = 0; k < a.nv; k++)
      for (i = 0; i < k; i++)
        a.mass[i + k * a.nv] = a.mass[k + i * a.nv];
  }
  vc = blank(6, a.nv), v = blank(7, a.nv), cj = blank(8, a.nj), cn = blank(9, a.nc);
  beta = blank(11, a.nc * a.nd);
  info.struct_size = sizeof info;
  st = stn_impact_solve(lcp, law, a.nv, a.nj, a.nc, a.nd, a.mass, a.joint, a.normal, a.tangent, a.mu, e, a.p, vc,
                        v, cj, cn, beta, &info);
  HOLDS(st != STN_ERR_PANIC && st != STN_ERR_POISONED);
  if (st != STN_OK) {
    HOLDS(untouched(vc, a.nv) && untouched(v, a.nv) && untouched(cj, a.nj) && untouched(cn, a.nc) &&
          untouched(beta, a.nc * a.nd));
    return 0;
  }
  HOLDS(law < 4);
  HOLDS(all_finite(vc, a.nv) && all_finite(v, a.nv) && all_finite(cj, a.nj) && all_finite(cn, a.nc) &&
        all_finite(beta, a.nc * a.nd));
  HOLDS(info.residual <= 1e-8);
  if (!in.plain)
    return 0;
  admissible(&a, v, cn, beta);
  if ((law == STN_IMPACT_PLASTIC || law == STN_IMPACT_REFLECTION) && symmetric(&a)) {
    const double before = energy(&a, a.p), after = energy(&a, v);
    HOLDS(after <= before + 1e-6 * (fabs(before) + 1e-6));
  }
  return 0;
}
