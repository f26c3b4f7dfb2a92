/* The interface as it was first published: names, signatures, numbers and meanings that programs rely on. Frozen: client.c
 * is compiled against this file and run on today's library, whose structs have grown since. Never edited.
 * Column-major; directions are columns of length nv.
 *
 * Which status: NULL pointer -> NULL; negative count, ldm < n, wrong nq/nv -> DIMENSION; larger than the
 * workspace -> CAPACITY; NaN or infinity -> NONFINITE; unknown enum value, mu < 0, e outside [0,1], odd n_dir,
 * overlapping arrays, h <= 0 -> VALUE; mass not positive definite -> SINGULAR; callback < 0 -> CALLBACK;
 * struct_size smaller than one size_t -> ABI, smaller than known -> missing members take their defaults, larger
 * -> the rest is ignored; corrupt or foreign snapshot -> VALUE, other snapshot version -> ABI, other model
 * dimensions -> DIMENSION. "info" and every output marked so may be NULL. */
#ifndef STICTION_H
#define STICTION_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

/* 0 done, > 0 soft outcome (state valid), < 0 failure (nothing changed) */
typedef enum stn_status {
  STN_OK = 0,
  STN_EVENT = 1,    /* advanced, and something happened: read the events */
  STN_REJECTED = 2, /* a callback refused a point; state unchanged, try a shorter step */
  STN_ERR_NULL = -1,
  STN_ERR_DIMENSION = -2,
  STN_ERR_VALUE = -3,
  STN_ERR_NONFINITE = -4,
  STN_ERR_ABI = -5,
  STN_ERR_CAPACITY = -6,
  STN_ERR_BUSY = -7,
  STN_ERR_CALLBACK = -20,
  STN_ERR_LCP_RAY = -40,
  STN_ERR_LCP_PIVOTS = -41,
  STN_ERR_SINGULAR = -42,
  STN_ERR_RESIDUAL = -43,
  STN_ERR_STEP_TOO_SMALL = -44,
  STN_ERR_MEMORY = -90,
  STN_ERR_PANIC = -98,
  STN_ERR_POISONED = -99
} stn_status;
const char *stn_status_name(int32_t status);    /* static text, never NULL */
int32_t stn_last_error(char *buf, int32_t cap); /* as snprintf: length without NUL; UTF-8; per thread; not cleared by success */
int32_t stn_version_number(void);               /* 1000000*major + 1000*minor + patch */
int32_t stn_abi_version(void);
const char *stn_version_string(void);

/* ---- 1. Lemke: w = M z + q, 0 <= z, 0 <= w, z'w = 0 ---- */
typedef struct stn_lcp stn_lcp; /* workspace; remembers the last basis */
typedef struct stn_lcp_info {
  size_t struct_size;
  int32_t pivots;
  int32_t warm; /* 1: the remembered basis solved it without a pivot */
  double residual;
} stn_lcp_info;
stn_status stn_lcp_create(int32_t n_max, stn_lcp **out);
void stn_lcp_destroy(stn_lcp *lcp);
/* w and info may be NULL. n <= n_max. STN_OK only with stn_lcp_residual <= 1e-9 (the default tolerance). */
stn_status stn_lcp_solve(stn_lcp *lcp, int32_t n, const double *m, int32_t ldm, const double *q,
                         double *z, double *w, stn_lcp_info *info);
/* rows 0..n_free-1: equations with free unknowns; then n_comp complementary pairs; x holds both, w has n_comp
 * entries; n_free + n_comp <= n_max. In its residual equation rows enter as |r_i (Mx+q)_i|. */
stn_status stn_mlcp_solve(stn_lcp *lcp, int32_t n_free, int32_t n_comp, const double *m, int32_t ldm,
                          const double *q, double *x, double *w, stn_lcp_info *info);
/* unit-free natural-map residual: max_i |min(z_i / c_i, r_i w_i)| / max_i |r_i q_i|, w = M z + q computed afresh
 * (divisor 1 when q = 0). r, c: eight sweeps of r_i /= sqrt(max_j r_i |M_ij| c_j) over rows, then the same over
 * columns, empty ones left at 1; at the end each rounded to 2^round(log2). */
stn_status stn_lcp_residual(int32_t n, const double *m, int32_t ldm, const double *q, const double *z,
                            double *residual);

