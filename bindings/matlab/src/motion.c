/* Models of function handles, and steppers. The functions come with each call, held by the caller,
 * so that nothing of the host has to be kept between calls. */
#include "gateway.h"

#include <stddef.h>
#include <string.h>

const mxArray *lend(const entry *e, const mxArray *functions) {
  const mxArray *before = NULL;
  if (e->system != NULL) {
    if (!mxIsStruct(functions))
      refuse("functions", "a struct");
    before = e->system->functions;
    e->system->functions = functions;
  }
  return before;
}

stn_status take_back(const entry *e, const mxArray *before, stn_status st) {
  if (e->system != NULL)
    e->system->functions = before;
  return st;
}

stn_dims dims_of(const mxArray *sizes) {
  const double *n = required(sizes, 8, "sizes");
  stn_dims d;
  memset(&d, 0, sizeof d);
  d.struct_size = sizeof d;
  d.nq = (int32_t)n[0], d.nv = (int32_t)n[1], d.n_joint = (int32_t)n[2];
  d.n_contact = (int32_t)n[3], d.n_dir = (int32_t)n[4], d.n_brake = (int32_t)n[5];
  d.n_element = (int32_t)n[6];
  return d;
}

/* model = model_create(sizes, functions, mu, restitution) */
static void run_model_create(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
  const stn_dims dims = dims_of(prhs[0]);
  const double *mu = doubles(prhs[2], dims.n_contact, "mu");
  const double *e = doubles(prhs[3], dims.n_contact, "restitution");
  stn_model_fns fns;
  stn_model *model = NULL;
  stn_status st;
  struct system *s;
  (void)nlhs, (void)nrhs;
  if (!mxIsStruct(prhs[1]))
    refuse("functions", "a struct");
  set_functions(&fns, prhs[1]);
  fns.max_contacts = (int32_t)mxGetPr(prhs[0])[7];
  s = new_system();
  s->nq = dims.nq, s->nv = dims.nv, s->n_joint = dims.n_joint, s->n_contact = dims.n_contact;
  s->n_dir = dims.n_dir, s->n_brake = dims.n_brake, s->n_element = dims.n_element;
  if ((st = stn_model_create(&dims, &fns, mu, e, s, &model)) < 0)
    release_system(s);
  check(st);
  plhs[0] = keep(MODEL, model, s, dims.nq, dims.nv);
}

static void run_model_destroy(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
  (void)nlhs, (void)plhs, (void)nrhs;
  give_up(entry_of(prhs[0], MODEL));
}

/* [nq nv n_joint n_contact n_dir n_brake n_element] = model_dims(model) */
static void run_model_dims(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
  stn_dims d;
  double *out;
  (void)nlhs, (void)nrhs;
  d.struct_size = sizeof d;
  check(stn_model_get_dims((stn_model *)entry_of(prhs[0], MODEL)->handle, &d));
  plhs[0] = mxCreateDoubleMatrix(1, 7, mxREAL);
  out = mxGetPr(plhs[0]);
  out[0] = d.nq, out[1] = d.nv, out[2] = d.n_joint, out[3] = d.n_contact, out[4] = d.n_dir;
  out[5] = d.n_brake, out[6] = d.n_element;
}

/* q, v = model_initial(model) */
static void run_model_initial(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
  const entry *e = entry_of(prhs[0], MODEL);
  mxArray *q = column((size_t)e->nq), *v = column((size_t)e->nv);
  (void)nrhs;
  check(stn_model_get_initial((stn_model *)e->handle, mxGetPr(q), e->nq, mxGetPr(v), e->nv));
  OUT(0, q);
  OUT(1, v);
}

/* worst, text = model_check(model, functions, t, q, v) */
static void run_model_check(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
  const entry *e = entry_of(prhs[0], MODEL);
  const double t = scalar(prhs[2], "t"), *q = required(prhs[3], e->nq, "q"),
               *v = required(prhs[4], e->nv, "v");
  char text[1024];
  double worst = 0.0;
  stn_status st;
  (void)nrhs;
  WITH_FUNCTIONS(e, prhs[1],
                 stn_model_check((stn_model *)e->handle, t, q, e->nq, v, e->nv, &worst));
  check(st == STN_REJECTED ? STN_ERR_CALLBACK : st);
  stn_last_error(text, (int32_t)sizeof text);
  OUT(0, number(worst));
  OUT(1, mxCreateString(text));
}

/* kinetic, potential = model_energy(model, functions, t, q, v); potential is [] for models of
 * functions without elements */
static void run_model_energy(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
  const entry *e = entry_of(prhs[0], MODEL);
  const double t = scalar(prhs[2], "t"), *q = required(prhs[3], e->nq, "q"),
               *v = required(prhs[4], e->nv, "v");
  const int stores = e->system == NULL || e->system->bodies || e->system->n_element > 0;
  double kinetic = 0.0, potential = 0.0;
  stn_status st;
  (void)nrhs;
  WITH_FUNCTIONS(e, prhs[1],
                 stn_model_get_energy((stn_model *)e->handle, t, q, e->nq, v, e->nv, &kinetic,
                                      stores ? &potential : NULL));
  check(st == STN_REJECTED ? STN_ERR_CALLBACK : st);
  OUT(0, number(kinetic));
  OUT(1, stores ? number(potential) : mxCreateDoubleMatrix(0, 0, mxREAL));
}

