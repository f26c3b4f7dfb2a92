/* What the last step did, asked for in every wrong way. */
#include "cut.h"
#include "scene.h"

/* The block of scene.h after a step of 0.01 s in which it slides with 3 m/s. */
static stn_stepper *sliding(Scene *scene) {
  const double q[2] = {0.0, 0.0}, v[2] = {3.0, 0.0};
  stn_stepper *s = block_stepper(scene);
  expect("state", stn_stepper_set_state(s, 0.0, q, 2, v, 2), STN_OK, NULL);
  expect("step", stn_stepper_step(s, 0.01), STN_OK, NULL);
  return s;
}

static stn_status get_step(stn_stepper *s, void *out) {
  return stn_stepper_get_ledger(s, STN_LEDGER_STEP, (stn_ledger *)out);
}

static stn_status get_first_contact(stn_stepper *s, void *out) {
  return stn_stepper_get_contact(s, 0, (stn_contact_state *)out);
}

static void ledger(void) {
  const int32_t no_spans[] = {-1, 2, INT32_MAX, INT32_MIN};
  const size_t word = sizeof(size_t);
  size_t ends[8], i;
  stn_stepper *s = sliding(NULL);
  stn_ledger out, sum;
  double room[16];
  memset(&out, 0, sizeof out);
  out.struct_size = sizeof out;
  sum = out;
  out.friction = -3.0;
  for (i = 0; i < 4; i++)
    expect("no such span", stn_stepper_get_ledger(s, no_spans[i], &out), STN_ERR_VALUE,
           "which is no stn_ledger_span");
  check(out.friction == -3.0, "out is untouched");
  expect("no out", stn_stepper_get_ledger(s, 0, NULL), STN_ERR_NULL, "out is NULL");
  expect("no stepper", stn_stepper_get_ledger(NULL, 0, &out), STN_ERR_NULL, "s is NULL");
  expect("misaligned", get_step(s, (char *)room + 1), STN_ERR_VALUE, "out is at an address");
  expect("step", stn_stepper_get_ledger(s, STN_LEDGER_STEP, &out), STN_OK, NULL);
  expect("sum", stn_stepper_get_ledger(s, STN_LEDGER_SUM, &sum), STN_OK, NULL);
  check(memcmp(&out, &sum, sizeof out) == 0, "one step is all of them");
  /* mu N = 5 N over the way 0.03 - 0.00025 m. */
  check(fabs(out.friction - 5.0 * 0.02975) < 1e-14, "friction works on the way");
  check(fabs(out.kinetic + out.friction) < 1e-14 && fabs(out.residue) < 1e-14, "nothing else");
  for (i = 0; i < 8; i++)
    ends[i] = word + 8 * i;
  check(ends[7] == sizeof out, "all members are known here");
  cut_output("ledger", &out, sizeof out, ends, 8, s, get_step);
  stn_stepper_destroy(s);
}

static void contact(void) {
  const int32_t nowhere[] = {-1, 1, INT32_MAX, INT32_MIN};
  const size_t word = sizeof(size_t);
  size_t ends[9], i;
  Scene scene;
  stn_stepper *s;
  stn_contact_state out;
  double room[16];
  memset(&scene, 0, sizeof scene);
  s = sliding(&scene);
  memset(&out, 0, sizeof out);
  out.struct_size = sizeof out;
  out.mode = -3;
  for (i = 0; i < 4; i++)
    expect("no such contact", stn_stepper_get_contact(s, nowhere[i], &out), STN_ERR_DIMENSION,
           "i is");
  check(out.mode == -3, "out is untouched");
  expect("no impulses", stn_stepper_get_impulses(NULL, NULL, 0, NULL, 1, NULL, 2), STN_ERR_NULL,
         "s is NULL");
  expect("another model", stn_stepper_get_impulses(s, NULL, 1, NULL, 1, NULL, 2), STN_ERR_DIMENSION,
         "n_joint is 1, expected 0");
  expect("another model", stn_stepper_get_impulses(s, NULL, 0, NULL, 2, NULL, 2), STN_ERR_DIMENSION,
         "n_contact is 2, expected 1");
  expect("no brakes here", stn_stepper_get_brake_impulses(s, NULL, 0), STN_OK, NULL);
  expect("another model", stn_stepper_get_brake_impulses(s, room, 1), STN_ERR_DIMENSION,
         "n_brake is 1, expected 0");
  expect("no brakes", stn_stepper_get_brake_impulses(NULL, NULL, 0), STN_ERR_NULL, "s is NULL");
  expect("no out", stn_stepper_get_contact(s, 0, NULL), STN_ERR_NULL, "out is NULL");
  expect("no stepper", stn_stepper_get_contact(NULL, 0, &out), STN_ERR_NULL, "s is NULL");
  expect("misaligned", get_first_contact(s, (char *)room + 1), STN_ERR_VALUE,
         "out is at an address");
  expect("contact", stn_stepper_get_contact(s, 0, &out), STN_OK, NULL);
  check(out.mode == STN_CONTACT_SLIP && out.key == 0 && out.reserved0 == 0, "it slips");
  check(fabs(out.slip_speed - 2.95) < 1e-14, "at 2.95");
  check(fabs(out.gap) < 1e-15 && fabs(out.gap_rate) < 1e-15, "on the ground");
  /* Weight 10 N, mu = 0.5. */
  check(fabs(out.normal_impulse - 0.1) < 1e-15, "the weight over the step");
  check(fabs(out.tangential_impulse - 0.05) < 1e-15, "half of it");
  ends[0] = word, ends[1] = word + 4;
  for (i = 2; i < 9; i++)
    ends[i] = word + 8 * (i - 1);
  check(ends[8] == sizeof out, "all members are known here");
  cut_output("contact", &out, sizeof out, ends, 9, s, get_first_contact);
  /* A state that is new to the model is asked for, and may be refused. */
  {
    const double q[2] = {0.0, 1.0}, v[2] = {0.0, 0.0};
    expect("state", stn_stepper_set_state(s, 0.0, q, 2, v, 2), STN_OK, NULL);
    scene.trouble = REFUSE, scene.at = GAP, scene.from = 0;
    expect("refused", stn_stepper_get_contact(s, 0, &out), STN_REJECTED, "gap refused");
    check(out.mode == STN_CONTACT_SLIP, "out is untouched");
    scene.trouble = NO_TROUBLE;
    expect("asked again", stn_stepper_get_contact(s, 0, &out), STN_OK, NULL);
    check(out.mode == STN_CONTACT_OPEN && out.gap == 1.0, "it is open");
    check(out.normal_impulse == 0.0, "no step yet");
  }
  stn_stepper_destroy(s);
}

