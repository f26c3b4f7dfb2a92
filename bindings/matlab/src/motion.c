/* Models of function handles, and steppers. The functions come with each call, held by the caller,
 * so that nothing of the host has to be kept between calls. */
#include "gateway.h"

#include <stddef.h>
#include <stdlib.h>

#define OUT(i, value)                                                                              \
  do {                                                                                             \
    if ((i) < nlhs || (i) == 0)                                                                    \
      plhs[i] = (value);                                                                           \
  } while (0)

/* Lends the functions for one call; a function that uses another stepper of the same model finds
 * them again. */
static const mxArray *lend(const entry *e, const mxArray *functions) {
  const mxArray *before = NULL;
  if (e->system != NULL) {
    if (!mxIsStruct(functions))
      refuse("functions", "a struct");
    before = e->system->functions;
    e->system->functions = functions;
  }
  return before;
}

static stn_status take_back(const entry *e, const mxArray *before, stn_status st) {
  if (e->system != NULL)
    e->system->functions = before;
  return st;
}

#define WITH_FUNCTIONS(e, functions, call_)                                                        \
  do {                                                                                             \
    const mxArray *before_ = lend(e, functions);                                                   \
    st = take_back(e, before_, call_);                                                             \
  } while (0)

/* model = model_create([nq nv n_joint n_contact n_dir], functions, mu, restitution) */
static void run_model_create(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
  const double *sizes = required(prhs[0], 5, "sizes");
  const mxArray *f = prhs[1];
  const double *mu = doubles(prhs[2], (ptrdiff_t)sizes[3], "mu");
  const double *e = doubles(prhs[3], (ptrdiff_t)sizes[3], "restitution");
  stn_dims dims = {sizeof(stn_dims), 0, 0, 0, 0, 0, 0};
  stn_model_fns fns;
  stn_model *model = NULL;
  stn_status st;
  struct system *s;
  (void)nlhs, (void)nrhs;
  if (!mxIsStruct(f))
    refuse("functions", "a struct");
  dims.nq = (int32_t)sizes[0], dims.nv = (int32_t)sizes[1], dims.n_joint = (int32_t)sizes[2];
  dims.n_contact = (int32_t)sizes[3], dims.n_dir = (int32_t)sizes[4];
  set_functions(&fns, f);
  if ((s = (struct system *)malloc(sizeof *s)) == NULL)
    mexErrMsgIdAndTxt("stiction:Memory", "no room for a model");
  s->nq = dims.nq, s->nv = dims.nv, s->n_joint = dims.n_joint, s->n_contact = dims.n_contact;
  s->n_dir = dims.n_dir, s->functions = NULL;
  if ((st = stn_model_create(&dims, &fns, mu, e, s, &model)) < 0)
    free(s);
  check(st);
  plhs[0] = keep(MODEL, model, s, dims.nq, dims.nv);
}

static void run_model_destroy(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
  (void)nlhs, (void)plhs, (void)nrhs;
  give_up(entry_of(prhs[0], MODEL));
}

