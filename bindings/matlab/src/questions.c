/* What a model says about a state: poses, momentum, how far it is from being allowed, what its mass
 * and its contacts mean there. */
#include "gateway.h"

#include <stddef.h>

static const stn_model *model_of(const entry *e) { return (const stn_model *)e->handle; }

static stn_status no_refusal(stn_status st) { return st == STN_REJECTED ? STN_ERR_CALLBACK : st; }

/* pose = model_pose(model, body, q) */
static void run_pose(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
  const entry *e = entry_of(prhs[0], MODEL);
  mxArray *pose = column(7);
  (void)nlhs, (void)nrhs;
  check(stn_model_get_pose(model_of(e), integer(prhs[1], "body"), required(prhs[2], e->nq, "q"),
                           e->nq, mxGetPr(pose)));
  plhs[0] = pose;
}

/* place, velocity = model_point(model, body, at, q, v) */
static void run_point(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
  const entry *e = entry_of(prhs[0], MODEL);
  mxArray *place = column(3), *velocity = column(3);
  (void)nrhs;
  check(stn_model_get_point(model_of(e), integer(prhs[1], "body"), doubles(prhs[2], 3, "at"),
                            required(prhs[3], e->nq, "q"), e->nq, required(prhs[4], e->nv, "v"),
                            e->nv, mxGetPr(place), mxGetPr(velocity)));
  OUT(0, place);
  OUT(1, velocity);
}

/* x = model_joint_coordinate(model, joint, freedom, q) */
static void run_joint_coordinate(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
  const entry *e = entry_of(prhs[0], MODEL);
  double x = 0.0;
  (void)nlhs, (void)nrhs;
  check(stn_model_get_joint_coordinate(model_of(e), integer(prhs[1], "joint"),
                                       integer(prhs[2], "freedom"), required(prhs[3], e->nq, "q"),
                                       e->nq, &x));
  plhs[0] = number(x);
}

/* linear, angular, mass = model_momentum(model, q, v) */
static void run_momentum(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
  const entry *e = entry_of(prhs[0], MODEL);
  mxArray *linear = column(3), *angular = column(3);
  double mass = 0.0;
  (void)nrhs;
  check(stn_model_get_momentum(model_of(e), required(prhs[1], e->nq, "q"), e->nq,
                               required(prhs[2], e->nv, "v"), e->nv, mxGetPr(linear),
                               mxGetPr(angular)));
  check(stn_model_get_total_mass(model_of(e), &mass));
  OUT(0, linear);
  OUT(1, angular);
  OUT(2, number(mass));
}

/* [q_at n_q v_at n_v] = model_body_range(model, body) */
static void run_body_range(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
  int32_t q_at, n_q, v_at, n_v;
  (void)nlhs, (void)nrhs;
  check(stn_model_get_body_range(model_of(entry_of(prhs[0], MODEL)), integer(prhs[1], "body"),
                                 &q_at, &n_q, &v_at, &n_v));
  plhs[0] = mxCreateDoubleMatrix(1, 4, mxREAL);
  mxGetPr(plhs[0])[0] = q_at, mxGetPr(plhs[0])[1] = n_q;
  mxGetPr(plhs[0])[2] = v_at, mxGetPr(plhs[0])[3] = n_v;
}

/* [first n] = model_joint_range(model, joint) */
static void run_joint_range(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
  int32_t first, n;
  (void)nlhs, (void)nrhs;
  check(stn_model_get_joint_range(model_of(entry_of(prhs[0], MODEL)), integer(prhs[1], "joint"),
                                  &first, &n));
  plhs[0] = mxCreateDoubleMatrix(1, 2, mxREAL);
  mxGetPr(plhs[0])[0] = first, mxGetPr(plhs[0])[1] = n;
}

/* [body_a body_b shape_a shape_b] = model_contact_pair(model, key) */
static void run_contact_pair(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
  int32_t n[4];
  int i;
  (void)nlhs, (void)nrhs;
  check(stn_model_get_contact_pair(model_of(entry_of(prhs[0], MODEL)), key_of(prhs[1]), &n[0],
                                   &n[1], &n[2], &n[3]));
  plhs[0] = mxCreateDoubleMatrix(1, 4, mxREAL);
  for (i = 0; i < 4; i++)
    mxGetPr(plhs[0])[i] = n[i];
}

