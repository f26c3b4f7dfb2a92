/* The loop every peer driver runs: problems come in on standard input, answers and times go out on
 * standard output, little-endian as in memory. Valid C99 and C++11.
 *
 * in:  int32 n, double budget, double m[n*n] column-major, double q[n]; n < 0 ends the loop
 * out: int32 n, int32 claim, int32 pivots, int32 samples, double seconds, double z[n]
 *
 * claim is 1 when the solver says it has solved the problem; pivots is -1 when it does not tell. seconds is the
 * median thread CPU time of one cold solve over 30 ms of samples and at least five, fewer only when the
 * budget (in seconds) is used up. The least would not do: a few samples in a
 * hundred thousand come out far too short, one came out as zero. One sample is as many solves as fill 20 us, so that the clock does not count. */
#ifndef PEER_H
#define PEER_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { PEER_SAMPLES = 2000 };

typedef struct {
  int32_t n;
  double budget;
  double *m, *q, *z;
  int32_t claim, pivots;
} peer_problem;

/* Solves p->m, p->q into p->z and sets claim and pivots; context holds what was prepared. */
typedef void (*peer_solve)(peer_problem *p, void *context);
/* Prepares what a host would keep between solves (matrix in the solver's own type); not timed. */
typedef void *(*peer_prepare)(peer_problem *p);
typedef void (*peer_release)(void *context);

/* The same generous limit for all: Murty's family needs 2^n pivots, contact problems seldom 2n. */
static int peer_limit(int n) { return n <= 20 ? 40000 : 10 * n + 1000; }

static double peer_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double peer_sample(peer_problem *p, void *context, peer_solve solve, int repeat) {
  double start = peer_seconds();
  for (int i = 0; i < repeat; i++) {
    solve(p, context);
  }
  return peer_seconds() - start;
}

static int peer_compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double peer_median(double *sample, int32_t count) {
  qsort(sample, (size_t)count, sizeof(double), peer_compare);
  return count > 0 ? sample[count / 2] : 0.0;
}

static int peer_read(FILE *in, peer_problem *p) {
  if (fread(&p->n, sizeof p->n, 1, in) != 1 || p->n < 0) {
    return 0;
  }
  size_t n = (size_t)p->n;
  p->m = (double *)malloc((n * n + 1) * sizeof(double));
  p->q = (double *)malloc((n + 1) * sizeof(double));
  p->z = (double *)calloc(n + 1, sizeof(double));
  return p->m && p->q && p->z && fread(&p->budget, sizeof(double), 1, in) == 1 &&
         fread(p->m, sizeof(double), n * n, in) == n * n && fread(p->q, sizeof(double), n, in) == n;
}

static int peer_run(peer_prepare prepare, peer_solve solve, peer_release release) {
  /* Some solvers print; the answers keep the real standard output. */
  FILE *out = fdopen(dup(1), "wb");
  peer_problem p;
  if (out == NULL || dup2(2, 1) < 0) {
    return 1;
  }
  while (peer_read(stdin, &p)) {
    void *context = prepare(&p);
    /* The first solve takes memory pages and would be taken for the time of a solve. */
    peer_sample(&p, context, solve, 1);
    double first = peer_sample(&p, context, solve, 1);
    int repeat = first < 20e-6 ? 1 + (int)(20e-6 / (first + 1e-7)) : 1;
    double sample[PEER_SAMPLES], total = first;
    int32_t samples = 0;
    if (repeat == 1) {
      sample[samples++] = first;
    }
    while (samples < PEER_SAMPLES && total < p.budget && (samples < 5 || total < 0.03)) {
      double t = peer_sample(&p, context, solve, repeat);
      total += t;
      sample[samples++] = t / repeat;
    }
    double seconds = peer_median(sample, samples);
    fwrite(&p.n, sizeof p.n, 1, out);
    fwrite(&p.claim, sizeof p.claim, 1, out);
    fwrite(&p.pivots, sizeof p.pivots, 1, out);
    fwrite(&samples, sizeof samples, 1, out);
    fwrite(&seconds, sizeof seconds, 1, out);
    fwrite(p.z, sizeof(double), (size_t)p.n, out);
    fflush(out);
    release(context);
    free(p.m);
    free(p.q);
    free(p.z);
  }
  return 0;
}

#endif
