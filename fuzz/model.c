/* Built-in bodies put together at random: what the builder takes moves or is refused by a status, and never crashes. */
#include "input.h"

/* Small scenes and short steps: many inputs a second find more than large ones. `some` names bodies 0 to 4 only. */
static const double DEEP = 0.25; /* m */
enum { CALLS = 24, BODIES = 3, SHAPES = 3, MANY_BODIES = 5, MOST_Q = 64, STEPS = 2, EVENTS = 3 };

/* How many of each a scene may still get. */
typedef struct Room {
  int bodies, shapes;
} Room;

/* A body, joint or shape of those there are, or now and then one that is not. */
static int32_t some(Input *in) { return choice(in, 6) - 1; }

static const double *pose(Input *in, int k) {
  double *x;
  if (choice(in, 2))
    return NULL;
  x = given(in, k, 7);
  if (choice(in, 8))
    x[3] = 1.0, x[4] = x[5] = x[6] = 0.0;
  return x;
}

static void add_body(stn_builder *b, Input *in) {
  int32_t made;
  if (choice(in, 2)) {
    const double m = positive(in), i = positive(in), *at = given(in, 0, 2);
    stn_builder_add_planar(b, m, i, at, number(in), &made);
  } else {
    double *inertia = given(in, 0, 9), *at = given(in, 1, 7);
    if (choice(in, 8)) { /* one that the builder takes */
      const double i = fabs(inertia[0]) + 0.1;
      memset(inertia, 0, 9 * sizeof *inertia);
      inertia[0] = inertia[4] = inertia[8] = i;
      at[3] = 1.0, at[4] = at[5] = at[6] = 0.0;
    }
    stn_builder_add_spatial(b, positive(in), inertia, at, &made);
  }
}

static void add_shape(stn_builder *b, Input *in) {
  const int32_t body = some(in), material = choice(in, 3) - 1;
  const double *p = pose(in, 1);
  int32_t made;
  switch (choice(in, 7)) {
  case 0:
    stn_builder_add_ball(b, body, positive(in), p, material, &made);
    break;
  case 1: {
    const double half = positive(in);
    stn_builder_add_capsule(b, body, half, positive(in), p, material, &made);
    break;
  }
  case 2: {
    double *half = given(in, 0, 3);
    half[0] = fabs(half[0]) + 0.0625, half[1] = fabs(half[1]) + 0.0625, half[2] = fabs(half[2]) + 0.0625;
    stn_builder_add_box(b, body, half, p, material, &made);
    break;
  }
  case 3: {
    const int32_t n = choice(in, 8);
    stn_builder_add_polygon(b, body, n, given(in, 0, 2 * n), p, material, &made);
    break;
  }
  case 4:
    stn_builder_add_half_space(b, body, given(in, 0, 3), p, material, &made);
    break;
  case 5: {
    const int32_t n = choice(in, 9);
    stn_builder_add_hull(b, body, n, given(in, 0, 3 * n), p, material, &made);
    break;
  }
  default: {
    const int32_t nx = choice(in, 5), ny = choice(in, 5);
    const double sx = positive(in), sy = positive(in);
    stn_builder_add_height_field(b, body, nx, ny, sx, sy, given(in, 0, nx * ny), p, material, &made);
  }
  }
}

static void add_mesh(stn_builder *b, Input *in) {
  const int32_t nv = choice(in, 6), nt = choice(in, 5), body = some(in);
  double *vertices = given(in, 0, 3 * nv);
  int32_t *corners = (int32_t *)fenced(2, (size_t)(3 * nt) * sizeof(int32_t)), i, made;
  for (i = 0; i < 3 * nt; i++)
    corners[i] = choice(in, 7) - (choice(in, 16) == 0);
  stn_builder_add_mesh(b, body, nv, vertices, nt, corners, pose(in, 1), choice(in, 3) - 1, &made);
}

static void connect(stn_builder *b, Input *in) {
  const int32_t one = some(in), other = some(in);
  const double *at = given(in, 0, 3), *to = given(in, 1, 3);
  int32_t made;
  switch (choice(in, 6)) {
  case 0: {
    const int32_t kind = choice(in, 8);
    stn_builder_add_joint(b, kind, one, other, at, choice(in, 4) ? to : NULL, choice(in, 4) ? NULL : at, &made);
    break;
  }
  case 1:
    stn_builder_add_rod(b, one, at, other, to, choice(in, 2) ? 0.0 : number(in), &made);
    break;
  case 2: {
    const double k = number(in), d = number(in);
    stn_builder_add_spring(b, one, at, other, to, fabs(k), fabs(d), number(in));
    break;
  }
  case 3: {
    const int32_t freedom = choice(in, 4);
    const double low = number(in), high = number(in);
    stn_builder_add_limit(b, one, freedom, fmin(low, high), fmax(low, high), 0.5);
    break;
  }
  case 4:
    stn_builder_add_joint_friction(b, one, choice(in, 4), number(in));
    break;
  default: {
    const double low = number(in), high = number(in);
    stn_builder_add_distance_limit(b, one, at, other, to, fmin(low, high), fmax(low, high), 0.25);
  }
  }
}

