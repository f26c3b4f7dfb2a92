/* A host that pushes its contacts from fuzz bytes, as dense, polygonal or sparse columns, joins them in groups, and has a brake
 * and a spring: contacts that flicker, grow and shrink in number, come twice under one key, change their keys, refuse, or are no
 * numbers. A step succeeds with a finite state and finite impulses, or fails and changes nothing. */
#include "motion.h"

enum { PLANES = 5, STEPS = 3, FUNCTIONS = 8 };

/* Which of its planes the host pushes at a call. */
typedef enum Habit { NEAR, ALL, FLICKER, GROW, SHRINK, TWICE, RENAMED } Habit;

typedef struct World {
  double mass[NV], constant[NV], k[NV * NV], d[NV * NV];
  double normal[NV * PLANES], offset[PLANES], tangent[NV * PLANES], mu[PLANES], e[PLANES];
  double bound, direction[NV], gradient[NV], stiffness, damping;
  Habit habit;
  int form, n_dir, group; /* how contacts are pushed; directions of each; 0, or how many are in a group */
  int32_t index[NV];
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

static int rate(double t, const double *q, const double *v, double *qdot, void *user) {
  World *w = (World *)user;
  (void)t, (void)q;
  memcpy(qdot, v, NV * sizeof *v);
  return trouble(&w->trouble, 2, qdot);
}

static int displace(double t, const double *q, const double *d, double *moved, void *user) {
  World *w = (World *)user;
  int i;
  (void)t;
  for (i = 0; i < NV; i++)
    moved[i] = q[i] + d[i];
  return trouble(&w->trouble, 3, moved);
}

static int brake(double t, const double *q, double *bound, double *direction, void *user) {
  World *w = (World *)user;
  (void)t, (void)q;
  bound[0] = w->bound;
  memcpy(direction, w->direction, sizeof w->direction);
  return trouble(&w->trouble, 4, w->trouble.from % 2 ? bound : direction);
}

static int element(double t, const double *q, double *phi, double *gradient, double *stiffness, double *damping,
                   void *user) {
  World *w = (World *)user;
  int i;
  (void)t;
  for (i = 0; i < NV; i++)
    phi[0] += w->gradient[i] * q[i], gradient[i] = w->gradient[i];
  stiffness[0] = w->stiffness, damping[0] = w->damping;
  return trouble(&w->trouble, 5, w->trouble.from % 2 ? stiffness : phi);
}

/* Whether plane c is pushed at this call; how often a call is made is the library's business, so that these answers change. */
static int pushed(const World *w, int c, double gap, double margin) {
  const long calls = w->trouble.calls;
  switch (w->habit) {
  case ALL:
    return 1;
  case FLICKER:
    return (calls + c) % 2 == 0;
  case GROW:
    return c <= calls / 4;
  case SHRINK:
    return c < PLANES - calls / 4;
  default:
    return gap <= margin;
  }
}

static stn_status push(const World *w, stn_contact_sink *sink, int64_t key, int c, double gap) {
  const double *n = w->normal + c * NV, *d = w->tangent + c * NV;
  double *columns = reals(7, 2 * NV), *normal = reals(8, NV);
  int i;
  memcpy(normal, n, NV * sizeof *n);
  for (i = 0; i < NV; i++)
    columns[i] = d[i], columns[i + NV] = w->form == 1 ? n[i] : -d[i];
  switch (w->form) {
  case 0:
    return stn_contact_push(sink, key, gap, normal, w->n_dir, columns, w->mu[c], w->e[c]);
  case 1:
    return stn_contact_push_tangents(sink, key, gap, normal, 2 * w->n_dir, columns, columns + NV, w->mu[c], w->e[c]);
  default:
    return stn_contact_push_sparse(sink, key, gap, NV, w->index, normal, w->n_dir, columns, w->mu[c], w->e[c]);
  }
}

static int contacts(double t, const double *q, double margin, stn_contact_sink *sink, void *user) {
  World *w = (World *)user;
  int64_t key[PLANES];
  int c, i, n = 0;
  int said = 0;
  (void)t;
  for (c = 0; c < PLANES; c++) {
    double gap = -w->offset[c];
    for (i = 0; i < NV; i++)
      gap += w->normal[i + c * NV] * q[i];
    if (c == 0)
      said = trouble(&w->trouble, 6, &gap);
    if (!pushed(w, c, gap, margin))
      continue;
    key[n] = w->habit == TWICE ? c / 2 : w->habit == RENAMED ? c + w->trouble.calls : c;
    if (push(w, sink, key[n], c, gap) == STN_OK)
      n++;
  }
  if (w->group && n)
    stn_contact_join(sink, 3, n < w->group ? n : w->group, key);
  /* A push that failed is told by the step, whatever is returned. */
  return said;
}

static int accel(double t, const double *q, const double *v, double *joint, double *normal, double *tangent, void *user) {
  World *w = (World *)user;
  double none = 0.0;
  (void)t, (void)q, (void)v, (void)joint, (void)normal, (void)tangent;
  return trouble(&w->trouble, 7, &none);
}

static World world(Input *in) {
  static const Habit habits[] = {NEAR,    NEAR, NEAR, NEAR, NEAR,   NEAR,   ALL,   ALL,
                                 FLICKER, GROW, GROW, GROW, SHRINK, SHRINK, TWICE, RENAMED};
  World w;
  int i;
  memset(&w, 0, sizeof w);
  for (i = 0; i < NV; i++)
    w.mass[i] = positive(in), w.index[i] = i;
  w.habit = habits[choice(in, 16)];
  w.form = choice(in, 3), w.n_dir = 2 * choice(in, 2), w.group = choice(in, 4);
  w.trouble = troubled(in, FUNCTIONS);
  w.trouble.patience *= 4; /* contacts are asked for at three times, for their rate */
  numbers(in, w.constant, NV);
  if (choice(in, 2))
    numbers(in, w.k, NV * NV), numbers(in, w.d, NV * NV);
  numbers(in, w.normal, NV * PLANES);
  numbers(in, w.offset, PLANES);
  numbers(in, w.tangent, NV * PLANES);
  for (i = 0; i < PLANES; i++) {
    w.mu[i] = number(in), w.e[i] = number(in);
    if (choice(in, 32)) /* what a push accepts */
      w.mu[i] = w.n_dir ? fabs(w.mu[i]) : 0.0, w.e[i] = fmod(fabs(w.e[i]), 1.0);
  }
  if (choice(in, 16) == 0)
    w.index[choice(in, NV)] = choice(in, 8) - 2;
  w.bound = positive(in), w.stiffness = positive(in), w.damping = positive(in);
  numbers(in, w.direction, NV);
  numbers(in, w.gradient, NV);
  return w;
}

/* Every contact that has an index can be read; events and statistics too. */
static void read_all(stn_stepper *s) {
  const int32_t n = stn_stepper_contact_count(s);
  stn_contact_state contact;
  stn_event event;
  stn_stats stats;
  int32_t i, at = -1;
  contact.struct_size = sizeof contact, event.struct_size = sizeof event, stats.struct_size = sizeof stats;
  HOLDS(n >= 0 && n <= 4 * PLANES);
  for (i = 0; i < n; i++) {
    const stn_status st = stn_stepper_get_contact(s, i, &contact);
    HOLDS(st != STN_ERR_PANIC);
    if (st == STN_OK)
      HOLDS(isfinite(contact.normal_impulse) && isfinite(contact.tangential_impulse));
  }
  for (i = 0; i < stn_stepper_event_count(s); i++)
    HOLDS(stn_stepper_get_event(s, i, &event) == STN_OK && isfinite(event.t));
  HOLDS(stn_stepper_get_stats(s, &stats) == STN_OK && stats.worst_residual <= 1e-3);
  HOLDS(stn_stepper_find_contact(s, 0, &at) != STN_ERR_PANIC);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Input in = input(data, size);
  World w = world(&in);
  stn_dims dims;
  stn_model_fns fns;
  stn_stepper_options opt;
  stn_model *model = NULL;
  stn_stepper *s = NULL;
  double q[NV], v[NV], worst;
  const int n_steps = 1 + choice(&in, STEPS);
  int i;
  memset(&dims, 0, sizeof dims);
  memset(&fns, 0, sizeof fns);
  dims.struct_size = sizeof dims, fns.struct_size = sizeof fns;
  dims.nq = dims.nv = NV, dims.n_dir = 2 * w.n_dir;
  dims.n_brake = choice(&in, 2), dims.n_element = choice(&in, 2);
  fns.mass = mass, fns.force = force, fns.contacts = contacts;
  fns.max_contacts = choice(&in, 8) ? PLANES : 1 + choice(&in, PLANES);
  fns.brake = brake, fns.element = element;
  fns.rate = choice(&in, 2) ? rate : NULL;
  fns.displace = choice(&in, 2) ? displace : NULL;
  fns.accel = choice(&in, 4) ? NULL : accel;
  numbers(&in, q, NV);
  numbers(&in, v, NV);
  options(&in, &opt);
  opt.many_contacts = choice(&in, 4);
  if (stn_model_create(&dims, &fns, NULL, NULL, &w, &model) != STN_OK) {
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
        read_all(s);
      if (choice(&in, 4) == 0)
        save_and_restore(s);
    }
  }
  stn_stepper_destroy(s);
  stn_model_destroy(model);
  return 0;
}
