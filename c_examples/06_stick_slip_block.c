/* Chapter 6: friction that holds, lets go and holds again.
 *
 * A block of 1 kg lies on a plane, mu = 0.8, and is pushed to and fro by 8 cos t newtons. Friction
 * can hold 7.848 N, so the block moves only while the push is near its peaks: it slides four times
 * in 10 s, a few millimeters each time. Second experiment of Potra, Anitescu, Gavrea and Trinkle
 * (2006), section 10.2.
 *
 * Friction needs two directions along the plane, one against the other: n_dir = 2. Look at the
 * first table: the moments at which it sticks and slips are found inside the steps, and agree with
 * the closed form. Look at the second: half the step, a quarter of the error, through seven
 * changes between stick and slip. While it sticks it does not creep.
 *
 * With --csv FILE the motion is written too; to see it:
 *   gnuplot -p -e "set datafile separator ','; plot 'FILE' using 1:2 with lines" */
#include <math.h>
#include <stdio.h>
#include <stiction.h>
#include <string.h>

enum { CHANGES = 7 };

/* Closed form: it slides while |8 cos t| exceeds 0.8 g until its speed is gone. */
static const double change[CHANGES] = {
    0.33860818467198062, 2.94634679122386296, 3.53283460888699945, 6.08793944481365620,
    6.67442726247679269, 9.22953209840344943, 9.81601991606658593};
static const double x2 = 3.00434856972686523, x10 = 2.99130283311503152;

static int mass(double t, const double *q, double *m, void *user) {
  (void)t, (void)q, (void)user;
  m[0] = m[3] = 1.0;
  return 0;
}

static int force(double t, const double *q, const double *v, double *f, void *user) {
  (void)q, (void)v, (void)user;
  f[0] = 8.0 * cos(t);
  f[1] = -9.81;
  return 0;
}

static int plane(double t, const double *q, double *gap, double *normal, void *user) {
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

/* Ten seconds in steps of h: errors of x(2), of x(10) and of the times of change. */
static stn_status shake(stn_stepper *s, double h, int print, FILE *csv, double error[3]) {
  const double q0[2] = {3.0, 0.0}, v0[2] = {0.0, 0.0};
  double q[2], v[2], t = 0.0;
  stn_status st;
  int32_t i, n = 0;
  error[2] = 0.0;
  if ((st = stn_stepper_set_state(s, 0.0, q0, 2, v0, 2)) < 0)
    return st;
  while (t < 10.0) {
    if ((st = stn_stepper_step(s, h)) < 0)
      return st;
    for (i = 0; i < stn_stepper_event_count(s); i++, n++) {
      stn_event e;
      double off;
      e.struct_size = sizeof e;
      if ((st = stn_stepper_get_event(s, i, &e)) < 0)
        return st;
      off = n < CHANGES ? fabs(e.t - change[n]) : 1.0;
      error[2] = off > error[2] ? off : error[2];
      if (print)
        printf("  %9.6f s  %s\n", e.t, e.kind == STN_EVENT_STICK ? "sticks" : "slips");
    }
    if ((st = stn_stepper_get_state(s, &t, q, 2, v, 2)) < 0)
      return st;
    if (fabs(t - 2.0) < 0.5 * h)
      error[0] = fabs(q[0] - x2);
    if (csv)
      fprintf(csv, "%.17g,%.17g,%.17g\n", t, q[0], v[0]);
  }
  error[1] = fabs(q[0] - x10);
  return STN_OK;
}

int main(int argc, char **argv) {
  stn_dims dims;
  stn_model_fns fns;
  const double mu = 0.8;
  double error[3], before[3];
  stn_model *model = NULL;
  stn_stepper *s = NULL;
  stn_status st;
  FILE *csv = NULL;
  char text[256];
  int k;

  if (argc == 3 && strcmp(argv[1], "--csv") == 0 && !(csv = fopen(argv[2], "w"))) {
    fprintf(stderr, "cannot write %s\n", argv[2]);
    return 1;
  }
  memset(&dims, 0, sizeof dims);
  memset(&fns, 0, sizeof fns);
  dims.struct_size = sizeof dims;
  fns.struct_size = sizeof fns;
  dims.nq = 2, dims.nv = 2, dims.n_contact = 1, dims.n_dir = 2;
  fns.mass = mass, fns.force = force, fns.gap = plane, fns.tangent = along;
  if ((st = stn_model_create(&dims, &fns, &mu, NULL, NULL, &model)) < 0)
    goto fail;
  if ((st = stn_stepper_create(model, NULL, &s)) < 0)
    goto fail;
  printf("with steps of 2^-10 s the block\n   0.000000 s  slips\n");
  if ((st = shake(s, pow(2.0, -10.0), 1, csv, error)) < 0)
    goto fail;
  if ((st = shake(s, pow(2.0, -5.0), 0, NULL, before)) < 0)
    goto fail;
  printf("\n h      error of x(2)  order   of x(10)  order   of times  order\n");
  for (k = 6; k <= 10; k++) {
    if ((st = shake(s, pow(2.0, -k), 0, NULL, error)) < 0)
      goto fail;
    printf("2^-%02d     %.2e     %4.2f   %.2e   %4.2f   %.2e   %4.2f\n", k, error[0],
           log2(before[0] / error[0]), error[1], log2(before[1] / error[1]), error[2],
           log2(before[2] / error[2]));
    memcpy(before, error, sizeof before);
  }
  printf("\nlook at the orders: 2, through seven changes between stick and slip\n");
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
