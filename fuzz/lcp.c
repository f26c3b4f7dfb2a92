/* Complementarity problems of any numbers: solved with a small residual, or refused with outputs left alone. */
#include "input.h"
#include "judge.h"

static void judge(stn_status st, const Input *in, int32_t n, const double *m, int32_t ld, const double *q,
                  const double *z, const double *w, const stn_lcp_info *info) {
  HOLDS(st != STN_ERR_PANIC && st != STN_ERR_POISONED);
  if (st != STN_OK) {
    HOLDS(untouched(z, n) && untouched(w, n));
    return;
  }
  HOLDS(all_finite(z, n) && all_finite(w, n));
  HOLDS(info->residual <= 1e-3);
  /* In plain numbers our arithmetic can be compared; elsewhere its own rounding would be judged. */
  if (in->plain)
    HOLDS(natural_residual(n, m, ld, q, z) <= 1e-7);
}

/* At the end of the range terms of M z overflow, and nothing can be told from outside. */
static int overflows(int32_t n, const double *m, int32_t ld, const double *z) {
  int32_t i, j;
  for (j = 0; j < n; j++)
    for (i = 0; i < n; i++)
      if (fabs(z[j]) * fabs(m[i + j * ld]) > 1e307)
        return 1;
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  stn_lcp *lcp = NULL;
  Input in = input(data, size);
  const int32_t n = choice(&in, 8), ld = n + choice(&in, 3), twist = choice(&in, 8);
  double *m = reals(0, n ? ld * (n - 1) + n : 0), *q, *z = blank(2, n), *w = blank(3, n), residual;
  stn_lcp_info info;
  stn_status st;
  int32_t i, j;
  HOLDS(stn_lcp_create(MOST, &lcp) == STN_OK);
  info.struct_size = sizeof info;
  for (j = 0; j < n; j++)
    for (i = 0; i < (j + 1 < n ? ld : n); i++)
      m[i + j * ld] = number(&in);
  q = given(&in, 1, n);
  if (twist & 1) /* M - M' + |diagonal|: positive semidefinite, so that many have an answer */
    for (j = 0; j < n; j++)
      for (i = 0; i <= j; i++)
        m[i + j * ld] = i == j ? fabs(m[i + j * ld]) : -m[j + i * ld];
  if (twist & 2) /* a repeated row and column */
    for (i = 0; n > 1 && i < n; i++)
      m[i + ld] = m[i];
  {
    stn_lcp_options opt;
    HOLDS(stn_lcp_options_init(&opt, sizeof opt) == STN_OK);
    opt.engine = choice(&in, 3), opt.warm = choice(&in, 2);
    HOLDS(stn_lcp_set_options(lcp, &opt) == STN_OK);
  }
  if (choice(&in, 2)) { /* as if some other problem had left its basis */
    int64_t keys[MOST], basis[MOST];
    const unsigned bits = byte(&in);
    int32_t n_basis = 0;
    for (i = 0; i < n; i++) {
      keys[i] = i;
      if (bits >> i & 1u)
        basis[n_basis++] = i;
    }
    HOLDS(stn_lcp_set_basis(lcp, n, keys, basis, n_basis) == STN_OK);
  }
  st = stn_lcp_solve(lcp, n, m, ld, q, z, w, &info);
  judge(st, &in, n, m, ld, q, z, w, &info);
  if (st == STN_ERR_LCP_RAY) {
    int32_t infeasible;
    double *rz = reals(4, n), *rw = reals(5, n);
    HOLDS(stn_lcp_get_ray(lcp, n, rz, rw, &infeasible) == STN_OK && all_finite(rz, n) && all_finite(rw, n));
  }
  if (st == STN_OK) {
    HOLDS(stn_lcp_residual(n, m, ld, q, z, &residual) == STN_OK);
    HOLDS(residual <= 1e-8 || overflows(n, m, ld, z));
    numbers(&in, q, n);
    z = blank(2, n), w = blank(3, n);
    judge(stn_lcp_solve_again(lcp, n, m, ld, q, z, w, &info), &in, n, m, ld, q, z, w, &info);
  }
  if (n > 1) {
    const int32_t n_free = choice(&in, (unsigned)n);
    z = blank(2, n), w = blank(3, n - n_free);
    st = stn_mlcp_solve(lcp, n_free, n - n_free, m, ld, q, z, w, &info);
    HOLDS(st != STN_ERR_PANIC && st != STN_ERR_POISONED);
    if (st == STN_OK)
      HOLDS(all_finite(z, n) && all_finite(w, n - n_free) && info.residual <= 1e-3);
    else
      HOLDS(untouched(z, n) && untouched(w, n - n_free));
  }
  stn_lcp_destroy(lcp);
  return 0;
}
