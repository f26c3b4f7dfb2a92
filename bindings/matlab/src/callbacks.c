/* From the library to the host: the functions of a model, run through a trap, so that an error of
 * the host never leaves through the library's frames. */
#include "gateway.h"

#include <stdlib.h>
#include <string.h>

/* An output of a function: its shape and where it goes. */
typedef struct target {
  int32_t rows, columns;
  double *to;
} target;

static mxArray *copy_in(const double *x, int32_t n) {
  mxArray *a = column((size_t)n);
  if (n > 0)
    memcpy(mxGetPr(a), x, (size_t)n * sizeof *x);
  return a;
}

static int copy_out(const mxArray *a, const target *t) {
  const size_t n = (size_t)t->rows * (size_t)t->columns;
  if (!mxIsDouble(a) || mxIsComplex(a) || mxIsSparse(a) || mxGetNumberOfElements(a) != n)
    return -1;
  if (n > 0)
    memcpy(t->to, mxGetPr(a), n * sizeof *t->to);
  return 0;
}

/* Calls trap(function, name, shapes, t, q, v) of the host, which gives 1, 0 for an error that it
 * keeps, 2 for a refused point, and the results in the shapes asked for. */
static int call(void *user, const char *name, double t, const double *q, const double *v,
                const target *targets, int n) {
  const struct system *s = (const struct system *)user;
  mxArray *in[6], *out[5] = {NULL, NULL, NULL, NULL, NULL}, *failure, *shapes;
  const mxArray *trap = mxGetField(s->functions, 0, "trap");
  const mxArray *function = mxGetField(s->functions, 0, name);
  mxArray *arguments[7];
  int i, inputs = v != NULL ? 6 : 5, result = -1;
  if (trap == NULL || function == NULL)
    return -1;
  shapes = mxCreateDoubleMatrix((size_t)n, 2, mxREAL);
  for (i = 0; i < n; i++) {
    mxGetPr(shapes)[i] = targets[i].rows;
    mxGetPr(shapes)[i + n] = targets[i].columns;
  }
  in[0] = mxCreateString(name), in[1] = shapes, in[2] = number(t);
  in[3] = copy_in(q, s->nq);
  in[4] = v != NULL ? copy_in(v, s->nv) : NULL;
  /* The two handles are only read; the interface has no const. */
  arguments[0] = (mxArray *)trap, arguments[1] = (mxArray *)function;
  memcpy(arguments + 2, in, (size_t)(inputs - 1) * sizeof *in);
  failure = mexCallMATLABWithTrap(1 + n, out, inputs + 1, arguments, "feval");
  if (failure == NULL && mxIsDouble(out[0]) && mxGetNumberOfElements(out[0]) == 1) {
    const double verdict = mxGetScalar(out[0]);
    result = verdict == 1.0 ? 0 : verdict == 2.0 ? 1 : -1;
    for (i = 0; i < n && result == 0; i++)
      result = copy_out(out[1 + i], &targets[i]);
  }
  if (failure != NULL)
    mxDestroyArray(failure);
  for (i = 0; i <= n; i++)
    if (out[i] != NULL)
      mxDestroyArray(out[i]);
  for (i = 0; i < inputs - 1; i++)
    mxDestroyArray(in[i]);
  return result;
}

static int call_mass(double t, const double *q, double *mass, void *user) {
  const struct system *s = (const struct system *)user;
  const target out = {s->nv, s->nv, mass};
  return call(user, "mass", t, q, NULL, &out, 1);
}

static int call_force(double t, const double *q, const double *v, double *force, void *user) {
  const struct system *s = (const struct system *)user;
  const target out = {s->nv, 1, force};
  return call(user, "force", t, q, v, &out, 1);
}

static int call_force_jac(double t, const double *q, const double *v, double *dfdq, double *dfdv,
                          void *user) {
  const struct system *s = (const struct system *)user;
  const target out[2] = {{s->nv, s->nq, dfdq}, {s->nv, s->nv, dfdv}};
  return call(user, "force_jac", t, q, v, out, 2);
}

static int call_rate(double t, const double *q, const double *v, double *qdot, void *user) {
  const struct system *s = (const struct system *)user;
  const target out = {s->nq, 1, qdot};
  return call(user, "rate", t, q, v, &out, 1);
}

static int call_joint(double t, const double *q, double *phi, double *jt, void *user) {
  const struct system *s = (const struct system *)user;
  const target out[2] = {{s->n_joint, 1, phi}, {s->nv, s->n_joint, jt}};
  return call(user, "joint", t, q, NULL, out, 2);
}

static int call_gap(double t, const double *q, double *gap, double *normal, void *user) {
  const struct system *s = (const struct system *)user;
  const target out[2] = {{s->n_contact, 1, gap}, {s->nv, s->n_contact, normal}};
  return call(user, "gap", t, q, NULL, out, 2);
}

