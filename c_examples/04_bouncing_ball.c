/* Chapter 4: a model and a stepper.
 *
 * A ball of 1 kg falls from 1 m, pulled by 2 N; each rebound keeps half the speed. It hits the
 * ground at t = 1, 2, 2.5, 2.75, ... : impact n at 3 - 2^(1-n), infinitely many before t = 3, when
 * it lies still.
 *
 * The library asks the program for what only the program knows: mass, force, and how far the ball
 * is from the ground. It finds the impacts itself, inside its steps of 10 ms. Look at the times:
 * between impacts the motion is a parabola, which the method follows exactly, so they are right to
 * rounding. Look at the end: once a flight would be shorter than a hundredth of a step, the gap is
 * closed and the ball rests; what was left out is twice that flight.
 *
 * With --csv FILE the motion is written too; to see it:
 *   gnuplot -p -e "set datafile separator ','; plot 'FILE' using 1:2 with lines" */
#include <math.h>
#include <stdio.h>
#include <stiction.h>
#include <string.h>

/* Arrays come zeroed, so that only what is not zero needs writing; 0 says that all went well. */
static int mass(double t, const double *q, double *m, void *user) {
  (void)t, (void)q, (void)user;
  m[0] = 1.0;
  return 0;
}

static int force(double t, const double *q, const double *v, double *f, void *user) {
  (void)t, (void)q, (void)v, (void)user;
  f[0] = -2.0;
  return 0;
}

/* The gap is positive while the ball flies; it grows with the velocity along the normal. */
static int gap(double t, const double *q, double *g, double *normal, void *user) {
  (void)t, (void)user;
  g[0] = q[0];
  normal[0] = 1.0;
  return 0;
}

static const char *kind(int32_t k) {
  return k == STN_EVENT_IMPACT ? "impact" : k == STN_EVENT_CLOSE ? "at rest" : "other";
}

int main(int argc, char **argv) {
  stn_dims dims;
  stn_model_fns fns;
  const double e = 0.5, height = 1.0, still = 0.0, h = 0.01;
  double q = 0.0, v = 0.0, t = 0.0, worst = 0.0;
  stn_model *model = NULL;
  stn_stepper *s = NULL;
  stn_status st;
  FILE *csv = NULL;
  char text[256];
  int32_t i, impacts = 0;

  if (argc == 3 && strcmp(argv[1], "--csv") == 0 && !(csv = fopen(argv[2], "w"))) {
    fprintf(stderr, "cannot write %s\n", argv[2]);
    return 1;
  }
  /* Zeros first, then names: what a later version adds is then not there, and nothing changes. */
  memset(&dims, 0, sizeof dims);
  memset(&fns, 0, sizeof fns);
  dims.struct_size = sizeof dims;
  fns.struct_size = sizeof fns;
  dims.nq = 1, dims.nv = 1, dims.n_contact = 1;
  fns.mass = mass, fns.force = force, fns.gap = gap;
  if ((st = stn_model_create(&dims, &fns, NULL, &e, NULL, &model)) < 0)
    goto fail;
  if ((st = stn_stepper_create(model, NULL, &s)) < 0) /* NULL: the default method */
    goto fail;
  if ((st = stn_stepper_set_state(s, 0.0, &height, 1, &still, 1)) < 0)
    goto fail;

  printf("   n  what            t      v before   v after   impulse\n");
  while (t < 4.0) {
    if ((st = stn_stepper_step(s, h)) < 0)
      goto fail;
    for (i = 0; st == STN_EVENT && i < stn_stepper_event_count(s); i++) {
      stn_event event;
      event.struct_size = sizeof event;
      if ((st = stn_stepper_get_event(s, i, &event)) < 0)
        goto fail;
      st = STN_EVENT;
      if (event.kind == STN_EVENT_IMPACT) {
        const double off = fabs(event.t - (3.0 - pow(2.0, -impacts++ + 1.0)));
        worst = off > worst ? off : worst;
        printf("%4d  %-8s %10.6f  %9.6f %9.6f %9.6f\n", (int)impacts, kind(event.kind), event.t,
               event.speed_before, event.speed_after, event.impulse);
      } else {
        printf("      %-8s %10.4f\n", kind(event.kind), event.t);
      }
    }
    if ((st = stn_stepper_get_state(s, &t, &q, 1, &v, 1)) < 0)
      goto fail;
    if (csv)
      fprintf(csv, "%.17g,%.17g,%.17g\n", t, q, v);
  }
  printf("impact times are right to 1e-12: %s\n", worst < 1e-12 ? "yes" : "no");
  printf("at t = %.0f: height %.1f, velocity %.1f\n", t, fabs(q) < 1e-15 ? 0.0 : q, v);
  goto done;

fail:
  stn_last_error(text, (int32_t)sizeof text);
  fprintf(stderr, "%s: %s\n", stn_status_name(st), text);
done:
  stn_stepper_destroy(s);
  stn_model_destroy(model);
  if (csv)
    fclose(csv);
  return st < 0;
}
