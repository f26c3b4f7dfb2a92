/* Built-in bodies: one command, which names what to set or add. Functions of time stay with the
 * host, in the order in which they were added, and come with each call of a model. */
#include "gateway.h"

#include <string.h>

static stn_builder *builder_of(const mxArray *id) {
  return (stn_builder *)entry_of(id, BUILDER)->handle;
}

/* builder = builder_create() */
static void run_create(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
  stn_builder *b = NULL;
  struct system *system = new_system();
  stn_status st = stn_builder_create(&b);
  (void)nlhs, (void)nrhs, (void)prhs;
  if (st < 0)
    release_system(system);
  check(st);
  system->bodies = 1;
  plhs[0] = keep(BUILDER, b, system, 0, 0);
}

static void run_destroy(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
  (void)nlhs, (void)plhs, (void)nrhs;
  give_up(entry_of(prhs[0], BUILDER));
}

/* model = builder_build(builder, functions); the functions of time may be asked for at once */
static void run_build(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
  const entry *e = entry_of(prhs[0], BUILDER);
  struct system *system = e->system->signals > 0 ? e->system : NULL;
  stn_model *model = NULL;
  stn_dims d;
  stn_status st;
  (void)nlhs, (void)nrhs;
  d.struct_size = sizeof d;
  WITH_FUNCTIONS(e, prhs[1], stn_builder_build((stn_builder *)e->handle, &model));
  check(st);
  check(stn_model_get_dims(model, &d));
  plhs[0] = keep(MODEL, model, system, d.nq, d.nv);
}

/* Arguments of one addition, read in order. */
typedef struct reader {
  const mxArray *cell;
  size_t at;
} reader;

static const mxArray *next(reader *r) {
  const mxArray *a = r->at < mxGetNumberOfElements(r->cell) ? mxGetCell(r->cell, r->at) : NULL;
  if (a == NULL)
    mexErrMsgIdAndTxt("stiction:Argument", "%d arguments are too few", (int)r->at);
  r->at++;
  return a;
}
static double real(reader *r) { return scalar(next(r), "a number"); }
static int32_t whole(reader *r) { return integer(next(r), "a number"); }
static const double *three(reader *r) { return required(next(r), 3, "a vector"); }
static const double *maybe_three(reader *r) { return doubles(next(r), 3, "a vector"); }
static const double *maybe_pose(reader *r) { return doubles(next(r), 7, "a pose"); }

/* Arguments of a function are evaluated in no fixed order: they are read into variables first. */
static stn_status add_body(stn_builder *b, const char *what, reader *r, int32_t *n) {
  const double mass = real(r);
  if (strcmp(what, "point2") == 0)
    return stn_builder_add_point2(b, mass, required(next(r), 2, "at"), n);
  if (strcmp(what, "point3") == 0)
    return stn_builder_add_point3(b, mass, three(r), n);
  if (strcmp(what, "planar") == 0) {
    const double inertia = real(r), *at = required(next(r), 2, "at"), angle = real(r);
    return stn_builder_add_planar(b, mass, inertia, at, angle, n);
  } else {
    const double *inertia = required(next(r), 9, "inertia"), *pose = required(next(r), 7, "pose");
    return stn_builder_add_spatial(b, mass, inertia, pose, n);
  }
}

