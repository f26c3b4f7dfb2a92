/* Chapter 10: built-in bodies.
 *
 * Nobody writes a mass matrix here: a builder is told of bodies, joints, shapes, and makes a model.
 *
 * First a solid ball of 1 kg on a slope of 30 degrees, mu = 0.3. It is thrown down the slope
 * without spin, so it slides. Friction spins it up until it rolls; from then on it gains 5/7 g sin
 * 30 = 3.50 m/s^2, whatever mu is. The instant is an event, and both are known exactly:
 *
 *     t = v0 / (3.5 mu g cos - g sin), when its speed is 2.5 mu g cos t
 *
 * Then a chain of four links, held level by one end over a floor, is let go. It swings down and its
 * free end hits the floor. Look at the energy: impacts and friction take some and never give any;
 * and at the joints, which do not come apart. */
#include <math.h>
#include <stdio.h>
#include <stiction.h>

static const double gravity[3] = {0, 0, -9.81}, gravity_flat[3] = {0, -9.81, 0};

/* Rounding must not decide between 0.000 and -0.000 on paper. */
static double tidy(double x) { return fabs(x) < 5e-4 ? 0.0 : x; }

static stn_status ball(stn_builder *b, stn_model **model, stn_stepper **s) {
  const double r = 0.1, i = 0.4 * r * r, mu = 0.3, g = 9.81, sine = 0.5, cosine = sqrt(0.75);
  const double inertia[9] = {i, 0, 0, 0, i, 0, 0, 0, i}, down[3] = {cosine, 0, -sine};
  const double up[3] = {sine, 0, cosine}, pose[7] = {r * sine, 0, r * cosine, 1, 0, 0, 0};
  const double start = 1.0 / (3.5 * mu * g * cosine - g * sine);
  double q[7], v[6], u[3], speed[2];
  int32_t body, k;
  stn_event event;
  stn_status st;
  if ((st = stn_builder_set_gravity(b, gravity)) < 0 ||
      (st = stn_builder_add_spatial(b, 1.0, inertia, pose, &body)) < 0 ||
      (st = stn_builder_set_velocity(b, body, down, NULL)) < 0 ||
      (st = stn_builder_add_ball(b, body, r, NULL, 0, NULL)) < 0 ||
      (st = stn_builder_add_half_space(b, STN_GROUND, up, NULL, 0, NULL)) < 0 ||
      (st = stn_builder_set_surface(b, 0, 0, mu, 0.0, NULL, 0.0)) < 0 ||
      (st = stn_builder_set_facets(b, 2)) < 0 || /* it goes straight: down and up are enough */
      (st = stn_builder_build(b, model)) < 0 || (st = stn_stepper_create(*model, NULL, s)) < 0)
    return st;
  if ((st = stn_stepper_advance(*s, 0.5, 0.001)) < 0)
    return st;
  event.struct_size = sizeof event;
  for (k = 0; k < stn_stepper_event_count(*s); k++) {
    if ((st = stn_stepper_get_event(*s, k, &event)) < 0)
      return st;
    if (event.kind == STN_EVENT_STICK)
      printf("rolls from     %.4f s, exactly %.4f s\n", event.t, start);
  }
  for (k = 0; k < 2; k++) { /* speed at 0.5 s and at 1 s */
    if ((st = stn_stepper_advance(*s, 0.5 + 0.5 * k, 0.001)) < 0 ||
        (st = stn_stepper_get_state(*s, NULL, q, 7, v, 6)) < 0 ||
        (st = stn_model_get_point(*model, body, NULL, q, 7, v, 6, NULL, u)) < 0)
      return st;
    speed[k] = u[0] * down[0] + u[2] * down[2];
  }
  printf("speed at 0.5 s %.3f m/s, exactly %.3f m/s\n", speed[0],
         2.5 * mu * g * cosine * start + 5.0 / 7.0 * g * sine * (0.5 - start));
  printf("then gains     %.2f m/s^2, exactly %.2f m/s^2\n\n", (speed[1] - speed[0]) / 0.5,
         5.0 / 7.0 * g * sine);
  return STN_OK;
}

