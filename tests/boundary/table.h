/* Every exported function that takes arrays, described: its counts, its arrays, good values for all
 * of them. The cases in bad_input.c spoil one thing at a time. */
#ifndef STICTION_TABLE_H
#define STICTION_TABLE_H

#include <math.h>
#include <stiction.h>

enum { MOST = 8, N_MAX = 8 }; /* N_MAX: size of the workspace */

/* A size up to what the workspace holds, a size that must be that of the handle, a distance of
 * columns, a choice. */
typedef enum CountKind { SIZE, EXACT, LEADING, LAW } CountKind;

typedef struct Count {
  const char *name;
  int32_t good;
  CountKind kind;
} Count;

/* An array: rows of which are read, then a gap up to ld that must not be read. */
typedef struct Array {
  const char *name;
  int len, rows, ld;
  const double *good; /* NULL for outputs */
  int optional;       /* may be NULL */
  int trusted;        /* the caller promises its content: a NaN is found, but not named */
} Array;

/* The arguments of one call, in the order of the description. */
typedef struct Call {
  stn_lcp *lcp;
  stn_stepper *s;
  int32_t count[MOST];
  const double *in[MOST];
  double *out[MOST];
  stn_lcp_info *info;
} Call;

typedef struct Function {
  const char *name;
  const char *handle; /* name of its handle, or NULL */
  int has_info;
  Count counts[MOST];
  Array inputs[MOST];
  Array outputs[MOST];
  stn_status (*call)(const Call *c);
} Function;

#define VECTOR(name, len, good)                                                                    \
  { name, len, len, len, good, 0, 0 }
#define WANTED(name, len)                                                                          \
  { name, len, len, len, NULL, 1, 0 }

/* 3 by 3, columns 4 apart; NAN is the gap. Its complementary answer is z = (2, 0, 1), w = (0, 7,
 * 0). */
static const double lcp_m[11] = {2, 1, 0, NAN, 1, 3, 1, NAN, 0, 2, 4};
static const double lcp_q[3] = {-4, 3, -4};
static const double lcp_z[3] = {2, 0, 1};

/* A plate with a lever: nv = 4, a joint that ties the last two velocities, two rough contacts. */
static const double mass[16] = {2, 0.5, 0, 0, 0.5, 3, 0, 0, 0, 0, 1, 0.25, 0, 0, 0.25, 2};
static const double joint[4] = {0, 0, 1, -1};
static const double normal[8] = {0, 1, 1, 0, 0, 1, -1, 0};
static const double tangent[16] = {1, 0, 0.5, 0, -1, 0, -0.5, 0, 1, 0, 0.5, 0, -1, 0, -0.5, 0};
static const double mu[2] = {0.3, 0.4};
static const double bounce[2] = {0.5, 0.25};
static const double momentum[4] = {1, -2, 0.3, 0.1};
static const double arrival[4] = {1, -2, 0.25, 0.25};

static stn_status call_lcp(const Call *c) {
  return stn_lcp_solve(c->lcp, c->count[0], c->in[0], c->count[1], c->in[1], c->out[0], c->out[1],
                       c->info);
}

/* The matrix is that of the call before, whatever happened since. */
static stn_status call_again(const Call *c) {
  double z[3];
  if (c->lcp && ((size_t)c->lcp & 7) == 0) {
    const stn_status st = stn_lcp_solve(c->lcp, 3, lcp_m, 4, lcp_q, z, NULL, NULL);
    if (st != STN_OK)
      return st;
  }
  return stn_lcp_solve_again(c->lcp, c->count[0], c->in[0], c->count[1], c->in[1], c->out[0],
                             c->out[1], c->info);
}

/* The ray of w = - z - 1, which has no solution. */
static stn_status call_ray(const Call *c) {
  const double m[9] = {-1, 0, 0, 0, -1, 0, 0, 0, -1}, q[3] = {-1, -1, -1};
  double z[3];
  if (c->lcp && ((size_t)c->lcp & 7) == 0) {
    const stn_status st = stn_lcp_solve(c->lcp, 3, m, 3, q, z, NULL, NULL);
    if (st != STN_ERR_LCP_RAY)
      return st;
  }
  return stn_lcp_get_ray(c->lcp, c->count[0], c->out[0], c->out[1], NULL);
}