static stn_status add_shape(stn_builder *b, const char *what, reader *r, int32_t *n) {
  const int32_t body = whole(r);
  const double *pose, *x;
  double size, radius = 0.0;
  if (strcmp(what, "ball") == 0) {
    size = real(r), pose = maybe_pose(r);
    return stn_builder_add_ball(b, body, size, pose, whole(r), n);
  }
  if (strcmp(what, "capsule") == 0) {
    size = real(r), radius = real(r), pose = maybe_pose(r);
    return stn_builder_add_capsule(b, body, size, radius, pose, whole(r), n);
  }
  if (strcmp(what, "polygon") == 0) {
    const mxArray *points = next(r);
    const int32_t count = (int32_t)(mxGetNumberOfElements(points) / 2);
    x = required(points, 2 * (ptrdiff_t)count, "vertices"), pose = maybe_pose(r);
    return stn_builder_add_polygon(b, body, count, x, pose, whole(r), n);
  }
  if (strcmp(what, "hull") == 0) {
    const mxArray *points = next(r);
    const int32_t count = (int32_t)(mxGetNumberOfElements(points) / 3);
    x = required(points, 3 * (ptrdiff_t)count, "points"), pose = maybe_pose(r);
    return stn_builder_add_hull(b, body, count, x, pose, whole(r), n);
  }
  if (strcmp(what, "mesh") == 0) {
    const mxArray *points = next(r), *triangles = next(r);
    const int32_t count = (int32_t)(mxGetNumberOfElements(points) / 3);
    x = required(points, 3 * (ptrdiff_t)count, "vertices"), pose = maybe_pose(r);
    if (!mxIsInt32(triangles))
      refuse("triangles", "int32");
    return stn_builder_add_mesh(b, body, count, x, (int32_t)(mxGetNumberOfElements(triangles) / 3),
                                (const int32_t *)mxGetData(triangles), pose, whole(r), n);
  }
  if (strcmp(what, "height_field") == 0) {
    const double *lengths = required(next(r), 2, "size");
    const mxArray *heights = next(r);
    x = required(heights, -1, "heights"), pose = maybe_pose(r);
    return stn_builder_add_height_field(b, body, (int32_t)mxGetM(heights), (int32_t)mxGetN(heights),
                                        lengths[0], lengths[1], x, pose, whole(r), n);
  }
  x = three(r), pose = maybe_pose(r);
  if (strcmp(what, "box") == 0)
    return stn_builder_add_box(b, body, x, pose, whole(r), n);
  return stn_builder_add_half_space(b, body, x, pose, whole(r), n);
}

/* Between two points: rods, springs, bushings, ropes. */
static stn_status add_between(stn_builder *b, const char *what, reader *r, int32_t *n) {
  const int32_t first = whole(r);
  const double *at_a = maybe_three(r);
  const int32_t second = whole(r);
  const double *at_b = maybe_three(r), x = real(r);
  double y, z;
  if (strcmp(what, "rod") == 0)
    return stn_builder_add_rod(b, first, at_a, second, at_b, x, n);
  y = real(r);
  if (strcmp(what, "bushing") == 0)
    return stn_builder_add_bushing(b, first, at_a, second, at_b, x, y);
  z = real(r);
  if (strcmp(what, "spring") == 0)
    return stn_builder_add_spring(b, first, at_a, second, at_b, x, y, z);
  return stn_builder_add_distance_limit(b, first, at_a, second, at_b, x, y, z);
}

/* Along a free coordinate of a joint: limits, springs, friction. */
static stn_status add_along(stn_builder *b, const char *what, reader *r) {
  const int32_t joint = whole(r), freedom = whole(r);
  const double x = real(r);
  double y, z;
  if (strcmp(what, "joint_friction") == 0)
    return stn_builder_add_joint_friction(b, joint, freedom, x);
  y = real(r), z = real(r);
  if (strcmp(what, "limit") == 0)
    return stn_builder_add_limit(b, joint, freedom, x, y, z);
  return stn_builder_add_joint_spring(b, joint, freedom, x, y, z);
}

static stn_status add_joint(stn_builder *b, reader *r, int32_t *n) {
  const int32_t kind = whole(r), first = whole(r), second = whole(r);
  const double *at = three(r), *axis = maybe_three(r), *axis_b = maybe_three(r);
  return stn_builder_add_joint(b, kind, first, second, at, axis, axis_b, n);
}

