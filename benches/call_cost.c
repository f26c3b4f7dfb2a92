/* What a call from C costs beyond the work it asks for, by the clock. call_cost.sh builds this,
 * counts its instructions and judges those: clocks on busy machines do not repeat.
 *
 * Steps are asked for one by one, and by one call that makes them all: the difference is the call.
 * The state of one point mass is read: four numbers are copied, so all of that is the call. CPU
 * time of this thread, the fastest of several runs, so that other programs count little. */
#define _POSIX_C_SOURCE 199309L
#include <stdio.h>
#include <stiction.h>
#include <time.h>

enum { CALLS = 20000, RUNS = 15 };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef stn_status (*work)(stn_stepper *s);

/* Not static: callgrind counts these three by name. */
stn_status all_at_once(stn_stepper *s);
stn_status one_by_one(stn_stepper *s);
stn_status read_state(stn_stepper *s);

stn_status all_at_once(stn_stepper *s) {
  double t;
  stn_status st = stn_stepper_get_state(s, &t, NULL, 2, NULL, 2);
  return st < 0 ? st : stn_stepper_advance(s, t + CALLS * 1e-6, 1e-6);
}

stn_status one_by_one(stn_stepper *s) {
  stn_status st = STN_OK;
  int i;
  for (i = 0; i < CALLS && st >= 0; i++)
    st = stn_stepper_step(s, 1e-6);
  return st;
}

stn_status read_state(stn_stepper *s) {
  double t, q[2], v[2];
  stn_status st = STN_OK;
  int i;
  for (i = 0; i < CALLS && st >= 0; i++)
    st = stn_stepper_get_state(s, &t, q, 2, v, 2);
  return st;
}

/* Nanoseconds per call or step in the fastest run, negative when one failed. */
static double fastest(work run, stn_stepper *s, int runs) {
  double best = 1e300, begin, took;
  int i;
  for (i = 0; i < runs; i++) {
    begin = now();
    if (run(s) < 0)
      return -1.0;
    took = now() - begin;
    best = took < best ? took : best;
  }
  return 1e9 * best / CALLS;
}

/* Any argument: each once, for a count. */
int main(int argc, char **argv) {
  const int runs = argc > 1 ? 1 : RUNS;
  const double gravity[3] = {0.0, -9.81, 0.0}, at[2] = {0.0, 0.0};
  double alone = -1.0, called = -1.0, read = -1.0;
  int32_t body;
  stn_builder *b = NULL;
  stn_model *model = NULL;
  stn_stepper *s = NULL;
  if (stn_builder_create(&b) == STN_OK && stn_builder_set_gravity(b, gravity) == STN_OK &&
      stn_builder_add_point2(b, 1.0, at, &body) == STN_OK &&
      stn_builder_build(b, &model) == STN_OK && stn_stepper_create(model, NULL, &s) == STN_OK) {
    alone = fastest(all_at_once, s, runs);
    called = fastest(one_by_one, s, runs);
    read = fastest(read_state, s, runs);
  }
  stn_stepper_destroy(s);
  stn_model_destroy(model);
  stn_builder_destroy(b);
  if (alone < 0.0 || called < 0.0 || read < 0.0) {
    fprintf(stderr, "a call failed\n");
    return 1;
  }
  printf("a step of one point mass: %.0f ns of work, %.0f ns of call\n", alone, called - alone);
  printf("reading its state: %.0f ns\n", read);
  (void)argv;
  return 0;
}
