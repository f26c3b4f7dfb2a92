/* Chapter 13: dampers so stiff that they are rods.
 *
 * The experiment of Anitescu and Potra, IJNME 55 (2002), section 3.2.
 *
 * Two bodies on a table (mu = 0.4) with a damper between them, the first pushed by 20 cos t.
 * Explicit Euler with steps of 50 ms stands on its limit of stability for gamma = 20 and explodes
 * for gamma = 100; the implicit rules do not care: as gamma grows the damper becomes a rigid link.
 *
 * Derivatives of the force make the rules implicit. This model gives them: those by differences are
 * good to 1e-8 only, of which gamma = 1e8 would make a force. */
#include <math.h>
#include <stdio.h>
#include <stiction.h>
#include <string.h>

typedef struct Tie {
  double gamma, m2;
} Tie;

static int mass(double t, const double *q, double *m, void *user) {
  const Tie *tie = (const Tie *)user;
  (void)t, (void)q;
  m[0] = m[5] = 1.0, m[10] = m[15] = tie->m2;
  return 0;
}

static int force(double t, const double *q, const double *v, double *f, void *user) {
  const Tie *tie = (const Tie *)user;
  const double pull = tie->gamma * (v[2] - v[0]);
  (void)q;
  f[0] = 20.0 * cos(t) + pull, f[1] = -9.81, f[2] = -pull, f[3] = -9.81 * tie->m2;
  return 0;
}

static int slopes(double t, const double *q, const double *v, double *dfdq, double *dfdv,
                  void *user) {
  const Tie *tie = (const Tie *)user;
  (void)t, (void)q, (void)v, (void)dfdq;
  dfdv[0] = dfdv[10] = -tie->gamma, dfdv[2] = dfdv[8] = tie->gamma;
  return 0;
}

static int gaps(double t, const double *q, double *g, double *normal, void *user) {
  (void)t, (void)user;
  g[0] = q[1], g[1] = q[3];
  normal[1] = normal[7] = 1.0;
  return 0;
}

static int along(double t, const double *q, double *tangent, void *user) {
  (void)t, (void)q, (void)user;
  tangent[0] = tangent[10] = 1.0;
  tangent[4] = tangent[14] = -1.0;
  return 0;
}

/* `steps` steps of h: position at the end, largest speed and change of distance on the way. */
static stn_status pull(int32_t method, Tie *tie, double h, int steps, double x[2],
                       double worst[2]) {
  const double mu[2] = {0.4, 0.4};
  double q[4] = {0.0, 0.0, 3.0, 0.0}, v[4] = {0.0, 0.0, 0.0, 0.0};
  stn_dims dims;
  stn_model_fns fns;
  stn_stepper_options opt;
  stn_model *model = NULL;
  stn_stepper *s = NULL;
  stn_status st;
  int k;
  memset(&dims, 0, sizeof dims);
  memset(&fns, 0, sizeof fns);
  dims.struct_size = sizeof dims, fns.struct_size = sizeof fns;
  dims.nq = dims.nv = 4, dims.n_contact = dims.n_dir = 2;
  fns.mass = mass, fns.force = force, fns.force_jac = slopes, fns.gap = gaps, fns.tangent = along;
  worst[0] = worst[1] = 0.0;
  if ((st = stn_stepper_options_init(&opt, sizeof opt)) < 0)
    return st;
  opt.method = method;
  if ((st = stn_model_create(&dims, &fns, mu, NULL, tie, &model)) < 0 ||
      (st = stn_stepper_create(model, &opt, &s)) < 0 ||
      (st = stn_stepper_set_state(s, 0.0, q, 4, v, 4)) < 0)
    goto done;
  for (k = 0; k < steps; k++) {
    if ((st = stn_stepper_step(s, h)) < 0 || (st = stn_stepper_get_state(s, NULL, q, 4, v, 4)) < 0)
      goto done;
    worst[0] = fmax(worst[0], fmax(fabs(v[0]), fabs(v[2])));
    worst[1] = fmax(worst[1], fabs(q[2] - q[0] - 3.0));
  }
  x[0] = q[0], x[1] = q[2];
done:
  stn_stepper_destroy(s);
  stn_model_destroy(model);
  return st;
}

int main(void) {
  static const Tie ties[5] = {{20.0, 1.0}, {100.0, 1.0}, {1e6, 1.0}, {20.0, 1e8}, {1e8, 1e8}};
  double x[2], exact[2], worst[2], off[2];
  stn_status st;
  char text[256];
  Tie tie;
  int k;
  printf("explicit Euler, h = 0.05, 15 steps: largest speed\n");
  for (k = 0; k < 2; k++) {
    tie = ties[k];
    if ((st = pull(STN_METHOD_EULER, &tie, 0.05, 15, x, worst)) < 0)
      goto fail;
    printf("  gamma = %-4.0f  %.1e m/s\n", tie.gamma, worst[0]);
  }
  printf("\nlinearly implicit Euler, h = 0.05, and the trapezoidal rule, h = 0.01, at t = 10\n");
  printf("  gamma   m2      x1 (Euler)  x1 (trap.)   distance changes by (Euler, trap.)\n");
  for (k = 0; k < 5; k++) {
    tie = ties[k];
    if ((st = pull(STN_METHOD_IMPLICIT_EULER, &tie, 0.05, 200, x, worst)) < 0)
      goto fail;
    off[0] = worst[1];
    if ((st = pull(STN_METHOD_TRAPEZOID, &tie, 0.01, 1000, exact, worst)) < 0)
      goto fail;
    off[1] = worst[1];
    printf("  %.0e   %.0e   %8.4f   %8.4f    ", tie.gamma, tie.m2, fabs(x[0]) < 5e-5 ? 0.0 : x[0],
           fabs(exact[0]) < 5e-5 ? 0.0 : exact[0]);
    if (fmax(off[0], off[1]) < 1e-6)
      printf("less than a micrometer\n");
    else
      printf("%.1e  %.1e m\n", off[0], off[1]);
  }
  printf("\nlook at the last rows: springs five million times as stiff need no shorter step\n");
  return 0;

fail:
  stn_last_error(text, (int32_t)sizeof text);
  fprintf(stderr, "%s: %s\n", stn_status_name(st), text);
  return 1;
}
