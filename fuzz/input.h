/* Fuzz bytes as numbers, and arrays that end where the page ends.
 *
 * Most numbers are small and plain, so that calls get past their first checks; some are huge, tiny, infinite or no
 * numbers at all. Every array that the library sees ends at a page that nobody may touch: one element too far is a
 * crash in any build, without a sanitizer in the library. */
#ifndef STICTION_FUZZ_INPUT_H
#define STICTION_FUZZ_INPUT_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <stiction.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A promise that was broken: says which, and stops so that the input is kept. */
static inline void broken(const char *file, int line, const char *what) {
  char text[512] = "";
  stn_last_error(text, (int32_t)sizeof text);
  fprintf(stderr, "%s:%d: broken: %s\nlast error: %s\n", file, line, what, text);
  abort();
}

#define HOLDS(condition) ((condition) ? (void)0 : broken(__FILE__, __LINE__, #condition))

typedef struct Input {
  const uint8_t *at, *end;
  int plain; /* every number so far was small and finite */
} Input;

static inline Input input(const uint8_t *data, size_t size) {
  Input in;
  in.at = data, in.end = data + size, in.plain = 1;
  return in;
}

/* The next byte; zeros behind the end. */
static inline unsigned byte(Input *in) { return in->at < in->end ? *in->at++ : 0u; }

/* One of 0 .. n-1. */
static inline int32_t choice(Input *in, unsigned n) { return (int32_t)(byte(in) % n); }

static inline double number(Input *in) {
  static const double special[] = {NAN,    INFINITY, -INFINITY, 1e308,   -1e308, 5e-324, 1e-300, -0.0,
                                   1e154,  -1e154,   1e-9,      1e9,     1e16,   -1e-16, 0.1,    1e12};
  const unsigned b = byte(in);
  double x;
  if (b < 232)
    return ((double)b - 116.0) / 16.0;
  in->plain = 0;
  if (b < 248)
    return special[b - 232];
  if (b < 252) {
    x = pow(10.0, (double)byte(in) / 8.0 - 16.0);
    return b % 2 ? -x : x;
  }
  {
    uint8_t raw[8];
    int i;
    for (i = 0; i < 8; i++)
      raw[i] = (uint8_t)byte(in);
    memcpy(&x, raw, sizeof x);
    return x;
  }
}

static inline double positive(Input *in) {
  const double x = number(in);
  return in->plain ? fabs(x) + 0.0625 : x;
}

static inline void numbers(Input *in, double *x, int32_t n) {
  int32_t i;
  for (i = 0; i < n; i++)
    x[i] = number(in);
}

static inline int all_finite(const double *x, int32_t n) {
  int32_t i;
  for (i = 0; i < n; i++)
    if (!isfinite(x[i]))
      return 0;
  return 1;
}

/* Places for arrays, made once: place k of `fenced(k, bytes)` ends at a forbidden page. */
enum { PLACES = 40, PLACE_BYTES = 1 << 16 };

static inline void *fenced(int k, size_t bytes) {
  static char *base[PLACES];
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  HOLDS(k < PLACES && bytes <= PLACE_BYTES);
  if (!base[k]) {
    char *p = (char *)mmap(NULL, PLACE_BYTES + page, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    HOLDS(p != (char *)MAP_FAILED);
    HOLDS(mprotect(p + PLACE_BYTES, page, PROT_NONE) == 0);
    base[k] = p;
  }
  return base[k] + PLACE_BYTES - bytes;
}

static inline double *reals(int k, int32_t n) { return (double *)fenced(k, (size_t)n * sizeof(double)); }

/* Reals filled from the input. */
static inline double *given(Input *in, int k, int32_t n) {
  double *x = reals(k, n);
  numbers(in, x, n);
  return x;
}

/* Reals with a value that no answer has, to see that a failing call leaves them alone. */
static const double UNTOUCHED = -123.456;

static inline double *blank(int k, int32_t n) {
  double *x = reals(k, n);
  int32_t i;
  for (i = 0; i < n; i++)
    x[i] = UNTOUCHED;
  return x;
}

static inline int untouched(const double *x, int32_t n) {
  int32_t i;
  for (i = 0; i < n; i++)
    if (x[i] != UNTOUCHED)
      return 0;
  return 1;
}

#endif
