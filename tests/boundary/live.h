/* One call with everything it needs in memory of its own, and the look at that memory afterwards.
 */
#ifndef STICTION_LIVE_H
#define STICTION_LIVE_H

#include "table.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int cases, failures;

/* Memory of a case: each array in a block of exactly its size, so that valgrind sees one step
 * beyond. */
typedef struct Block {
  unsigned char *now, *before;
  size_t bytes;
} Block;

typedef struct Live {
  const Function *f;
  Call call;
  Block block[2 * MOST + 2];
  int blocks;
} Live;

enum { CANARY = 0xA5 };

static void *claim(size_t bytes) {
  void *p = malloc(bytes ? bytes : 1);
  if (!p) {
    fprintf(stderr, "no memory for the test itself\n");
    exit(2);
  }
  memset(p, CANARY, bytes);
  return p;
}

static void *block(Live *l, size_t bytes) {
  Block *b = &l->block[l->blocks++];
  b->bytes = bytes;
  b->now = (unsigned char *)claim(bytes);
  b->before = NULL;
  return b->now;
}

static double *input(Live *l, int i) {
  const Array *a = &l->f->inputs[i];
  double *p = (double *)block(l, sizeof(double) * (size_t)a->len);
  memcpy(p, a->good, sizeof(double) * (size_t)a->len);
  l->call.in[i] = p;
  return p;
}

static double *output(Live *l, int i) {
  return l->call.out[i] = (double *)block(l, sizeof(double) * (size_t)l->f->outputs[i].len);
}

static stn_lcp_info *information(Live *l, size_t struct_size, size_t bytes) {
  l->call.info = (stn_lcp_info *)block(l, bytes);
  l->call.info->struct_size = struct_size;
  return l->call.info;
}

/* A call in which everything is right. */
static Live good(const Function *f, stn_lcp *lcp) {
  Live l;
  int i;
  memset(&l, 0, sizeof l);
  l.f = f;
  l.call.lcp = lcp;
  for (i = 0; f->counts[i].name; i++)
    l.call.count[i] = f->counts[i].good;
  for (i = 0; f->inputs[i].name; i++)
    input(&l, i);
  for (i = 0; f->outputs[i].name; i++)
    output(&l, i);
  if (f->has_info)
    information(&l, sizeof(stn_lcp_info), sizeof(stn_lcp_info));
  return l;
}

static void release(Live *l) {
  int i;
  for (i = 0; i < l->blocks; i++) {
    free(l->block[i].now);
    free(l->block[i].before);
  }
}

static void complain(const Live *l, const char *what, const char *why, const char *text) {
  failures++;
  fprintf(stderr, "%s, %s: %s (last error: %s)\n", l->f->name, what, why, text);
}

static stn_status run(Live *l) {
  int i;
  for (i = 0; i < l->blocks; i++) {
    l->block[i].before = (unsigned char *)claim(l->block[i].bytes);
    memcpy(l->block[i].before, l->block[i].now, l->block[i].bytes);
  }
  return l->f->call(&l->call);
}

/* The number of outputs among the first entries that a successful call has written. */
static int written(const double *p, int len) {
  unsigned char canary[sizeof(double)];
  int i, n = 0;
  memset(canary, CANARY, sizeof canary);
  for (i = 0; i < len; i++)
    n += memcmp(&p[i], canary, sizeof canary) != 0;
  return n;
}

/* Runs the case, which must fail with this status and text, and leave all memory as it was. */
static void must_fail(Live *l, const char *what, stn_status expected, const char *text) {
  char last[1100], why[200];
  int i;
  const stn_status st = run(l);
  stn_last_error(last, (int32_t)sizeof last);
  cases++;
  if (st != expected) {
    snprintf(why, sizeof why, "%s instead of %s", stn_status_name(st), stn_status_name(expected));
    complain(l, what, why, last);
  } else if (!strstr(last, text)) {
    snprintf(why, sizeof why, "the text should say \"%s\"", text);
    complain(l, what, why, last);
  }
  for (i = 0; i < l->blocks; i++)
    if (memcmp(l->block[i].now, l->block[i].before, l->block[i].bytes) != 0)
      complain(l, what, "memory was changed", last);
  release(l);
}

/* Whether the bytes at p are those of before the call. */
static int unchanged(const Live *l, const void *p, size_t bytes) {
  const unsigned char *at = (const unsigned char *)p;
  int i;
  for (i = 0; i < l->blocks; i++) {
    const Block *b = &l->block[i];
    if (at >= b->now && at + bytes <= b->now + b->bytes)
      return memcmp(at, b->before + (at - b->now), bytes) == 0;
  }
  return 0;
}

/* Runs the case, which must succeed and leave its inputs as they were. */
static void must_succeed(Live *l, const char *what) {
  char last[1100] = "";
  int i;
  const stn_status st = run(l);
  cases++;
  if (st != STN_OK) {
    stn_last_error(last, (int32_t)sizeof last);
    complain(l, what, stn_status_name(st), last);
    return;
  }
  for (i = 0; l->f->inputs[i].name; i++)
    if (l->call.in[i] && !unchanged(l, l->call.in[i], sizeof(double) * (size_t)l->f->inputs[i].len))
      complain(l, what, "an input was changed", l->f->inputs[i].name);
}

/* After whatever happened, a good call on the same handle gives the answer of a fresh handle. How
 * contacts share a load is not unique; how fast the bodies move is. */
static void still_works(const Function *f, stn_lcp *lcp, const char *what) {
  stn_lcp *fresh = NULL;
  Live a, b;
  int i, k;
  if (stn_lcp_create(N_MAX, &fresh) != STN_OK)
    exit(2);
  a = good(f, fresh);
  b = good(f, lcp);
  must_succeed(&a, "a fresh handle");
  must_succeed(&b, what);
  for (i = 0; f->outputs[i].name; i++)
    for (k = 0; k < f->outputs[i].len && !strstr(f->outputs[i].name, "impulse"); k++)
      if (!(fabs(a.call.out[i][k] - b.call.out[i][k]) <= 1e-12))
        complain(&b, what, "another answer afterwards", f->outputs[i].name);
  release(&a);
  release(&b);
  stn_lcp_destroy(fresh);
}

#endif
