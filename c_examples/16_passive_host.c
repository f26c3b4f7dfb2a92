/* Chapter 16: a host that is never called.
 *
 * The block of chapter 6 once more, pushed to and fro by 8 cos t newtons on a rough plane. This
 * time no function is handed over: the library says at which points (t, q, v) it wants which
 * arrays, this program computes them in its own loop and puts them. So work programs that cannot
 * give function pointers away (Fortran, MATLAB without MEX) and frameworks that own the order in
 * which things are evaluated.
 *
 * Look at the loop in `slide`: stn_passive_step returns STN_WANTED as long as answers are missing.
 * It repeats the step with every answer it gets, to the last bit, so that even the moments of stick
 * and slip inside the steps are found; they cost more rounds than a step without an event. */
#include <math.h>
#include <stdio.h>
#include <stiction.h>
#include <string.h>

/* Computes what request i of the stepper asks for. */
static stn_status answer(stn_stepper *s, int32_t i) {
  static const double mass[4] = {1, 0, 0, 1}, normal[2] = {0, 1}, tangent[4] = {1, 0, -1, 0};
  static const double zero[4] = {0, 0, 0, 0};
  double t, q[2], v[2], force[2], gap[1];
  int32_t what;
  stn_status st = stn_passive_get_request(s, i, &what, &t, q, 2, v, 2);
  force[0] = 8.0 * cos(t);
  force[1] = -9.81;
  gap[0] = q[1];
  if (st == STN_OK && (what & STN_WANT_MASS))
    st = stn_passive_put(s, i, STN_WANT_MASS, mass, 4);
  if (st == STN_OK && (what & STN_WANT_FORCE))
    st = stn_passive_put(s, i, STN_WANT_FORCE, force, 2);
  if (st == STN_OK && (what & STN_WANT_DFDQ))
    st = stn_passive_put(s, i, STN_WANT_DFDQ, zero, 4);
  if (st == STN_OK && (what & STN_WANT_DFDV))
    st = stn_passive_put(s, i, STN_WANT_DFDV, zero, 4);
  if (st == STN_OK && (what & STN_WANT_GAP))
    st = stn_passive_put(s, i, STN_WANT_GAP, gap, 1);
  if (st == STN_OK && (what & STN_WANT_NORMAL))
    st = stn_passive_put(s, i, STN_WANT_NORMAL, normal, 2);
  if (st == STN_OK && (what & STN_WANT_TANGENT))
    st = stn_passive_put(s, i, STN_WANT_TANGENT, tangent, 4);
  return st;
}

/* One step of h; counts the rounds it took. */
static stn_status slide(stn_stepper *s, double h, int *rounds) {
  stn_status st;
  int32_t i, n;
  *rounds = 0;
  while ((st = stn_passive_step(s, h)) == STN_WANTED) {
    if ((n = stn_passive_request_count(s)) < 0)
      return (stn_status)n;
    for (i = 0; i < n; i++)
      if ((st = answer(s, i)) < 0)
        return st;
    ++*rounds;
  }
  return st;
}

int main(void) {
  const double mu = 0.8, h = 1.0 / 64.0, q0[2] = {3.0, 0.0}, v0[2] = {0.0, 0.0};
  const double x10 = 2.99130283311503152; /* closed form of chapter 6 */
  double q[2], v[2], t;
  int k, rounds, quiet = 0, total = 0;
  stn_dims dims;
  stn_model *model = NULL;
  stn_stepper *s = NULL;
  stn_status st;
  char text[256];

  memset(&dims, 0, sizeof dims);
  dims.struct_size = sizeof dims;
  dims.nq = 2, dims.nv = 2, dims.n_contact = 1, dims.n_dir = 2;
  if ((st = stn_passive_create(&dims, STN_WANT_FORCE | STN_WANT_DFDQ | STN_WANT_DFDV, 0, 0, &mu,
                               NULL, &model)) < 0)
    goto fail;
  if ((st = stn_stepper_create(model, NULL, &s)) < 0)
    goto fail;
  if ((st = stn_stepper_set_state(s, 0.0, q0, 2, v0, 2)) < 0)
    goto fail;
  printf("the block\n   0.000 s  slips\n");
  for (k = 0; k < 640; k++) {
    if ((st = slide(s, h, &rounds)) < 0)
      goto fail;
    if (st == STN_EVENT) {
      stn_event e;
      e.struct_size = sizeof e;
      if ((st = stn_stepper_get_event(s, 0, &e)) < 0)
        goto fail;
      printf("  %6.3f s  %s\n", e.t, e.kind == STN_EVENT_STICK ? "sticks" : "slips");
    } else {
      quiet++;
      total += rounds;
    }
  }
  if ((st = stn_stepper_get_state(s, &t, q, 2, v, 2)) < 0)
    goto fail;
  printf("x(10) to 1e-4: %s\n", fabs(q[0] - x10) < 1e-4 ? "yes" : "no");
  printf("steps without an event: %d, rounds of request and answer per step %.1f\n", quiet,
         (double)total / quiet);
  /* A host that changes its mind forgets what it has said. */
  if ((st = stn_passive_step(s, h)) < 0)
    goto fail;
  if ((st = stn_passive_cancel(s)) < 0)
    goto fail;
  printf("after a cancelled step: %d requests, t = %.3f s\n", (int)stn_passive_request_count(s), t);
  goto done;

fail:
  stn_last_error(text, (int32_t)sizeof text);
  fprintf(stderr, "%s: %s\n", stn_status_name(st), text);
done:
  stn_stepper_destroy(s);
  stn_model_destroy(model);
  return st < 0;
}
