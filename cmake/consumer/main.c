/* A program outside the repository: asks the library who it is and solves one complementarity problem.
 * w = 2 z - 4, 0 <= z, 0 <= w, z w = 0 has the one solution z = 2, w = 0. */
#include <stdio.h>
#include <stiction.h>

int main(void) {
  const double m[1] = {2.0}, q[1] = {-4.0};
  double z[1] = {0.0};
  stn_lcp *lcp = NULL;
  stn_status status = stn_lcp_create(1, &lcp);
  if (status == STN_OK) {
    status = stn_lcp_solve(lcp, 1, m, 1, q, z, NULL, NULL);
  }
  stn_lcp_destroy(lcp);
  if (status != STN_OK) {
    fprintf(stderr, "status %d\n", (int)status);
    return 1;
  }
  printf("%d %.17g\n", (int)stn_version_number(), z[0]);
  return 0;
}
