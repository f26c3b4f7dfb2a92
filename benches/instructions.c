/* Fixed scenes for counting the instructions of a step, see instructions.sh.
 *
 *   instructions SCENE STEPS
 *
 * takes STEPS steps of 5 ms: a box at rest on 16 points, one pushed to and fro on 64, five boxes on
 * each other, ten spheres between walls, a chain of ten links. What is counted is inside of
 * stn_stepper_step. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <stiction.h>
#include <string.h>

#define TRY(call)                                                                                  \
  do {                                                                                             \
    if ((status = (call)) < 0)                                                                     \
      goto fail;                                                                                   \
  } while (0)

static const double up[3] = {0.0, 0.0, 1.0};

static stn_status body(stn_builder *b, double mass, double i, double x, double y, double z,
                       int32_t *id) {
  const double inertia[9] = {i, 0, 0, 0, i, 0, 0, 0, i};
  const double pose[7] = {x, y, z, 1.0, 0.0, 0.0, 0.0};
  return stn_builder_add_spatial(b, mass, inertia, pose, id);
}

static void push(double t, double *force, void *user) {
  (void)user;
  force[0] = 8.0 * cos(5.0 * t);
  force[1] = force[2] = 0.0;
}

static stn_status base(stn_builder *b, int side, int pushed) {
  stn_status status = STN_OK;
  double pose[7] = {0.0, 0.0, -0.5, 1.0, 0.0, 0.0, 0.0};
  int32_t id;
  int k;
  TRY(body(b, 1.0, 1.0 / 6.0, 0.0, 0.0, 0.5, &id));
  for (k = 0; k < side * side; k++) {
    pose[0] = (double)(k / side) / (side - 1) - 0.5;
    pose[1] = (double)(k % side) / (side - 1) - 0.5;
    TRY(stn_builder_add_ball(b, id, 0.0, pose, 0, NULL));
  }
  pose[0] = pose[1] = 0.0;
  if (pushed)
    TRY(stn_builder_add_force(b, id, pose, push, NULL, NULL));
fail:
  return status;
}

static stn_status stack(stn_builder *b, int n) {
  const double half[3] = {0.5, 0.5, 0.5};
  stn_status status = STN_OK;
  int32_t id;
  int k;
  for (k = 0; k < n; k++) {
    TRY(body(b, 1.0, 1.0 / 6.0, 0.0, 0.0, 0.5 + k, &id));
    TRY(stn_builder_add_box(b, id, half, NULL, 0, NULL));
  }
fail:
  return status;
}

/* Layers of four, each a little aside of the one below, between walls. */
static stn_status pile(stn_builder *b, int n) {
  stn_status status = STN_OK;
  const double r = 0.1;
  double wall[7] = {0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0}, normal[3];
  int32_t id;
  int k;
  for (k = 0; k < n; k++) {
    const double x = 0.21 * (k / 2 % 2) + 0.004 * sin(7.0 * k);
    const double y = 0.21 * (k % 2) + 0.004 * cos(5.0 * k);
    TRY(body(b, 1.0, 0.4 * r * r, x, y, 0.11 + 0.21 * (k / 4), &id));
    TRY(stn_builder_add_ball(b, id, r, NULL, 0, NULL));
  }
  for (k = 0; k < 4; k++) {
    memset(normal, 0, sizeof normal);
    wall[0] = wall[1] = 0.0;
    normal[k / 2] = k % 2 ? -1.0 : 1.0;
    wall[k / 2] = k % 2 ? 0.33 : -0.12;
    TRY(stn_builder_add_half_space(b, STN_GROUND, normal, wall, 0, NULL));
  }
fail:
  return status;
}

static stn_status chain(stn_builder *b, int n) {
  stn_status status = STN_OK;
  const double half[3] = {0.3, 0.5, 0.05}, step[7] = {0.5, 0.0, 0.05, 1.0, 0.0, 0.0, 0.0};
  double at[3] = {0.0, 0.0, 0.15};
  int32_t id;
  int k;
  for (k = 0; k < n; k++) {
    TRY(body(b, 0.1, 1e-4, 0.1 * k, 0.0, 0.15, &id));
    TRY(stn_builder_add_ball(b, id, 0.04, NULL, 0, NULL));
    at[0] = 0.1 * k - 0.05;
    if (k > 0)
      TRY(stn_builder_add_joint(b, STN_JOINT_SPHERICAL, id - 1, id, at, NULL, NULL, NULL));
  }
  TRY(stn_builder_add_box(b, STN_GROUND, half, step, 0, NULL));
fail:
  return status;
}

static stn_status scene(stn_builder *b, const char *name) {
  if (!strcmp(name, "rest"))
    return base(b, 4, 0);
  if (!strcmp(name, "pushed"))
    return base(b, 8, 1);
  if (!strcmp(name, "stack"))
    return stack(b, 5);
  if (!strcmp(name, "pile"))
    return pile(b, 10);
  if (!strcmp(name, "chain"))
    return chain(b, 10);
  return STN_ERR_VALUE;
}

int main(int argc, char **argv) {
  const double gravity[3] = {0.0, 0.0, -9.81};
  stn_status status = STN_OK;
  stn_builder *b = NULL;
  stn_model *model = NULL;
  stn_stepper *s = NULL;
  char text[256] = "";
  int k, steps;
  if (argc != 3)
    return 2;
  steps = atoi(argv[2]);
  TRY(stn_builder_create(&b));
  TRY(stn_builder_set_gravity(b, gravity));
  TRY(stn_builder_set_surface(b, 0, 0, 0.5, 0.0, NULL, 0.0));
  TRY(stn_builder_add_half_space(b, STN_GROUND, up, NULL, 0, NULL));
  TRY(scene(b, argv[1]));
  TRY(stn_builder_build(b, &model));
  TRY(stn_stepper_create(model, NULL, &s));
  for (k = 0; k < steps; k++)
    TRY(stn_stepper_step(s, 5e-3));
fail:
  if (status < 0) {
    stn_last_error(text, sizeof text);
    fprintf(stderr, "%s: %s\n", argv[1], text);
  }
  stn_stepper_destroy(s);
  stn_model_destroy(model);
  stn_builder_destroy(b);
  return status < 0;
}
