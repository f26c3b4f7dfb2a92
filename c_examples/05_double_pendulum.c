/* Chapter 5: a double pendulum that swings against a wall.
 *
 * Two bobs of 1 kg on rods of 1 m, the first rod hung at the origin, both started from rest at 60
 * and 36 degrees. The wall x = 0 stops either bob, and little bounces back: e = 0.1. Each bob is
 * described by its plain coordinates; the rods are joints, the wall is two contacts. This is the
 * first experiment of Potra, Anitescu, Gavrea and Trinkle, A linearly implicit trapezoidal method
 * for integrating stiff multibody dynamics with contact, joints, and friction (2006), section 10.1.
 *
 * Five impacts in 2.5 s. Each jump is found inside its step, and the step goes on from there, so
 * the impacts do not cost the method its order. Look at the last table: half the step, a quarter of
 * the error, in positions, in velocities and in the times of the impacts, while the rods keep
 * their length to rounding. The reference is another computation, in two angles with 34 digits.
 *
 * With --csv FILE the motion is written too; to see the bobs:
 *   gnuplot -p -e "set datafile separator ','; plot 'FILE' u 2:3 w l, 'FILE' u 4:5 w l" */
#include <math.h>
#include <stdio.h>
#include <stiction.h>
#include <string.h>

enum { N = 4, IMPACTS = 5 };

static const double end_q[N] = {0.02196211769492439, -0.99975880360532674, 0.02376948677391344,
                                -1.99975717031249908};
static const double end_v[N] = {-0.01217470743986077, -2.6744686491508e-4, 0.06417687857090456,
                                -1.2945114384003e-4};
static const double hit[IMPACTS] = {0.545508051442001, 0.707932699995982, 1.284726645954996,
                                    2.097739454881154, 2.131640284303554};

static int mass(double t, const double *q, double *m, void *user) {
  (void)t, (void)q, (void)user;
  m[0] = m[5] = m[10] = m[15] = 1.0;
  return 0;
}

static int force(double t, const double *q, const double *v, double *f, void *user) {
  (void)t, (void)q, (void)v, (void)user;
  f[1] = f[3] = -9.8; /* the value of the paper */
  return 0;
}

/* A rod: the square of its length minus 1, and its derivatives, one column per rod. */
static int rods(double t, const double *q, double *phi, double *jt, void *user) {
  const double dx = q[0] - q[2], dy = q[1] - q[3];
  (void)t, (void)user;
  phi[0] = q[0] * q[0] + q[1] * q[1] - 1.0;
  phi[1] = dx * dx + dy * dy - 1.0;
  jt[0] = 2.0 * q[0], jt[1] = 2.0 * q[1];
  jt[4] = 2.0 * dx, jt[5] = 2.0 * dy, jt[6] = -2.0 * dx, jt[7] = -2.0 * dy;
  return 0;
}

static int wall(double t, const double *q, double *gap, double *normal, void *user) {
  (void)t, (void)user;
  gap[0] = q[0], gap[1] = q[2];
  normal[0] = normal[6] = 1.0;
  return 0;
}

static double distance(const double *a, const double *b, int n) {
  double sum = 0.0;
  int i;
  for (i = 0; i < n; i++)
    sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sqrt(sum);
}

/* Swings for 2.5 s in steps of h. Errors of q, v and of the times; prints the impacts if asked. */
static stn_status swing(stn_stepper *s, double h, int print, FILE *csv, double error[3]) {
  const double a = acos(-1.0) / 3.0, b = acos(-1.0) / 5.0, still[N] = {0.0, 0.0, 0.0, 0.0};
  double q[N], v[N], at[IMPACTS] = {0.0, 0.0, 0.0, 0.0, 0.0}, t = 0.0;
  stn_status st;
  int32_t i, n = 0;
  q[0] = sin(a), q[1] = -cos(a), q[2] = q[0] + sin(b), q[3] = q[1] - cos(b);
  if ((st = stn_stepper_set_state(s, 0.0, q, N, still, N)) < 0)
    return st;
  while (t < 2.5) {
    if ((st = stn_stepper_step(s, h)) < 0)
      return st;
    for (i = 0; i < stn_stepper_event_count(s); i++) {
      stn_event e;
      e.struct_size = sizeof e;
      if ((st = stn_stepper_get_event(s, i, &e)) < 0)
        return st;
      if (e.kind == STN_EVENT_IMPACT && n < IMPACTS)
        at[n++] = e.t;
      if (print)
        printf("  bob %d  %8.5f s   %7.4f -> %6.4f m/s   %6.4f N s\n", (int)e.contact + 1, e.t,
               e.speed_before, e.speed_after, e.impulse);
    }
    if ((st = stn_stepper_get_state(s, &t, q, N, v, N)) < 0)
      return st;
    if (csv)
      fprintf(csv, "%.17g,%.17g,%.17g,%.17g,%.17g\n", t, q[0], q[1], q[2], q[3]);
  }
  error[0] = distance(q, end_q, N), error[1] = distance(v, end_v, N);
  error[2] = distance(at, hit, IMPACTS);
  return STN_OK;
}

int main(int argc, char **argv) {
  stn_dims dims;
  stn_model_fns fns;
  stn_stats stats;
  const double e[2] = {0.1, 0.1};
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
  dims.nq = N, dims.nv = N, dims.n_joint = 2, dims.n_contact = 2;
  fns.mass = mass, fns.force = force, fns.joint = rods, fns.gap = wall;
  stats.struct_size = sizeof stats;
  if ((st = stn_model_create(&dims, &fns, NULL, e, NULL, &model)) < 0)
    goto fail;
  if ((st = stn_stepper_create(model, NULL, &s)) < 0)
    goto fail;
  printf("impacts with steps of 2^-8 s\n");
  if ((st = swing(s, pow(2.0, -8.0), 1, csv, error)) < 0)
    goto fail;
  if ((st = swing(s, pow(2.0, -7.0), 0, NULL, before)) < 0)
    goto fail;
  printf("\n h     error of q  order   error of v  order   of times  order\n");
  for (k = 8; k <= 11; k++) {
    if ((st = swing(s, pow(2.0, -k), 0, NULL, error)) < 0)
      goto fail;
    printf("2^-%02d   %.2e  %5.2f    %.2e  %5.2f   %.2e  %4.2f\n", k, error[0],
           log2(before[0] / error[0]), error[1], log2(before[1] / error[1]), error[2],
           log2(before[2] / error[2]));
    memcpy(before, error, sizeof before);
  }
  if ((st = stn_stepper_get_stats(s, &stats)) < 0)
    goto fail;
  printf("\nrods keep their length to 1e-14: %s; nothing ever behind the wall by 1e-14: %s\n",
         stats.worst_joint_drift < 1e-14 ? "yes" : "no", stats.worst_gap > -1e-14 ? "yes" : "no");
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
