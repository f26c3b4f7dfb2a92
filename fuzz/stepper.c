/* A model whose functions answer from fuzz bytes (also with refusals, stops, NaN, huge and changing numbers), stepped by
 * any method with any options: a step succeeds with a finite state at the right time, or fails and changes nothing. */
#include "input.h"

/* Calls of the model in one step before it stops the step: few for most, because many inputs a second find more. */
enum { NV = 3, CONTACTS = 3, STEPS = 2, PATIENCE = 100, MUCH_PATIENCE = 1500 };

typedef enum Trouble { NONE, REFUSE, STOP, NOT_A_NUMBER, HUGE_NUMBER, CHANGING } Trouble;

/* Planes n'q >= offset, forces constant + K q + D v, a joint that is a line or a circle. */
typedef struct World {
  double mass[NV], constant[NV], k[NV * NV], d[NV * NV];
  double normal[NV * CONTACTS], offset[CONTACTS], tangent[NV * CONTACTS];
  double line[NV];
  int circle;
  int32_t n_joint, n_dir;
  Trouble trouble;
  int who;          /* which function is in trouble */
  long from, calls; /* from which of its calls on */
  long patience;
} World;

/* 0, or what the function of number `who` returns in its trouble; x is its output. */
static int trouble(World *w, int who, double *x) {
  if (++w->calls > w->patience) /* a step of tiny pieces is the caller's wish, not a hang */
    return -7;
  if (w->trouble == NONE || who != w->who || w->calls < w->from)
    return 0;
  switch (w->trouble) {
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

static int mass(double t, const double *q, double *m, void *user) {
  World *w = (World *)user;
  int i;
  (void)t, (void)q;
  for (i = 0; i < NV; i++)
    m[i + i * NV] = w->mass[i];
  return trouble(w, 0, m);
}

static int force(double t, const double *q, const double *v, double *f, void *user) {
  World *w = (World *)user;
  int i, j;
  (void)t;
  for (i = 0; i < NV; i++) {
    f[i] = w->constant[i];
    for (j = 0; j < NV; j++)
      f[i] += w->k[i + j * NV] * q[j] + w->d[i + j * NV] * v[j];
  }
  return trouble(w, 1, f);
}

static int force_jac(double t, const double *q, const double *v, double *dfdq, double *dfdv, void *user) {
  World *w = (World *)user;
  (void)t, (void)q, (void)v;
  memcpy(dfdq, w->k, sizeof w->k);
  memcpy(dfdv, w->d, sizeof w->d);
  return trouble(w, 2, dfdq);
}

static int joint(double t, const double *q, double *phi, double *jt, void *user) {
  World *w = (World *)user;
  int i;
  (void)t;
  phi[0] = w->circle ? -1.0 : 0.0;
  for (i = 0; i < NV; i++) {
    phi[0] += w->circle ? q[i] * q[i] : w->line[i] * q[i];
    jt[i] = w->circle ? 2.0 * q[i] : w->line[i];
  }
  return trouble(w, 3, phi);
}

static int gap(double t, const double *q, double *g, double *n, void *user) {
  World *w = (World *)user;
  int i, c;
  (void)t;
  memcpy(n, w->normal, sizeof w->normal);
  for (c = 0; c < CONTACTS; c++) {
    g[c] = -w->offset[c];
    for (i = 0; i < NV; i++)
      g[c] += w->normal[i + c * NV] * q[i];
  }
  return trouble(w, 4, g);
}

static int tangent(double t, const double *q, double *d, void *user) {
  World *w = (World *)user;
  int i, c;
  (void)t, (void)q;
  for (c = 0; c < CONTACTS; c++)
    for (i = 0; i < NV; i++)
      d[i + 2 * c * NV] = w->tangent[i + c * NV], d[i + (2 * c + 1) * NV] = -w->tangent[i + c * NV];
  return trouble(w, 5, d);
}

static World world(Input *in) {
  World w;
  int i;
  memset(&w, 0, sizeof w);
  for (i = 0; i < NV; i++)
    w.mass[i] = positive(in);
  numbers(in, w.constant, NV);
  if (choice(in, 2))
    numbers(in, w.k, NV * NV), numbers(in, w.d, NV * NV);
  numbers(in, w.normal, NV * CONTACTS);
  numbers(in, w.offset, CONTACTS);
  numbers(in, w.tangent, NV * CONTACTS);
  numbers(in, w.line, NV);
  w.circle = choice(in, 2);
  w.n_joint = choice(in, 2), w.n_dir = 2 * choice(in, 2);
  w.trouble = choice(in, 2) ? NONE : (Trouble)choice(in, 6);
  w.who = choice(in, 6);
  w.from = (long)byte(in);
  w.patience = w.from % 64 == 63 ? MUCH_PATIENCE : PATIENCE;
  return w;
}

static void options(Input *in, stn_stepper_options *opt) {
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

static State state(const stn_stepper *s) {
  State x;
  HOLDS(stn_stepper_get_state(s, &x.t, x.q, NV, x.v, NV) == STN_OK);
  return x;
}

/* What can be read after any step is there and finite. */
static void read_all(stn_stepper *s, Input *in, int32_t n_joint, int32_t n_dir) {
  stn_event e;
  stn_stats stats;
  stn_ledger ledger;
  stn_contact_state contact;
  double *q = reals(0, NV), *v = reals(1, NV), *n = reals(2, CONTACTS), *b = reals(3, CONTACTS * n_dir);
  double *c = reals(4, n_joint);
  int32_t i;
  e.struct_size = sizeof e, stats.struct_size = sizeof stats, ledger.struct_size = sizeof ledger;
  contact.struct_size = sizeof contact;
  for (i = 0; i < stn_stepper_event_count(s); i++)
    HOLDS(stn_stepper_get_event(s, i, &e) == STN_OK && isfinite(e.t));
  HOLDS(stn_stepper_get_stats(s, &stats) == STN_OK);
  HOLDS(stn_stepper_get_ledger(s, STN_LEDGER_SUM, &ledger) == STN_OK);
  HOLDS(stn_stepper_get_impulses(s, c, n_joint, n, CONTACTS, b, CONTACTS * n_dir) == STN_OK);
  HOLDS(all_finite(c, n_joint) && all_finite(n, CONTACTS) && all_finite(b, CONTACTS * n_dir));
  HOLDS(stn_stepper_get_contact(s, choice(in, CONTACTS), &contact) != STN_ERR_PANIC);
  if (stn_stepper_get_state_at(s, state(s).t - number(in), q, NV, v, NV) == STN_OK)
    HOLDS(all_finite(q, NV) && all_finite(v, NV));
}

static void step(stn_stepper *s, World *w, Input *in) {
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
  } else {
    HOLDS(after.t >= before.t);
    read_all(s, in, w->n_joint, w->n_dir);
  }
}

/* A saved state is restored and saved again: the same bytes. */
static void save_and_restore(stn_stepper *s) {
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Input in = input(data, size);
  World w = world(&in);
  stn_dims dims;
  stn_model_fns fns;
  stn_stepper_options opt;
  stn_model *model = NULL;
  stn_stepper *s = NULL;
  double mu[CONTACTS], e[CONTACTS], q[NV], v[NV], worst;
  const int n_steps = 1 + choice(&in, STEPS);
  int i;
  memset(&dims, 0, sizeof dims);
  memset(&fns, 0, sizeof fns);
  dims.struct_size = sizeof dims, fns.struct_size = sizeof fns;
  dims.nq = dims.nv = NV, dims.n_contact = CONTACTS, dims.n_dir = w.n_dir, dims.n_joint = w.n_joint;
  fns.mass = mass, fns.force = force, fns.gap = gap, fns.joint = joint;
  fns.tangent = w.n_dir ? tangent : NULL;
  fns.force_jac = choice(&in, 2) ? force_jac : NULL;
  for (i = 0; i < CONTACTS; i++) {
    mu[i] = number(&in), e[i] = number(&in);
    if (in.plain)
      mu[i] = fabs(mu[i]), e[i] = fmod(fabs(e[i]), 1.0);
  }
  numbers(&in, q, NV);
  numbers(&in, v, NV);
  options(&in, &opt);
  if (stn_model_create(&dims, &fns, mu, e, &w, &model) != STN_OK) {
    HOLDS(!model);
    return 0;
  }
  if (choice(&in, 8) == 0)
    HOLDS(stn_model_check(model, 0.0, q, NV, v, NV, &worst) != STN_ERR_PANIC);
  if (stn_stepper_create(model, &opt, &s) == STN_OK) {
    const stn_status st = stn_stepper_set_state(s, 0.0, q, NV, v, NV);
    HOLDS(st != STN_ERR_PANIC && st != STN_ERR_POISONED);
    for (i = 0; st == STN_OK && i < n_steps; i++) {
      step(s, &w, &in);
      if (choice(&in, 4) == 0)
        save_and_restore(s);
    }
  }
  stn_stepper_destroy(s);
  stn_model_destroy(model);
  return 0;
}
