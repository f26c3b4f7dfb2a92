/* Chapter 20: a parameter study on all processors, by one call.
 *
 * A box is pushed over the floor at 3 m/s, eight times, each time with another coefficient of
 * friction mu. It stops after v^2/(2 mu g). The steppers are independent: stn_batch_advance hands
 * them to several threads, and what comes out does not depend on how many there are. A stepper that
 * fails says so in its own status and keeps no other from going on. Friction is that of eight
 * directions which turn with the slip. */
#include <math.h>
#include <stdio.h>
#include <stiction.h>

#define TRY(call)                                                                                  \
  do {                                                                                             \
    if ((status = (call)) < 0)                                                                     \
      goto fail;                                                                                   \
  } while (0)

enum { RUNS = 8, NQ = 7, NV = 6 };

static const double g = 9.81, speed = 3.0;

/* A box of 1 kg on rough ground, with the velocity it starts with. */
static stn_status box(double mu, stn_model **model) {
  const double gravity[3] = {0.0, 0.0, -g}, up[3] = {0.0, 0.0, 1.0};
  const double inertia[9] = {0.1, 0, 0, 0, 0.1, 0, 0, 0, 0.1}, half[3] = {0.3, 0.3, 0.1};
  const double pose[7] = {0.0, 0.0, 0.1, 1.0, 0.0, 0.0, 0.0};
  const double velocity[3] = {speed, 0.0, 0.0};
  stn_status status = STN_OK;
  stn_builder *b = NULL;
  int32_t body;
  TRY(stn_builder_create(&b));
  TRY(stn_builder_set_gravity(b, gravity));
  TRY(stn_builder_set_surface(b, 0, 0, mu, 0.0, NULL, 0.0));
  TRY(stn_builder_add_spatial(b, 1.0, inertia, pose, &body));
  TRY(stn_builder_set_velocity(b, body, velocity, NULL));
  TRY(stn_builder_add_box(b, body, half, NULL, 0, NULL));
  TRY(stn_builder_add_half_space(b, STN_GROUND, up, NULL, 0, NULL));
  TRY(stn_builder_build(b, model));
fail:
  stn_builder_destroy(b);
  return status;
}

/* Steppers for all coefficients. */
static stn_status prepare(stn_stepper **s) {
  stn_status status = STN_OK;
  stn_model *model = NULL;
  int32_t i;
  for (i = 0; i < RUNS; ++i) {
    TRY(box(0.2 + 0.05 * i, &model));
    TRY(stn_stepper_create(model, NULL, &s[i]));
    stn_model_destroy(model); /* the stepper keeps what it needs */
    model = NULL;
  }
fail:
  stn_model_destroy(model);
  return status;
}

int main(void) {
  stn_stepper *alone[RUNS] = {NULL}, *together[RUNS] = {NULL};
  int32_t done[RUNS], i, k, same = 1;
  double q[NQ], other[NQ], mu, way;
  stn_status status = STN_OK;
  TRY(prepare(alone));
  TRY(prepare(together));
  TRY(stn_batch_step(alone, RUNS, 0.01, 1, NULL));
  TRY(stn_batch_step(together, RUNS, 0.01, 0, NULL));
  TRY(stn_batch_advance(alone, RUNS, 2.0, 0.01, 1, NULL));
  TRY(stn_batch_advance(together, RUNS, 2.0, 0.01, 0, done));
  for (i = 0; i < RUNS; ++i) {
    TRY(stn_stepper_get_state(alone[i], NULL, q, NQ, NULL, NV));
    TRY(stn_stepper_get_state(together[i], NULL, other, NQ, NULL, NV));
    for (k = 0; k < NQ; ++k)
      same = same && q[k] == other[k];
    mu = 0.2 + 0.05 * i;
    way = speed * speed / (2.0 * mu * g);
    printf("mu %.2f: %s, slid %.4f m, error below 1e-9: %s\n", mu,
           done[i] == STN_EVENT ? "stopped" : stn_status_name((stn_status)done[i]), q[0],
           fabs(q[0] - way) < 1e-9 ? "yes" : "no");
  }
  printf("one thread or many, the same bits: %s\n", same ? "yes" : "no");
fail:
  if (status < 0) {
    char text[256];
    stn_last_error(text, (int32_t)sizeof text);
    fprintf(stderr, "%s: %s\n", stn_status_name(status), text);
  }
  for (i = 0; i < RUNS; ++i) {
    stn_stepper_destroy(alone[i]);
    stn_stepper_destroy(together[i]);
  }
  return status < 0;
}
