/* Chapter 1: Lemke's method on a contact problem.
 *
 * A plank of 12 kg, 4 m long, lies loosely on two trestles 1 m left and right of its middle. A load
 * of 400 N walks outwards to the right. How hard do the trestles push, and when does the plank tip?
 *
 * At each trestle either there is a push z >= 0 and no acceleration away from it, or the plank
 * lifts off with an acceleration w >= 0 and nothing pushes. Who touches and who lets go is not
 * known beforehand:
 *
 *     w = M z + q,   0 <= z,   0 <= w,   z'w = 0
 *
 * Column i of M is what a push of 1 N at trestle i does to the accelerations at both; q is what
 * gravity and the load alone would do. Look at the last rows of the first table: past 1.294 m
 * (where the load outweighs the plank about the right trestle) the left one would have to pull. It
 * cannot, so it lets go.
 *
 * The second table asks the judge. stn_lcp_residual knows nothing of how a candidate was found, and
 * its number has no units: below 1e-9 is a solution. */
#include <math.h>
#include <stdio.h>
#include <stiction.h>

enum { LEFT = 0, RIGHT = 1, TRESTLES = 2 };

static const double trestle[TRESTLES] = {-1.0, 1.0}; /* m from the middle */
static const double mass = 12.0;                     /* kg */
static const double inertia = 16.0;                  /* kg m^2, a thin plank: mass 4^2 / 12 */
static const double gravity = 9.81;                  /* m/s^2 */
static const double load = 400.0;                    /* N */

/* The problem with the load at x: M by columns, and q. */
static void plank(double x, double m[4], double q[2]) {
  const double fall = -gravity - load / mass; /* of the middle, without trestles, m/s^2 */
  const double spin = -load * x / inertia;    /* rad/s^2 */
  int i, j;
  for (j = 0; j < TRESTLES; j++) {
    for (i = 0; i < TRESTLES; i++)
      m[i + j * TRESTLES] = 1.0 / mass + trestle[i] * trestle[j] / inertia;
    q[j] = fall + trestle[j] * spin;
  }
}

/* Rounding must not decide between 0.000 and -0.000 on paper. */
static double tidy(double x) { return fabs(x) < 5e-4 ? 0.0 : x; }

int main(void) {
  const double places[] = {0.0, 0.5, 1.0, 1.25, 1.5, 2.0};
  const int n_places = (int)(sizeof places / sizeof places[0]);
  double m[4], q[2], z[2], w[2], wrong[2], residual = 0.0;
  stn_lcp_info info;
  stn_lcp *lcp = NULL;
  stn_status st;
  char text[256];
  int k;

  info.struct_size = sizeof info; /* all that a report needs beforehand */
  if ((st = stn_lcp_create(TRESTLES, &lcp)) < 0)
    goto fail;

  printf("load at   push left   push right   lift left\n");
  for (k = 0; k < n_places; k++) {
    plank(places[k], m, q);
    if ((st = stn_lcp_solve(lcp, TRESTLES, m, TRESTLES, q, z, w, &info)) < 0)
      goto fail;
    printf("%5.2f m %9.3f N %10.3f N %6.3f m/s^2\n", places[k], tidy(z[LEFT]), tidy(z[RIGHT]),
           tidy(w[LEFT]));
  }

  printf("\nwith the load at the end, the judge says of\n");
  if ((st = stn_lcp_residual(TRESTLES, m, TRESTLES, q, z, &residual)) < 0)
    goto fail;
  printf("  the answer above            %s\n", residual <= 1e-9 ? "solution" : "wrong");

  /* Statics with both trestles holding: moments about each of them. The left push comes out
   * negative. */
  wrong[LEFT] = (mass * gravity + load * (1.0 - places[n_places - 1])) / 2.0;
  wrong[RIGHT] = (mass * gravity + load * (1.0 + places[n_places - 1])) / 2.0;
  if ((st = stn_lcp_residual(TRESTLES, m, TRESTLES, q, wrong, &residual)) < 0)
    goto fail;
  printf("  statics, %8.2f N left   %s\n", wrong[LEFT], residual <= 1e-9 ? "solution" : "wrong");

  wrong[LEFT] = 0.0; /* and a plausible repair: drop the pull, keep the rest */
  if ((st = stn_lcp_residual(TRESTLES, m, TRESTLES, q, wrong, &residual)) < 0)
    goto fail;
  printf("  statics without the pull    %s, off by %.0f%%\n",
         residual <= 1e-9 ? "solution" : "wrong", 100.0 * residual);

  stn_lcp_destroy(lcp);
  return 0;

fail:
  stn_last_error(text, (int32_t)sizeof text);
  fprintf(stderr, "%s: %s\n", stn_status_name(st), text);
  stn_lcp_destroy(lcp);
  return 1;
}
