/* Chapter 12: what happened inside a step, and where the energy went.
 *
 * A block of 1 kg is thrown: it falls 0.2 m on rough ground (e = 0.5, mu = 0.4), bounces, slides
 * and stops.
 *
 * First table: states inside one long step with an impact in it. The step is computed once; the
 * states between its ends come from stn_stepper_get_state_at, and lie on the parabolas of the
 * flight. Second table: another stepper is told to stop at every event, so that the program stands
 * where something happens and can look around. Impulses are those of the whole last step, impacts
 * included. Then the books: all that gravity gave, and the block had, went to impacts and friction;
 * the residue is what the method added by itself. Last: what acts at an instant. Friction slows a
 * block that slides by mu g, and does nothing to one that stands. */
#include <math.h>
#include <stdio.h>
#include <stiction.h>
#include <string.h>

static const double g = 9.81, mu = 0.4, e = 0.5;

static int mass(double t, const double *q, double *m, void *user) {
  (void)t, (void)q, (void)user;
  m[0] = m[3] = 1.0;
  return 0;
}

static int force(double t, const double *q, const double *v, double *f, void *user) {
  (void)t, (void)q, (void)v, (void)user;
  f[1] = -g;
  return 0;
}

static int ground(double t, const double *q, double *gap, double *normal, void *user) {
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

static const double q0[2] = {0.0, 0.2}, v0[2] = {3.0, 0.0};

/* One step of 0.3 s, with the first impact in it, seen every 0.05 s. */
static stn_status inside(stn_stepper *s) {
  const double fall = sqrt(2.0 * 0.2 / g), up = e * g * fall;
  stn_status st;
  int k;
  if ((st = stn_stepper_set_state(s, 0.0, q0, 2, v0, 2)) < 0 || (st = stn_stepper_step(s, 0.3)) < 0)
    return st;
  printf("  t      height   closed form\n");
  for (k = 0; k <= 6; k++) {
    const double t = k < 6 ? 0.05 * k : 0.3, rest = t - fall;
    const double exact = t < fall ? 0.2 - 0.5 * g * t * t : up * rest - 0.5 * g * rest * rest;
    double q[2];
    if ((st = stn_stepper_get_state_at(s, t, q, 2, NULL, 2)) < 0)
      return st;
    printf(" %.2f   %8.6f   %8.6f\n", t, q[1], exact);
  }
  return STN_OK;
}

/* From event to event until the block stands. */
static stn_status events(stn_stepper *s) {
  stn_status st;
  stn_contact_state contact;
  stn_event event;
  int32_t n = 0;
  contact.struct_size = sizeof contact;
  event.struct_size = sizeof event;
  if ((st = stn_stepper_set_state(s, 0.0, q0, 2, v0, 2)) < 0)
    return st;
  printf("\n  t          what    slip speed   normal   friction impulse\n");
  while ((st = stn_stepper_advance(s, 2.0, 0.5)) == STN_EVENT) {
    if ((st = stn_stepper_get_event(s, 0, &event)) < 0)
      return st;
    if ((st = stn_stepper_get_contact(s, 0, &contact)) < 0)
      return st;
    if (event.kind != STN_EVENT_IMPACT || n++ < 4)
      printf(" %.6f   %s   %10.6f  %7.4f   %7.4f\n", event.t,
             contact.mode == STN_CONTACT_STICK ? "sticks" : "impact", contact.slip_speed,
             contact.normal_impulse, contact.tangential_impulse);
  }
  printf("%d impacts in all\n", (int)n);
  return st;
}

/* What acts on the block at this speed. */
static stn_status acting(stn_stepper *s, const char *when, double speed) {
  const double q[2] = {0.0, 0.0}, v[2] = {speed, 0.0};
  double a[2], normal, friction[2];
  stn_status st;
  if ((st = stn_stepper_set_state(s, 0.0, q, 2, v, 2)) < 0)
    return st;
  if ((st = stn_stepper_get_forces(s, a, 2, NULL, 0, &normal, NULL, 1, friction, 2)) < 0)
    return st;
  printf("%s: acceleration %.3f, normal force %.3f, friction %.3f\n", when, a[0] + 0.0, normal,
         friction[0] - friction[1] + 0.0);
  return STN_OK;
}

static stn_status books(const stn_stepper *s) {
  stn_ledger l;
  stn_status st;
  l.struct_size = sizeof l;
  if ((st = stn_stepper_get_ledger(s, STN_LEDGER_SUM, &l)) < 0)
    return st;
  printf("\nkinetic energy %.4f J: gravity %.4f, friction -%.4f, impacts -%.4f\n", l.kinetic,
         l.external, l.friction, l.impact);
  printf("the method added %s\n", fabs(l.residue) < 1e-12 ? "nothing" : "energy");
  return STN_OK;
}

int main(void) {
  stn_dims dims;
  stn_model_fns fns;
  stn_stepper_options opt;
  stn_model *model = NULL;
  stn_stepper *whole = NULL, *s = NULL;
  stn_status st;
  char text[256];

  memset(&dims, 0, sizeof dims);
  memset(&fns, 0, sizeof fns);
  dims.struct_size = sizeof dims;
  fns.struct_size = sizeof fns;
  dims.nq = 2, dims.nv = 2, dims.n_contact = 1, dims.n_dir = 2;
  fns.mass = mass, fns.force = force, fns.gap = ground, fns.tangent = along;
  if ((st = stn_model_create(&dims, &fns, &mu, &e, NULL, &model)) < 0)
    goto fail;
  if ((st = stn_stepper_options_init(&opt, sizeof opt)) < 0)
    goto fail;
  if ((st = stn_stepper_create(model, &opt, &whole)) < 0)
    goto fail;
  opt.stop_at_event = 1;
  if ((st = stn_stepper_create(model, &opt, &s)) < 0)
    goto fail;
  if ((st = inside(whole)) < 0 || (st = events(s)) < 0 || (st = books(s)) < 0 ||
      (st = acting(s, "\nsliding", 1.0)) < 0 || (st = acting(s, "standing", 0.0)) < 0)
    goto fail;
  printf("look at the books: what gravity gave and the block had is what friction and impacts "
         "took\n");
  goto done;

fail:
  stn_last_error(text, (int32_t)sizeof text);
  fprintf(stderr, "%s: %s\n", stn_status_name(st), text);
done:
  stn_stepper_destroy(whole);
  stn_stepper_destroy(s);
  stn_model_destroy(model);
  return st < 0;
}