/* [nq nv n_joint n_contact n_dir] = model_dims(model) */
static void run_model_dims(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
  stn_dims d;
  double *out;
  (void)nlhs, (void)nrhs;
  d.struct_size = sizeof d;
  check(stn_model_get_dims((stn_model *)entry_of(prhs[0], MODEL)->handle, &d));
  plhs[0] = mxCreateDoubleMatrix(1, 5, mxREAL);
  out = mxGetPr(plhs[0]);
  out[0] = d.nq, out[1] = d.nv, out[2] = d.n_joint, out[3] = d.n_contact, out[4] = d.n_dir;
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
 * functions */
static void run_model_energy(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
  const entry *e = entry_of(prhs[0], MODEL);
  const double t = scalar(prhs[2], "t"), *q = required(prhs[3], e->nq, "q"),
               *v = required(prhs[4], e->nv, "v");
  double kinetic = 0.0, potential = 0.0;
  stn_status st;
  (void)nrhs;
  WITH_FUNCTIONS(e, prhs[1],
                 stn_model_get_energy((stn_model *)e->handle, t, q, e->nq, v, e->nv, &kinetic,
                                      e->system == NULL ? &potential : NULL));
  check(st == STN_REJECTED ? STN_ERR_CALLBACK : st);
  OUT(0, number(kinetic));
  OUT(1, e->system == NULL ? number(potential) : mxCreateDoubleMatrix(0, 0, mxREAL));
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

static const char *kind_name(int32_t kind) {
  static const char *names[] = {"", "impact", "stick", "slip", "takeoff", "close", "energy"};
  return kind > 0 && kind < (int32_t)(sizeof names / sizeof names[0]) ? names[kind] : "other";
}

/* struct array = stepper_events(stepper); contacts count from 1 as columns do, 0 is none */
static void run_events(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
  static const char *names[] = {"kind",        "contact", "t",  "speed_before",
                                "speed_after", "impulse", "key"};
  const entry *e = entry_of(prhs[0], STEPPER);
  const int32_t n = stn_stepper_event_count((stn_stepper *)e->handle);
  int32_t i;
  (void)nlhs, (void)nrhs;
  if (n < 0)
    check((stn_status)n);
  plhs[0] = mxCreateStructMatrix((size_t)n, 1, 7, names);
  for (i = 0; i < n; i++) {
    stn_event v;
    v.struct_size = sizeof v;
    check(stn_stepper_get_event((stn_stepper *)e->handle, i, &v));
    mxSetFieldByNumber(plhs[0], i, 0, mxCreateString(kind_name(v.kind)));
    mxSetFieldByNumber(plhs[0], i, 1, number(v.contact + 1.0));
    mxSetFieldByNumber(plhs[0], i, 2, number(v.t));
    mxSetFieldByNumber(plhs[0], i, 3, number(v.speed_before));
    mxSetFieldByNumber(plhs[0], i, 4, number(v.speed_after));
    mxSetFieldByNumber(plhs[0], i, 5, number(v.impulse));
    mxSetFieldByNumber(plhs[0], i, 6, number((double)v.key));
  }
}

static const member stats_members[] = {
    {"steps", offsetof(stn_stats, steps), INT64},
    {"substeps", offsetof(stn_stats, substeps), INT64},
    {"rejected", offsetof(stn_stats, rejected), INT64},
    {"lcp_solves", offsetof(stn_stats, lcp_solves), INT64},
    {"warm_solves", offsetof(stn_stats, warm_solves), INT64},
    {"pivots", offsetof(stn_stats, pivots), INT64},
    {"impacts", offsetof(stn_stats, impacts), INT64},
    {"force_evals", offsetof(stn_stats, force_evals), INT64},
    {"worst_residual", offsetof(stn_stats, worst_residual), DOUBLE},
    {"worst_gap", offsetof(stn_stats, worst_gap), DOUBLE},
    {"worst_joint_drift", offsetof(stn_stats, worst_joint_drift), DOUBLE},
    {"check_solves", offsetof(stn_stats, check_solves), INT64},
    {"scheme_fallbacks", offsetof(stn_stats, scheme_fallbacks), INT64},
    {"capped_steps", offsetof(stn_stats, capped_steps), INT64},
    {"events_lost", offsetof(stn_stats, events_lost), INT64},
    {NULL, 0, INT32}};

/* struct = stepper_stats(stepper) */
static void run_stats(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
  stn_stats stats;
  (void)nlhs, (void)nrhs;
  stats.struct_size = sizeof stats;
  check(stn_stepper_get_stats((stn_stepper *)entry_of(prhs[0], STEPPER)->handle, &stats));
  plhs[0] = get_members(&stats, stats_members);
}

/* uint8 column = stepper_save(stepper) */
static void run_save(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
  const entry *e = entry_of(prhs[0], STEPPER);
  size_t needed = 0;
  (void)nlhs, (void)nrhs;
  stn_stepper_save((stn_stepper *)e->handle, NULL, 0, &needed);
  plhs[0] = mxCreateNumericMatrix(needed, 1, mxUINT8_CLASS, mxREAL);
  check(stn_stepper_save((stn_stepper *)e->handle, mxGetData(plhs[0]), needed, &needed));
}

/* stepper_restore(stepper, bytes) */
static void run_restore(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
  (void)nlhs, (void)plhs, (void)nrhs;
  if (!mxIsUint8(prhs[1]) || mxIsEmpty(prhs[1]))
    refuse("snapshot", "the bytes that save gave");
  check(stn_stepper_restore((stn_stepper *)entry_of(prhs[0], STEPPER)->handle, mxGetData(prhs[1]),
                            mxGetNumberOfElements(prhs[1])));
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
                                   {"stepper_events", 1, run_events},
                                   {"stepper_stats", 1, run_stats},
                                   {"stepper_save", 1, run_save},
                                   {"stepper_restore", 2, run_restore},
                                   {NULL, 0, NULL}};