static const double place[2] = {3, 1}, speed[2] = {-2, 0.5};

static stn_status call_set_state(const Call *c) {
  return stn_stepper_set_state(c->s, 1.5, c->in[0], c->count[0], c->in[1], c->count[1]);
}

static stn_status call_get_state(const Call *c) {
  if (c->s && ((size_t)c->s & 7) == 0) {
    const stn_status st = stn_stepper_set_state(c->s, 1.5, place, 2, speed, 2);
    if (st != STN_OK)
      return st;
  }
  return stn_stepper_get_state(c->s, c->out[0], c->out[1], c->count[0], c->out[2], c->count[1]);
}

/* The present is always inside. */
static stn_status call_get_state_at(const Call *c) {
  if (c->s && ((size_t)c->s & 7) == 0) {
    const stn_status st = stn_stepper_set_state(c->s, 1.5, place, 2, speed, 2);
    if (st != STN_OK)
      return st;
  }
  return stn_stepper_get_state_at(c->s, 1.5, c->out[0], c->count[0], c->out[1], c->count[1]);
}

static stn_status call_forces(const Call *c) {
  if (c->s && ((size_t)c->s & 7) == 0) {
    const stn_status st = stn_stepper_set_state(c->s, 1.5, place, 2, speed, 2);
    if (st != STN_OK)
      return st;
  }
  return stn_stepper_get_forces(c->s, c->out[0], c->count[0], NULL, 0, c->out[1], c->out[2], 1,
                                c->out[3], c->count[1]);
}

static stn_status call_impulses(const Call *c) {
  return stn_stepper_get_impulses(c->s, NULL, 0, c->out[0], 1, c->out[1], c->count[0]);
}

static stn_status call_mlcp(const Call *c) {
  return stn_mlcp_solve(c->lcp, c->count[0], c->count[1], c->in[0], c->count[2], c->in[1],
                        c->out[0], c->out[1], c->info);
}

static stn_status call_residual(const Call *c) {
  return stn_lcp_residual(c->count[0], c->in[0], c->count[1], c->in[1], c->in[2], c->out[0]);
}

static stn_status call_contact(const Call *c) {
  return stn_contact_solve(c->lcp, c->count[0], c->count[1], c->count[2], c->count[3], c->in[0],
                           c->in[1], c->in[2], c->in[3], c->in[4], c->in[5], c->out[0], c->out[1],
                           c->out[2], c->out[3], c->info);
}

static stn_status call_impact(const Call *c) {
  return stn_impact_solve(c->lcp, c->count[4], c->count[0], c->count[1], c->count[2], c->count[3],
                          c->in[0], c->in[1], c->in[2], c->in[3], c->in[4], c->in[5], c->in[6],
                          c->out[0], c->out[1], c->out[2], c->out[3], c->out[4], c->info);
}

/* A plastic impact does not look at restitution, so it is not among its arrays. */
static stn_status call_plastic(const Call *c) {
  return stn_impact_solve(c->lcp, STN_IMPACT_PLASTIC, c->count[0], c->count[1], c->count[2],
                          c->count[3], c->in[0], c->in[1], c->in[2], c->in[3], c->in[4], NULL,
                          c->in[5], c->out[0], c->out[1], c->out[2], c->out[3], c->out[4], c->info);
}

#define LCP_MATRIX                                                                                 \
  { "m", 11, 3, 4, lcp_m, 0, 0 }
#define MECHANICS                                                                                  \
  VECTOR("mass", 16, mass), VECTOR("joint", 4, joint), VECTOR("normal", 8, normal),                \
      VECTOR("tangent", 16, tangent), VECTOR("mu", 2, mu)
#define MECHANICS_COUNTS                                                                           \
  {"nv", 4, SIZE}, {"n_joint", 1, SIZE}, {"n_contact", 2, SIZE}, { "n_dir", 2, SIZE }
#define IMPULSES                                                                                   \
  WANTED("joint_impulse", 1), WANTED("normal_impulse", 2), WANTED("friction_impulse", 4)
