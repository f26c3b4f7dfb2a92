/* Chapter 2: impacts.
 *
 * Bodies touch at one instant, and their velocity jumps from v- to v+. The contacts push (and rub)
 * with impulses that are unknown; the law says what a contact gives back of what it took, e is how
 * much.
 *
 * First a Newton's cradle: three equal balls in a row, touching, and the first arrives with 1 m/s.
 * Look at e = 1: the last ball does not fly off alone. Balls that truly touch share the blow, and
 * only a row with tiny gaps hands it on from ball to ball.
 *
 * Then a disc with e = 0.5 that hits the floor obliquely, mu = 0.5. A gentle touch grips: the
 * touching point stands still (vx + spin = 0), except under reflection, which gives back what
 * friction took as well and so rubs a little too far. A fast one slips, and there the laws differ
 * in what friction may do while the contact gives back. Energy is in percent of what it was; none
 * of these impacts creates any. */
#include <math.h>
#include <stdio.h>
#include <stiction.h>

static const char *const law_name[4] = {"plastic", "Newton", "Poisson", "reflection"};

/* Rounding must not decide between 0.0000 and -0.0000 on paper. */
static double tidy(double x) { return fabs(x) < 5e-5 ? 0.0 : x; }

static double energy(const double mass[9], const double v[3]) {
  return 0.5 * (mass[0] * v[0] * v[0] + mass[4] * v[1] * v[1] + mass[8] * v[2] * v[2]);
}

static void row(const char *name, const double mass[9], const double before[3],
                const double after[3]) {
  printf("  %-10s %8.4f %8.4f %8.4f %6.1f%%\n", name, tidy(after[0]), tidy(after[1]),
         tidy(after[2]), 100.0 * energy(mass, after) / energy(mass, before));
}

/* Three balls on a line, v = (v1, v2, v3); a gap opens with v2 - v1, the other with v3 - v2. */
static stn_status cradle(stn_lcp *lcp) {
  const double mass[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  const double normal[6] = {-1, 1, 0, 0, -1, 1};
  const double before[3] = {1, 0, 0};
  const double bounce[3] = {0.0, 0.5, 1.0};
  double after[3], e[2];
  char name[16];
  int k;
  printf("cradle           v1       v2       v3  energy\n");
  for (k = 0; k < 3; k++) {
    stn_status st;
    e[0] = e[1] = bounce[k];
    /* No friction: n_dir = 0, tangent and mu may be NULL; so may every impulse nobody asks for. */
    st = stn_impact_solve(lcp, STN_IMPACT_POISSON, 3, 0, 2, 0, mass, NULL, normal, NULL, NULL, e,
                          before, NULL, after, NULL, NULL, NULL, NULL);
    if (st < 0)
      return st;
    sprintf(name, "e = %.1f", bounce[k]);
    row(name, mass, before, after);
  }
  return STN_OK;
}

/* A disc of 1 kg and radius 1 m, v = (vx, vy, spin). Its lowest point moves along the floor with
 * vx + spin, so that is where the two friction directions point. */
static stn_status disc(stn_lcp *lcp, const double before[3]) {
  const double mass[9] = {1, 0, 0, 0, 1, 0, 0, 0, 0.5};
  const double normal[3] = {0, 1, 0};
  const double tangent[6] = {1, 0, 1, -1, 0, -1};
  const double mu = 0.5, e = 0.5;
  double after[3], push, rub[2];
  int32_t law;
  printf("\ndisc %4.1f       vx       vy     spin  energy\n", before[0]);
  for (law = STN_IMPACT_PLASTIC; law <= STN_IMPACT_REFLECTION; law++) {
    stn_status st = stn_impact_solve(lcp, law, 3, 0, 1, 2, mass, NULL, normal, tangent, &mu, &e,
                                     before, NULL, after, NULL, &push, rub, NULL);
    if (st < 0)
      return st;
    row(law_name[law], mass, before, after);
    printf("  %10s push %.4f N s, friction %.4f of at most %.4f N s, it %s\n", "", tidy(push),
           tidy(rub[1] - rub[0]), mu * push, fabs(after[0] + after[2]) < 1e-9 ? "grips" : "slips");
  }
  return STN_OK;
}

int main(void) {
  const double gentle[3] = {0.9, -2, 0}, fast[3] = {6, -2, 0};
  stn_lcp *lcp = NULL;
  stn_status st;
  char text[256];

  /* One workspace for all: max(nv + n_joint, n_contact * (n_dir + 2)) is 4 for the disc, 4 for the
   * cradle. */
  if ((st = stn_lcp_create(4, &lcp)) < 0)
    goto fail;
  if ((st = cradle(lcp)) < 0)
    goto fail;
  if ((st = disc(lcp, gentle)) < 0)
    goto fail;
  if ((st = disc(lcp, fast)) < 0)
    goto fail;
  printf("\nlook at the push: half as much again by every law but the plastic "
         "one; they differ in what friction takes of it\n");
  stn_lcp_destroy(lcp);
  return 0;

fail:
  stn_last_error(text, (int32_t)sizeof text);
  fprintf(stderr, "%s: %s\n", stn_status_name(st), text);
  stn_lcp_destroy(lcp);
  return 1;
}
