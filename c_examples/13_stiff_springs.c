/* Chapter 13: dampers so stiff that they are rods.
 *
 * The experiments of Anitescu and Potra, IJNME 55 (2002), sections 3.2 and 3.3.
 *
 * First, two bodies of 1 kg on a table (mu = 0.4), the first pushed by 20 cos t, with a damper
 * between them. Explicit Euler with steps of 50 ms stands on its limit of stability for gamma = 20
 * and explodes for gamma = 100; the linearly implicit rule does not care, and as gamma grows the
 * damper becomes a rigid link. The trapezoidal rule follows the exact motion.
 *
 * Then two bars joined at the table in a V, a spring and damper between their centers. They slide
 * and fall; no damper, however stiff, adds energy. The joint comes to rest further away with less
 * friction. With 1e8 the bars move as if a rod were between them.
 *
 * Derivatives of the force are what makes the rules implicit. The first model gives them: those by
 * differences are good to 1e-8, of which gamma = 1e8 would make a force. Built-in springs give
 * their own. */
#include <math.h>
#include <stdio.h>
#include <stiction.h>
#include <string.h>

typedef struct Tie {
  double gamma, m2;
} Tie;

static int mass(double t, const double *q, double *m, void *user) {
  const Tie *tie = user;
  (void)t, (void)q;
  m[0] = m[5] = 1.0, m[10] = m[15] = tie->m2;
  return 0;
}

static int force(double t, const double *q, const double *v, double *f, void *user) {
  const Tie *tie = user;
  const double pull = tie->gamma * (v[2] - v[0]);
  (void)q;
  f[0] = 20.0 * cos(t) + pull, f[1] = -9.81, f[2] = -pull, f[3] = -9.81 * tie->m2;
  return 0;
}

/* dfdq comes zeroed and stays so. */
static int slopes(double t, const double *q, const double *v, double *dfdq, double *dfdv,
                  void *user) {
  const Tie *tie = user;
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
  stn_dims dims = {sizeof(stn_dims), 4, 4, 0, 2, 2, 0};
  stn_model_fns fns = {sizeof(stn_model_fns), mass, force, slopes, NULL, NULL, gaps, along, NULL};
  stn_stepper_options opt;
  stn_model *model = NULL;
  stn_stepper *s = NULL;
  stn_status st;
  int k;
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

/* A corner of a bar that meets the table. */
static stn_status foot(stn_builder *b, int32_t bar, double x) {
  double pose[7] = {0, 0, 0, 1, 0, 0, 0};
  int32_t shape;
  stn_status st;
  pose[0] = x;
  if ((st = stn_builder_add_ball(b, bar, 0.0, pose, 0, &shape)) < 0)
    return st;
  return stn_builder_set_groups(b, shape, 2, 1); /* the table is in group 1 */
}

/* Two bars for ten seconds: where the joint ends, largest gain of energy in a step, largest change
 * of the distance of the centers. */
static stn_status fall(double mu, double damping, double *joint, double *gain, double *apart) {
  const double down[3] = {0, -9.81, 0}, up[3] = {0, 1, 0}, z[3] = {0, 0, 1}, o[3] = {0, 0, 0};
  const double pi = acos(-1.0), angle[2] = {0.5 * pi, pi / 6.0};
  double q[6], v[6], before, after, potential;
  int32_t bar[2];
  stn_builder *b = NULL;
  stn_model *model = NULL;
  stn_stepper *s = NULL;
  stn_status st;
  int k;
  *gain = *apart = 0.0;
  if ((st = stn_builder_create(&b)) < 0 || (st = stn_builder_set_gravity(b, down)) < 0 ||
      (st = stn_builder_set_surface(b, 0, 0, mu, 0.0, NULL, 0.0)) < 0 ||
      (st = stn_builder_add_half_space(b, STN_GROUND, up, NULL, 0, NULL)) < 0)
    goto done;
  for (k = 0; k < 2; k++) {
    double at[2];
    at[0] = cos(angle[k]), at[1] = sin(angle[k]);
    if ((st = stn_builder_add_planar(b, 1.0, 1.0, at, angle[k], &bar[k])) < 0 ||
        (st = foot(b, bar[k], 1.0)) < 0)
      goto done;
  }
  if ((st = foot(b, bar[0], -1.0)) < 0 ||
      (st = stn_builder_add_joint(b, STN_JOINT_REVOLUTE, bar[0], bar[1], o, z, NULL, NULL)) < 0 ||
      (st = stn_builder_add_spring(b, bar[0], NULL, bar[1], NULL, 100.0, damping, 1.0)) < 0 ||
      (st = stn_builder_build(b, &model)) < 0 || (st = stn_stepper_create(model, NULL, &s)) < 0 ||
      (st = stn_stepper_get_state(s, NULL, q, 6, v, 6)) < 0 ||
      (st = stn_model_get_energy(model, 0.0, q, 6, v, 6, &before, &potential)) < 0)
    goto done;
  before += potential;
  for (k = 0; k < 1000; k++) {
    if ((st = stn_stepper_step(s, 0.01)) < 0 ||
        (st = stn_stepper_get_state(s, NULL, q, 6, v, 6)) < 0 ||
        (st = stn_model_get_energy(model, 0.0, q, 6, v, 6, &after, &potential)) < 0)
      goto done;
    after += potential;
    *gain = fmax(*gain, after - before);
    *apart = fmax(*apart, fabs(hypot(q[0] - q[3], q[1] - q[4]) - 1.0));
    before = after;
  }
  *joint = q[0] - cos(q[2]);
done:
  stn_stepper_destroy(s);
  stn_model_destroy(model);
  stn_builder_destroy(b);
  return st;
}

int main(void) {
  static const double bars[6][2] = {{0.15, 10.0}, {0.15, 1e3}, {0.15, 1e8},
                                    {0.05, 20.0}, {0.2, 20.0}, {0.5, 20.0}};
  static const Tie ties[5] = {{20.0, 1.0}, {100.0, 1.0}, {1e6, 1.0}, {20.0, 1e8}, {1e8, 1e8}};
  double x[2], exact[2], worst[2], off[2], joint, gain, apart;
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
    printf("  %.0e   %.0e   %8.4f   %8.4f    %.1e  %.1e m\n", tie.gamma, tie.m2,
           fabs(x[0]) < 5e-5 ? 0.0 : x[0], fabs(exact[0]) < 5e-5 ? 0.0 : exact[0], off[0], off[1]);
  }
  printf("\ntwo bars, trapezoidal rule, h = 0.01, at t = 10\n");
  printf("  mu     damping   joint at    energy gained   distance changes by\n");
  for (k = 0; k < 6; k++) {
    if ((st = fall(bars[k][0], bars[k][1], &joint, &gain, &apart)) < 0)
      goto fail;
    printf("  %.2f   %.0e     %7.3f m   %s            %.3f m\n", bars[k][0], bars[k][1],
           fabs(joint) < 5e-4 ? 0.0 : joint, gain < 1e-9 ? "none" : "some", apart);
  }
  return 0;

fail:
  stn_last_error(text, (int32_t)sizeof text);
  fprintf(stderr, "%s: %s\n", stn_status_name(st), text);
  return 1;
}
