/* A ball slides and falls onto the floor: how does it leave? In the plane, v = (vx, vy, spin). */
#include <stdio.h>
#include <stiction.h>

int main(void) {
  const double m = 0.5, r = 0.1;                                   /* kg, m */
  const double mass[9] = {m, 0, 0, 0, m, 0, 0, 0, 0.4 * m * r * r};
  const double normal[3] = {0, 1, 0};                              /* the gap grows with vy */
  const double tangent[6] = {1, 0, r, -1, 0, -r};                  /* the touching point slips +x, -x */
  const double mu = 0.3, restitution = 0.8;
  const double before[3] = {2, -3, 0};                             /* m/s, m/s, rad/s */
  double after[3], push, rub[2];
  stn_lcp *lcp = NULL;
  stn_status status = stn_lcp_create(4, &lcp); /* room for one contact with two directions */
  if (status == STN_OK)
    status = stn_impact_solve(lcp, STN_IMPACT_POISSON, 3, 0, 1, 2, mass, NULL, normal, tangent, &mu,
                              &restitution, before, NULL, after, NULL, &push, rub, NULL);
  stn_lcp_destroy(lcp);
  if (status < 0) {
    char text[256];
    stn_last_error(text, (int32_t)sizeof text);
    fprintf(stderr, "%s: %s\n", stn_status_name(status), text);
    return 1;
  }
  printf("before  vx %6.3f  vy %6.3f  spin %7.3f\n", before[0], before[1], before[2]);
  printf("after   vx %6.3f  vy %6.3f  spin %7.3f\n", after[0], after[1], after[2]);
  printf("impulse %.3f N s up, %.3f N s against the slip\n", push, rub[1]);
  return 0; /* friction made it roll: vx is 5/7 of what it was, and vx + r spin = 0 */
}
