/* Chapter 15: friction that no normal force carries.
 *
 * Bearings, gear boxes and brake pads rub with a force of their own, whatever they carry. Such a
 * brake has a bound: it holds what it can, and opposes motion with the full bound.
 *
 * First a door of built-in bodies, 20 kg and 0.8 m wide, thrown shut with 1.5 rad/s. Its hinge
 * rubs with 2 N m, so it comes to rest after I w/T, with I = m w^2/3 about the hinge, and then
 * stays where it is: a door does not creep.
 *
 * Then a model of functions: a slider of 1 kg on a rail whose brake is slowly released, from 5 N
 * by 1 N/s, under a load of 3 N. It gives way after 2 s, exactly. */
#include <math.h>
#include <stdio.h>
#include <stiction.h>
#include <string.h>

/* Names of what can happen here. */
static const char *name_of(int32_t kind) {
  return kind == STN_EVENT_STICK ? "sticks" : kind == STN_EVENT_SLIP ? "slips" : "?";
}

static stn_status show_events(stn_stepper *s) {
  stn_event event;
  stn_status st = STN_OK;
  int32_t k;
  event.struct_size = sizeof event;
  for (k = 0; k < stn_stepper_event_count(s); k++) {
    if ((st = stn_stepper_get_event(s, k, &event)) < 0)
      return st;
    printf("  at %.4f s contact %d, key %d %s\n", event.t, (int)event.contact, (int)event.key,
           name_of(event.kind));
  }
  return st;
}

static stn_status door(stn_builder *b, stn_model **model, stn_stepper **s) {
  const double m = 20, width = 0.8, spin = 1.5, torque = 2.0;
  const double at[2] = {0.4, 0}, origin[3] = {0, 0, 0}, z[3] = {0, 0, 1};
  const double linear[3] = {0, 0.6, 0}, angular[3] = {0, 0, 1.5};
  double q[3], v[3], angle, later;
  int32_t body, hinge;
  stn_status st;
  if ((st = stn_builder_add_planar(b, m, m * width * width / 12, at, 0, &body)) < 0 ||
      (st = stn_builder_set_velocity(b, body, linear, angular)) < 0 ||
      (st = stn_builder_add_joint(b, STN_JOINT_REVOLUTE, STN_GROUND, body, origin, z, NULL,
                                  &hinge)) < 0 ||
      (st = stn_builder_add_joint_friction(b, hinge, STN_FREEDOM_ANGLE, torque)) < 0 ||
      (st = stn_builder_build(b, model)) < 0 || (st = stn_stepper_create(*model, NULL, s)) < 0)
    return st;
  printf("a door with %.0f N m in its hinge, stops after %.4f s exactly\n", torque,
         m * width * width / 3 * spin / torque);
  if ((st = stn_stepper_advance(*s, 4.0, 0.005)) < 0 || (st = show_events(*s)) < 0 ||
      (st = stn_stepper_get_state(*s, NULL, q, 3, v, 3)) < 0)
    return st;
  angle = q[2];
  if ((st = stn_stepper_advance(*s, 100.0, 0.1)) < 0 ||
      (st = stn_stepper_get_state(*s, NULL, q, 3, v, 3)) < 0)
    return st;
  later = q[2];
  printf("  angle %.4f, in 96 s more it creeps by %g\n", angle, fabs(later - angle));
  return STN_OK;
}

static int mass(double t, const double *q, double *m, void *user) {
  (void)t, (void)q, (void)user;
  m[0] = 1;
  return 0;
}

static int force(double t, const double *q, const double *v, double *f, void *user) {
  (void)t, (void)q, (void)v, (void)user;
  f[0] = 3;
  return 0;
}

static int brake(double t, const double *q, double *bound, double *direction, void *user) {
  (void)q, (void)user;
  bound[0] = t < 5 ? 5 - t : 0;
  direction[0] = 1;
  return 0;
}

static stn_status slider(stn_model **model, stn_stepper **s) {
  stn_dims dims;
  stn_model_fns fns;
  double x, v, worst;
  const double q0 = 0, v0 = 1;
  stn_status st;
  memset(&dims, 0, sizeof dims);
  memset(&fns, 0, sizeof fns);
  dims.struct_size = sizeof dims;
  dims.nq = dims.nv = dims.n_brake = 1;
  fns.struct_size = sizeof fns;
  fns.mass = mass, fns.force = force, fns.brake = brake;
  if ((st = stn_model_create(&dims, &fns, NULL, NULL, NULL, model)) < 0 ||
      (st = stn_model_check(*model, 0, &q0, 1, &v0, 1, &worst)) < 0 ||
      (st = stn_stepper_create(*model, NULL, s)) < 0 ||
      (st = stn_stepper_advance(*s, 3.0, 0.01)) < 0)
    return st;
  printf("a slider under 3 N whose brake goes from 5 N to 2 N in 3 s\n");
  if ((st = show_events(*s)) < 0 || (st = stn_stepper_get_state(*s, NULL, &x, 1, &v, 1)) < 0)
    return st;
  printf("  speed %.4f m/s, exactly %.4f m/s\n", v, 0.5);
  return STN_OK;
}

int main(void) {
  stn_builder *b = NULL;
  stn_model *model[2] = {NULL, NULL};
  stn_stepper *s[2] = {NULL, NULL};
  stn_status st;
  int status = 1, k;
  char text[256];
  if ((st = stn_builder_create(&b)) < 0 || (st = door(b, &model[0], &s[0])) < 0)
    goto fail;
  if ((st = slider(&model[1], &s[1])) < 0)
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
  return status;
}