enum { LINKS = 4, NV = 3 * LINKS };

static stn_status chain(stn_builder *b, stn_model **model, stn_stepper **s) {
  const double half = 0.1, low[7] = {0, -0.6, 0, 1, 0, 0, 0}, tip[7] = {0.1, 0, 0, 1, 0, 0, 0};
  const double axis[3] = {0, 0, 1}, up[3] = {0, 1, 0};
  double q[NV], v[NV], kinetic, potential, place[3], before = 0.0;
  int32_t last = STN_GROUND, link, gained = 0, k;
  stn_stats stats;
  stn_status st;
  if ((st = stn_builder_set_gravity(b, gravity_flat)) < 0 ||
      (st = stn_builder_set_surface(b, 0, 0, 0.2, 0.3, NULL, 0.0)) < 0 ||
      (st = stn_builder_add_half_space(b, STN_GROUND, up, low, 0, NULL)) < 0)
    return st;
  for (k = 0; k < LINKS; k++, last = link) {
    const double at[2] = {half * (2 * k + 1), 0}, pin[3] = {half * 2 * k, 0, 0};
    if ((st = stn_builder_add_planar(b, 0.5, 0.5 * half * half / 3, at, 0, &link)) < 0 ||
        (st = stn_builder_add_joint(b, STN_JOINT_REVOLUTE, last, link, pin, axis, NULL, NULL)) < 0)
      return st;
  }
  if ((st = stn_builder_add_ball(b, last, 0.02, tip, 0, NULL)) < 0 ||
      (st = stn_builder_build(b, model)) < 0 || (st = stn_stepper_create(*model, NULL, s)) < 0)
    return st;
  for (k = 0; k <= 8; k++) {
    if ((st = stn_stepper_advance(*s, 0.1 * k, 0.002)) < 0 ||
        (st = stn_stepper_get_state(*s, NULL, q, NV, v, NV)) < 0 ||
        (st = stn_model_get_energy(*model, 0.1 * k, q, NV, v, NV, &kinetic, &potential)) < 0 ||
        (st = stn_model_get_point(*model, last, tip, q, NV, NULL, NV, place, NULL)) < 0)
      return st;
    printf("%.1f s  free end at (%6.3f, %6.3f)  energy %7.3f J\n", 0.1 * k, place[0], place[1],
           tidy(kinetic + potential));
    gained += kinetic + potential > before + 1e-3;
    before = kinetic + potential;
  }
  stats.struct_size = sizeof stats;
  if ((st = stn_stepper_get_stats(*s, &stats)) < 0)
    return st;
  printf("impacts %d, energy %s\n", (int)stats.impacts, gained ? "gained" : "never gained");
  printf("joints apart by less than 1e-9 m: %s\n", stats.worst_joint_drift < 1e-9 ? "yes" : "no");
  return STN_OK;
}

int main(void) {
  stn_builder *b = NULL, *flat = NULL;
  stn_model *model[2] = {NULL, NULL};
  stn_stepper *s[2] = {NULL, NULL};
  stn_status st;
  int status = 1, k;
  char text[256];
  if ((st = stn_builder_create(&b)) < 0 || (st = ball(b, &model[0], &s[0])) < 0)
    goto fail;
  if ((st = stn_builder_create(&flat)) < 0 || (st = chain(flat, &model[1], &s[1])) < 0)
    goto fail;
  status = 0;

fail:
  if (status) {
    stn_last_error(text, (int32_t)sizeof text);
    fprintf(stderr, "%s: %s\n", stn_status_name(st), text);
  }
  for (k = 0; k < 2; k++) {
    stn_stepper_destroy(s[k]);
    stn_model_destroy(model[k]);
  }
  stn_builder_destroy(b);
  stn_builder_destroy(flat);
  return status;
}
