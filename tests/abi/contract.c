/* Names, signatures and numbers that programs rely on, written down a second time: a header that
 * disagrees does not compile. Grows with the interface; nothing here is ever changed or removed
 * before a new major version. C99 and C++11, for the compiler's eyes only. */
#include <stiction.h>

#define IS(name, number) typedef char name##_is_##number[(name) == (number) ? 1 : -1]
#define IS_NEGATIVE(name, number)                                                                  \
  typedef char name##_is_minus_##number[(name) == -(number) ? 1 : -1]

IS(STN_OK, 0);
IS(STN_EVENT, 1);
IS(STN_REJECTED, 2);
IS_NEGATIVE(STN_ERR_NULL, 1);
IS_NEGATIVE(STN_ERR_DIMENSION, 2);
IS_NEGATIVE(STN_ERR_VALUE, 3);
IS_NEGATIVE(STN_ERR_NONFINITE, 4);
IS_NEGATIVE(STN_ERR_ABI, 5);
IS_NEGATIVE(STN_ERR_CAPACITY, 6);
IS_NEGATIVE(STN_ERR_BUSY, 7);
IS_NEGATIVE(STN_ERR_CALLBACK, 20);
IS_NEGATIVE(STN_ERR_LCP_RAY, 40);
IS_NEGATIVE(STN_ERR_LCP_PIVOTS, 41);
IS_NEGATIVE(STN_ERR_SINGULAR, 42);
IS_NEGATIVE(STN_ERR_RESIDUAL, 43);
IS_NEGATIVE(STN_ERR_STEP_TOO_SMALL, 44);
IS_NEGATIVE(STN_ERR_MEMORY, 90);
IS_NEGATIVE(STN_ERR_PANIC, 98);
IS_NEGATIVE(STN_ERR_POISONED, 99);
IS(STN_IMPACT_PLASTIC, 0);
IS(STN_IMPACT_NEWTON, 1);
IS(STN_IMPACT_POISSON, 2);
IS(STN_IMPACT_REFLECTION, 3);
IS(STN_METHOD_EULER, 1);
IS(STN_METHOD_STEWART_TRINKLE, 2);
IS(STN_METHOD_IMPLICIT_EULER, 3);
IS(STN_METHOD_TRAPEZOID, 4);
IS(STN_METHOD_TRAPEZOID_I, 5);
IS(STN_METHOD_TRAPEZOID_II, 6);
IS(STN_METHOD_MOREAU, 7);
IS(STN_METHOD_SCHATZMAN_PAOLI, 8);
IS(STN_METHOD_LOBATTO_IIIA_2, 20);
IS(STN_METHOD_LOBATTO_IIIA_4, 21);
IS(STN_METHOD_LOBATTO_IIIA_6, 22);
IS(STN_METHOD_RADAU_IIA_3, 23);
IS(STN_METHOD_RADAU_IIA_5, 24);
IS(STN_METHOD_HALF_EXPLICIT_2, 25);
IS(STN_METHOD_HALF_EXPLICIT_4, 26);
IS(STN_EVENTS_NONE, 0);
IS(STN_EVENTS_COLLISIONS, 1);
IS(STN_EVENTS_ALL, 2);
IS_NEGATIVE(STN_BY_METHOD, 1);
IS(STN_STABILIZE_NONE, 0);
IS(STN_STABILIZE_VELOCITY, 1);
IS(STN_STABILIZE_PROJECT, 2);
IS(STN_EVENT_IMPACT, 1);
IS(STN_EVENT_STICK, 2);
IS(STN_EVENT_SLIP, 3);
IS(STN_EVENT_TAKEOFF, 4);
IS(STN_EVENT_CLOSE, 5);
IS(STN_EVENT_ENERGY, 6);

