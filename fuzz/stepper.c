/* A model whose functions answer from fuzz bytes (also with refusals, stops, NaN, huge and changing numbers), stepped by
 * any method with any options: a step succeeds with a finite state at the right time, or fails and changes nothing. */
#include "motion.h"

enum { CONTACTS = 3, STEPS = 2 };

/* Planes n'q >= offset, forces constant + K q + D v, a joint that is a line or a circle. */
typedef struct World {
  double mass[NV], constant[NV], k[NV * NV], d[NV * NV];
  double normal[NV * CONTACTS], offset[CONTACTS], tangent[NV * CONTACTS];
  double line[NV];
  int circle;
  int32_t n_joint, n_dir;
  Trouble trouble;
} World;

static int mass(double t, const double *q, double *m, void *user) {
  World *w = (World *)user;
  int i;
  (void)t, (void)q;
  for (i = 0; i < NV; i++)
    m[i + i * NV] = w->mass[i];
  return trouble(&w->trouble, 0, m);
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
  return trouble(&w->trouble, 1, f);
}

static int force_jac(double t, const double *q, const double *v, double *dfdq, double *dfdv, void *user) {
  World *w = (World *)user;
  (void)t, (void)q, (void)v;
  memcpy(dfdq, w->k, sizeof w->k);
  memcpy(dfdv, w->d, sizeof w->d);
  return trouble(&w->trouble, 2, dfdq);
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
  return trouble(&w->trouble, 3, phi);
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
  return trouble(&w->trouble, 4, g);
}

static int tangent(double t, const double *q, double *d, void *user) {
  World *w = (World *)user;
  int i, c;
  (void)t, (void)q;
  for (c = 0; c < CONTACTS; c++)
    for (i = 0; i < NV; i++)
      d[i + 2 * c * NV] = w->tangent[i + c * NV], d[i + (2 * c + 1) * NV] = -w->tangent[i + c * NV];
  return trouble(&w->trouble, 5, d);
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
  w.trouble = troubled(in, 6);
  return w;
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
      if (step(s, &w.trouble, &in))
        read_all(s, &in, w.n_joint, w.n_dir);
      if (choice(&in, 4) == 0)
        save_and_restore(s);
    }
  }
  stn_stepper_destroy(s);
  stn_model_destroy(model);
  return 0;
}
