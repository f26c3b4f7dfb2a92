/* Put before a chapter of c_examples: hashes the snapshot of a stepper after each call that moves it, all bits of its state. What a
 * chapter solves on arrays is left to its printed digits. The hash goes to stderr at the end. */
#include <stdio.h>
#include <stdlib.h>
#include <stiction.h>

static unsigned long long hash_sum = 0xcbf29ce484222325u;
static long hash_states = 0;

static void hash_tell(void) { fprintf(stderr, "hash %016llx of %ld states\n", hash_sum, hash_states); }

static stn_status hashed(const stn_stepper *s, stn_status st) {
  static unsigned char *bytes = NULL;
  static size_t room = 0;
  size_t n = 0, i;
  if (hash_states++ == 0)
    atexit(hash_tell);
  if (stn_stepper_save(s, NULL, 0, &n) != STN_OK)
    return st;
  if (n > room && (bytes = (unsigned char *)realloc(bytes, room = n)) == NULL)
    abort();
  if (stn_stepper_save(s, bytes, room, &n) != STN_OK)
    abort();
  for (i = 0; i < n; i++) /* FNV-1a */
    hash_sum = (hash_sum ^ bytes[i]) * 0x100000001b3u;
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
