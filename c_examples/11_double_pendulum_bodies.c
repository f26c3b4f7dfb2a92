/* Chapter 11: the same double pendulum twice.
 *
 * Two rods of 1 m and 1 kg hang from each other. Once they are two bodies with two hinges, six
 * coordinates and four joint equations; nothing else is told to the library. Once they are two
 * angles, with the mass matrix and the forces that a textbook derives:
 *
 *     4/3 a1 + 1/2 cos(d) a2 = -1/2 sin(d) w2^2 - 3/2 g sin(th1),    d = th1 - th2
 *     1/2 cos(d) a1 + 1/3 a2 =  1/2 sin(d) w1^2 - 1/2 g sin(th2)
 *
 * Both start at rest at 60 and 90 degrees and swing for one second. The two models share no
 * formula, so where their lower ends agree, both are right. Look at the last column: each halving
 * of the step divides the difference by four, as a method of order two must. */
#include <math.h>
#include <stdio.h>
#include <stiction.h>
#include <string.h>

static const double g = 9.81;
static const double start[2] = {1.0471975511965976, 1.5707963267948966};

static int mass(double t, const double *q, double *m, void *user) {
  (void)t, (void)user;
  m[0] = 4.0 / 3.0;
  m[1] = m[2] = 0.5 * cos(q[0] - q[1]);
  m[3] = 1.0 / 3.0;
  return 0;
}

static int force(double t, const double *q, const double *v, double *f, void *user) {
  const double half_sine = 0.5 * sin(q[0] - q[1]);
  (void)t, (void)user;
  f[0] = -half_sine * v[1] * v[1] - 1.5 * g * sin(q[0]);
  f[1] = half_sine * v[0] * v[0] - 0.5 * g * sin(q[1]);
  return 0;
}

/* The lower end after one second, from the two angles. */
static stn_status with_angles(double h, double end[2]) {
  const double rest[2] = {0, 0};
  stn_dims dims;
  stn_model_fns fns;
  stn_model *model = NULL;
  stn_stepper *s = NULL;
  double q[2];
  stn_status st;
  memset(&dims, 0, sizeof dims);
  memset(&fns, 0, sizeof fns);
  dims.struct_size = sizeof dims;
  dims.nq = dims.nv = 2;
  fns.struct_size = sizeof fns;
  fns.mass = mass, fns.force = force;
  if ((st = stn_model_create(&dims, &fns, NULL, NULL, NULL, &model)) < 0 ||
      (st = stn_stepper_create(model, NULL, &s)) < 0 ||
      (st = stn_stepper_set_state(s, 0.0, start, 2, rest, 2)) < 0 ||
      (st = stn_stepper_advance(s, 1.0, h)) < 0 ||
      (st = stn_stepper_get_state(s, NULL, q, 2, NULL, 2)) < 0)
    goto done;
  end[0] = sin(q[0]) + sin(q[1]);
  end[1] = -cos(q[0]) - cos(q[1]);
done:
  stn_stepper_destroy(s);
  stn_model_destroy(model);
  return st;
}

/* The lower end after one second, from two bodies; also how far a hinge has come apart and how much
 * energy has been lost. */
static stn_status with_bodies(double h, double end[2], double *drift, double *lost) {
  const double down[3] = {0, -g, 0}, axis[3] = {0, 0, 1}, tip[3] = {0, -0.5, 0};
  double at[2] = {0, 0}, pin[3] = {0, 0, 0}, q[6], v[6], e[2], place[3];
  int32_t upper = STN_GROUND, rod, k;
  stn_builder *b = NULL;
  stn_model *model = NULL;
  stn_stepper *s = NULL;
  stn_consistency apart;
  stn_status st;
  apart.struct_size = sizeof apart;
  if ((st = stn_builder_create(&b)) < 0 || (st = stn_builder_set_gravity(b, down)) < 0)
    goto done;
  for (k = 0; k < 2; k++) {
    at[0] = pin[0] + 0.5 * sin(start[k]);
    at[1] = pin[1] - 0.5 * cos(start[k]);
    if ((st = stn_builder_add_planar(b, 1.0, 1.0 / 12.0, at, start[k], &rod)) < 0 ||
        (st = stn_builder_add_joint(b, STN_JOINT_REVOLUTE, upper, rod, pin, axis, NULL, NULL)) < 0)
      goto done;
    pin[0] += sin(start[k]);
    pin[1] -= cos(start[k]);
    upper = rod;
  }
  if ((st = stn_builder_build(b, &model)) < 0 || (st = stn_stepper_create(model, NULL, &s)) < 0 ||
      (st = stn_model_get_initial(model, q, 6, v, 6)) < 0 ||
      (st = stn_model_get_energy(model, 0.0, q, 6, v, 6, NULL, &e[0])) < 0 ||
      (st = stn_stepper_advance(s, 1.0, h)) < 0 ||
      (st = stn_stepper_get_state(s, NULL, q, 6, v, 6)) < 0 ||
      (st = stn_model_get_energy(model, 1.0, q, 6, v, 6, lost, &e[1])) < 0 ||
      (st = stn_model_check_state(model, 1.0, q, 6, v, 6, &apart)) < 0 ||
      (st = stn_model_get_point(model, rod, tip, q, 6, NULL, 6, place, NULL)) < 0)
    goto done;
  *lost = e[0] - e[1] - *lost;
  *drift = apart.joint;
  end[0] = place[0];
  end[1] = place[1];
done:
  stn_stepper_destroy(s);
  stn_model_destroy(model);
  stn_builder_destroy(b);
  return st;
}

int main(void) {
  double h = 0.01, before = 0.0, a[2], b[2], drift, lost;
  stn_status st;
  char text[256];
  int k;
  printf("     h     bodies                angles                difference  ratio\n");
  for (k = 0; k < 4; k++, h *= 0.5) {
    double d;
    if ((st = with_angles(h, a)) < 0 || (st = with_bodies(h, b, &drift, &lost)) < 0)
      goto fail;
    d = hypot(a[0] - b[0], a[1] - b[1]);
    printf("%.5f  (%.5f, %.5f)  (%.5f, %.5f)    %.1e", h, b[0], b[1], a[0], a[1], d);
    if (k > 0)
      printf("    %.1f", before / d);
    printf("\n");
    before = d;
  }
  printf("hinges apart by less than 1e-9 m: %s\n", drift < 1e-9 ? "yes" : "no");
  printf("energy changed by less than 0.1 mJ: %s\n", fabs(lost) < 1e-4 ? "yes" : "no");
  return 0;

fail:
  stn_last_error(text, (int32_t)sizeof text);
  fprintf(stderr, "%s: %s\n", stn_status_name(st), text);
  return 1;
}
