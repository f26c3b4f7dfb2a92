/* Chapter 8: a rod falls on a table.
 *
 * A rod of 1 kg with round ends, 0.5 m between their centers, falls while it spins; both ends may
 * touch the table, mu = 0.6, nothing bounces. The experiment of Stewart and Trinkle, An implicit
 * time-stepping scheme for rigid body dynamics with inelastic collisions and Coulomb friction
 * (1996).
 *
 * Look at the first touch. The end slides forward while friction wants to turn the rod into the
 * table: right there Newton's laws, Coulomb's law and a rigid table have no solution with finite
 * forces (Painleve's paradox). An impulse has one: the end sticks at once, and the rod swings down
 * around it, until it slips. Then the other end hits, both slide for 19 ms, and the rod lies still.
 * The flight before the first touch is exact; after it, times and place converge with order two to
 * those of an event-driven computation.
 *
 * With --csv FILE the motion is written too; to see height and angle:
 *   gnuplot -p -e "set datafile separator ','; plot 'FILE' u 1:3 w l, 'FILE' u 1:4 w l" */
#include <math.h>
#include <stdio.h>
#include <stiction.h>
#include <string.h>

static const double radius = 0.05, reach[2] = {-0.25, 0.25};
static const double hits[2] = {0.385817751713149, 0.547318419669808};
static const double rest = 0.566342754231208, x_rest = -0.22735998270109;

/* q = (x, y, angle) of the middle */
static int mass(double t, const double *q, double *m, void *user) {
  (void)t, (void)q, (void)user;
  m[0] = m[4] = 1.0;
  m[8] = 0.002;
  return 0;
}

static int force(double t, const double *q, const double *v, double *f, void *user) {
  (void)t, (void)q, (void)v, (void)user;
  f[1] = -9.81;
  return 0;
}

/* Each end: its height above the table, and how that changes with x, y, angle. */
static int table(double t, const double *q, double *gap, double *normal, void *user) {
  int i;
  (void)t, (void)user;
  for (i = 0; i < 2; i++) {
    gap[i] = q[1] + reach[i] * sin(q[2]) - radius;
    normal[3 * i + 1] = 1.0;
    normal[3 * i + 2] = reach[i] * cos(q[2]);
  }
  return 0;
}

/* The touching point of each end moves along the table with x and with the angle; and back. */
static int along(double t, const double *q, double *tangent, void *user) {
  int i;
  (void)t, (void)user;
  for (i = 0; i < 2; i++) {
    double *forth = tangent + 6 * i, *back = forth + 3;
    forth[0] = 1.0;
    forth[2] = radius - reach[i] * sin(q[2]);
    back[0] = -forth[0];
    back[2] = -forth[2];
  }
  return 0;
}

/* Rounding must not decide between 0.0000 and -0.0000 on paper. */
static double tidy(double x) { return fabs(x) < 5e-5 ? 0.0 : x; }

static const char *kind(int32_t k) {
  static const char *const name[7] = {"?",         "hits",   "sticks", "slides",
                                      "takes off", "closes", "energy"};
  return name[k > 0 && k < 7 ? k : 0];
}

/* Drops the rod, in steps of h. Errors of the two impacts, of the time of rest and of its place. */
static stn_status drop(stn_stepper *s, double h, int print, FILE *csv, double error[4]) {
  double q[3] = {0.0, 1.0, 0.0}, v[3] = {0.0, 0.0, 4.0}, t = 0.0, last = 0.0;
  stn_status st;
  int32_t i, n = 0;
  q[2] = acos(-1.0) / 6.0;
  if ((st = stn_stepper_set_state(s, 0.0, q, 3, v, 3)) < 0)
    return st;
  while (t < 0.7 - 0.5 * h) {
    if ((st = stn_stepper_step(s, h)) < 0)
      return st;
    for (i = 0; i < stn_stepper_event_count(s); i++) {
      stn_event e;
      e.struct_size = sizeof e;
      if ((st = stn_stepper_get_event(s, i, &e)) < 0)
        return st;
      if (e.kind == STN_EVENT_IMPACT && e.speed_before < -1e-3 && n < 2)
        error[n] = fabs(e.t - hits[n]), n++;
      last = e.t;
      if (print)
        printf("  %8.5f s  end %d %-9s  speed %8.4f -> %7.4f m/s\n", e.t, (int)e.contact + 1,
               kind(e.kind), tidy(e.speed_before), tidy(e.speed_after));
    }
    if ((st = stn_stepper_get_state(s, &t, q, 3, v, 3)) < 0)
      return st;
    if (csv)
      fprintf(csv, "%.17g,%.17g,%.17g,%.17g\n", t, q[0], q[1], q[2]);
  }
  error[2] = fabs(last - rest), error[3] = fabs(q[0] - x_rest);
  return STN_OK;
}

int main(int argc, char **argv) {
  stn_dims dims;
  stn_model_fns fns;
  const double mu[2] = {0.6, 0.6};
  double error[4] = {1.0, 1.0, 1.0, 1.0}, before[4] = {1.0, 1.0, 1.0, 1.0};
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
  dims.nq = 3, dims.nv = 3, dims.n_contact = 2, dims.n_dir = 2;
  fns.mass = mass, fns.force = force, fns.gap = table, fns.tangent = along;
  if ((st = stn_model_create(&dims, &fns, mu, NULL, NULL, &model)) < 0)
    goto fail;
  if ((st = stn_stepper_create(model, NULL, &s)) < 0)
    goto fail;
  if ((st = drop(s, 1.0 / 1000.0, 1, csv, error)) < 0)
    goto fail;
  printf("  first touch right to 1e-12: %s\n", error[0] < 1e-12 ? "yes" : "no");
  printf("\n  h     second touch  order   at rest  order   its place  order\n");
  if ((st = drop(s, 1.0 / 125.0, 0, NULL, before)) < 0)
    goto fail;
  for (k = 250; k <= 2000; k *= 2) {
    if ((st = drop(s, 1.0 / k, 0, NULL, error)) < 0)
      goto fail;
    printf("1/%-5d    %.1e    %3.1f    %.1e   %3.1f     %.1e    %3.1f\n", k, error[1],
           log2(before[1] / error[1]), error[2], log2(before[2] / error[2]), error[3],
           log2(before[3] / error[3]));
    memcpy(before, error, sizeof before);
  }
  printf("\nlook at the orders: time and place of rest with order 2, behind two "
         "hits and a slide\n");
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
