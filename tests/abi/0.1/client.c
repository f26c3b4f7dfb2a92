/* A program of release 0.1: it knows the structs of the header beside it and nothing that came later. Every struct it
 * hands over ends at bytes that must neither be read as members nor be written. C99 and C++11. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <stiction.h>
#include <string.h>

enum { GUARD = 256 };

/* A struct of this release with guards behind it. */
#define GUARDED(type)                                                                              \
  struct {                                                                                         \
    type it;                                                                                       \
    unsigned char guard[GUARD];                                                                    \
  }

static void lay(void *object, size_t size) {
  memset(object, 0xa5, size + GUARD);
  memset(object, 0, size);
  memcpy(object, &size, sizeof size);
}

static void demand(int holds, const char *what, int line) {
  char text[256] = "";
  if (holds)
    return;
  stn_last_error(text, (int32_t)sizeof text);
  printf("line %d: %s does not hold (%s)\n", line, what, text);
  exit(1);
}

#define HOLDS(condition) demand(condition, #condition, __LINE__)

static void guarded(const unsigned char *guard, const char *what) {
  int i;
  for (i = 0; i < GUARD; i++)
    demand(guard[i] == 0xa5, what, __LINE__);
}

static int released = 0;

static int mass(double t, const double *q, double *m, void *user) {
  (void)t, (void)q;
  m[0] = m[3] = *(const double *)user;
  return 0;
}

static int force(double t, const double *q, const double *v, double *f, void *user) {
  (void)t, (void)q, (void)v;
  f[1] = -10.0 * *(const double *)user;
  return 0;
}

static int gap(double t, const double *q, double *g, double *n, void *user) {
  (void)t, (void)user;
  g[0] = q[1], n[1] = 1.0;
  return 0;
}

static int tangent(double t, const double *q, double *d, void *user) {
  (void)t, (void)q, (void)user;
  d[0] = 1.0, d[2] = -1.0;
  return 0;
}

static void release(void *user) {
  (void)user;
  released++;
}

/* Section 1: w = M z + q with M = [2 1; 1 2], q = (-5, -6): z = (4/3, 7/3). */
static void complementarity(void) {
  const double m[4] = {2, 1, 1, 2}, q[2] = {-5, -6}, free_m[4] = {1, 1, -1, 1}, free_q[2] = {-1, 2};
  double z[2], w[2], residual;
  GUARDED(stn_lcp_info) info;
  stn_lcp *lcp = NULL;
  lay(&info, sizeof info.it);
  HOLDS(stn_lcp_create(2, &lcp) == STN_OK);
  HOLDS(stn_lcp_solve(lcp, 2, m, 2, q, z, w, &info.it) == STN_OK);
  guarded(info.guard, "stn_lcp_info is left alone behind its end");
  HOLDS(info.it.struct_size == sizeof info.it && info.it.residual <= 1e-9);
  HOLDS(stn_lcp_residual(2, m, 2, q, z, &residual) == STN_OK && residual <= 1e-9);
  printf("lcp      z = %.9f %.9f\n", z[0], z[1]);
  /* x_0 - z - 1 = 0, x_0 + z + 2 >= 0: z = 0, x_0 = 1. */
  HOLDS(stn_mlcp_solve(lcp, 1, 1, free_m, 2, free_q, z, w, &info.it) == STN_OK);
  printf("mixed    x = %.9f %.9f, w = %.9f\n", z[0], z[1], w[0]);
  stn_lcp_destroy(lcp);
}

/* Sections 2 and 3: a block thrown on the floor slips on, and rebounds. */
static void impulses(void) {
  const double m[4] = {2, 0, 0, 2}, n[2] = {0, 1}, d[4] = {1, 0, -1, 0}, mu = 0.25, e = 0.5;
  const double p[2] = {4, -2}, v_minus[2] = {2, -1};
  double v[2], middle[2], plus[2], cn, beta[2];
  GUARDED(stn_lcp_info) info;
  stn_lcp *lcp = NULL;
  lay(&info, sizeof info.it);
  HOLDS(stn_lcp_create(8, &lcp) == STN_OK);
  HOLDS(stn_contact_solve(lcp, 2, 0, 1, 2, m, NULL, n, d, &mu, p, v, NULL, &cn, beta, &info.it) == STN_OK);
  /* c_n = 2, friction mu c_n = 0.5: v = (3.5/2, 0). */
  printf("contact  v = %.9f %.9f, c_n = %.9f, beta = %.9f\n", v[0], v[1], cn, beta[1]);
  HOLDS(stn_impact_solve(lcp, STN_IMPACT_POISSON, 2, 0, 1, 2, m, NULL, n, d, &mu, &e, v_minus, middle, plus, NULL,
                         &cn, beta, &info.it) == STN_OK);
  /* c_n = (1 + e) 2 = 3 in all, e = 0.5 up; friction of the compression alone, for it is not restituted. */
  printf("impact   v+ = %.9f %.9f, c_n = %.9f\n", plus[0], plus[1], cn);
  guarded(info.guard, "stn_lcp_info is left alone behind its end");
  stn_lcp_destroy(lcp);
}

