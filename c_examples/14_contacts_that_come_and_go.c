/* Chapter 14: contacts that come and go.
 *
 * Up to here every contact had a gap of its own, asked for at every point. A program with its own
 * collision detection has another list of contacts at every configuration. It gives one function
 * that is asked for all contacts within a margin and pushes them, each with a key by which the
 * library knows it again.
 *
 * A disc rolls down a ramp made of five planks, flies off its end and lands on the floor, where a
 * small block lies at rest. The keys are the numbers of the planks; the floor and the block have
 * their own. Rolling, a disc accelerates with 2/3 g sin(alpha); in the air it is a point. */
#include <math.h>
#include <stdio.h>
#include <stiction.h>
#include <string.h>

enum { PLANKS = 5, FLOOR = 100, BLOCK = 200 };

static const double G = 10.0, RADIUS = 0.1, MU = 0.5, GROUND = -3.0;
static const double ALONG[2] = {0.8, -0.6}, PLANK = 0.4; /* down the ramp from (0, 0), m */

/* q = (x, y, angle) of the disc, 1 kg, then (x, y) of the block, 1 kg */
static int mass(double t, const double *q, double *m, void *user) {
  int i;
  (void)t, (void)q, (void)user;
  for (i = 0; i < 5; i++)
    m[6 * i] = i == 2 ? 0.5 * RADIUS * RADIUS : 1.0;
  return 0;
}

static int force(double t, const double *q, const double *v, double *f, void *user) {
  (void)t, (void)q, (void)v, (void)user;
  f[1] = f[4] = -G;
  return 0;
}

/* One plank against the disc: the nearest of its points decides, also at its ends, so that
 * neighbours take over from each other without a step. */
static stn_status push_plank(stn_contact_sink *sink, int k, const double *q, double margin) {
  const double from[2] = {k * PLANK * ALONG[0], k * PLANK * ALONG[1]};
  double s = (q[0] - from[0]) * ALONG[0] + (q[1] - from[1]) * ALONG[1];
  double d[2], n[2], gap, normal[5], tangent[10];
  s = s < 0.0 ? 0.0 : s > PLANK ? PLANK : s;
  d[0] = q[0] - from[0] - s * ALONG[0];
  d[1] = q[1] - from[1] - s * ALONG[1];
  gap = sqrt(d[0] * d[0] + d[1] * d[1]) - RADIUS;
  if (gap > margin)
    return STN_OK;
  n[0] = d[0] / (gap + RADIUS), n[1] = d[1] / (gap + RADIUS);
  memset(normal, 0, sizeof normal);
  memset(tangent, 0, sizeof tangent);
  normal[0] = n[0], normal[1] = n[1];
  tangent[0] = n[1], tangent[1] = -n[0], tangent[2] = RADIUS;
  tangent[5] = -n[1], tangent[6] = n[0], tangent[7] = -RADIUS;
  return stn_contact_push(sink, k, gap, normal, 2, tangent, MU, 0.0);
}

/* A push that fails fails the step with its status, whatever is returned here. */
static int contacts(double t, const double *q, double margin, stn_contact_sink *sink, void *user) {
  const int32_t block[2] = {3, 4}; /* two of five coordinates: only those are handed over */
  const double up[2] = {0.0, 1.0}, sides[4] = {1.0, 0.0, -1.0, 0.0};
  const double above[5] = {0.0, 1.0, 0.0, 0.0, 0.0}, aside[5] = {1.0, 0.0, RADIUS, 0.0, 0.0};
  const double height = q[1] - RADIUS - GROUND;
  stn_status st = STN_OK;
  int k;
  (void)t, (void)user;
  for (k = 0; k < PLANKS && st == STN_OK; k++)
    st = push_plank(sink, k, q, margin);
  if (st == STN_OK && height <= margin)
    st = stn_contact_push_tangents(sink, FLOOR, height, above, 2, aside, aside, MU, 0.0);
  if (st == STN_OK)
    st = stn_contact_push_sparse(sink, BLOCK, q[4] - GROUND, 2, block, up, 2, sides, MU, 0.0);
  return st;
}

/* Height and speed of the disc tell its energy; rolling, it turns with v/r. */
static double energy(const double *q, const double *v) {
  return 0.5 * (v[0] * v[0] + v[1] * v[1] + 0.5 * RADIUS * RADIUS * v[2] * v[2]) + G * q[1];
}

