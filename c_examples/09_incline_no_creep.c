/* Chapter 9: a block that stays where it is.
 *
 * A block lies on an incline of 30 degrees. With mu = 0.6 > tan 30 = 0.577 friction can hold it.
 * Methods that replace hard contact by stiff springs, or friction by a steep slope near zero speed,
 * let it creep. Here sticking is a constraint: after an hour of simulated time, 36000 steps, look
 * at how far it has come. With mu = 0.5 it slides, with g (sin 30 - 0.5 cos 30).
 *
 * The work per step is in the statistics: one complementarity problem, solved by the basis of the
 * step before without a pivot. user hands the program's own data to its functions. */
#include <math.h>
#include <stdio.h>
#include <stiction.h>
#include <string.h>

typedef struct Slope {
  double pull, press; /* gravity along and into the plane, m/s^2 */
} Slope;

static int mass(double t, const double *q, double *m, void *user) {
  (void)t, (void)q, (void)user;
  m[0] = m[3] = 1.0;
  return 0;
}

static int force(double t, const double *q, const double *v, double *f, void *user) {
  const Slope *slope = (const Slope *)user;
  (void)t, (void)q, (void)v;
  f[0] = slope->pull;
  f[1] = -slope->press;
  return 0;
}

static int plane(double t, const double *q, double *gap, double *normal, void *user) {
  (void)t, (void)user;
  gap[0] = q[1];
  normal[1] = 1.0;
  return 0;
}

static int along(double t, const double *q, double *tangent, void *user) {
  (void)t, (void)q, (void)user;
  tangent[0] = 1.0;
  tangent[2] = -1.0;
  return 0;
}

/* Lets the block go at rest and tells what it has done by t_end. */
static stn_status rest(const Slope *slope, double mu, double t_end) {
  stn_dims dims;
  stn_model_fns fns;
  stn_stats stats;
  const double zero[2] = {0.0, 0.0}, a = slope->pull - mu * slope->press;
  double q[2], v[2], t;
  stn_model *model = NULL;
  stn_stepper *s = NULL;
  stn_status st;

  memset(&dims, 0, sizeof dims);
  memset(&fns, 0, sizeof fns);
  dims.struct_size = sizeof dims;
  fns.struct_size = sizeof fns;
  dims.nq = 2, dims.nv = 2, dims.n_contact = 1, dims.n_dir = 2;
  fns.mass = mass, fns.force = force, fns.gap = plane, fns.tangent = along;
  stats.struct_size = sizeof stats;
  if ((st = stn_model_create(&dims, &fns, &mu, NULL, (void *)slope, &model)) < 0)
    goto fail;
  if ((st = stn_stepper_create(model, NULL, &s)) < 0)
    goto fail;
  if ((st = stn_stepper_set_state(s, 0.0, zero, 2, zero, 2)) < 0)
    goto fail;
  if ((st = stn_stepper_advance(s, t_end, 0.1)) < 0)
    goto fail;
  if ((st = stn_stepper_get_state(s, &t, q, 2, v, 2)) < 0)
    goto fail;
  if ((st = stn_stepper_get_stats(s, &stats)) < 0)
    goto fail;
  printf("mu = %.1f after %.0f s: ", mu, t);
  if (q[0] == 0.0 && q[1] == 0.0)
    printf("displacement exactly 0\n");
  else
    printf("displacement %.9f m, closed form %.9f m\n", q[0], a > 0.0 ? 0.5 * a * t * t : 0.0);
  printf("  %ld steps, %ld complementarity problems, %s\n", (long)stats.steps,
         (long)stats.lcp_solves,
         stats.pivots <= 10 ? "ten pivots or fewer in all" : "pivots again and again");

fail: /* a model may go before its stepper, which keeps it alive */
  stn_model_destroy(model);
  stn_stepper_destroy(s);
  return st;
}

int main(void) {
  const double angle = acos(-1.0) / 6.0;
  Slope slope;
  stn_status st;
  char text[256];

  slope.pull = 9.81 * sin(angle);
  slope.press = 9.81 * cos(angle);
  if ((st = rest(&slope, 0.6, 3600.0)) < 0)
    goto fail;
  if ((st = rest(&slope, 0.5, 10.0)) < 0)
    goto fail;
  return 0;

fail:
  stn_last_error(text, (int32_t)sizeof text);
  fprintf(stderr, "%s: %s\n", stn_status_name(st), text);
  return 1;
}