/* ---- 2. one velocity-impulse problem on plain arrays ----
 * mass v - joint c_j - normal c_n - tangent beta = p, joint' v = 0, and the contact and friction
 * complementarity of AP97 (2.8)-(2.12). mass may be unsymmetric, must be positive definite.
 * joint NULL when n_joint = 0; tangent and mu NULL when n_dir = 0. Impulse outputs may be NULL.
 * Workspace: max(nv + n_joint, n_contact * (n_dir + 2)) <= n_max of the handle.
 * tangent: per contact n_dir columns in angular order, column k + n_dir/2 = - column k (checked to 1e-12);
 * the law is the polygon: sum beta <= mu c_n, slip speed max_j(d_j' v). */
stn_status stn_contact_solve(stn_lcp *lcp, int32_t nv, int32_t n_joint, int32_t n_contact, int32_t n_dir,
                             const double *mass, const double *joint, const double *normal,
                             const double *tangent, const double *mu, const double *p, double *v,
                             double *joint_impulse, double *normal_impulse, double *friction_impulse,
                             stn_lcp_info *info);

/* ---- 3. impact on plain arrays: velocity jump from v_minus to v_plus ----
 * Impulses are totals: mass (v_plus - v_minus) = joint c_j + normal c_n + tangent beta. v_compression and all
 * impulse outputs may be NULL; restitution may be NULL for PLASTIC. Workspace as in section 2. */
typedef enum stn_impact_law {
  STN_IMPACT_PLASTIC = 0,   /* compression only: v_plus = v^c */
  STN_IMPACT_NEWTON = 1,    /* n'v+ >= max(0, -e n'v-); v_compression = v_plus */
  STN_IMPACT_POISSON = 2,   /* compression, then decompression (AP97 section 3) */
  STN_IMPACT_REFLECTION = 3 /* v+ = (1+e) v^c - e v-, e the smallest of the contacts with c_n > 0; v^c when some
                               n'v+ would be negative; never creates energy */
} stn_impact_law;
stn_status stn_impact_solve(stn_lcp *lcp, int32_t law, int32_t nv, int32_t n_joint, int32_t n_contact,
                            int32_t n_dir, const double *mass, const double *joint, const double *normal,
                            const double *tangent, const double *mu, const double *restitution,
                            const double *v_minus, double *v_compression, double *v_plus,
                            double *joint_impulse, double *normal_impulse, double *friction_impulse,
                            stn_lcp_info *info);

/* ---- 4. models: immutable, shareable between threads ----
 * M(t,q) dv/dt = force + constraint forces; force holds every Coriolis and gyroscopic term. Output arrays are
 * zeroed before each call. dfdq: nv by nq, dfdv: nv by nv. rate is linear in v. d phi/dt and d gap/dt at fixed q
 * are taken by differences in t: rows read jt'v + phi_t = 0 and normal'v + gap_t >= 0, impact speeds include gap_t.
 * Return 0, > 0 to refuse the point (STN_REJECTED), < 0 to stop (STN_ERR_CALLBACK). */
typedef struct stn_model stn_model;
typedef struct stn_dims {
  size_t struct_size;
  int32_t nq, nv, n_joint, n_contact, n_dir, reserved0;
} stn_dims;
typedef int (*stn_mass_fn)(double t, const double *q, double *mass, void *user);
typedef int (*stn_force_fn)(double t, const double *q, const double *v, double *force, void *user);
typedef int (*stn_force_jac_fn)(double t, const double *q, const double *v, double *dfdq, double *dfdv,
                                void *user);
typedef int (*stn_rate_fn)(double t, const double *q, const double *v, double *qdot, void *user);
typedef int (*stn_joint_fn)(double t, const double *q, double *phi, double *jt, void *user);
typedef int (*stn_gap_fn)(double t, const double *q, double *gap, double *normal, void *user);
typedef int (*stn_tangent_fn)(double t, const double *q, double *tangent, void *user);
typedef struct stn_model_fns {
  size_t struct_size;
  stn_mass_fn mass; /* required; every other may be NULL */
  stn_force_fn force;
  stn_force_jac_fn force_jac; /* NULL: by differences of force (option jacobian) */
  stn_rate_fn rate;           /* NULL: qdot = v, needs nq == nv; else q advances by the midpoint rule through it */
  stn_joint_fn joint;
  stn_gap_fn gap;
  stn_tangent_fn tangent;
  void (*release)(void *user);
} stn_model_fns;
/* mu and restitution: n_contact values each, or NULL for zero. On failure release is not called. */
stn_status stn_model_create(const stn_dims *dims, const stn_model_fns *fns, const double *mu,
                            const double *restitution, void *user, stn_model **out);
