/* Put before a chapter of c_examples: hashes time, positions and velocities of a stepper after each call that moves it, and the
 * answers of problems on arrays, all bits of them. The hash goes to stderr at the end. */
#include <stdio.h>
#include <stdlib.h>
#include <stiction.h>

enum { HASH_MOST = 400 };
static unsigned long long hash_sum = 0xcbf29ce484222325u;
static long hash_states = 0;

static void hash_tell(void) { fprintf(stderr, "hash %016llx of %ld states\n", hash_sum, hash_states); }

static void hash_bytes(const void *data, size_t n) { /* FNV-1a */
  const unsigned char *bytes = (const unsigned char *)data;
  size_t i;
  for (i = 0; i < n; i++)
    hash_sum = (hash_sum ^ bytes[i]) * 0x100000001b3u;
}

static void hash_count(void) {
  if (hash_states++ == 0)
    atexit(hash_tell);
}

/* A stepper does not tell its sizes: they are those that it takes. */
static stn_status hashed(const stn_stepper *s, stn_status st) {
  static double x[1 + 2 * HASH_MOST];
  static int32_t nq = 0, nv = 0;
  hash_count();
  if (stn_stepper_get_state(s, x, x + 1, nq, x + 1 + nq, nv) == STN_ERR_DIMENSION)
    for (nq = 0; nq < HASH_MOST; nq++) {
      for (nv = nq; nv >= 0 && nv >= nq - nq / 7; nv--)
        if (stn_stepper_get_state(s, x, x + 1, nq, x + 1 + nq, nv) != STN_ERR_DIMENSION)
          break;
      if (nv >= 0 && nv >= nq - nq / 7)
        break;
    }
  if (stn_stepper_get_state(s, x, x + 1, nq, x + 1 + nq, nv) == STN_OK)
    hash_bytes(x, (1 + (size_t)nq + (size_t)nv) * sizeof *x);
  return st;
}

static stn_status hashed_all(stn_stepper *const *s, int32_t n, stn_status st) {
  int32_t i;
  for (i = 0; i < n; i++)
    hashed(s[i], st);
  return st;
}

/* The answer of a problem on arrays; a part that is not wanted is NULL. */
static stn_status hashed_arrays(stn_status st, const double *a, int32_t na, const double *b, int32_t nb, const double *c,
                                int32_t nc) {
  hash_count();
  if (st == STN_OK && a)
    hash_bytes(a, (size_t)na * sizeof *a);
  if (st == STN_OK && b)
    hash_bytes(b, (size_t)nb * sizeof *b);
  if (st == STN_OK && c)
    hash_bytes(c, (size_t)nc * sizeof *c);
  return st;
}

static stn_status hashed_lcp(stn_lcp *lcp, int32_t n, const double *m, int32_t ldm, const double *q, double *z, double *w,
                             stn_lcp_info *info) {
  return hashed_arrays(stn_lcp_solve(lcp, n, m, ldm, q, z, w, info), z, n, w, n, NULL, 0);
}

static stn_status hashed_contact(stn_lcp *lcp, int32_t nv, int32_t nj, int32_t nc, int32_t nd, const double *mass,
                                 const double *joint, const double *normal, const double *tangent, const double *mu,
                                 const double *p, double *v, double *cj, double *cn, double *beta, stn_lcp_info *info) {
  const stn_status st =
      stn_contact_solve(lcp, nv, nj, nc, nd, mass, joint, normal, tangent, mu, p, v, cj, cn, beta, info);
  return hashed_arrays(st, v, nv, cn, nc, beta, nc * nd);
}

static stn_status hashed_impact(stn_lcp *lcp, int32_t law, int32_t nv, int32_t nj, int32_t nc, int32_t nd,
                                const double *mass, const double *joint, const double *normal, const double *tangent,
                                const double *mu, const double *e, const double *before, double *middle, double *after,
                                double *cj, double *cn, double *beta, stn_lcp_info *info) {
  const stn_status st = stn_impact_solve(lcp, law, nv, nj, nc, nd, mass, joint, normal, tangent, mu, e, before, middle,
                                         after, cj, cn, beta, info);
  return hashed_arrays(st, after, nv, cn, nc, beta, nc * nd);
}

#define stn_lcp_solve hashed_lcp
#define stn_contact_solve hashed_contact
#define stn_impact_solve hashed_impact
#define stn_stepper_step(s, h) hashed(s, stn_stepper_step(s, h))
#define stn_stepper_advance(s, t, h) hashed(s, stn_stepper_advance(s, t, h))
#define stn_passive_step(s, h) hashed(s, stn_passive_step(s, h))
#define stn_batch_step(s, n, h, threads, done) hashed_all(s, n, stn_batch_step(s, n, h, threads, done))
#define stn_batch_advance(s, n, t, h, threads, done) hashed_all(s, n, stn_batch_advance(s, n, t, h, threads, done))
