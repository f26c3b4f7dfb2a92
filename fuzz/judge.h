/* The residual of an answer, computed by the formula in the documentation of stn_lcp_residual and
 * by none of the library's code. */
#ifndef STICTION_FUZZ_JUDGE_H
#define STICTION_FUZZ_JUDGE_H

#include <math.h>
#include <stdint.h>

enum { MOST = 12 };

/* max |min(z/c, r w)| / max |r q| of an n by n problem, n <= MOST; M column-major with distance ld. */
static inline double natural_residual(int32_t n, const double *m, int32_t ld, const double *q,
                                      const double *z) {
  double r[MOST], c[MOST], next[MOST], worst = 0.0, size = 0.0;
  int32_t i, j, sweep;
  for (i = 0; i < n; i++)
    r[i] = c[i] = 1.0;
  for (sweep = 0; sweep < 8; sweep++) {
    for (i = 0; i < n; i++) {
      double most = 0.0;
      for (j = 0; j < n; j++)
        most = fmax(most, r[i] * fabs(m[i + j * ld]) * c[j]);
      next[i] = most > 0.0 ? r[i] / sqrt(most) : r[i];
    }
    for (i = 0; i < n; i++)
      r[i] = next[i];
    for (j = 0; j < n; j++) {
      double most = 0.0;
      for (i = 0; i < n; i++)
        most = fmax(most, r[i] * fabs(m[i + j * ld]) * c[j]);
      next[j] = most > 0.0 ? c[j] / sqrt(most) : c[j];
    }
    for (j = 0; j < n; j++)
      c[j] = next[j];
  }
  for (i = 0; i < n; i++)
    r[i] = exp2(round(log2(r[i]))), c[i] = exp2(round(log2(c[i])));
  for (i = 0; i < n; i++) {
    double w = q[i];
    for (j = 0; j < n; j++)
      w += m[i + j * ld] * z[j];
    worst = fmax(worst, fabs(fmin(z[i] / c[i], r[i] * w)));
    size = fmax(size, fabs(r[i] * q[i]));
  }
  return size > 0.0 ? worst / size : worst;
}

#endif