stn_status stn_model_check(const stn_model *model, double t, const double *q, int32_t nq, const double *v,
                           int32_t nv, double *worst); /* given derivatives against differences; STN_OK whatever worst is */
void stn_model_destroy(stn_model *model);              /* steppers keep their model alive */

/* ---- 5. steppers: state and workspace, one thread at a time ---- */
typedef struct stn_stepper stn_stepper;
typedef enum stn_method {
  STN_METHOD_EULER = 1,            /* AP97 */
  STN_METHOD_STEWART_TRINKLE = 2,  /* ST96, position level, fixed-point NCP */
  STN_METHOD_IMPLICIT_EULER = 3,   /* AP02 */
  STN_METHOD_TRAPEZOID = 4,        /* mixed scheme: the default */
  STN_METHOD_TRAPEZOID_I = 5,      /* PAGT06 (6.12) */
  STN_METHOD_TRAPEZOID_II = 6,     /* PAGT06 (6.10) */
  STN_METHOD_MOREAU = 7,           /* AC09 (16) */
  STN_METHOD_SCHATZMAN_PAOLI = 8,  /* AC09 (22) */
  STN_METHOD_LOBATTO_IIIA_2 = 20,  /* AC09 algorithm 1 from here on */
  STN_METHOD_LOBATTO_IIIA_4 = 21,
  STN_METHOD_LOBATTO_IIIA_6 = 22,
  STN_METHOD_RADAU_IIA_3 = 23,
  STN_METHOD_RADAU_IIA_5 = 24,
  STN_METHOD_HALF_EXPLICIT_2 = 25,
  STN_METHOD_HALF_EXPLICIT_4 = 26
} stn_method;
typedef enum stn_event_level {
  STN_EVENTS_NONE = 0,       /* time stepping only */
  STN_EVENTS_COLLISIONS = 1, /* locate impacts, restart inside the step */
  STN_EVENTS_ALL = 2         /* also stick, slip, take-off: the default */
} stn_event_level;
typedef enum stn_stabilization {
  STN_BY_METHOD = -1, /* for method-dependent options: what suits the method, see the table */
  STN_STABILIZE_NONE = 0,
  STN_STABILIZE_VELOCITY = 1, /* gap and drift terms in the right-hand side */
  STN_STABILIZE_PROJECT = 2   /* positions and velocities; AP02 (46) */
} stn_stabilization;
/* STN_BY_METHOD means: TRAPEZOID all / Poisson / project; TRAPEZOID_I all / Poisson / positions only;
 * TRAPEZOID_II all / Poisson / project; EULER, IMPLICIT_EULER collisions / Poisson / none; STEWART_TRINKLE none /
 * plastic / its own position rows; MOREAU, SCHATZMAN_PAOLI none / Newton / none; Runge-Kutta all / Newton / project */
typedef struct stn_stepper_options {
  size_t struct_size;
  int32_t method;          /* STN_METHOD_TRAPEZOID */
  int32_t events;          /* STN_BY_METHOD */
  int32_t impact_law;      /* STN_BY_METHOD */
  int32_t stabilization;   /* STN_BY_METHOD */
  int32_t max_events;      /* per step, then plain stepping to its end; 0: 10 + 4 n_contact */
  int32_t max_pivots;      /* 0: automatic */
  int32_t jacobian;        /* 0 given, else differences; 1 given, else explicit; 2 positive definite part */
  int32_t energy_fallback; /* when an impact would create energy: STN_IMPACT_PLASTIC (default) or REFLECTION */
  int32_t event_capacity;  /* events kept per step or advance, later ones counted; 0: 1024 */
  int32_t reserved0;
  double length_scale;      /* of the scene; 0: 1 */
  double active_gap;        /* eps_a of PAGT06 (7.1); 0: 1e-9 length_scale */
  double active_gap_h3;     /* eps_b of PAGT06 (7.1); 0 */
  double restitution_speed; /* below this approach speed e counts as 0; 0: only the closing rule */
  double closing;           /* a flight shorter than closing * h is closed; 0: 0.01 */
  double lcp_tolerance;     /* 0: 1e-9 */
  double theta;             /* Moreau; 0.5 */
  double gamma;             /* Moreau forecast; 0.5 */
  double abs_tol, rel_tol;  /* either > 0: advance chooses the step itself, h is its first try */
} stn_stepper_options;
stn_status stn_stepper_options_init(stn_stepper_options *opt, size_t struct_size);
stn_status stn_stepper_create(const stn_model *model, const stn_stepper_options *opt, /* NULL: defaults */
                              stn_stepper **out);