#ifdef __cplusplus
extern "C" {
#endif

const char *stn_status_name(int32_t status);
int32_t stn_last_error(char *buf, int32_t cap);
int32_t stn_version_number(void);
int32_t stn_abi_version(void);
const char *stn_version_string(void);

stn_status stn_lcp_create(int32_t n_max, stn_lcp **out);
void stn_lcp_destroy(stn_lcp *lcp);
stn_status stn_lcp_solve(stn_lcp *lcp, int32_t n, const double *m, int32_t ldm, const double *q,
                         double *z, double *w, stn_lcp_info *info);
stn_status stn_mlcp_solve(stn_lcp *lcp, int32_t n_free, int32_t n_comp, const double *m,
                          int32_t ldm, const double *q, double *x, double *w, stn_lcp_info *info);
stn_status stn_lcp_residual(int32_t n, const double *m, int32_t ldm, const double *q,
                            const double *z, double *residual);
stn_status stn_contact_solve(stn_lcp *lcp, int32_t nv, int32_t n_joint, int32_t n_contact,
                             int32_t n_dir, const double *mass, const double *joint,
                             const double *normal, const double *tangent, const double *mu,
                             const double *p, double *v, double *joint_impulse,
                             double *normal_impulse, double *friction_impulse, stn_lcp_info *info);
stn_status stn_impact_solve(stn_lcp *lcp, int32_t law, int32_t nv, int32_t n_joint,
                            int32_t n_contact, int32_t n_dir, const double *mass,
                            const double *joint, const double *normal, const double *tangent,
                            const double *mu, const double *restitution, const double *v_minus,
                            double *v_compression, double *v_plus, double *joint_impulse,
                            double *normal_impulse, double *friction_impulse, stn_lcp_info *info);

stn_status stn_model_create(const stn_dims *dims, const stn_model_fns *fns, const double *mu,
                            const double *restitution, void *user, stn_model **out);
void stn_model_destroy(stn_model *model);

stn_status stn_stepper_options_init(stn_stepper_options *opt, size_t struct_size);
stn_status stn_stepper_create(const stn_model *model, const stn_stepper_options *opt,
                              stn_stepper **out);
void stn_stepper_destroy(stn_stepper *s);
stn_status stn_stepper_set_state(stn_stepper *s, double t, const double *q, int32_t nq,
                                 const double *v, int32_t nv);
stn_status stn_stepper_get_state(const stn_stepper *s, double *t, double *q, int32_t nq, double *v,
                                 int32_t nv);
stn_status stn_stepper_step(stn_stepper *s, double h);
stn_status stn_stepper_advance(stn_stepper *s, double t_end, double h);
int32_t stn_stepper_event_count(const stn_stepper *s);
stn_status stn_stepper_get_event(const stn_stepper *s, int32_t i, stn_event *out);
stn_status stn_stepper_get_stats(const stn_stepper *s, stn_stats *out);
stn_status stn_stepper_save(const stn_stepper *s, void *buf, size_t cap, size_t *needed);
stn_status stn_stepper_restore(stn_stepper *s, const void *buf, size_t len);

/* Functions of the host, called with these arguments. */
int mass(double t, const double *q, double *m, void *user);
int force(double t, const double *q, const double *v, double *f, void *user);
int force_jac(double t, const double *q, const double *v, double *dfdq, double *dfdv, void *user);
int rate(double t, const double *q, const double *v, double *qdot, void *user);
int joint(double t, const double *q, double *phi, double *jt, void *user);
int gap(double t, const double *q, double *g, double *normal, void *user);
int tangent(double t, const double *q, double *d, void *user);
void release(void *user);

#ifdef __cplusplus
}
#endif