static int call_tangent(double t, const double *q, double *tangent, void *user) {
  const struct system *s = (const struct system *)user;
  const target out = {s->nv, s->n_contact * s->n_dir, tangent};
  return call(user, "tangent", t, q, NULL, &out, 1);
}

static int call_brake(double t, const double *q, double *bound, double *direction, void *user) {
  const struct system *s = (const struct system *)user;
  const target out[2] = {{s->n_brake, 1, bound}, {s->nv, s->n_brake, direction}};
  return call(user, "brake", t, q, NULL, out, 2);
}

static int call_displace(double t, const double *q, const double *d, double *moved, void *user) {
  const struct system *s = (const struct system *)user;
  const target out = {s->nq, 1, moved};
  return call(user, "displace", t, q, d, &out, 1);
}

static int call_accel(double t, const double *q, const double *v, double *joint, double *normal,
                      double *tangent, void *user) {
  const struct system *s = (const struct system *)user;
  const target out[3] = {
      {s->n_joint, 1, joint}, {s->n_contact, 1, normal}, {s->n_contact * s->n_dir, 1, tangent}};
  return call(user, "accel", t, q, v, out, 3);
}

static int call_element(double t, const double *q, double *phi, double *gradient, double *stiffness,
                        double *damping, void *user) {
  const struct system *s = (const struct system *)user;
  const target out[4] = {{s->n_element, 1, phi},
                         {s->nv, s->n_element, gradient},
                         {s->n_element, 1, stiffness},
                         {s->n_element, 1, damping}};
  return call(user, "element", t, q, NULL, out, 4);
}

/* ---- contacts that come and go ---- */

static const double *field(const mxArray *list, size_t i, const char *name) {
  return mxGetPr(mxGetField(list, i, name));
}

static size_t length(const mxArray *list, size_t i, const char *name) {
  return mxGetNumberOfElements(mxGetField(list, i, name));
}

/* A number that is too large for a double, perhaps. */
static int64_t whole(const mxArray *list, size_t i, const char *name) {
  const mxArray *x = mxGetField(list, i, name);
  return mxIsInt64(x) ? *(const int64_t *)mxGetData(x) : (int64_t)*mxGetPr(x);
}

/* One element of what stiction.internal.touching gives: every field is there, of a size that fits.
 */
static stn_status push(stn_contact_sink *sink, const mxArray *list, size_t i) {
  const int64_t key = whole(list, i, "key");
  const double gap = *field(list, i, "gap"), mu = *field(list, i, "mu"),
               restitution = *field(list, i, "restitution"), *normal = field(list, i, "normal"),
               *tangent = field(list, i, "tangent");
  const size_t rows = length(list, i, "normal"), n_index = length(list, i, "index");
  const int32_t n_dir = (int32_t)(length(list, i, "tangent") / rows);
  if (length(list, i, "first") > 0)
    return stn_contact_push_tangents(sink, key, gap, normal, (int32_t)*field(list, i, "facets"),
                                     field(list, i, "first"), field(list, i, "second"), mu,
                                     restitution);
  if (n_index > 0)
    return stn_contact_push_sparse(sink, key, gap, (int32_t)n_index,
                                   (const int32_t *)mxGetData(mxGetField(list, i, "index")), normal,
                                   n_dir, tangent, mu, restitution);
  return stn_contact_push(sink, key, gap, normal, n_dir, tangent, mu, restitution);
}

/* The same, joined to the group that it names. */
static stn_status push_and_join(stn_contact_sink *sink, const mxArray *list, size_t i) {
  const stn_status st = push(sink, list, i);
  const int64_t key = whole(list, i, "key");
  if (st < 0 || length(list, i, "group") == 0)
    return st;
  return stn_contact_join(sink, whole(list, i, "group"), 1, &key);
}

/* Calls touching(function, nv, t, q, margin) of the host: a verdict as in call, and the list. */
static int call_contacts(double t, const double *q, double margin, stn_contact_sink *sink,
                         void *user) {
  const struct system *s = (const struct system *)user;
  mxArray *in[6], *out[2] = {NULL, NULL}, *failure;
  const mxArray *touching = mxGetField(s->functions, 0, "touching");
  const mxArray *function = mxGetField(s->functions, 0, "contacts");
  int i, result = -1;
  if (touching == NULL || function == NULL)
    return -1;
  in[0] = (mxArray *)touching, in[1] = (mxArray *)function, in[2] = number(s->nv);
  in[3] = number(t), in[4] = copy_in(q, s->nq), in[5] = number(margin);
  failure = mexCallMATLABWithTrap(2, out, 6, in, "feval");
  if (failure == NULL && mxIsDouble(out[0]) && mxGetNumberOfElements(out[0]) == 1) {
    const double verdict = mxGetScalar(out[0]);
    const size_t n = verdict == 1.0 && mxIsStruct(out[1]) ? mxGetNumberOfElements(out[1]) : 0;
    size_t k;
    result = verdict == 1.0 ? 0 : verdict == 2.0 ? 1 : -1;
    for (k = 0; k < n && result == 0; k++)
      result = push_and_join(sink, out[1], k) < 0 ? -1 : 0; /* the library knows the reason */
  }
  if (failure != NULL)
    mxDestroyArray(failure);
  for (i = 0; i < 2; i++)
    if (out[i] != NULL)
      mxDestroyArray(out[i]);
  for (i = 2; i < 6; i++)
    mxDestroyArray(in[i]);
  return result;
}

