/* Chapter 3: a contact problem in one call.
 *
 * A block of 2 kg stands on a slope of 30 degrees. Does it slide, and how fast? One call of
 * stn_contact_solve answers: it is given the momentum the block would have after a time h if
 * nothing held it, and finds the velocity it really has, with the impulses of normal contact and
 * friction.
 *
 *     mass v - normal c_n - tangent beta = p,   sum beta <= mu c_n
 *
 * Coordinates lie along the slope: v[0] down the hill, v[1] away from it. Nobody tells the library
 * whether the block sticks; that is part of the answer. It sticks as long as mu >= tan 30 = 0.577.
 *
 * Look at the last answer: held by friction, the velocity is not small but zero, to the last bit. A
 * block that stands does not creep, however long one waits. */
#include <math.h>
#include <stdio.h>
#include <stiction.h>

enum { NV = 2, N_CONTACT = 1, N_DIR = 2 };

/* The acceleration down the slope, from rest, and what the slope does to the block. */
static stn_status block(stn_lcp *lcp, double mu) {
  const double m = 2.0, g = 9.81, h = 0.01;         /* kg, m/s^2, s */
  const double sine = 0.5, cosine = sqrt(0.75);     /* of 30 degrees */
  const double mass[NV * NV] = {m, 0, 0, m};        /* column by column */
  const double normal[NV] = {0, 1};                 /* the gap grows with v[1] */
  const double tangent[NV * N_DIR] = {1, 0, -1, 0}; /* down, up: opposite pairs */
  const double p[NV] = {m * g * sine * h, -m * g * cosine * h};
  double v[NV], push, rub[N_DIR];
  stn_lcp_info info;
  stn_status st;
  info.struct_size = sizeof info;
  st = stn_contact_solve(lcp, NV, 0, N_CONTACT, N_DIR, mass, NULL, normal, tangent, &mu, p, v, NULL,
                         &push, rub, &info);
  if (st < 0)
    return st;
  printf("mu = %.1f\n", mu);
  printf("  normal force   %9.6f N\n", push / h);
  printf("  friction       %9.6f N up the slope, at most %.6f N\n", (rub[1] - rub[0]) / h,
         mu * push / h);
  printf("  check          residual %s 1e-9\n", info.residual <= 1e-9 ? "<=" : "above");
  if (v[0] == 0.0 && v[1] == 0.0) /* exact on purpose: see above */
    printf("  it stays, exactly\n");
  else
    printf("  it slides with %.12f m/s^2\n", v[0] / h);
  return STN_OK;
}

int main(void) {
  stn_lcp *lcp = NULL;
  stn_status st;
  char text[256];

  if ((st = stn_lcp_create(N_CONTACT * (N_DIR + 2), &lcp)) < 0)
    goto fail;
  if ((st = block(lcp, 0.5)) < 0) /* g (sin 30 - 0.5 cos 30) = 0.657145394437 m/s^2 */
    goto fail;
  if ((st = block(lcp, 0.6)) < 0)
    goto fail;
  printf("look at the end: the velocity of a block that friction holds is zero to the last bit, "
         "not small\n");
  stn_lcp_destroy(lcp);
  return 0;

fail:
  stn_last_error(text, (int32_t)sizeof text);
  fprintf(stderr, "%s: %s\n", stn_status_name(st), text);
  stn_lcp_destroy(lcp);
  return 1;
}