/* Types of functions by name, and the members that hold them. */
void fill(stn_model_fns *fns);
void fill(stn_model_fns *fns) {
  const stn_mass_fn by_mass = mass;
  const stn_force_fn by_force = force;
  const stn_force_jac_fn by_force_jac = force_jac;
  const stn_rate_fn by_rate = rate;
  const stn_joint_fn by_joint = joint;
  const stn_gap_fn by_gap = gap;
  const stn_tangent_fn by_tangent = tangent;
  void (*const by_release)(void *user) = release;
  fns->struct_size = sizeof *fns;
  fns->mass = by_mass;
  fns->force = by_force;
  fns->force_jac = by_force_jac;
  fns->rate = by_rate;
  fns->joint = by_joint;
  fns->gap = by_gap;
  fns->tangent = by_tangent;
  fns->release = by_release;
}

/* Members by name and type, whatever their order; the order is in the layout files. */
#define MEMBER(type, owner, name)                                                                  \
  type *name##_of_##owner(owner *p);                                                               \
  type *name##_of_##owner(owner *p) { return &p->name; }

MEMBER(size_t, stn_lcp_info, struct_size)
MEMBER(int32_t, stn_lcp_info, pivots)
MEMBER(int32_t, stn_lcp_info, warm)
MEMBER(double, stn_lcp_info, residual)

MEMBER(size_t, stn_dims, struct_size)
MEMBER(int32_t, stn_dims, nq)
MEMBER(int32_t, stn_dims, nv)
MEMBER(int32_t, stn_dims, n_joint)
MEMBER(int32_t, stn_dims, n_contact)
MEMBER(int32_t, stn_dims, n_dir)
MEMBER(int32_t, stn_dims, reserved0)

MEMBER(size_t, stn_stepper_options, struct_size)
MEMBER(int32_t, stn_stepper_options, method)
MEMBER(int32_t, stn_stepper_options, events)
MEMBER(int32_t, stn_stepper_options, impact_law)
MEMBER(int32_t, stn_stepper_options, stabilization)
MEMBER(int32_t, stn_stepper_options, max_events)
MEMBER(int32_t, stn_stepper_options, max_pivots)
MEMBER(int32_t, stn_stepper_options, jacobian)
MEMBER(int32_t, stn_stepper_options, energy_fallback)
MEMBER(int32_t, stn_stepper_options, event_capacity)
MEMBER(int32_t, stn_stepper_options, reserved0)
MEMBER(double, stn_stepper_options, length_scale)
MEMBER(double, stn_stepper_options, active_gap)
MEMBER(double, stn_stepper_options, active_gap_h3)
MEMBER(double, stn_stepper_options, restitution_speed)
MEMBER(double, stn_stepper_options, closing)
MEMBER(double, stn_stepper_options, lcp_tolerance)
MEMBER(double, stn_stepper_options, theta)
MEMBER(double, stn_stepper_options, gamma)
MEMBER(double, stn_stepper_options, abs_tol)
MEMBER(double, stn_stepper_options, rel_tol)

MEMBER(size_t, stn_event, struct_size)
MEMBER(int32_t, stn_event, kind)
MEMBER(int32_t, stn_event, contact)
MEMBER(double, stn_event, t)
MEMBER(double, stn_event, speed_before)
MEMBER(double, stn_event, speed_after)
MEMBER(double, stn_event, impulse)
MEMBER(int64_t, stn_event, key)

MEMBER(size_t, stn_stats, struct_size)
MEMBER(int64_t, stn_stats, steps)
MEMBER(int64_t, stn_stats, substeps)
MEMBER(int64_t, stn_stats, rejected)
MEMBER(int64_t, stn_stats, lcp_solves)
MEMBER(int64_t, stn_stats, warm_solves)
MEMBER(int64_t, stn_stats, pivots)
MEMBER(int64_t, stn_stats, impacts)
MEMBER(int64_t, stn_stats, force_evals)
MEMBER(double, stn_stats, worst_residual)
MEMBER(double, stn_stats, worst_gap)
MEMBER(double, stn_stats, worst_joint_drift)
MEMBER(int64_t, stn_stats, check_solves)
MEMBER(int64_t, stn_stats, scheme_fallbacks)
MEMBER(int64_t, stn_stats, capped_steps)
MEMBER(int64_t, stn_stats, events_lost)
