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
  mxArray *in[6], *out[3] = {NULL, NULL, NULL}, *failure, *shapes;
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

static void release(void *user) { free(user); }

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
  fns->release = release;
}