static const member option_members[] = {
    {"method", offsetof(stn_stepper_options, method), INT32},
    {"events", offsetof(stn_stepper_options, events), INT32},
    {"impact_law", offsetof(stn_stepper_options, impact_law), INT32},
    {"stabilization", offsetof(stn_stepper_options, stabilization), INT32},
    {"max_events", offsetof(stn_stepper_options, max_events), INT32},
    {"max_pivots", offsetof(stn_stepper_options, max_pivots), INT32},
    {"jacobian", offsetof(stn_stepper_options, jacobian), INT32},
    {"energy_fallback", offsetof(stn_stepper_options, energy_fallback), INT32},
    {"event_capacity", offsetof(stn_stepper_options, event_capacity), INT32},
    {"length_scale", offsetof(stn_stepper_options, length_scale), DOUBLE},
    {"active_gap", offsetof(stn_stepper_options, active_gap), DOUBLE},
    {"active_gap_h3", offsetof(stn_stepper_options, active_gap_h3), DOUBLE},
    {"restitution_speed", offsetof(stn_stepper_options, restitution_speed), DOUBLE},
    {"closing", offsetof(stn_stepper_options, closing), DOUBLE},
    {"lcp_tolerance", offsetof(stn_stepper_options, lcp_tolerance), DOUBLE},
    {"theta", offsetof(stn_stepper_options, theta), DOUBLE},
    {"gamma", offsetof(stn_stepper_options, gamma), DOUBLE},
    {"abs_tol", offsetof(stn_stepper_options, abs_tol), DOUBLE},
    {"rel_tol", offsetof(stn_stepper_options, rel_tol), DOUBLE},
    {"stop_at_event", offsetof(stn_stepper_options, stop_at_event), INT32},
    {"damping_steps", offsetof(stn_stepper_options, damping_steps), INT32},
    {"contact_margin", offsetof(stn_stepper_options, contact_margin), DOUBLE},
    {"critical", offsetof(stn_stepper_options, critical), DOUBLE},
    {"max_step", offsetof(stn_stepper_options, max_step), DOUBLE},
    {"max_steps", offsetof(stn_stepper_options, max_steps), INT32},
    {NULL, 0, INT32}};

/* stepper = stepper_create(model, functions, options) */
static void run_stepper_create(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
  const entry *m = entry_of(prhs[0], MODEL);
  stn_stepper_options options;
  stn_stepper *stepper = NULL;
  stn_status st;
  (void)nlhs, (void)nrhs;
  check(stn_stepper_options_init(&options, sizeof options));
  set_members(&options, option_members, prhs[2]);
  WITH_FUNCTIONS(m, prhs[1], stn_stepper_create((stn_model *)m->handle, &options, &stepper));
  check(st);
  plhs[0] = keep(STEPPER, stepper, m->system, m->nq, m->nv);
}

static void run_stepper_destroy(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
  (void)nlhs, (void)plhs, (void)nrhs;
  give_up(entry_of(prhs[0], STEPPER));
}

/* stepper_set_state(stepper, functions, t, q, v) */
static void run_set_state(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
  const entry *e = entry_of(prhs[0], STEPPER);
  const double t = scalar(prhs[2], "t"), *q = required(prhs[3], e->nq, "q"),
               *v = required(prhs[4], e->nv, "v");
  stn_status st;
  (void)nlhs, (void)plhs, (void)nrhs;
  WITH_FUNCTIONS(e, prhs[1],
                 stn_stepper_set_state((stn_stepper *)e->handle, t, q, e->nq, v, e->nv));
  check(st);
}

/* t, q, v = stepper_get_state(stepper) */
static void run_get_state(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
  const entry *e = entry_of(prhs[0], STEPPER);
  mxArray *q = column((size_t)e->nq), *v = column((size_t)e->nv);
  double t = 0.0;
  (void)nrhs;
  check(stn_stepper_get_state((stn_stepper *)e->handle, &t, mxGetPr(q), e->nq, mxGetPr(v), e->nv));
  OUT(0, number(t));
  OUT(1, q);
  OUT(2, v);
}

static mxArray *outcome(stn_status st) {
  check(st);
  return mxCreateString(st == STN_OK ? "ok" : st == STN_EVENT ? "event" : "rejected");
}

/* status = stepper_step(stepper, functions, h) */
static void run_step(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
  const entry *e = entry_of(prhs[0], STEPPER);
  const double h = scalar(prhs[2], "h");
  stn_status st;
  (void)nlhs, (void)nrhs;
  WITH_FUNCTIONS(e, prhs[1], stn_stepper_step((stn_stepper *)e->handle, h));
  plhs[0] = outcome(st);
}

/* status = stepper_advance(stepper, functions, t_end, h) */
static void run_advance(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
  const entry *e = entry_of(prhs[0], STEPPER);
  const double t_end = scalar(prhs[2], "t_end"), h = scalar(prhs[3], "h");
  stn_status st;
  (void)nlhs, (void)nrhs;
  WITH_FUNCTIONS(e, prhs[1], stn_stepper_advance((stn_stepper *)e->handle, t_end, h));
  plhs[0] = outcome(st);
}

const command motion_commands[] = {{"model_create", 4, run_model_create},
                                   {"model_destroy", 1, run_model_destroy},
                                   {"model_dims", 1, run_model_dims},
                                   {"model_initial", 1, run_model_initial},
                                   {"model_check", 5, run_model_check},
                                   {"model_energy", 5, run_model_energy},
                                   {"stepper_create", 3, run_stepper_create},
                                   {"stepper_destroy", 1, run_stepper_destroy},
                                   {"stepper_set_state", 5, run_set_state},
                                   {"stepper_get_state", 1, run_get_state},
                                   {"stepper_step", 3, run_step},
                                   {"stepper_advance", 4, run_advance},
                                   {NULL, 0, NULL}};
