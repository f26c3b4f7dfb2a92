/* What harnesses of motions share: functions of a model that get into trouble, options of a stepper, what a step and a snapshot
 * must keep to. */
#ifndef STICTION_FUZZ_MOTION_H
#define STICTION_FUZZ_MOTION_H

#include "input.h"

/* Calls of the model in one step before it stops the step: few for most, because many inputs a second find more. */
enum { NV = 3, PATIENCE = 100, MUCH_PATIENCE = 1500 };

typedef enum Kind { NONE, REFUSE, STOP, NOT_A_NUMBER, HUGE_NUMBER, CHANGING } Kind;

typedef struct Trouble {
  Kind kind;
  int who;          /* which function is in trouble */
  long from, calls; /* from which call of the step on */
  long patience;
} Trouble;

/* 0, or what the function of number `who` returns in its trouble; x is its output. */
static inline int trouble(Trouble *w, int who, double *x) {
  if (++w->calls > w->patience) /* a step of tiny pieces is the caller's wish, not a hang */
    return -7;
  if (w->kind == NONE || who != w->who || w->calls < w->from)
    return 0;
  switch (w->kind) {
  case REFUSE:
    return 1;
  case STOP:
    return -1;
  case NOT_A_NUMBER:
    x[0] = NAN;
    return 0;
  case HUGE_NUMBER:
    x[0] = 1e300;
    return 0;
  default:
    x[0] += (double)(w->calls % 5) - 2.0;
    return 0;
  }
}

/* Trouble of one of n functions, or none. */
static inline Trouble troubled(Input *in, unsigned n) {
  Trouble w;
  w.kind = choice(in, 2) ? NONE : (Kind)choice(in, 6);
  w.who = choice(in, n);
  w.from = (long)byte(in), w.calls = 0;
  w.patience = w.from % 64 == 63 ? MUCH_PATIENCE : PATIENCE;
  return w;
}

static inline void options(Input *in, stn_stepper_options *opt) {
  static const int32_t methods[] = {1, 2, 3, 4, 4, 5, 6, 7, 8, 20, 21, 22, 23, 24, 25, 26};
  HOLDS(stn_stepper_options_init(opt, sizeof *opt) == STN_OK);
  opt->method = methods[choice(in, 16)];
  if (choice(in, 2)) {
    opt->events = choice(in, 4) - 1;
    opt->impact_law = choice(in, 5) - 1;
    opt->stabilization = choice(in, 4) - 1;
    opt->jacobian = choice(in, 3);
    opt->energy_fallback = choice(in, 2) * 3;
    opt->stop_at_event = choice(in, 2);
    opt->damping_steps = choice(in, 2);
    opt->max_events = choice(in, 8);
    opt->event_capacity = choice(in, 8);
  }
  if (choice(in, 4) == 0) {
    opt->length_scale = number(in), opt->active_gap = number(in), opt->restitution_speed = number(in);
    opt->closing = number(in), opt->theta = number(in), opt->gamma = number(in);
    opt->lcp_tolerance = number(in);
  }
  if (choice(in, 4) == 0)
    opt->abs_tol = pow(10.0, -(double)choice(in, 12)), opt->rel_tol = choice(in, 2) * opt->abs_tol;
}

typedef struct State {
  double t, q[NV], v[NV];
} State;

static inline State state(const stn_stepper *s) {
  State x;
  HOLDS(stn_stepper_get_state(s, &x.t, x.q, NV, x.v, NV) == STN_OK);
  return x;
}

/* One step or four, to be read by the harness when it succeeded. */
static inline int step(stn_stepper *s, Trouble *w, Input *in) {
  const State before = state(s);
  const double h = choice(in, 8) ? (double)(1 + choice(in, 32)) / 64.0 : number(in);
  const int far = choice(in, 4) == 0;
  State after;
  stn_status st;
  w->calls = 0;
  st = far ? stn_stepper_advance(s, before.t + 3.5 * h, h) : stn_stepper_step(s, h);
  HOLDS(st != STN_ERR_PANIC && st != STN_ERR_POISONED);
  after = state(s);
  HOLDS(isfinite(after.t) && all_finite(after.q, NV) && all_finite(after.v, NV));
  if (st != STN_OK && st != STN_EVENT) {
    if (!far)
      HOLDS(memcmp(&before, &after, sizeof before) == 0);
    return 0;
  }
  HOLDS(after.t >= before.t);
  return 1;
}

/* A saved state is restored and saved again: the same bytes. */
static inline void save_and_restore(stn_stepper *s) {
  size_t needed = 0, again = 0;
  unsigned char *a, *b;
  stn_status st = stn_stepper_save(s, NULL, 0, &needed);
  HOLDS((st == STN_OK || st == STN_ERR_CAPACITY) && needed > 0);
  a = (unsigned char *)fenced(5, needed), b = (unsigned char *)fenced(6, needed);
  HOLDS(stn_stepper_save(s, a, needed, &needed) == STN_OK);
  HOLDS(stn_stepper_restore(s, a, needed) == STN_OK);
  HOLDS(stn_stepper_save(s, b, needed, &again) == STN_OK && again == needed);
  HOLDS(memcmp(a, b, needed) == 0);
}

#endif
