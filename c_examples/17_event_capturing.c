/* Chapter 17: high order through impacts, and tolerances instead of step lengths.
 *
 * A mass of 1 kg swings on a spring of 10 N/m and a damper of 0.5 N s/m above the ground at q = 0, from
 * q = 1; each rebound keeps 0.8 of the speed. Between impacts the motion is smooth, and the seven
 * event-capturing methods follow it with orders 2 to 6: impacts are located inside the steps, to
 * rounding, so they cost no order. Moreau's and Schatzman and Paoli's rules locate nothing and are
 * of order 1. Errors are means of |q - exact| over the grid. Then the ball of chapter 4, whose impacts
 * accumulate at t = 3: every method passes that point and leaves it at rest. Last, a tolerance in
 * place of a step length: the stepper chooses its steps, and the error follows. */
#include <math.h>
#include <stdio.h>
#include <stiction.h>
#include <string.h>

typedef struct Single {
  double k, c, f, e;
} Single;

static int mass(double t, const double *q, double *m, void *user) {
  (void)t, (void)q, (void)user;
  m[0] = 1.0;
  return 0;
}

static int force(double t, const double *q, const double *v, double *f, void *user) {
  const Single *s = (const Single *)user;
  (void)t;
  f[0] = s->f - s->k * q[0] - s->c * v[0];
  return 0;
}

static int gap(double t, const double *q, double *g, double *normal, void *user) {
  (void)t, (void)user;
  g[0] = q[0];
  normal[0] = 1.0;
  return 0;
}

/* The oscillator in closed form: a damped wave to the first impact, then arcs of half a period. */
static double exact(const Single *s, double t) {
  const double pi = 3.14159265358979323846, fade = 0.5 * s->c, w = sqrt(s->k - fade * fade);
  const double first = (pi - atan(w / fade)) / w, period = pi / w;
  double up, b = fade / w, n;
  if (t < first)
    return exp(-fade * t) * (cos(w * t) + b * sin(w * t));
  /* Speed of arrival; then each arc begins with e times the last speed, faded. */
  up = s->e * exp(-fade * first) * (w + b * fade) * sin(w * first);
  for (n = floor((t - first) / period); n > 0.0; n -= 1.0)
    up *= s->e * exp(-fade * period);
  t -= first + period * floor((t - first) / period);
  return up / w * exp(-fade * t) * sin(w * t);
}

static stn_status create(Single *single, int32_t method, double tolerance, stn_stepper **s) {
  stn_dims dims;
  stn_model_fns fns;
  stn_stepper_options opt;
  stn_model *model = NULL;
  const double q = 1.0, v = 0.0;
  stn_status st;
  memset(&dims, 0, sizeof dims);
  memset(&fns, 0, sizeof fns);
  dims.struct_size = sizeof dims;
  fns.struct_size = sizeof fns;
  dims.nq = 1, dims.nv = 1, dims.n_contact = 1;
  fns.mass = mass, fns.force = force, fns.gap = gap;
  if ((st = stn_stepper_options_init(&opt, sizeof opt)) < 0)
    return st;
  opt.method = method;
  opt.abs_tol = tolerance;
  if ((st = stn_model_create(&dims, &fns, NULL, &single->e, single, &model)) < 0)
    return st;
  st = stn_stepper_create(model, &opt, s);
  stn_model_destroy(model); /* the stepper keeps it alive */
  return st < 0 ? st : stn_stepper_set_state(*s, 0.0, &q, 1, &v, 1);
}

/* Mean of |q - exact| over n steps to t = 5. */
static stn_status mean_error(Single *single, int32_t method, int n, double *error) {
  stn_stepper *s = NULL;
  double t, q, v;
  stn_status st = create(single, method, 0.0, &s);
  int i;
  *error = 0.0;
  for (i = 1; i <= n && st >= 0; i++) {
    if ((st = stn_stepper_advance(s, 5.0 * i / n, 5.0 / n)) >= 0 &&
        (st = stn_stepper_get_state(s, &t, &q, 1, &v, 1)) >= 0)
      *error += fabs(q - exact(single, t)) / n;
  }
  stn_stepper_destroy(s);
  return st;
}