static void furnish(stn_builder *b, Input *in, Room *room) {
  int32_t material;
  switch (choice(in, 8)) {
  case 0:
  case 1:
    if (room->bodies-- > 0)
      add_body(b, in);
    break;
  case 2:
  case 3:
    if (room->shapes-- > 0)
      add_shape(b, in);
    break;
  case 4:
    connect(b, in);
    break;
  case 5:
    if (room->shapes-- > 0)
      add_mesh(b, in);
    break;
  case 6: {
    const int32_t one = choice(in, 3) - 1, other = choice(in, 3) - 1;
    const double mu = number(in), e = number(in);
    stn_builder_add_material(b, &material);
    stn_builder_set_surface(b, one, other, mu, e, choice(in, 2) ? NULL : given(in, 0, 3), number(in));
    break;
  }
  default: {
    const int32_t body = some(in);
    const double *linear = given(in, 0, 3);
    stn_builder_set_velocity(b, body, linear, choice(in, 2) ? given(in, 1, 3) : NULL);
  }
  }
}

/* Steps a little and reads what bodies have. */
static void move(const stn_model *model, Input *in, const stn_dims *dims) {
  static const int32_t methods[] = {4, 4, 4, 1, 3, 7, 24};
  stn_stepper_options opt;
  stn_stepper *s = NULL;
  double t, *q = reals(0, dims->nq), *v = reals(1, dims->nv);
  int i, steps;
  HOLDS(stn_stepper_options_init(&opt, sizeof opt) == STN_OK);
  opt.method = methods[choice(in, 7)];
  /* What a short input leaves open, zeros, is the cheap way. */
  if (choice(in, 2) == 0)
    opt.events = STN_EVENTS_NONE;
  if (choice(in, 16) != 15) /* a pile that rattles takes long, and shows the same over and over */
    opt.max_events = EVENTS;
  if (stn_stepper_create(model, &opt, &s) != STN_OK)
    return;
  steps = choice(in, 4) == 3 ? STEPS : 1;
  for (i = 0; i < steps; i++) {
    const stn_status st = stn_stepper_step(s, 1.0 / 64.0);
    HOLDS(st != STN_ERR_PANIC && st != STN_ERR_POISONED);
    HOLDS(stn_stepper_get_state(s, &t, q, dims->nq, v, dims->nv) == STN_OK);
    HOLDS(all_finite(q, dims->nq) && all_finite(v, dims->nv));
  }
  stn_stepper_destroy(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Input in = input(data, size);
  stn_builder *b = NULL;
  stn_model *model = NULL;
  stn_dims dims;
  stn_status st;
  Room room = {BODIES, SHAPES};
  int i;
  const unsigned first = byte(&in), calls = first % CALLS;
  if (size > 400)
    return 0;
  dims.struct_size = sizeof dims;
  HOLDS(stn_builder_create(&b) == STN_OK);
  if (first >= 248) /* a few scenes of many shapes */
    room.bodies = MANY_BODIES, room.shapes = CALLS;
  for (i = 0; i < (int)calls && in.at < in.end; i++)
    furnish(b, &in, &room);
  st = stn_builder_build(b, &model);
  HOLDS(st != STN_ERR_PANIC && st != STN_ERR_POISONED);
  HOLDS((st == STN_OK) == (model != NULL));
  stn_builder_destroy(b);
  if (!model)
    return 0;
  HOLDS(stn_model_get_dims(model, &dims) == STN_OK);
  if (dims.nq <= MOST_Q) {
    double *q = reals(2, dims.nq), *v = reals(3, dims.nv), *pose7 = reals(4, 7);
    double kinetic, potential;
    stn_consistency c;
    c.struct_size = sizeof c, c.depth = 0.0;
    HOLDS(stn_model_get_initial(model, q, dims.nq, v, dims.nv) == STN_OK);
    HOLDS(stn_model_get_energy(model, 0.0, q, dims.nq, v, dims.nv, &kinetic, &potential) != STN_ERR_PANIC);
    HOLDS(stn_model_get_pose(model, some(&in), q, dims.nq, pose7) != STN_ERR_PANIC);
    HOLDS(stn_model_check_state(model, 0.0, q, dims.nq, v, dims.nv, &c) != STN_ERR_PANIC);
    /* Bodies deep in each other take long to part, and most random ones are. */
    if (c.depth <= DEEP || choice(&in, 16) == 15) {
      move(model, &in, &dims);
      if (choice(&in, 4) == 3)
        HOLDS(stn_model_nearest_state(model, 0.0, q, dims.nq, v, dims.nv, &c) != STN_ERR_PANIC);
    }
  }
  stn_model_destroy(model);
  return 0;
}