/* Which plank carried the disc from when on. It glides over the joint, or is felt to touch the next
 * plank by less than a mm/s. */
static stn_status tell(const stn_stepper *s, double a) {
  stn_event event;
  stn_status st = STN_OK;
  int32_t i, n = stn_stepper_event_count(s), last = 0;
  event.struct_size = sizeof event;
  for (i = 0; i < n && (st = stn_stepper_get_event(s, i, &event)) == STN_OK; i++)
    if ((event.kind == STN_EVENT_CLOSE || event.kind == STN_EVENT_IMPACT) && event.key > last) {
      last = (int32_t)event.key;
      printf("plank %d carries at %.3f s, closed form %.3f s\n", (int)last, event.t,
             sqrt(2.0 * (last * PLANK - 0.2) / a));
    } else if (event.kind == STN_EVENT_TAKEOFF && event.key == PLANKS - 1)
      printf("it takes off at %.4f s\n", event.t);
  return st;
}

int main(void) {
  stn_dims dims;
  stn_model_fns fns;
  stn_event event;
  /* the foot of the disc is 0.2 m down the ramp, 1.8 m before its end */
  const double start[5] = {0.2 * 0.8 + 0.1 * 0.6, -0.2 * 0.6 + 0.1 * 0.8, 0.0, 5.0, GROUND};
  const double rest[5] = {0.0, 0.0, 0.0, 0.0, 0.0};
  const double a = 2.0 / 3.0 * G * 0.6, leaves = sqrt(2.0 * 1.8 / a), speed = a * leaves;
  const double fall = -2.0 * 0.6 + 0.1 * 0.8 - RADIUS - GROUND;
  const double down = 0.6 * speed, flight = (sqrt(down * down + 2.0 * G * fall) - down) / G;
  double q[5], v[5], change;
  int32_t i, n, contact, taken;
  int64_t key;
  stn_model *model = NULL;
  stn_stepper *s = NULL;
  stn_status st;

  memset(&dims, 0, sizeof dims);
  memset(&fns, 0, sizeof fns);
  dims.struct_size = sizeof dims, fns.struct_size = sizeof fns, event.struct_size = sizeof event;
  dims.nq = 5, dims.nv = 5, dims.n_dir = 2;
  fns.mass = mass, fns.force = force, fns.contacts = contacts, fns.max_contacts = PLANKS + 2;
  if ((st = stn_model_create(&dims, &fns, NULL, NULL, NULL, &model)) < 0)
    goto fail;
  if ((st = stn_stepper_create(model, NULL, &s)) < 0)
    goto fail;
  if ((st = stn_stepper_set_state(s, 0.0, start, 5, rest, 5)) < 0)
    goto fail;
  if ((st = stn_stepper_advance(s, 1.3, 0.005)) < 0)
    goto fail;
  if ((st = stn_stepper_get_state(s, NULL, q, 5, v, 5)) < 0)
    goto fail;
  change = fabs(energy(q, v) - energy(start, rest));
  st = tell(s, a);
  if (st < 0 || (st = stn_stepper_advance(s, 1.5, 0.005)) < 0)
    goto fail;
  printf("leaves the ramp at %.4f s; in the air energy has changed by %s\n", leaves,
         change < 1e-3 ? "less than 1e-3 J" : "too much");
  if ((st = stn_stepper_get_event(s, 0, &event)) < 0)
    goto fail;
  printf("lands on %d after %.4f s in the air, closed form %.4f s\n", (int)event.key,
         event.t - leaves, flight);
  /* who is there now, by key and by index */
  if ((st = stn_stepper_find_contact(s, 0, &contact)) < 0)
    goto fail;
  printf("plank 0 is %s\n", contact < 0 ? "out of reach" : "within reach");
  n = stn_stepper_contact_count(s);
  for (i = 0; i < n; i++) {
    if ((st = stn_stepper_get_contact_key(s, i, &key, &taken)) < 0)
      goto fail;
    if (taken)
      printf("%s is contact %d\n", key == BLOCK ? "the block" : "the floor", (int)i);
  }
  printf("look at the times: contacts come and go, and the closed forms are met\n");
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
