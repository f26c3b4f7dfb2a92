/* What a stepper says about its motion: events, counters, energies, impulses, contacts, snapshots.
 */
#include "gateway.h"

#include <stddef.h>

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
    mxSetFieldByNumber(plhs[0], i, 6, key_number(v.key));
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
    {"jacobian_fallbacks", offsetof(stn_stats, jacobian_fallbacks), INT64},
    {"stage_iterations", offsetof(stn_stats, stage_iterations), INT64},
    {"tolerance_rejections", offsetof(stn_stats, tolerance_rejections), INT64},
    {"body_solves", offsetof(stn_stats, body_solves), INT64},
    {"repeated_steps", offsetof(stn_stats, repeated_steps), INT64},
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

static const member ledger_members[] = {
    {"kinetic", offsetof(stn_ledger, kinetic), DOUBLE},
    {"external", offsetof(stn_ledger, external), DOUBLE},
    {"drive", offsetof(stn_ledger, drive), DOUBLE},
    {"friction", offsetof(stn_ledger, friction), DOUBLE},
    {"impact", offsetof(stn_ledger, impact), DOUBLE},
    {"stabilization", offsetof(stn_ledger, stabilization), DOUBLE},
    {"residue", offsetof(stn_ledger, residue), DOUBLE},
    {NULL, 0, INT32}};

/* struct = stepper_ledger(stepper, span) */
static void run_ledger(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
  stn_ledger ledger;
  (void)nlhs, (void)nrhs;
  ledger.struct_size = sizeof ledger;
  check(stn_stepper_get_ledger((stn_stepper *)entry_of(prhs[0], STEPPER)->handle,
                               integer(prhs[1], "span"), &ledger));
  plhs[0] = get_members(&ledger, ledger_members);
}

/* joint, normal, friction = stepper_impulses(stepper, [n_joint n_contact n_contact*n_dir]) */
static void run_impulses(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
  const double *n = required(prhs[1], 3, "sizes");
  mxArray *joint = column((size_t)n[0]), *normal = column((size_t)n[1]),
          *friction = column((size_t)n[2]);
  (void)nrhs;
  check(stn_stepper_get_impulses((stn_stepper *)entry_of(prhs[0], STEPPER)->handle, mxGetPr(joint),
                                 (int32_t)n[0], mxGetPr(normal), (int32_t)n[1], mxGetPr(friction),
                                 (int32_t)n[2]));
  OUT(0, joint);
  OUT(1, normal);
  OUT(2, friction);
}

/* count = stepper_contact_count(stepper) */
static void run_contact_count(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
  const int32_t n = stn_stepper_contact_count((stn_stepper *)entry_of(prhs[0], STEPPER)->handle);
  (void)nlhs, (void)nrhs;
  check(n < 0 ? (stn_status)n : STN_OK);
  plhs[0] = number(n);
}

/* i = stepper_find_contact(stepper, key), -1 for none */
static void run_find_contact(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
  int32_t contact = -1;
  (void)nlhs, (void)nrhs;
  check(stn_stepper_find_contact((stn_stepper *)entry_of(prhs[0], STEPPER)->handle, key_of(prhs[1]),
                                 &contact));
  plhs[0] = number(contact);
}

/* key = stepper_contact_key(stepper, i), [] for a place that is free */
static void run_contact_key(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
  int64_t key = 0;
  int32_t taken = 0;
  (void)nlhs, (void)nrhs;
  check(stn_stepper_get_contact_key((stn_stepper *)entry_of(prhs[0], STEPPER)->handle,
                                    integer(prhs[1], "contact"), &key, &taken));
  plhs[0] = taken ? key_number(key) : mxCreateDoubleMatrix(0, 0, mxREAL);
}

/* impulses = stepper_brake_impulses(stepper, n_brake) */
static void run_brake_impulses(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
  const int32_t n = integer(prhs[1], "n_brake");
  mxArray *brake = column((size_t)(n > 0 ? n : 0));
  (void)nlhs, (void)nrhs;
  check(stn_stepper_get_brake_impulses((stn_stepper *)entry_of(prhs[0], STEPPER)->handle,
                                       mxGetPr(brake), n));
  plhs[0] = brake;
}