static const member consistency_members[] = {
    {"joint", offsetof(stn_consistency, joint), DOUBLE},
    {"joint_speed", offsetof(stn_consistency, joint_speed), DOUBLE},
    {"depth", offsetof(stn_consistency, depth), DOUBLE},
    {"depth_key", offsetof(stn_consistency, depth_key), INT64},
    {NULL, 0, INT32}};

/* struct = model_check_state(model, functions, t, q, v) */
static void run_check_state(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
  const entry *e = entry_of(prhs[0], MODEL);
  const double t = scalar(prhs[2], "t"), *q = required(prhs[3], e->nq, "q"),
               *v = required(prhs[4], e->nv, "v");
  stn_consistency c;
  stn_status st;
  (void)nlhs, (void)nrhs;
  c.struct_size = sizeof c;
  WITH_FUNCTIONS(e, prhs[1], stn_model_check_state(model_of(e), t, q, e->nq, v, e->nv, &c));
  check(no_refusal(st));
  plhs[0] = get_members(&c, consistency_members);
}

/* q, v, struct = model_nearest_state(model, functions, t, q, v) */
static void run_nearest_state(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
  const entry *e = entry_of(prhs[0], MODEL);
  const double t = scalar(prhs[2], "t");
  mxArray *q, *v;
  stn_consistency c;
  stn_status st;
  (void)nrhs;
  required(prhs[3], e->nq, "q"), required(prhs[4], e->nv, "v");
  q = mxDuplicateArray(prhs[3]), v = mxDuplicateArray(prhs[4]);
  c.struct_size = sizeof c;
  WITH_FUNCTIONS(e, prhs[1],
                 stn_model_nearest_state(model_of(e), t, mxGetPr(q), e->nq, mxGetPr(v), e->nv, &c));
  check(no_refusal(st));
  OUT(0, q);
  OUT(1, v);
  OUT(2, get_members(&c, consistency_members));
}

/* f = model_coriolis(model, functions, t, q, v) */
static void run_coriolis(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
  const entry *e = entry_of(prhs[0], MODEL);
  const double t = scalar(prhs[2], "t"), *q = required(prhs[3], e->nq, "q"),
               *v = required(prhs[4], e->nv, "v");
  mxArray *out = column((size_t)e->nv);
  stn_status st;
  (void)nlhs, (void)nrhs;
  WITH_FUNCTIONS(e, prhs[1], stn_model_coriolis(model_of(e), t, q, e->nq, v, e->nv, mxGetPr(out)));
  check(no_refusal(st));
  plhs[0] = out;
}

/* margin = model_cone(model, functions, t, q, near) */
static void run_cone(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
  const entry *e = entry_of(prhs[0], MODEL);
  const double t = scalar(prhs[2], "t"), *q = required(prhs[3], e->nq, "q"),
               near = scalar(prhs[4], "near");
  double margin = 0.0;
  stn_status st;
  (void)nlhs, (void)nrhs;
  WITH_FUNCTIONS(e, prhs[1], stn_model_check_cone(model_of(e), t, q, e->nq, near, NULL, &margin));
  check(no_refusal(st));
  plhs[0] = number(margin);
}

const command question_commands[] = {{"model_pose", 3, run_pose},
                                     {"model_point", 5, run_point},
                                     {"model_joint_coordinate", 4, run_joint_coordinate},
                                     {"model_momentum", 3, run_momentum},
                                     {"model_body_range", 2, run_body_range},
                                     {"model_joint_range", 2, run_joint_range},
                                     {"model_contact_pair", 2, run_contact_pair},
                                     {"model_check_state", 5, run_check_state},
                                     {"model_nearest_state", 5, run_nearest_state},
                                     {"model_coriolis", 5, run_coriolis},
                                     {"model_cone", 5, run_cone},
                                     {NULL, 0, NULL}};
