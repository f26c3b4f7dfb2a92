/* Chapter 7: stiff springs and dampers.
 *
 * Two carts of 1 kg roll to the left on a floor with little friction, tied to each other by a
 * damper delta and to a post by a spring gamma. A stopper at x1 = 0 throws the first one back, e =
 * 0.3, often several times in a row while the second pushes on. Third experiment of Potra,
 * Anitescu, Gavrea and Trinkle (2006), section 10.3.
 *
 * The stiffer the damper, the more the two move as one; the stiffer the spring, the less the first
 * one gets away. A method that is explicit in these forces needs steps as short as they are stiff.
 * This one is implicit in them (force_jac gives the derivatives): look at the first two tables, all
 * in steps of 10 ms, with stiffness up to a million. No run ever has more energy than at its start.
 * The last table compares with the exact motion for gamma = 100, delta = 10 at t = 1. */
#include <math.h>
#include <stdio.h>
#include <stiction.h>
#include <string.h>

typedef struct Ties {
  double gamma, delta; /* N/m, N s/m */
} Ties;

/* q = (x1, y1, x2, y2) */
static int mass(double t, const double *q, double *m, void *user) {
  (void)t, (void)q, (void)user;
  m[0] = m[5] = m[10] = m[15] = 1.0;
  return 0;
}

static int force(double t, const double *q, const double *v, double *f, void *user) {
  const Ties *tie = (const Ties *)user;
  const double pull = tie->delta * (v[2] - v[0]);
  (void)t;
  f[0] = pull - tie->gamma * (q[0] - 0.2);
  f[2] = -pull;
  f[1] = f[3] = -9.81;
  return 0;
}

static int slopes(double t, const double *q, const double *v, double *dfdq, double *dfdv,
                  void *user) {
  const Ties *tie = (const Ties *)user;
  (void)t, (void)q, (void)v;
  dfdq[0] = -tie->gamma;
  dfdv[0] = dfdv[10] = -tie->delta; /* columns of four numbers */
  dfdv[2] = dfdv[8] = tie->delta;
  return 0;
}

/* The stopper, then the floor under each cart. */
static int gaps(double t, const double *q, double *gap, double *normal, void *user) {
  (void)t, (void)user;
  gap[0] = q[0], gap[1] = q[1], gap[2] = q[3];
  normal[0] = normal[5] = normal[11] = 1.0;
  return 0;
}

/* Two directions each; those of the stopper are not used, its mu is 0. */
static int along(double t, const double *q, double *tangent, void *user) {
  (void)t, (void)q, (void)user;
  tangent[1] = tangent[8] = tangent[18] = 1.0;
  tangent[5] = tangent[12] = tangent[22] = -1.0;
  return 0;
}

/* What is remembered of a run. */
typedef struct Report {
  double q[4], gain, apart, away; /* energy above the start, changes of distance and of spring */
} Report;

static stn_status roll(Ties *tie, double x, double v0, double t_end, double h, Report *r) {
  stn_dims dims;
  stn_model_fns fns;
  const double mu[3] = {0.0, 0.05, 0.05}, e[3] = {0.3, 0.0, 0.0};
  double q[4] = {0.0, 0.0, 0.0, 0.0}, v[4] = {0.0, 0.0, 0.0, 0.0}, t = 0.0;
  const double start = v0 * v0 + 0.5 * tie->gamma * (x - 0.2) * (x - 0.2);
  stn_model *model = NULL;
  stn_stepper *s = NULL;
  stn_status st;

  memset(r, 0, sizeof *r);
  q[0] = x, q[2] = x + 5.0, v[0] = v[2] = v0;
  memset(&dims, 0, sizeof dims);
  memset(&fns, 0, sizeof fns);
  dims.struct_size = sizeof dims;
  fns.struct_size = sizeof fns;
  dims.nq = 4, dims.nv = 4, dims.n_contact = 3, dims.n_dir = 2;
  fns.mass = mass, fns.force = force, fns.force_jac = slopes, fns.gap = gaps, fns.tangent = along;
  if ((st = stn_model_create(&dims, &fns, mu, e, tie, &model)) < 0)
    goto done;
  if ((st = stn_stepper_create(model, NULL, &s)) < 0)
    goto done;
  if ((st = stn_stepper_set_state(s, 0.0, q, 4, v, 4)) < 0)
    goto done;
  while (t < t_end - 0.5 * h) {
    double energy;
    if ((st = stn_stepper_step(s, h)) < 0)
      goto done;
    if ((st = stn_stepper_get_state(s, &t, q, 4, v, 4)) < 0)
      goto done;
    energy = 0.5 * (v[0] * v[0] + v[2] * v[2] + tie->gamma * (q[0] - 0.2) * (q[0] - 0.2));
    r->gain = fmax(r->gain, energy / start - 1.0);
    r->apart = fmax(r->apart, fabs(q[2] - q[0] - 5.0));
    r->away = fmax(r->away, fabs(q[0] - 0.2));
  }
  memcpy(r->q, q, sizeof q);
done:
  stn_stepper_destroy(s);
  stn_model_destroy(model);
  return st;
}

int main(void) {
  const double stiff[3] = {1e2, 1e4, 1e6}, x1 = 0.16716951023892263, x2 = 4.885759589309227;
  Ties tie = {100.0, 10.0};
  double before = 0.0, off;
  Report r;
  stn_status st;
  char text[256];
  int k;

  printf("damper, gamma = 100      distance changes by   energy never above its start\n");
  for (k = 0; k < 3; k++) {
    tie.delta = stiff[k];
    if ((st = roll(&tie, 0.1, -2.0, 4.0, 0.01, &r)) < 0)
      goto fail;
    printf("  delta = %.0e          %8.1e m            %s\n", tie.delta, r.apart,
           r.gain < 1e-9 ? "yes" : "no");
  }
  printf("spring, delta = 10       gets away by\n");
  tie.delta = 10.0;
  for (k = 0; k < 3; k++) {
    tie.gamma = stiff[k];
    if ((st = roll(&tie, 0.2, -3.0, 2.0, 0.01, &r)) < 0)
      goto fail;
    printf("  gamma = %.0e          %8.1e m            %s\n", tie.gamma, r.away,
           r.gain < 1e-9 ? "yes" : "no");
  }
  printf("\n   h       error at t = 1   order\n");
  tie.gamma = 100.0;
  for (k = 100; k <= 1600; k *= 2) {
    if ((st = roll(&tie, 0.2, -3.0, 1.0, 1.0 / k, &r)) < 0)
      goto fail;
    off = sqrt((r.q[0] - x1) * (r.q[0] - x1) + (r.q[2] - x2) * (r.q[2] - x2));
    if (k > 100)
      printf("1/%-5d       %.2e       %4.2f\n", k, off, log2(before / off));
    before = off;
  }
  printf("\nlook at the order: half the step, a quarter of the error\n");
  return 0;

fail:
  stn_last_error(text, (int32_t)sizeof text);
  fprintf(stderr, "%s: %s\n", stn_status_name(st), text);
  return 1;
}
