/* A velocity-impulse problem from fuzz bytes, and what must be true of its answer. */
#ifndef STICTION_FUZZ_PROBLEM_H
#define STICTION_FUZZ_PROBLEM_H

#include "input.h"

typedef struct Problem {
  int32_t nv, nj, nc, nd;
  double *mass, *joint, *normal, *tangent, *mu, *p;
} Problem;

static inline Problem problem(Input *in) {
  Problem a;
  int32_t i, k;
  const int32_t raw = choice(in, 4) == 0;
  a.nv = choice(in, 5), a.nj = choice(in, 3), a.nc = choice(in, 4), a.nd = 2 * choice(in, 4);
  a.mass = given(in, 0, a.nv * a.nv);
  for (i = 0; !raw && i < a.nv; i++) /* mostly definite */
    a.mass[i + i * a.nv] = fabs(a.mass[i + i * a.nv]) + 16.0 * a.nv;
  a.joint = given(in, 1, a.nv * a.nj);
  a.normal = given(in, 2, a.nv * a.nc);
  a.tangent = given(in, 3, a.nv * a.nc * a.nd);
  for (i = 0; !raw && i < a.nc; i++) /* opposite directions */
    for (k = 0; k < a.nd / 2 * a.nv; k++)
      a.tangent[i * a.nd * a.nv + a.nd / 2 * a.nv + k] = -a.tangent[i * a.nd * a.nv + k];
  a.mu = given(in, 4, a.nc);
  for (i = 0; !raw && i < a.nc; i++)
    a.mu[i] = fabs(a.mu[i]);
  a.p = given(in, 5, a.nv);
  return a;
}

static inline double along(const double *direction, const double *v, int32_t nv, double *size) {
  double sum = 0.0;
  int32_t i;
  for (i = 0; i < nv; i++)
    sum += direction[i] * v[i], *size += fabs(direction[i] * v[i]);
  return sum;
}

/* Impulses are not negative, joints hold, nothing approaches: to 1e-6 of the terms and
 * of what came in, in plain numbers. */
static inline void admissible(const Problem *a, const double *v, const double *cn, const double *beta) {
  double speed = 1e-6;
  int32_t i;
  for (i = 0; i < a->nv; i++)
    speed = fmax(speed, fmax(fabs(v[i]), fabs(a->p[i])));
  for (i = 0; i < a->nc; i++)
    HOLDS(cn[i] >= 0.0);
  for (i = 0; i < a->nc * a->nd; i++)
    HOLDS(beta[i] >= 0.0);
  for (i = 0; i < a->nj; i++) {
    double size = speed;
    const double rate = along(a->joint + i * a->nv, v, a->nv, &size);
    HOLDS(fabs(rate) <= 1e-6 * size);
  }
  for (i = 0; i < a->nc; i++) {
    double size = speed;
    const double rate = along(a->normal + i * a->nv, v, a->nv, &size);
    HOLDS(rate >= -1e-6 * size);
  }
}

#endif
