/* Put before a chapter of c_examples: hashes time, positions and velocities of a stepper after each call that moves it, all bits of
 * them. What a chapter solves on arrays is left to its printed digits. The hash goes to stderr at the end. */
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

/* A stepper does not tell its sizes: they are those that it takes. */
static stn_status hashed(const stn_stepper *s, stn_status st) {
  static double x[1 + 2 * HASH_MOST];
  static int32_t nq = 0, nv = 0;
  if (hash_states++ == 0)
    atexit(hash_tell);
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

#define stn_stepper_step(s, h) hashed(s, stn_stepper_step(s, h))
#define stn_stepper_advance(s, t, h) hashed(s, stn_stepper_advance(s, t, h))
#define stn_passive_step(s, h) hashed(s, stn_passive_step(s, h))
#define stn_batch_step(s, n, h, threads, done) hashed_all(s, n, stn_batch_step(s, n, h, threads, done))
#define stn_batch_advance(s, n, t, h, threads, done) hashed_all(s, n, stn_batch_advance(s, n, t, h, threads, done))