/* What is given as a function of time; the library calls release only after success. */
static stn_status add_in_time(const entry *e, const mxArray *functions, const char *what, reader *r,
                              int32_t *n) {
  stn_builder *b = (stn_builder *)e->handle;
  const int32_t at = whole(r); /* a joint or a body */
  const int along = strcmp(what, "drive") == 0 || strcmp(what, "motor") == 0;
  const int32_t freedom = along ? whole(r) : 0;
  const double *point = strcmp(what, "force") == 0 ? maybe_three(r) : NULL;
  struct signal *g = new_signal(e->system);
  stn_status st;
  WITH_FUNCTIONS(e, functions,
                 strcmp(what, "drive") == 0
                     ? stn_builder_add_drive(b, at, freedom, call_signal, g, release_signal, n)
                 : along ? stn_builder_add_motor(b, at, freedom, call_signal, g, release_signal)
                 : strcmp(what, "force") == 0
                     ? stn_builder_add_force(b, at, point, call_vector_signal, g, release_signal)
                     : stn_builder_add_torque(b, at, call_vector_signal, g, release_signal));
  if (st < 0) {
    e->system->signals--;
    release_signal(g);
  }
  return st;
}

static stn_status set(stn_builder *b, const char *what, reader *r) {
  if (strcmp(what, "gravity") == 0)
    return stn_builder_set_gravity(b, three(r));
  if (strcmp(what, "facets") == 0)
    return stn_builder_set_facets(b, whole(r));
  if (strcmp(what, "velocity") == 0) {
    const int32_t body = whole(r);
    const double *linear = three(r), *angular = maybe_three(r);
    return stn_builder_set_velocity(b, body, linear, angular);
  }
  if (strcmp(what, "groups") == 0) {
    const int32_t shape = whole(r), group = whole(r), meets = whole(r);
    return stn_builder_set_groups(b, shape, (uint32_t)group, (uint32_t)meets);
  } else {
    const int32_t first = whole(r), second = whole(r);
    const double mu = real(r), restitution = real(r), *axis = maybe_three(r), across = real(r);
    return stn_builder_set_surface(b, first, second, mu, restitution, axis, across);
  }
}

static int is_one_of(const char *what, const char *const *names) {
  for (; *names != NULL; names++)
    if (strcmp(what, *names) == 0)
      return 1;
  return 0;
}

/* number = builder_call(builder, functions, what, {arguments}); a function of time is asked at once
 */
static void run_call(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
  static const char *const bodies[] = {"point2", "point3", "planar", "spatial", NULL};
  static const char *const shapes[] = {"ball", "capsule", "box",          "polygon", "half_space",
                                       "hull", "mesh",    "height_field", NULL};
  static const char *const in_time[] = {"drive", "motor", "force", "torque", NULL};
  static const char *const between[] = {"rod", "spring", "bushing", "distance_limit", NULL};
  static const char *const along[] = {"limit", "joint_spring", "joint_friction", NULL};
  static const char *const settings[] = {"gravity", "facets",  "velocity",
                                         "groups",  "surface", NULL};
  stn_builder *b = builder_of(prhs[0]);
  reader r = {prhs[3], 0};
  char what[32] = "";
  int32_t n = -1;
  (void)nlhs, (void)nrhs;
  if (mxGetString(prhs[2], what, sizeof what) != 0 || !mxIsCell(prhs[3]))
    refuse("a call", "a name and a cell of arguments");
  if (is_one_of(what, bodies))
    check(add_body(b, what, &r, &n));
  else if (is_one_of(what, shapes))
    check(add_shape(b, what, &r, &n));
  else if (is_one_of(what, between))
    check(add_between(b, what, &r, &n));
  else if (is_one_of(what, along))
    check(add_along(b, what, &r));
  else if (is_one_of(what, in_time))
    check(add_in_time(entry_of(prhs[0], BUILDER), prhs[1], what, &r, &n));
  else if (is_one_of(what, settings))
    check(set(b, what, &r));
  else if (strcmp(what, "joint") == 0)
    check(add_joint(b, &r, &n));
  else if (strcmp(what, "material") == 0)
    check(stn_builder_add_material(b, &n));
  else
    mexErrMsgIdAndTxt("stiction:Argument", "a builder knows no %s", what);
  plhs[0] = number(n);
}

const command builder_commands[] = {{"builder_create", 0, run_create},
                                    {"builder_destroy", 1, run_destroy},
                                    {"builder_build", 2, run_build},
                                    {"builder_call", 4, run_call},
                                    {NULL, 0, NULL}};