/* ---- functions of time ---- */

struct signal {
  struct system *system;
  int32_t index;
};

/* n numbers at time t by the function that the struct of the call has at this place; 0 when done.
 */
static int call_in_time(double t, const struct signal *g, double *value, int32_t n) {
  const mxArray *functions = g->system->functions;
  const mxArray *all = functions != NULL ? mxGetField(functions, 0, "signals") : NULL;
  const mxArray *trap = functions != NULL ? mxGetField(functions, 0, "trap") : NULL;
  const target out = {n, 1, value};
  mxArray *in[5], *got[2] = {NULL, NULL}, *failure;
  int i, result = -1;
  if (all == NULL || trap == NULL || (size_t)g->index >= mxGetNumberOfElements(all))
    return -1;
  in[0] = (mxArray *)trap, in[1] = mxGetCell(all, (size_t)g->index);
  in[2] = mxCreateString("a function of time"), in[3] = mxCreateDoubleMatrix(1, 2, mxREAL);
  in[4] = number(t);
  mxGetPr(in[3])[0] = n, mxGetPr(in[3])[1] = 1.0;
  failure = mexCallMATLABWithTrap(2, got, 5, in, "feval");
  if (failure == NULL && mxIsDouble(got[0]) && mxGetScalar(got[0]) == 1.0)
    result = copy_out(got[1], &out);
  if (failure != NULL)
    mxDestroyArray(failure);
  for (i = 0; i < 2; i++)
    if (got[i] != NULL)
      mxDestroyArray(got[i]);
  for (i = 2; i < 5; i++)
    mxDestroyArray(in[i]);
  return result;
}

/* A value that is no number stops the step; the error behind it then comes out. */
double call_signal(double t, void *user) {
  double value = 0.0;
  return call_in_time(t, (const struct signal *)user, &value, 1) == 0 ? value : mxGetNaN();
}

void call_vector_signal(double t, double *value, void *user) {
  if (call_in_time(t, (const struct signal *)user, value, 3) != 0)
    value[0] = mxGetNaN();
}

struct system *new_system(void) {
  struct system *s = (struct system *)calloc(1, sizeof *s);
  if (s == NULL)
    mexErrMsgIdAndTxt("stiction:Memory", "no room for a model");
  s->owners = 1;
  return s;
}

void release_system(void *user) {
  struct system *s = (struct system *)user;
  if (s != NULL && --s->owners == 0)
    free(s);
}

struct signal *new_signal(struct system *owner) {
  struct signal *g = (struct signal *)malloc(sizeof *g);
  if (g == NULL)
    mexErrMsgIdAndTxt("stiction:Memory", "no room for a function of time");
  g->system = owner, g->index = owner->signals++;
  owner->owners++;
  return g;
}

void release_signal(void *user) {
  release_system(((struct signal *)user)->system);
  free(user);
}

void set_functions(stn_model_fns *fns, const mxArray *f) {
  memset(fns, 0, sizeof *fns);
  fns->struct_size = sizeof *fns;
  fns->mass = mxGetField(f, 0, "mass") != NULL ? call_mass : NULL;
  fns->force = mxGetField(f, 0, "force") != NULL ? call_force : NULL;
  fns->force_jac = mxGetField(f, 0, "force_jac") != NULL ? call_force_jac : NULL;
  fns->rate = mxGetField(f, 0, "rate") != NULL ? call_rate : NULL;
  fns->joint = mxGetField(f, 0, "joint") != NULL ? call_joint : NULL;
  fns->gap = mxGetField(f, 0, "gap") != NULL ? call_gap : NULL;
  fns->tangent = mxGetField(f, 0, "tangent") != NULL ? call_tangent : NULL;
  fns->brake = mxGetField(f, 0, "brake") != NULL ? call_brake : NULL;
  fns->displace = mxGetField(f, 0, "displace") != NULL ? call_displace : NULL;
  fns->accel = mxGetField(f, 0, "accel") != NULL ? call_accel : NULL;
  fns->element = mxGetField(f, 0, "element") != NULL ? call_element : NULL;
  fns->contacts = mxGetField(f, 0, "contacts") != NULL ? call_contacts : NULL;
  fns->release = release_system;
}
