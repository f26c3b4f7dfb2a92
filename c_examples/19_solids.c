/* Chapter 19: solids on uneven ground, without a callback.
 *
 * A height field that is a shallow bowl, a box, and on it a pyramid given by its corners: both are
 * let go above the ground. Contacts between corners, edges and faces come and go by themselves.
 * Look at the last lines: everything lies still, and nothing has sunk into anything. With --html
 * FILE the motion is written too, as a page for any browser. */
#include "scene_html.h"
#include <math.h>
#include <stiction.h>
#include <string.h>

#define TRY(call)                                                                                  \
  do {                                                                                             \
    if ((status = (call)) < 0)                                                                     \
      goto fail;                                                                                   \
  } while (0)

enum { SIDE = 9, BODIES = 2, NQ = 7 * BODIES, NV = 6 * BODIES };

/* The frames of the page: 50 a second, from the state that is to the time given. */
static stn_status film(scene_html *page, const stn_model *model, stn_stepper *s, int n) {
  double t, q[NQ], pose[7];
  stn_status status = STN_OK;
  int32_t frame, k;
  for (frame = 0; frame <= n; ++frame) {
    if (frame > 0)
      TRY(stn_stepper_advance(s, frame * 0.02, 0.01));
    TRY(stn_stepper_get_state(s, &t, q, NQ, NULL, NV));
    scene_frame(page, t);
    for (k = 0; k < BODIES; ++k) {
      TRY(stn_model_get_pose(model, k, q, NQ, pose));
      scene_pose(page, pose);
    }
  }
fail:
  return status;
}

int main(int argc, char **argv) {
  const double up[3] = {0, 0, 1}, view[3] = {1.0, -1.2, 0.7};
  const double gravity[3] = {0.0, 0.0, -9.81};
  const double pyramid[15] = {0.3,  0.3, -0.1, -0.3, 0.3, -0.1, -0.3, -0.3,
                              -0.1, 0.3, -0.3, -0.1, 0.0, 0.0,  0.3};
  const double half[3] = {0.5, 0.5, 0.2}, still[9] = {0.1, 0, 0, 0, 0.1, 0, 0, 0, 0.1};
  const double pose[BODIES][7] = {{0, 0, 0.26, 1, 0, 0, 0},
                                  {0, 0, 0.6, 1, 0, 0, 0}}; /* x, quaternion */
  double heights[SIDE * SIDE], t, q[NQ], v[NV], fastest = 0.0;
  int32_t body[BODIES], i, j, a, c, there, between = 0;
  int64_t key;
  stn_status status = STN_OK;
  stn_builder *b = NULL;
  stn_model *model = NULL;
  stn_stepper *s = NULL;
  stn_stats stats;
  scene_html page = {NULL, 0, 0, 0};

  /* A bowl that is flat in the middle. */
  for (j = 0; j < SIDE; ++j)
    for (i = 0; i < SIDE; ++i) {
      const double x = i - 4.0, y = j - 4.0, r = sqrt(x * x + y * y);
      heights[i + SIDE * j] = r > 2.0 ? 0.05 * (r - 2.0) * (r - 2.0) : 0.0;
    }
  TRY(stn_builder_create(&b));
  TRY(stn_builder_set_gravity(b, gravity));
  TRY(stn_builder_set_surface(b, 0, 0, 0.5, 0.0, NULL, 0.0));
  for (i = 0; i < BODIES; ++i)
    TRY(stn_builder_add_spatial(b, 1.0, still, pose[i], &body[i]));
  TRY(stn_builder_add_height_field(b, STN_GROUND, SIDE, SIDE, 4.0, 4.0, heights, NULL, 0, NULL));
  TRY(stn_builder_add_box(b, body[0], half, NULL, 0, NULL));
  TRY(stn_builder_add_hull(b, body[1], 5, pyramid, NULL, 0, NULL));
  TRY(stn_builder_build(b, &model));
  TRY(stn_stepper_create(model, NULL, &s));
  if (argc == 3 && strcmp(argv[1], "--html") == 0) {
    if (scene_open(&page, argv[2], "Solids on uneven ground", up, view) < 0)
      goto fail;
    scene_list(&page, "\"kind\":\"heights\",\"nx\":9,\"ny\":9,\"size\":[4,4],\"heights\"", heights,
               SIDE * SIDE);
    scene_body(&page, "box", "#8fb3d9");
    scene_shape(&page, "\"kind\":\"box\",\"half\":[%g,%g,%g]", half[0], half[1], half[2]);
    scene_body(&page, "pyramid", "#d98f8f");
    scene_list(&page, "\"kind\":\"hull\",\"points\"", pyramid, 15);
    TRY(film(&page, model, s, 50));
  }
  TRY(stn_stepper_advance(s, 1.0, 0.01));
  TRY(stn_stepper_get_state(s, &t, q, NQ, v, NV));
  stats.struct_size = sizeof stats;
  TRY(stn_stepper_get_stats(s, &stats));
  for (i = 0; i < NV; ++i)
    fastest = fmax(fastest, fabs(v[i]));
  for (i = 0; i < stn_stepper_contact_count(s); ++i) {
    TRY(stn_stepper_get_contact_key(s, i, &key, &there));
    if (there) {
      TRY(stn_model_get_contact_pair(model, key, &a, &c, NULL, NULL));
      between += (a == body[0] && c == body[1]) || (a == body[1] && c == body[0]);
    }
  }
  printf("contacts between box and pyramid: %s\n", between >= 4 ? "at least 4" : "too few");
  printf("height of the box %.3f, of the pyramid %.3f\n", q[2], q[9]);
  printf("everything lies still: %s\n", fastest < 1e-9 ? "yes" : "no");
  printf("deepest gap above -1e-9: %s\n", stats.worst_gap > -1e-9 ? "yes" : "no");
fail:
  if (status < 0) {
    char text[256];
    stn_last_error(text, (int32_t)sizeof text);
    fprintf(stderr, "%s: %s\n", stn_status_name(status), text);
  }
  if (page.file && scene_close(&page) < 0)
    fprintf(stderr, "cannot write %s\n", argv[2]);
  stn_stepper_destroy(s);
  stn_model_destroy(model);
  stn_builder_destroy(b);
  return status < 0;
}