static const member contact_members[] = {
    {"mode", offsetof(stn_contact_state, mode), INT32},
    {"key", offsetof(stn_contact_state, key), INT64},
    {"gap", offsetof(stn_contact_state, gap), DOUBLE},
    {"gap_rate", offsetof(stn_contact_state, gap_rate), DOUBLE},
    {"slip_speed", offsetof(stn_contact_state, slip_speed), DOUBLE},
    {"normal_impulse", offsetof(stn_contact_state, normal_impulse), DOUBLE},
    {"tangential_impulse", offsetof(stn_contact_state, tangential_impulse), DOUBLE},
    {NULL, 0, INT32}};

/* struct = stepper_contact(stepper, functions, i) */
static void run_contact_state(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
  static const char *modes[] = {"open", "touch", "stick", "slip"};
  const entry *e = entry_of(prhs[0], STEPPER);
  const int32_t i = integer(prhs[2], "contact");
  stn_contact_state contact;
  stn_status st;
  (void)nlhs, (void)nrhs;
  contact.struct_size = sizeof contact;
  WITH_FUNCTIONS(e, prhs[1], stn_stepper_get_contact((stn_stepper *)e->handle, i, &contact));
  check(st == STN_REJECTED ? STN_ERR_CALLBACK : st);
  plhs[0] = get_members(&contact, contact_members);
  if (contact.mode >= 0 && contact.mode < (int32_t)(sizeof modes / sizeof modes[0]))
    mxSetField(plhs[0], 0, "mode", mxCreateString(modes[contact.mode]));
}

/* q, v = stepper_state_at(stepper, functions, t) */
static void run_state_at(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
  const entry *e = entry_of(prhs[0], STEPPER);
  const double t = scalar(prhs[2], "t");
  mxArray *q = column((size_t)e->nq), *v = column((size_t)e->nv);
  stn_status st;
  (void)nrhs;
  WITH_FUNCTIONS(
      e, prhs[1],
      stn_stepper_get_state_at((stn_stepper *)e->handle, t, mxGetPr(q), e->nq, mxGetPr(v), e->nv));
  check(st == STN_REJECTED ? STN_ERR_CALLBACK : st);
  OUT(0, q);
  OUT(1, v);
}

/* struct = stepper_forces(stepper, functions, [n_joint n_contact n_contact*n_dir]) */
static void run_forces(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
  static const char *names[] = {"acceleration", "joint", "normal", "slip_speed", "friction"};
  const entry *e = entry_of(prhs[0], STEPPER);
  const double *n = required(prhs[2], 3, "sizes");
  mxArray *a[5];
  stn_status st;
  int i;
  (void)nlhs, (void)nrhs;
  a[0] = column((size_t)e->nv), a[1] = column((size_t)n[0]), a[2] = column((size_t)n[1]);
  a[3] = column((size_t)n[1]), a[4] = column((size_t)n[2]);
  WITH_FUNCTIONS(e, prhs[1],
                 stn_stepper_get_forces((stn_stepper *)e->handle, mxGetPr(a[0]), e->nv,
                                        mxGetPr(a[1]), (int32_t)n[0], mxGetPr(a[2]), mxGetPr(a[3]),
                                        (int32_t)n[1], mxGetPr(a[4]), (int32_t)n[2]));
  check(st == STN_REJECTED ? STN_ERR_CALLBACK : st);
  plhs[0] = mxCreateStructMatrix(1, 1, 5, names);
  for (i = 0; i < 5; i++)
    mxSetFieldByNumber(plhs[0], 0, i, a[i]);
}

const command report_commands[] = {{"stepper_events", 1, run_events},
                                   {"stepper_stats", 1, run_stats},
                                   {"stepper_ledger", 2, run_ledger},
                                   {"stepper_impulses", 2, run_impulses},
                                   {"stepper_contact", 3, run_contact_state},
                                   {"stepper_forces", 3, run_forces},
                                   {"stepper_state_at", 3, run_state_at},
                                   {"stepper_save", 1, run_save},
                                   {"stepper_restore", 2, run_restore},
                                   {"stepper_contact_count", 1, run_contact_count},
                                   {"stepper_find_contact", 2, run_find_contact},
                                   {"stepper_contact_key", 2, run_contact_key},
                                   {"stepper_brake_impulses", 2, run_brake_impulses},
                                   {NULL, 0, NULL}};