#define IMPACT(law)                                                                                \
  {                                                                                                \
    "stn_impact_solve", "lcp", 1, {MECHANICS_COUNTS, {"law", law, LAW}},                           \
        {MECHANICS, VECTOR("restitution", 2, bounce), VECTOR("v_minus", 4, arrival)},              \
        {WANTED("v_compression", 4), VECTOR("v_plus", 4, NULL), IMPULSES}, call_impact             \
  }

static const Function functions[] = {
    {"stn_lcp_solve",
     "lcp",
     1,
     {{"n", 3, SIZE}, {"ldm", 4, LEADING}},
     {LCP_MATRIX, VECTOR("q", 3, lcp_q)},
     {VECTOR("z", 3, NULL), WANTED("w", 3)},
     call_lcp},
    {"stn_lcp_solve_again",
     "lcp",
     1,
     {{"n", 3, SIZE}, {"ldm", 4, LEADING}},
     {{"m", 11, 3, 4, lcp_m, 0, 1}, VECTOR("q", 3, lcp_q)},
     {VECTOR("z", 3, NULL), WANTED("w", 3)},
     call_again},
    {"stn_lcp_get_ray",
     "lcp",
     0,
     {{"n", 3, EXACT}},
     {VECTOR(NULL, 0, NULL)},
     {WANTED("z", 3), WANTED("w", 3)},
     call_ray},
    {"stn_stepper_set_state",
     "s",
     0,
     {{"nq", 2, EXACT}, {"nv", 2, EXACT}},
     {VECTOR("q", 2, place), VECTOR("v", 2, speed)},
     {VECTOR(NULL, 0, NULL)},
     call_set_state},
    {"stn_stepper_get_state",
     "s",
     0,
     {{"nq", 2, EXACT}, {"nv", 2, EXACT}},
     {VECTOR(NULL, 0, NULL)},
     {WANTED("t", 1), WANTED("q", 2), WANTED("v", 2)},
     call_get_state},
    {"stn_stepper_get_state_at",
     "s",
     0,
     {{"nq", 2, EXACT}, {"nv", 2, EXACT}},
     {VECTOR(NULL, 0, NULL)},
     {WANTED("q", 2), WANTED("v", 2)},
     call_get_state_at},
    {"stn_stepper_get_forces",
     "s",
     0,
     {{"nv", 2, EXACT}, {"n_friction", 2, EXACT}},
     {VECTOR(NULL, 0, NULL)},
     {WANTED("acceleration", 2), WANTED("normal", 1), WANTED("slip_speed", 1),
      WANTED("friction", 2)},
     call_forces},
    {"stn_stepper_get_impulses",
     "s",
     0,
     {{"n_friction", 2, EXACT}},
     {VECTOR(NULL, 0, NULL)},
     {WANTED("normal", 1), WANTED("friction", 2)},
     call_impulses},
    {"stn_mlcp_solve",
     "lcp",
     1,
     {{"n_free", 1, SIZE}, {"n_comp", 2, SIZE}, {"ldm", 4, LEADING}},
     {LCP_MATRIX, VECTOR("q", 3, lcp_q)},
     {VECTOR("x", 3, NULL), WANTED("w", 2)},
     call_mlcp},
    {"stn_lcp_residual",
     NULL,
     0,
     {{"n", 3, SIZE}, {"ldm", 4, LEADING}},
     {LCP_MATRIX, VECTOR("q", 3, lcp_q), VECTOR("z", 3, lcp_z)},
     {VECTOR("residual", 1, NULL)},
     call_residual},
    {"stn_contact_solve",
     "lcp",
     1,
     {MECHANICS_COUNTS},
     {MECHANICS, VECTOR("p", 4, momentum)},
     {VECTOR("v", 4, NULL), IMPULSES},
     call_contact},
    IMPACT(STN_IMPACT_NEWTON),
    IMPACT(STN_IMPACT_POISSON),
    IMPACT(STN_IMPACT_REFLECTION),
    {"stn_impact_solve",
     "lcp",
     1,
     {MECHANICS_COUNTS},
     {MECHANICS, VECTOR("v_minus", 4, arrival)},
     {WANTED("v_compression", 4), VECTOR("v_plus", 4, NULL), IMPULSES},
     call_plastic},
};

enum { N_FUNCTIONS = sizeof functions / sizeof functions[0] };

#endif
