/* Chapter 18: two articulated bars.
 *
 * The experiment of Anitescu and Potra, IJNME 55 (2002), section 3.3: two bars of 2 m joined at the
 * table in a V, a spring and damper between their centers, built from bodies. They slide and fall.
 *
 * Look at the energy: no damper, however stiff, adds any. Look at the joint: with less friction it
 * comes to rest further away. With a damper of 1e8 the bars move as if a rod were between them. */
#include <math.h>
#include <stdio.h>
#include <stiction.h>

/* An end of a bar that meets the table. */
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
  double joint, gain, apart;
  stn_status st;
  char text[256];
  int k;
  printf("  mu     damping   joint at    energy gained   distance changes by\n");
  for (k = 0; k < 6; k++) {
    if ((st = fall(bars[k][0], bars[k][1], &joint, &gain, &apart)) < 0)
      goto fail;
    printf("  %.2f   %.0e     %7.3f m   %s            %.3f m\n", bars[k][0], bars[k][1],
           fabs(joint) < 5e-4 ? 0.0 : joint, gain < 1e-9 ? "none" : "some", apart);
  }
  printf("\nlook at the energy: none is gained, however stiff the damper\n");
  return 0;

fail:
  stn_last_error(text, (int32_t)sizeof text);
  fprintf(stderr, "%s: %s\n", stn_status_name(st), text);
  return 1;
}
