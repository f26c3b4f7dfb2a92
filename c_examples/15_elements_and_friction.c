/* Chapter 15: friction that no normal force carries, and springs that the library knows.
 *
 * Bearings, gears and brakes rub with a force of their own, up to a bound, whatever they carry. A
 * door of 20 kg and 0.8 m, thrown shut with 1.5 rad/s, has 2 N m in its hinge: it rests after
 * I w/T, I = m w^2/3, and does not creep. The brake of a slider under 3 N is released from 5 N by
 * 1 N/s: it gives way after 2 s. Last a spring of 1e8 N/m, declared as an element and not written
 * into the force: steps may be a thousand times longer than its period, and no energy comes. */
#include <math.h>
#include <stdio.h>
#include <stiction.h>
#include <string.h>

static stn_status show_events(stn_stepper *s) {
  stn_event event;
  stn_status st = STN_OK;
  int32_t k;
  event.struct_size = sizeof event;
  for (k = 0; k < stn_stepper_event_count(s); k++) {
    if ((st = stn_stepper_get_event(s, k, &event)) < 0)
      return st;
    printf("  at %.4f s contact %d, key %d %s\n", event.t, (int)event.contact, (int)event.key,
           event.kind == STN_EVENT_STICK ? "sticks" : "slips");
  }
  return st;
}

static stn_status door(stn_builder *b, stn_model **model, stn_stepper **s) {
  const double m = 20, width = 0.8, spin = 1.5, torque = 2.0;
  const double at[2] = {0.4, 0}, origin[3] = {0, 0, 0}, z[3] = {0, 0, 1};
  const double linear[3] = {0, 0.6, 0}, angular[3] = {0, 0, 1.5};
  double q[3], v[3], angle;
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
  printf("  angle %.4f, in 96 s more it creeps by %g\n", angle, fabs(q[2] - angle));
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

static void blank(stn_dims *dims, stn_model_fns *fns) {
  memset(dims, 0, sizeof *dims);
  memset(fns, 0, sizeof *fns);
  dims->struct_size = sizeof *dims, dims->nq = dims->nv = 1;
  fns->struct_size = sizeof *fns;
}

static stn_status slider(stn_model **model, stn_stepper **s) {
  stn_dims dims;
  stn_model_fns fns;
  double x, v, rubbed;
  stn_status st;
  blank(&dims, &fns);
  dims.n_brake = 1;
  fns.mass = mass, fns.force = force, fns.brake = brake;
  if ((st = stn_model_create(&dims, &fns, NULL, NULL, NULL, model)) < 0 ||
      (st = stn_stepper_create(*model, NULL, s)) < 0 ||
      (st = stn_stepper_advance(*s, 3.0, 0.01)) < 0)
    return st;
  printf("a slider under 3 N whose brake goes from 5 N to 2 N in 3 s\n");
  if ((st = show_events(*s)) < 0 || (st = stn_stepper_get_state(*s, NULL, &x, 1, &v, 1)) < 0 ||
      (st = stn_stepper_get_brake_impulses(*s, &rubbed, 1)) < 0)
    return st;
  printf("  speed %.4f m/s, exactly %.4f m/s; last step %.5f N s rubbed off\n", v, 0.5, -rubbed);
  return STN_OK;
}

static int element(double t, const double *q, double *phi, double *gradient, double *stiffness,
                   double *damping, void *user) {
  (void)t, (void)user, (void)damping;
  phi[0] = q[0], gradient[0] = 1, stiffness[0] = 1e8;
  return 0;
}

static stn_status sprung(stn_model **model, stn_stepper **s) {
  const double q0 = 1e-3, v0 = 1;
  double x, v, kinetic, potential, before = 0.5 * v0 * v0 + 0.5 * 1e8 * q0 * q0;
  int grown = 0, k;
  stn_stepper_options opt;
  stn_dims dims;
  stn_model_fns fns;
  stn_status st;
  blank(&dims, &fns);
  dims.n_element = 1;
  fns.mass = mass, fns.element = element;
  if ((st = stn_stepper_options_init(&opt, sizeof opt)) < 0)
    return st;
  opt.method = STN_METHOD_IMPLICIT_EULER, opt.jacobian = 2;
  if ((st = stn_model_create(&dims, &fns, NULL, NULL, NULL, model)) < 0 ||
      (st = stn_stepper_create(*model, &opt, s)) < 0 ||
      (st = stn_stepper_set_state(*s, 0, &q0, 1, &v0, 1)) < 0)
    return st;
  for (k = 0; k < 20; k++, before = kinetic + potential) {
    if ((st = stn_stepper_step(*s, 0.5)) < 0 ||
        (st = stn_stepper_get_state(*s, NULL, &x, 1, &v, 1)) < 0 ||
        (st = stn_model_get_energy(*model, 0, &x, 1, &v, 1, &kinetic, &potential)) < 0)
      return st;
    grown |= kinetic + potential > before;
  }
  printf("a spring of 1e8 N/m in steps of 0.5 s: energy %s\n", grown ? "grew" : "never grew");
  return STN_OK;
}

int main(void) {
  stn_builder *b = NULL;
  stn_model *model[3] = {NULL, NULL, NULL};
  stn_stepper *s[3] = {NULL, NULL, NULL};
  stn_status st;
  int status = 1, k;
  char text[256];
  if ((st = stn_builder_create(&b)) < 0 || (st = door(b, &model[0], &s[0])) < 0)
    goto fail;
  if ((st = slider(&model[1], &s[1])) < 0 || (st = sprung(&model[2], &s[2])) < 0)
    goto fail;
  status = 0;

fail:
  if (status) {
    stn_last_error(text, (int32_t)sizeof text);
    fprintf(stderr, "%s: %s\n", stn_status_name(st), text);
  }
  for (k = 0; k < 3; k++) {
    stn_stepper_destroy(s[k]);
    stn_model_destroy(model[k]);
  }
  stn_builder_destroy(b);
  return status;
}
