/* A ball is thrown along the floor: when does it hit, when does it slip no more? In the plane. */
#include <stdio.h>
#include <stiction.h>

int main(void) {
  const double gravity[3] = {0, -9.81, 0}, up[3] = {0, 1, 0}; /* m/s^2; the floor is y = 0 */
  const double start[2] = {0, 0.6}, thrown[3] = {2, 0, 0};    /* m, m/s */
  const double m = 0.5, r = 0.1, mu = 0.05, e = 0.0;          /* kg, m, friction, restitution */
  double q[3], v[3];                                          /* x, y, angle and their rates */
  int32_t ball = 0, i;
  stn_builder *b = NULL;
  stn_model *model = NULL;
  stn_stepper *s = NULL;
  stn_status st;
  if ((st = stn_builder_create(&b)) < 0 || (st = stn_builder_set_gravity(b, gravity)) < 0 ||
      (st = stn_builder_set_surface(b, 0, 0, mu, e, NULL, 0)) < 0 ||
      (st = stn_builder_add_half_space(b, STN_GROUND, up, NULL, 0, NULL)) < 0 ||
      (st = stn_builder_add_planar(b, m, 0.4 * m * r * r, start, 0, &ball)) < 0 ||
      (st = stn_builder_set_velocity(b, ball, thrown, NULL)) < 0 ||
      (st = stn_builder_add_ball(b, ball, r, NULL, 0, NULL)) < 0 ||
      (st = stn_builder_build(b, &model)) < 0 || (st = stn_stepper_create(model, NULL, &s)) < 0 ||
      (st = stn_stepper_advance(s, 2.0, 0.01)) < 0 || /* to t = 2 s in steps of 10 ms */
      (st = stn_stepper_get_state(s, NULL, q, 3, v, 3)) < 0) {
    char text[256];
    stn_last_error(text, (int32_t)sizeof text);
    fprintf(stderr, "%s: %s\n", stn_status_name(st), text);
  }
  for (i = 0; st >= 0 && i < stn_stepper_event_count(s); i++) {
    stn_event at;
    at.struct_size = sizeof at;
    if ((st = stn_stepper_get_event(s, i, &at)) >= 0)
      printf("%.6f s  %s\n", at.t, at.kind == STN_EVENT_STICK ? "rolls" : "hits the floor");
  }
  if (st >= 0)
    printf("x = %.6f m, %.6f m/s: 5/7 of the throw\n", q[0], v[0]);
  stn_stepper_destroy(s), stn_model_destroy(model), stn_builder_destroy(b);
  return st < 0;
}