static stn_model *model(double *kg) {
  static const double mu = 0.3, e = 0.5;
  GUARDED(stn_dims) dims;
  GUARDED(stn_model_fns) fns; /* what lies behind is no function */
  stn_model *made = NULL;
  lay(&dims, sizeof dims.it);
  lay(&fns, sizeof fns.it);
  dims.it.nq = dims.it.nv = 2, dims.it.n_contact = 1, dims.it.n_dir = 2;
  fns.it.mass = mass, fns.it.force = force, fns.it.gap = gap, fns.it.tangent = tangent, fns.it.release = release;
  HOLDS(stn_model_create(&dims.it, &fns.it, &mu, &e, kg, &made) == STN_OK);
  guarded(dims.guard, "stn_dims is left alone behind its end");
  guarded(fns.guard, "stn_model_fns is left alone behind its end");
  return made;
}

/* Sections 4 to 6: a ball falls from 1 m with 10 m/s^2. */
static void motion(void) {
  const double q0[2] = {0, 1}, v0[2] = {3, 0};
  double kg = 2.0, t, q[2], v[2], again[2], worst;
  unsigned char *bytes;
  size_t needed = 0;
  int32_t i;
  GUARDED(stn_stepper_options) opt;
  GUARDED(stn_event) event;
  GUARDED(stn_stats) stats;
  stn_stepper *s = NULL;
  stn_model *ball = model(&kg);
  lay(&opt, sizeof opt.it);
  lay(&event, sizeof event.it);
  lay(&stats, sizeof stats.it);
  HOLDS(stn_model_check(ball, 0.0, q0, 2, v0, 2, &worst) == STN_OK && worst < 1e-6);
  HOLDS(stn_stepper_options_init(&opt.it, sizeof opt.it) == STN_OK);
  guarded(opt.guard, "stn_stepper_options is left alone behind its end");
  HOLDS(opt.it.struct_size == sizeof opt.it && opt.it.method == STN_METHOD_TRAPEZOID);
  HOLDS(stn_stepper_create(ball, &opt.it, &s) == STN_OK);
  stn_model_destroy(ball);
  HOLDS(released == 0);
  HOLDS(stn_stepper_set_state(s, 0.0, q0, 2, v0, 2) == STN_OK);
  HOLDS(stn_stepper_step(s, 0.01) == STN_OK);
  HOLDS(stn_stepper_advance(s, 0.5, 0.01) == STN_EVENT);
  for (i = 0; i < stn_stepper_event_count(s); i++) {
    HOLDS(stn_stepper_get_event(s, i, &event.it) == STN_OK);
    guarded(event.guard, "stn_event is left alone behind its end");
    /* t = sqrt(2/10), at sqrt(20) m/s, and 1.5 times that with 2 kg. */
    printf("event    %d at %.6f s, %.6f to %.6f m/s, %.6f N s\n", (int)event.it.kind, event.it.t,
           event.it.speed_before, event.it.speed_after, event.it.impulse);
  }
  HOLDS(stn_stepper_get_stats(s, &stats.it) == STN_OK);
  guarded(stats.guard, "stn_stats is left alone behind its end");
  printf("stats    %d steps, %d impact\n", (int)stats.it.steps, (int)stats.it.impacts);
  HOLDS(stn_stepper_save(s, NULL, 0, &needed) == STN_OK && needed > 0);
  bytes = (unsigned char *)malloc(needed);
  HOLDS(bytes != NULL);
  HOLDS(stn_stepper_save(s, bytes, needed, &needed) == STN_OK);
  HOLDS(stn_stepper_advance(s, 1.0, 0.01) >= 0);
  HOLDS(stn_stepper_get_state(s, &t, q, 2, v, 2) == STN_OK);
  HOLDS(stn_stepper_restore(s, bytes, needed) == STN_OK);
  HOLDS(stn_stepper_advance(s, 1.0, 0.01) >= 0);
  HOLDS(stn_stepper_get_state(s, &t, again, 2, v, 2) == STN_OK);
  HOLDS(memcmp(q, again, sizeof q) == 0);
  printf("state    t = %.6f, y = %.6f m\n", t, q[1]);
  free(bytes);
  stn_stepper_destroy(s);
  HOLDS(released == 1);
}

/* Statuses keep their numbers and their names. */
static void statuses(void) {
  stn_lcp *lcp = NULL;
  const double one = 1.0, nan_q = NAN;
  double z;
  HOLDS(stn_lcp_create(-1, &lcp) == STN_ERR_DIMENSION && lcp == NULL);
  HOLDS(stn_lcp_create(1, NULL) == STN_ERR_NULL);
  HOLDS(stn_lcp_create(1, &lcp) == STN_OK);
  HOLDS(stn_lcp_solve(lcp, 1, &one, 1, &nan_q, &z, NULL, NULL) == STN_ERR_NONFINITE);
  HOLDS(stn_lcp_solve(lcp, 2, &one, 2, &one, &z, NULL, NULL) == STN_ERR_CAPACITY);
  stn_lcp_destroy(lcp);
  HOLDS(strcmp(stn_status_name(STN_ERR_LCP_RAY), "STN_ERR_LCP_RAY") == 0);
  HOLDS(stn_version_number() >= 1000 && stn_abi_version() >= 0 && stn_version_string() != NULL);
}

int main(void) {
  complementarity();
  impulses();
  motion();
  statuses();
  return 0;
}