void stn_stepper_destroy(stn_stepper *s);
stn_status stn_stepper_set_state(stn_stepper *s, double t, const double *q, int32_t nq, const double *v,
                                 int32_t nv);
stn_status stn_stepper_get_state(const stn_stepper *s, double *t, double *q, int32_t nq, double *v,
                                 int32_t nv);
/* Before set_state: t = 0, q = v = 0 (built-in bodies: the builder's pose). set_state checks finiteness, clears
 * events, modes and warm basis, keeps the statistics. A gap below -active_gap at the start gets no impulse for its
 * depth: its row is n'v >= 0, projection moves it out, without projection it stays; a touching contact that
 * approaches is an impact at the start. After STN_REJECTED or a failure of step the state is the one before it. */
stn_status stn_stepper_step(stn_stepper *s, double h); /* to t + h exactly, events resolved inside */
/* From t0 to t_end: n = round((t_end - t0)/h) steps when that is an integer to 1e-9, else ceil; step k ends at
 * t0 + k h, the last at t_end exactly. t_end == t0: nothing, STN_OK; t_end < t0: STN_ERR_VALUE. It does not stop at
 * events: STN_EVENT says that there were some. On any other status the stepper stands at the end of the last
 * completed step; the failing step has left no trace but the counter rejected. */
stn_status stn_stepper_advance(stn_stepper *s, double t_end, double h);

/* ---- 6. what happened ---- */
typedef enum stn_event_kind {
  STN_EVENT_IMPACT = 1,
  STN_EVENT_STICK = 2,
  STN_EVENT_SLIP = 3,
  STN_EVENT_TAKEOFF = 4,
  STN_EVENT_CLOSE = 5, /* touched without an impact, or closed at the end of an accumulation */
  STN_EVENT_ENERGY = 6 /* an impact created energy and the fallback was used */
} stn_event_kind;
/* IMPACT: one event per contact with c_n > 0; speeds n'v before (< 0) and after, total normal impulse; also for e = 0.
 * STICK, SLIP: speeds max_j(d_j'v) >= 0, impulse 0. TAKEOFF, CLOSE: n'v, impulse 0. ENERGY: contact -1, kinetic
 * energy before and after. Order: t, then contact, then kind. Modes found at the first step after set_state and modes
 * that follow an impact are not events. An event at t + h belongs to the step that ends there. */
typedef struct stn_event {
  size_t struct_size;
  int32_t kind, contact;
  double t;
  double speed_before, speed_after;
  double impulse;
  int64_t key; /* the host's key; the index for fixed gaps */
} stn_event;
int32_t stn_stepper_event_count(const stn_stepper *s); /* of the last step or advance; < 0: a status */
stn_status stn_stepper_get_event(const stn_stepper *s, int32_t i, stn_event *out);
typedef struct stn_stats {
  size_t struct_size;
  int64_t steps, substeps, rejected, lcp_solves, warm_solves, pivots, impacts, force_evals;
  double worst_residual, worst_gap, worst_joint_drift; /* worst_gap: the most negative one, <= 0 */
  int64_t check_solves, scheme_fallbacks, capped_steps, events_lost;
} stn_stats;
stn_status stn_stepper_get_stats(const stn_stepper *s, stn_stats *out);
/* *needed is always written; buf NULL with cap 0: STN_OK; too small: STN_ERR_CAPACITY */
stn_status stn_stepper_save(const stn_stepper *s, void *buf, size_t cap, size_t *needed);
stn_status stn_stepper_restore(stn_stepper *s, const void *buf, size_t len);

#ifdef __cplusplus
}
#endif
#endif
