/* Chapter 21: groups of contacts of which one gap is enough.
 *
 * Contacts are conditions that hold together: every gap must be open. Around a corner that is not
 * so. A point is outside of a step if it is above its top or in front of its side: one of the two
 * is enough. The host pushes both and joins them in a group. The branch with the larger gap acts,
 * and where the other one becomes the larger it takes over, at that very time.
 *
 * A small block slides over the edge of a rough step, pulled back by a force. It falls in front of
 * the side, lands on the floor and comes back into the notch. Floor and side hold it there
 * together: the floor is a contact alone, the side a branch. */
#include <math.h>
#include <stdio.h>
#include <stiction.h>
#include <string.h>

enum { FLOOR = 1, SIDE = 2, TOP = 3, STEP = 4 };

static const double G = 10.0, MU = 0.3, HIGH = 1.0, PULL = -0.5;

static int mass(double t, const double *q, double *m, void *user) {
  (void)t, (void)q, (void)user;
  m[0] = m[3] = 1.0;
  return 0;
}

static int force(double t, const double *q, const double *v, double *f, void *user) {
  (void)t, (void)q, (void)v, (void)user;
  f[0] = PULL;
  f[1] = -G;
  return 0;
}

/* All branches of a group are pushed, or none: here all, whatever the margin is. */
static int contacts(double t, const double *q, double margin, stn_contact_sink *sink, void *user) {
  const double up[2] = {0.0, 1.0}, right[2] = {1.0, 0.0};
  const double level[4] = {1.0, 0.0, -1.0, 0.0};
  const int64_t step[2] = {SIDE, TOP};
  stn_status st;
  (void)t, (void)margin, (void)user;
  if ((st = stn_contact_push(sink, FLOOR, q[1], up, 0, NULL, 0.0, 0.0)) < 0)
    return st;
  if ((st = stn_contact_push(sink, SIDE, q[0], right, 0, NULL, 0.0, 0.0)) < 0)
    return st;
  if ((st = stn_contact_push(sink, TOP, q[1] - HIGH, up, 2, level, MU, 0.0)) < 0)
    return st;
  return stn_contact_join(sink, STEP, 2, step);
}

static const char *name(int64_t key) {
  return key == FLOOR ? "floor" : key == SIDE ? "side" : "top";
}

static stn_status tell(const stn_stepper *s) {
  stn_event event;
  stn_status st = STN_OK;
  int32_t i, n = stn_stepper_event_count(s);
  event.struct_size = sizeof event;
  for (i = 0; i < n && (st = stn_stepper_get_event(s, i, &event)) == STN_OK; i++)
    if (event.kind == STN_EVENT_TAKEOFF)
      printf("%.6f s: leaves the %s\n", event.t, name(event.key));
    else if (event.kind == STN_EVENT_IMPACT && event.speed_before < -1e-9)
      printf("%.6f s: hits the %s with %.4f m/s\n", event.t, name(event.key), -event.speed_before);
  return st;
}

int main(void) {
  const double start[2] = {-0.5, 1.0}, speed[2] = {2.0, 0.0};
  /* half a meter against friction and force; one meter of fall; back where it left */
  const double slows = MU * G - PULL, edge = sqrt(4.0 - 2.0 * slows * 0.5);
  const double leaves = (2.0 - edge) / slows, lands = leaves + sqrt(2.0 * HIGH / G);
  double q[2], v[2];
  stn_dims dims;
  stn_model_fns fns;
  stn_contact_state contact;
  int32_t i;
  int64_t key;
  stn_model *model = NULL;
  stn_stepper *s = NULL;
  stn_status st;

  memset(&dims, 0, sizeof dims);
  memset(&fns, 0, sizeof fns);
  dims.struct_size = sizeof dims, fns.struct_size = sizeof fns;
  contact.struct_size = sizeof contact;
  dims.nq = 2, dims.nv = 2, dims.n_dir = 2;
  fns.mass = mass, fns.force = force, fns.contacts = contacts, fns.max_contacts = 3;
  if ((st = stn_model_create(&dims, &fns, NULL, NULL, NULL, &model)) < 0)
    goto fail;
  if ((st = stn_stepper_create(model, NULL, &s)) < 0)
    goto fail;
  if ((st = stn_stepper_set_state(s, 0.0, start, 2, speed, 2)) < 0)
    goto fail;
  if ((st = stn_stepper_advance(s, 1.0, 0.01)) < 0 || (st = tell(s)) < 0)
    goto fail;
  printf("closed form: leaves at %.6f s, lands at %.6f s\n", leaves, lands);
  if ((st = stn_stepper_advance(s, 4.0, 0.01)) < 0 || (st = tell(s)) < 0)
    goto fail;
  printf("closed form: back at %.6f s with %.4f m/s\n", leaves - 2.0 * edge / PULL, edge);
  if ((st = stn_stepper_get_state(s, NULL, q, 2, v, 2)) < 0)
    goto fail;
  printf("at rest in the notch: %s\n",
         fabs(q[0]) + fabs(q[1]) + fabs(v[0]) + fabs(v[1]) < 1e-12 ? "yes" : "no");
  /* of the step the side acts; the top shows its own gap */
  for (key = FLOOR; key <= TOP; key++) {
    if ((st = stn_stepper_find_contact(s, key, &i)) < 0)
      goto fail;
    if ((st = stn_stepper_get_contact(s, i, &contact)) < 0)
      goto fail;
    printf("%-5s gap %4.1f m, force %4.1f N\n", name(key), contact.gap + 0.0,
           contact.normal_impulse / 0.01);
  }
  printf("look at the gap of the top: the block is a meter below it, which is no penetration "
         "while the side is open\n");
fail:
  if (st < 0) {
    char text[256];
    stn_last_error(text, sizeof text);
    fprintf(stderr, "%s: %s\n", stn_status_name(st), text);
  }
  stn_stepper_destroy(s);
  stn_model_destroy(model);
  return st < 0;
}