static void inside(void) {
  const double outside[] = {-1e-3, 0.0100001, 1e300, -1e300};
  double q[2] = {-7.0, -7.0}, v[2] = {-7.0, -7.0};
  size_t i;
  stn_stepper *s = sliding(NULL);
  for (i = 0; i < 4; i++)
    expect("outside", stn_stepper_get_state_at(s, outside[i], q, 2, v, 2), STN_ERR_VALUE,
           "must be inside the last step");
  expect("NaN", stn_stepper_get_state_at(s, NAN, q, 2, v, 2), STN_ERR_NONFINITE, "t is NaN");
  check(q[0] == -7.0 && v[1] == -7.0, "outputs are untouched");
  expect("inside", stn_stepper_get_state_at(s, 0.005, q, 2, v, 2), STN_OK, NULL);
  /* 3 t - 5 t^2/2 */
  check(fabs(q[0] - 0.0149375) < 1e-15 && fabs(v[0] - 2.975) < 1e-14, "half way");
  expect("nothing wanted", stn_stepper_get_state_at(s, 0.005, NULL, 2, NULL, 2), STN_OK, NULL);
  expect("no stepper", stn_stepper_get_state_at(NULL, 0.0, q, 2, v, 2), STN_ERR_NULL, "s is NULL");
  stn_stepper_destroy(s);
}

static void forces(void) {
  Scene scene;
  stn_stepper *s;
  double a[2] = {-7.0, -7.0}, normal = -7.0, slip = -7.0, friction[2] = {-7.0, -7.0};
  memset(&scene, 0, sizeof scene);
  s = sliding(&scene);
  expect("no stepper", stn_stepper_get_forces(NULL, a, 2, NULL, 0, NULL, NULL, 1, NULL, 2),
         STN_ERR_NULL, "s is NULL");
  expect("another model", stn_stepper_get_forces(s, a, 2, NULL, 1, NULL, NULL, 1, NULL, 2),
         STN_ERR_DIMENSION, "n_joint is 1, expected 0");
  expect("another model", stn_stepper_get_forces(s, a, 2, NULL, 0, NULL, NULL, 0, NULL, 2),
         STN_ERR_DIMENSION, "n_contact is 0, expected 1");
  expect("overlap", stn_stepper_get_forces(s, a, 2, NULL, 0, a, NULL, 1, NULL, 2), STN_ERR_VALUE,
         "overlap");
  scene.trouble = REFUSE, scene.at = GAP, scene.from = 0;
  expect("refused", stn_stepper_get_forces(s, a, 2, NULL, 0, &normal, &slip, 1, friction, 2),
         STN_REJECTED, "gap refused");
  scene.trouble = STOP;
  expect("stopped", stn_stepper_get_forces(s, a, 2, NULL, 0, &normal, &slip, 1, friction, 2),
         STN_ERR_CALLBACK, "gap returned -1");
  check(a[0] == -7.0 && normal == -7.0 && slip == -7.0 && friction[1] == -7.0,
        "outputs are untouched");
  scene.trouble = NO_TROUBLE;
  expect("forces", stn_stepper_get_forces(s, a, 2, NULL, 0, &normal, &slip, 1, friction, 2), STN_OK,
         NULL);
  /* Weight 10 N, mu = 0.5, slip 2.95 m/s along x. */
  check(fabs(a[0] + 5.0) < 1e-13 && fabs(a[1]) < 1e-13, "it is slowed down");
  check(fabs(normal - 10.0) < 1e-13 && fabs(slip - 2.95) < 1e-14, "by its weight");
  check(friction[0] == 0.0 && fabs(friction[1] - 5.0) < 1e-13, "against its slip");
  stn_stepper_destroy(s);
}

int main(int argc, char **argv) {
  static const Section sections[] = {
      {"ledger", ledger}, {"contact", contact}, {"inside", inside}, {"forces", forces}};
  return run_sections(sections, sizeof sections / sizeof sections[0], argc, argv);
}