int main(void) {
  static const struct {
    const char *name;
    int32_t method;
  } all[] = {{"Moreau", STN_METHOD_MOREAU},
             {"Schatzman-Paoli", STN_METHOD_SCHATZMAN_PAOLI},
             {"Lobatto IIIA 2", STN_METHOD_LOBATTO_IIIA_2},
             {"half-explicit 2", STN_METHOD_HALF_EXPLICIT_2},
             {"Radau IIA 3", STN_METHOD_RADAU_IIA_3},
             {"Lobatto IIIA 4", STN_METHOD_LOBATTO_IIIA_4},
             {"half-explicit 4", STN_METHOD_HALF_EXPLICIT_4},
             {"Radau IIA 5", STN_METHOD_RADAU_IIA_5},
             {"Lobatto IIIA 6", STN_METHOD_LOBATTO_IIIA_6}};
  Single oscillator = {10.0, 0.5, 0.0, 0.8}, ball = {0.0, 0.0, -2.0, 0.5};
  stn_stepper *s = NULL;
  stn_stats stats;
  char text[256];
  stn_status st = STN_OK;
  size_t i;
  int k;
  printf("oscillator: error with 54 steps, and the order seen by halving them twice\n");
  for (i = 0; i < sizeof all / sizeof all[0]; i++) {
    double coarse, fine;
    if ((st = mean_error(&oscillator, all[i].method, 54, &coarse)) < 0 ||
        (st = mean_error(&oscillator, all[i].method, 216, &fine)) < 0)
      goto fail;
    printf("  %-16s 1e%+03.0f  order %.0f\n", all[i].name, log10(coarse), 0.5 * log2(coarse / fine));
  }
  printf("ball: at t = 5, after the accumulation at t = 3\n");
  for (i = 2; i < sizeof all / sizeof all[0]; i++) {
    double t, q, v;
    stats.struct_size = sizeof stats;
    if ((st = create(&ball, all[i].method, 0.0, &s)) < 0 ||
        (st = stn_stepper_advance(s, 5.0, 0.05)) < 0 ||
        (st = stn_stepper_get_state(s, &t, &q, 1, &v, 1)) < 0 ||
        (st = stn_stepper_get_stats(s, &stats)) < 0)
      goto fail;
    printf("  %-16s %s, %s\n", all[i].name, fabs(q) < 1e-12 && v == 0.0 ? "at rest" : "moving",
           stats.impacts > 8 ? "after more than 8 impacts" : "too few impacts");
    stn_stepper_destroy(s);
    s = NULL;
  }
  printf("oscillator: Radau IIA 5 by tolerance\n");
  for (k = 4; k <= 10; k += 2) {
    const double tolerance = pow(10.0, -k);
    double t, q, v, error;
    stats.struct_size = sizeof stats;
    if ((st = create(&oscillator, STN_METHOD_RADAU_IIA_5, tolerance, &s)) < 0 ||
        (st = stn_stepper_advance(s, 5.0, 0.01)) < 0 ||
        (st = stn_stepper_get_state(s, &t, &q, 1, &v, 1)) < 0 ||
        (st = stn_stepper_get_stats(s, &stats)) < 0)
      goto fail;
    error = fabs(q - exact(&oscillator, t));
    printf("  1e-%02d  %s, fewer than %d steps\n", k, error < 10.0 * tolerance ? "kept" : "missed",
           100 * (int)(1 + stats.steps / 100));
    stn_stepper_destroy(s);
    s = NULL;
  }
  printf("\nlook at the steps: a million times the accuracy for about five times as many\n");
  return 0;

fail:
  stn_last_error(text, (int32_t)sizeof text);
  fprintf(stderr, "%s: %s\n", stn_status_name(st), text);
  stn_stepper_destroy(s);
  return 1;
}
