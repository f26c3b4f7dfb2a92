/* Models and steppers given everything that cannot be right: the named status, a text that names
 * the culprit, nothing changed, and a stepper that goes on as if nothing had happened. Run with the
 * name of a section, or with none for all; says what differs on stderr and ends with 1. */
#include "say.h"
#include "cut.h"
#include "scene.h"
#include <limits.h>

static stn_event no_event(void) {
  stn_event event;
  memset(&event, 0, sizeof event);
  event.struct_size = sizeof event;
  return event;
}

static stn_stats no_stats(void) {
  stn_stats stats;
  memset(&stats, 0, sizeof stats);
  stats.struct_size = sizeof stats;
  return stats;
}

static char what[300];
static const double bad_number[3] = {NAN, INFINITY, -INFINITY};

/* ---- models ---- */

/* One attempt that must fail and leave `out` NULL and `release` uncalled. */
static void no_model(const char *say, const stn_dims *dims, const stn_model_fns *fns,
                     const double *mu, const double *e, stn_status expected, const char *text) {
  Scene scene;
  stn_model *model = (stn_model *)(void *)&scene;
  memset(&scene, 0, sizeof scene);
  expect(say, stn_model_create(dims, fns, mu, e, &scene, &model), expected, text);
  check(model == NULL, say);
  check(scene.released == 0, "release was called for a model that never was");
}

static void missing_functions(void) {
  Scene scene;
  stn_dims dims = block_dims();
  stn_model_fns fns = block_fns(&scene);
  no_model("no dims", NULL, &fns, NULL, NULL, STN_ERR_NULL, "dims is NULL");
  no_model("no fns", &dims, NULL, NULL, NULL, STN_ERR_NULL, "fns is NULL");
  expect("no out", stn_model_create(&dims, &fns, NULL, NULL, NULL, NULL), STN_ERR_NULL,
         "out is NULL");
  fns.mass = NULL;
  no_model("no mass", &dims, &fns, NULL, NULL, STN_ERR_NULL, "mass is NULL");
  fns = block_fns(&scene);
  fns.gap = NULL;
  no_model("no gap", &dims, &fns, NULL, NULL, STN_ERR_NULL, "gap is NULL");
  fns = block_fns(&scene);
  fns.tangent = NULL;
  no_model("no tangent", &dims, &fns, NULL, NULL, STN_ERR_NULL, "tangent is NULL");
  fns = block_fns(&scene);
  dims.n_joint = 1;
  no_model("no joint", &dims, &fns, NULL, NULL, STN_ERR_NULL, "joint is NULL");
  dims = block_dims();
  dims.n_brake = 1;
  no_model("no brake", &dims, &fns, NULL, NULL, STN_ERR_NULL, "brake is NULL");
  dims.n_brake = 0, dims.n_element = 1;
  no_model("no element", &dims, &fns, NULL, NULL, STN_ERR_NULL, "element is NULL");
  dims.n_element = -1;
  no_model("n_element < 0", &dims, &fns, NULL, NULL, STN_ERR_DIMENSION, "n_element is -1");
  dims = block_dims();
  dims.n_brake = -1;
  no_model("n_brake < 0", &dims, &fns, NULL, NULL, STN_ERR_DIMENSION, "n_brake is -1");
  dims = block_dims();
  dims.nq = 3;
  no_model("nq > nv", &dims, &fns, NULL, NULL, STN_ERR_DIMENSION, "nq is 3");
  dims.nq = 1;
  no_model("nq < nv", &dims, &fns, NULL, NULL, STN_ERR_DIMENSION, "nq is 1");
}

static void model_values(void) {
  static const char *const name[5] = {"nq", "nv", "n_joint", "n_contact", "n_dir"};
  const stn_model_fns fns = block_fns(NULL);
  stn_dims dims = block_dims();
  const double mu[2] = {0.5, 0.0};
  double x;
  int i;
  for (i = 0; i < 5; i++) {
    int32_t *member = &dims.nq + i;
    const int32_t good = *member;
    *member = -1;
    snprintf(what, sizeof what, "%s is -1", name[i]);
    no_model(what, &dims, &fns, NULL, NULL, STN_ERR_DIMENSION, what);
    *member = INT32_MIN;
    snprintf(what, sizeof what, "%s is -2147483648", name[i]);
    no_model(what, &dims, &fns, NULL, NULL, STN_ERR_DIMENSION, what);
    *member = good;
  }
  dims.reserved0 = 1;
  no_model("reserved0", &dims, &fns, NULL, NULL, STN_ERR_VALUE, "reserved0 is 1");
  dims.reserved0 = 0;
  dims.n_dir = 3;
  no_model("odd n_dir", &dims, &fns, NULL, NULL, STN_ERR_VALUE, "n_dir is 3, must be even");
  dims.n_dir = 0;
  no_model("friction without directions", &dims, &fns, mu, NULL, STN_ERR_VALUE, "mu[0] is 0.5");
  dims = block_dims();
  x = -1e-300;
  no_model("mu < 0", &dims, &fns, &x, NULL, STN_ERR_VALUE, "mu[0] is -");
  no_model("e < 0", &dims, &fns, NULL, &x, STN_ERR_VALUE, "restitution[0] is -");
  x = 1.0000001;
  no_model("e > 1", &dims, &fns, NULL, &x, STN_ERR_VALUE, "restitution[0] is 1.0000001");
  for (i = 0; i < 3; i++) {
    no_model("mu not finite", &dims, &fns, &bad_number[i], NULL, STN_ERR_NONFINITE, "mu[0] is");
    no_model("e not finite", &dims, &fns, NULL, &bad_number[i], STN_ERR_NONFINITE,
             "restitution[0] is");
  }
  {
    double room[16];
    const char *const between = (const char *)room + 1;
    memset(room, 0xA5, sizeof room);
    no_model("dims misaligned", (const stn_dims *)(const void *)between, &fns, NULL, NULL,
             STN_ERR_VALUE, "dims is at an address");
    no_model("fns misaligned", &dims, (const stn_model_fns *)(const void *)between, NULL, NULL,
             STN_ERR_VALUE, "fns is at an address");
    expect("out misaligned",
           stn_model_create(&dims, &fns, NULL, NULL, NULL, (stn_model **)(void *)(size_t)between),
           STN_ERR_VALUE, "out is at an address");
  }
  no_model("mu misaligned", &dims, &fns, (const double *)(const void *)((const char *)mu + 1), NULL,
           STN_ERR_VALUE, "mu is at an address");
}

/* A struct cut at any byte means what a whole one with defaults behind the cut means. `whole`: a
 * struct of `size` bytes; `ends` where its members end; `zero` the defaults; `attempt` gives a
 * status. */
static void cut(const char *name, const void *whole, const void *defaults, size_t size,
                const size_t *ends, size_t members, stn_status (*attempt)(const void *p)) {
  unsigned char *filled = (unsigned char *)malloc(size);
  size_t k, i;
  for (k = 0; k <= size + 8; k++) {
    /* In a block of its own, so that valgrind sees a read behind its end. */
    const size_t room = k < sizeof(size_t) ? sizeof(size_t) : k;
    unsigned char *p = (unsigned char *)malloc(room);
    size_t end = 0;
    stn_status expected, got;
    memset(p, 0xA5, room);
    memcpy(p, whole, room < size ? room : size);
    memcpy(p, &k, sizeof k);
    for (i = 0; i < members; i++)
      if (ends[i] <= k)
        end = ends[i];
    memcpy(filled, defaults, size);
    if (end > sizeof(size_t))
      memcpy(filled + sizeof(size_t), (const char *)whole + sizeof(size_t), end - sizeof(size_t));
    memcpy(filled, &size, sizeof size);
    expected = k < sizeof(size_t) ? STN_ERR_ABI : attempt(filled);
    got = attempt(p);
    snprintf(what, sizeof what, "%s of %lu bytes: %s instead of %s", name, (unsigned long)k,
             stn_status_name(got), stn_status_name(expected));
    check(got == expected, what);
    free(p);
  }
  free(filled);
}

static stn_status try_dims(const void *p) {
  const stn_model_fns fns = block_fns(NULL);
  stn_model *model = NULL;
  const stn_status st =
      stn_model_create((const stn_dims *)p, &fns, &block_mu, &block_e, NULL, &model);
  stn_model_destroy(model);
  return st;
}

static stn_status try_fns(const void *p) {
  stn_dims dims = block_dims();
  Scene scene;
  stn_model *model = NULL;
  stn_status st;
  memset(&scene, 0, sizeof scene);
  dims.nq = 2, dims.n_joint = 1;
  st = stn_model_create(&dims, (const stn_model_fns *)p, &block_mu, &block_e, &scene, &model);
  stn_model_destroy(model);
  if (st == STN_OK) { /* whether release fits must show as well */
    const size_t size = *(const size_t *)p;
    const stn_model_fns *const fns = (const stn_model_fns *)p;
    const size_t end = offsetof(stn_model_fns, release) + sizeof fns->release;
    const int whole = size >= end && fns->release;
    check(scene.released == whole, "release of a cut struct");
  }
  return st;
}

static void cut_model_structs(void) {
  const stn_dims dims = block_dims();
  const stn_dims nothing = no_dims();
  stn_model_fns fns = block_fns(NULL);
  const stn_model_fns none = no_fns();
  const size_t word = sizeof(size_t);
  size_t dims_ends[9], fns_ends[19], i;
  for (i = 0; i < 9; i++)
    dims_ends[i] = word + i * sizeof(int32_t);
  for (i = 0; i < 13; i++)
    fns_ends[i] = word + i * sizeof(fns.mass);
  for (i = 13; i < 15; i++)
    fns_ends[i] = fns_ends[i - 1] + sizeof(int32_t);
  fns_ends[15] = fns_ends[14] + sizeof(fns.element);
  fns_ends[16] = fns_ends[15] + sizeof(fns.body);
  for (i = 17; i < 19; i++)
    fns_ends[i] = fns_ends[i - 1] + sizeof(int32_t);
  check(fns_ends[18] == sizeof fns, "all members are known here");
  fns.joint = block_joint, fns.rate = block_rate, fns.force_jac = block_force_jac;
  fns.release = block_release;
  cut("dims", &dims, &nothing, sizeof dims, dims_ends, 9, try_dims);
  cut("fns", &fns, &none, sizeof fns, fns_ends, 19, try_fns);
}

static void ownership(void) {
  Scene scene;
  stn_model *model;
  stn_stepper *a = NULL, *b = NULL;
  double t;
  memset(&scene, 0, sizeof scene);
  model = block_model(&scene);
  check(model != NULL, "a good model");
  stn_model_destroy(model);
  check(scene.released == 1, "a model without steppers is released at once");

  model = block_model(&scene);
  scene.released = 0;
  expect("first stepper", stn_stepper_create(model, NULL, &a), STN_OK, NULL);
  expect("second stepper", stn_stepper_create(model, NULL, &b), STN_OK, NULL);
  stn_model_destroy(model);
  check(scene.released == 0, "steppers keep their model");
  expect("a step without the model's handle", stn_stepper_step(a, 0.01), STN_OK, NULL);
  stn_stepper_destroy(a);
  check(scene.released == 0, "the other stepper still keeps it");
  expect("the other steps on", stn_stepper_step(b, 0.01), STN_OK, NULL);
  expect("and has a state", stn_stepper_get_state(b, &t, NULL, 2, NULL, 2), STN_OK, NULL);
  stn_stepper_destroy(b);
  check(scene.released == 1, "released once, with the last owner");
  stn_model_destroy(NULL);
  stn_stepper_destroy(NULL);
}

static void models(void) {
  missing_functions();
  model_values();
  cut_model_structs();
  ownership();
}

/* Sizes that no memory holds: a status, also where their products do not fit into a number. The
 * caller limits the memory of this process. */
static void sizes(void) {
  static const int32_t all[][4] = {
      /* nq = nv, n_joint, n_contact, n_dir */
      {INT32_MAX, 0, 0, 0},     {INT32_MAX, INT32_MAX, 0, 0}, {1 << 21, 0, 1 << 21, 1 << 22},
      {1, 0, 1 << 20, 1 << 30}, {0, 0, 1 << 20, 1 << 30},     {0, 0, INT32_MAX, INT32_MAX - 1},
      {1 << 30, 1 << 30, 8, 8},
  };
  stn_model_fns fns = block_fns(NULL);
  size_t i;
  fns.joint = block_joint;
  for (i = 0; i < sizeof all / sizeof all[0]; i++) {
    stn_dims dims = no_dims();
    stn_model *model = NULL;
    stn_stepper *s = NULL;
    stn_status st;
    dims.nq = dims.nv = all[i][0];
    dims.n_joint = all[i][1], dims.n_contact = all[i][2], dims.n_dir = all[i][3];
    st = stn_model_create(&dims, &fns, NULL, NULL, NULL, &model);
    if (st == STN_OK)
      st = stn_stepper_create(model, NULL, &s);
    snprintf(what, sizeof what, "%d %d %d %d", (int)dims.nv, (int)dims.n_joint, (int)dims.n_contact,
             (int)dims.n_dir);
    expect(what, st, STN_ERR_MEMORY, "cannot allocate");
    check(s == NULL, what);
    stn_model_destroy(model);
  }
}

/* ---- options ---- */

static stn_model *plain_model;

static stn_status try_options(const void *p) {
  stn_stepper *s = NULL;
  const stn_status st = stn_stepper_create(plain_model, (const stn_stepper_options *)p, &s);
  check((st == STN_OK) == (s != NULL), "a handle comes with STN_OK only");
  stn_stepper_destroy(s);
  return st;
}

static void no_stepper(const char *say, const stn_stepper_options *opt, stn_status expected,
                       const char *text) {
  stn_stepper *s = (stn_stepper *)(void *)&s;
  expect(say, stn_stepper_create(plain_model, opt, &s), expected, text);
  check(s == NULL, say);
}

static stn_stepper_options defaults(void) {
  stn_stepper_options opt;
  memset(&opt, 0xA5, sizeof opt);
  expect("defaults", stn_stepper_options_init(&opt, sizeof opt), STN_OK, NULL);
  return opt;
}

static void choices(void) {
  typedef struct Choice {
    const char *name;
    size_t at;
    int32_t bad[4];
    stn_status status;
  } Choice;
#define AT(member) #member, offsetof(stn_stepper_options, member)
  const Choice all[] = {
      {AT(method), {0, -1, 9, INT32_MAX}, STN_ERR_VALUE},
      {AT(events), {-2, 3, INT32_MIN, INT32_MAX}, STN_ERR_VALUE},
      {AT(impact_law), {-2, 4, INT32_MIN, INT32_MAX}, STN_ERR_VALUE},
      {AT(stabilization), {-2, 3, INT32_MIN, INT32_MAX}, STN_ERR_VALUE},
      {AT(max_events), {-1, -2, INT32_MIN, -1000}, STN_ERR_DIMENSION},
      {AT(max_pivots), {-1, -2, INT32_MIN, -1000}, STN_ERR_DIMENSION},
      {AT(jacobian), {-1, 3, INT32_MIN, INT32_MAX}, STN_ERR_VALUE},
      {AT(energy_fallback), {-1, STN_IMPACT_NEWTON, STN_IMPACT_POISSON, 4}, STN_ERR_VALUE},
      {AT(event_capacity), {-1, -2, INT32_MIN, -1000}, STN_ERR_DIMENSION},
      {AT(reserved0), {-1, 1, INT32_MIN, INT32_MAX}, STN_ERR_VALUE},
      {AT(stop_at_event), {-1, 2, INT32_MIN, INT32_MAX}, STN_ERR_VALUE},
      {AT(damping_steps), {-1, 2, INT32_MIN, INT32_MAX}, STN_ERR_VALUE},
      {AT(many_contacts), {-1, 4, INT32_MIN, INT32_MAX}, STN_ERR_VALUE},
      {AT(reserved1), {-1, 1, INT32_MIN, INT32_MAX}, STN_ERR_VALUE},
      {AT(island_threads), {-1, -2, INT32_MIN, -1000}, STN_ERR_DIMENSION},
  };
#undef AT
  size_t i;
  int k;
  for (i = 0; i < sizeof all / sizeof all[0]; i++) {
    for (k = 0; k < 4; k++) {
      stn_stepper_options opt = defaults();
      memcpy((char *)&opt + all[i].at, &all[i].bad[k], sizeof(int32_t));
      snprintf(what, sizeof what, "%s is %d", all[i].name, (int)all[i].bad[k]);
      no_stepper(what, &opt, all[i].status, all[i].name);
    }
  }
}

static void numbers(void) {
  static const char *const name[10] = {
      "length_scale",  "active_gap", "active_gap_h3", "restitution_speed", "closing",
      "lcp_tolerance", "theta",      "gamma",         "abs_tol",           "rel_tol"};
  int i, k;
  for (i = 0; i < 10; i++) {
    stn_stepper_options opt = defaults();
    double *member = &opt.length_scale + i;
    const double good = *member;
    for (k = 0; k < 3; k++) {
      *member = bad_number[k];
      no_stepper(name[i], &opt, STN_ERR_NONFINITE, name[i]);
    }
    *member = -1e-300;
    no_stepper(name[i], &opt, STN_ERR_VALUE, name[i]);
    *member = good;
    check(try_options(&opt) == STN_OK, "the default works");
  }
  for (k = 0; k < 4; k++) {
    stn_stepper_options opt = defaults();
    opt.critical = k < 3 ? bad_number[k] : 1.0;
    /* There are no stages to be interrupted by a critical step in the default method. */
    no_stepper("critical", &opt, k < 3 ? STN_ERR_NONFINITE : STN_ERR_VALUE, "critical");
    opt = defaults();
    opt.max_step = k < 3 ? bad_number[k] : -1e-300;
    no_stepper("max_step", &opt, k < 3 ? STN_ERR_NONFINITE : STN_ERR_VALUE, "max_step");
    opt = defaults();
    opt.max_steps = -1 - k;
    no_stepper("max_steps", &opt, STN_ERR_DIMENSION, "max_steps");
  }
}

static void options(void) {
  const size_t first = sizeof(size_t);
  stn_stepper_options opt, whole = defaults();
  unsigned char room[sizeof opt + 32];
  size_t ends[30], k, i;
  int32_t method;
  plain_model = block_model(NULL);
  choices();
  numbers();
  expect("no model", stn_stepper_create(NULL, NULL, (stn_stepper **)(void *)&opt), STN_ERR_NULL,
         "model is NULL");
  expect("no out", stn_stepper_create(plain_model, NULL, NULL), STN_ERR_NULL, "out is NULL");
  no_stepper("misaligned", (stn_stepper_options *)(void *)((char *)&opt + 1), STN_ERR_VALUE,
             "opt is at an address");
  /* Every method there is: a stepper, or a word that this version has none. */
  for (method = STN_METHOD_EULER; method <= STN_METHOD_HALF_EXPLICIT_4; method++) {
    stn_status st;
    opt = defaults();
    opt.method = method;
    st = try_options(&opt);
    check(st == STN_OK || st == STN_ERR_VALUE, "a method works or is refused");
  }
  for (i = 0; i < 11; i++)
    ends[i] = first + i * sizeof(int32_t);
  for (i = 0; i < 10; i++)
    ends[11 + i] = ends[10] + (i + 1) * sizeof(double);
  for (i = 21; i < 23; i++)
    ends[i] = ends[i - 1] + sizeof(int32_t);
  ends[23] = ends[22] + sizeof(double);
  for (i = 24; i < 26; i++)
    ends[i] = ends[i - 1] + sizeof(int32_t);
  ends[26] = ends[25] + sizeof(double);
  ends[27] = ends[26] + sizeof(double);
  for (i = 28; i < 30; i++)
    ends[i] = ends[i - 1] + sizeof(int32_t);
  check(ends[29] == sizeof opt, "all members are known here");
  whole.method = STN_METHOD_TRAPEZOID_I;
  whole.event_capacity = 3;
  whole.length_scale = 2.0;
  whole.rel_tol = -1.0; /* so that the whole differs from every part */
  opt = defaults();
  cut("options", &whole, &opt, sizeof opt, ends, 30, try_options);
  /* Filling in writes whole members, and nothing behind the size it is told. */
  for (k = 0; k <= sizeof opt + 8; k++) {
    size_t end = 0;
    memset(room, 0xA5, sizeof room);
    expect("init", stn_stepper_options_init((stn_stepper_options *)(void *)room, k),
           k < first ? STN_ERR_ABI : STN_OK, k < first ? "opt.struct_size is" : NULL);
    for (i = 0; i < 30; i++)
      if (ends[i] <= k)
        end = ends[i];
    check(end == 0 || memcmp(room, &k, sizeof k) == 0, "struct_size is set");
    check(end <= first || memcmp(room + first, (char *)&opt + first, end - first) == 0,
          "defaults are written");
    for (i = end; i < sizeof room; i++)
      if (room[i] != 0xA5)
        check(0, "init wrote behind its size");
  }
  expect("init NULL", stn_stepper_options_init(NULL, sizeof opt), STN_ERR_NULL, "opt is NULL");
  stn_model_destroy(plain_model);
}

/* ---- many at once ---- */

/* A refusal is soft; a host that looks at the sign of a batch's status must see the failure that comes after it in the list. */
static void a_refusal_hides_no_failure(void) {
  Scene refuses, stops;
  stn_stepper *s[2];
  int32_t status[2];
  memset(&refuses, 0, sizeof refuses);
  refuses.from = 1;
  stops = refuses;
  s[0] = block_stepper(&refuses);
  s[1] = block_stepper(&stops);
  refuses.trouble = REFUSE;
  expect("one is refused", stn_batch_step(s, 2, 0.1, 2, status), STN_REJECTED, "refused");
  check(status[0] == STN_REJECTED && status[1] >= 0, "the other went on");
  stops.trouble = STOP;
  expect("another fails", stn_batch_step(s, 2, 0.1, 2, status), STN_ERR_CALLBACK, "returned -1");
  check(status[0] == STN_REJECTED && status[1] == STN_ERR_CALLBACK, "each has its status");
  stn_stepper_destroy(s[0]);
  stn_stepper_destroy(s[1]);
}

static void batches(void) {
  stn_stepper *s[3] = {NULL, NULL, NULL};
  int32_t status[3] = {77, 77, 77};
  expect("none", stn_batch_step(NULL, 0, 0.1, 0, NULL), STN_OK, NULL);
  expect("n", stn_batch_step(s, -1, 0.1, 0, NULL), STN_ERR_DIMENSION, "n is -1");
  expect("list", stn_batch_step(NULL, 1, 0.1, 0, NULL), STN_ERR_NULL, "steppers is NULL");
  expect("list", stn_batch_advance(NULL, 1, 1.0, 0.1, 0, NULL), STN_ERR_NULL, "steppers is NULL");
  expect("stepper", stn_batch_step(s, 1, 0.1, 0, status), STN_ERR_NULL, "a stepper is NULL");
  s[0] = block_stepper(NULL);
  s[1] = block_stepper(NULL);
  s[2] = s[0];
  expect("threads", stn_batch_step(s, 2, 0.1, -2, status), STN_ERR_DIMENSION, "threads is -2");
  expect("twice", stn_batch_step(s, 3, 0.1, 2, status), STN_ERR_VALUE, "place 0 again");
  expect("overlap", stn_batch_step(s, 2, 0.1, 2, (int32_t *)(void *)s), STN_ERR_VALUE, "overlap");
  check(status[0] == 77, "a refused batch leaves the statuses alone");
  expect("h", stn_batch_step(s, 2, -0.1, 2, status), STN_ERR_VALUE, "h is -0.1");
  check(status[0] == STN_ERR_VALUE && status[1] == STN_ERR_VALUE, "each has its status");
  expect("one ahead", stn_stepper_advance(s[1], 0.2, 0.1), STN_OK, NULL);
  expect("one fails", stn_batch_advance(s, 2, 0.1, 0.1, 2, status), STN_ERR_VALUE, "t_end is 0.1");
  check(status[0] == STN_OK && status[1] == STN_ERR_VALUE, "the other went on");
  stn_stepper_destroy(s[0]);
  stn_stepper_destroy(s[1]);
  a_refusal_hides_no_failure();
}

/* ---- time ---- */

static void times(void) {
  const double q[2] = {0.0, 100.0}, v[2] = {1.0, 0.0};
  stn_stats stats = no_stats();
  stn_stepper *s = block_stepper(NULL);
  double t, before, h;
  int64_t steps;
  int k;
  expect("no stepper", stn_stepper_step(NULL, 0.1), STN_ERR_NULL, "s is NULL");
  expect("no stepper", stn_stepper_advance(NULL, 1.0, 0.1), STN_ERR_NULL, "s is NULL");
  for (k = 0; k < 3; k++) {
    const double x = bad_number[k];
    expect("h", stn_stepper_step(s, x), STN_ERR_NONFINITE, "h is");
    expect("h", stn_stepper_advance(s, 1.0, x), STN_ERR_NONFINITE, "h is");
    expect("t_end", stn_stepper_advance(s, x, 0.1), STN_ERR_NONFINITE, "t_end is");
    expect("t", stn_stepper_set_state(s, x, q, 2, v, 2), STN_ERR_NONFINITE, "t is");
  }
  expect("h = 0", stn_stepper_step(s, 0.0), STN_ERR_VALUE, "h is 0");
  expect("h < 0", stn_stepper_step(s, -0.1), STN_ERR_VALUE, "h is -0.1");
  expect("h = 0", stn_stepper_advance(s, 1.0, 0.0), STN_ERR_VALUE, "h is 0");
  expect("h < 0", stn_stepper_advance(s, 1.0, -0.1), STN_ERR_VALUE, "h is -0.1");
  expect("back in time", stn_stepper_advance(s, -1.0, 0.1), STN_ERR_VALUE, "t_end is -1");
  expect("forever", stn_stepper_advance(s, 1e300, 1e-300), STN_ERR_VALUE, "h is");
  expect("set", stn_stepper_set_state(s, 1e10, q, 2, v, 2), STN_OK, NULL);
  expect("no progress", stn_stepper_step(s, 1e-10), STN_ERR_STEP_TOO_SMALL, NULL);
  expect("get", stn_stepper_get_state(s, &t, NULL, 2, NULL, 2), STN_OK, NULL);
  check(t == 1e10, "a refused step does not move time");

  /* A step ends at t + h to the last bit; so does an advance at t_end. */
  expect("set", stn_stepper_set_state(s, 0.1, q, 2, v, 2), STN_OK, NULL);
  for (k = 1; k <= 100; k++) {
    h = 0.001 + 1e-5 * sqrt((double)k);
    expect("get", stn_stepper_get_state(s, &before, NULL, 2, NULL, 2), STN_OK, NULL);
    expect("step", stn_stepper_step(s, h), STN_OK, NULL);
    expect("get", stn_stepper_get_state(s, &t, NULL, 2, NULL, 2), STN_OK, NULL);
    check(t == before + h, "a step ends at t + h exactly");
  }
  expect("stats", stn_stepper_get_stats(s, &stats), STN_OK, NULL);
  steps = stats.steps;
  for (k = 0; k < 4; k++) {
    /* An integer number of steps to 1e-9, one a little longer, and less than one. */
    static const double ends[4] = {1.0, 1.05, 0.7 + 1e-12, 0.13};
    static const int64_t counts[4] = {9, 10, 6, 1};
    expect("set", stn_stepper_set_state(s, 0.1, q, 2, v, 2), STN_OK, NULL);
    expect("advance", stn_stepper_advance(s, ends[k], 0.1), STN_OK, NULL);
    expect("get", stn_stepper_get_state(s, &t, NULL, 2, NULL, 2), STN_OK, NULL);
    expect("stats", stn_stepper_get_stats(s, &stats), STN_OK, NULL);
    check(t == ends[k], "an advance ends at t_end exactly");
    snprintf(what, sizeof what, "%ld steps to %g", (long)(stats.steps - steps), ends[k]);
    check(stats.steps - steps == counts[k], what);
    steps = stats.steps;
  }
  expect("nothing", stn_stepper_advance(s, t, 0.1), STN_OK, NULL);
  expect("stats", stn_stepper_get_stats(s, &stats), STN_OK, NULL);
  check(stats.steps == steps, "t_end = t is no step");
  stn_stepper_destroy(s);
}

/* ---- callbacks ---- */

/* All that a stepper shows. */
typedef struct Seen {
  double t, q[2], v[2];
  int32_t count;
  stn_event event[8];
  stn_stats stats;
} Seen;

static Seen look(const stn_stepper *s) {
  Seen seen;
  int32_t i;
  memset(&seen, 0, sizeof seen);
  seen.stats.struct_size = sizeof seen.stats;
  expect("look", stn_stepper_get_state(s, &seen.t, seen.q, 2, seen.v, 2), STN_OK, NULL);
  expect("look", stn_stepper_get_stats(s, &seen.stats), STN_OK, NULL);
  seen.count = stn_stepper_event_count(s);
  for (i = 0; i < seen.count && i < 8; i++) {
    seen.event[i].struct_size = sizeof seen.event[i];
    expect("look", stn_stepper_get_event(s, i, &seen.event[i]), STN_OK, NULL);
  }
  return seen;
}

static int32_t method = STN_METHOD_TRAPEZOID; /* of the steppers that are disturbed */

static stn_stepper *full_stepper(Scene *scene) {
  stn_stepper_options opt = defaults();
  stn_dims dims = block_dims();
  stn_model_fns fns = block_fns(scene);
  const double q[2] = {0.0, 0.0225}, v[2] = {0.0, -0.25};
  stn_model *model = NULL;
  stn_stepper *s = NULL;
  dims.n_joint = 1;
  fns.joint = block_joint, fns.rate = block_rate, fns.force_jac = block_force_jac;
  expect("model", stn_model_create(&dims, &fns, &block_mu, &block_e, scene, &model), STN_OK, NULL);
  opt.method = method;
  expect("stepper", stn_stepper_create(model, &opt, &s), STN_OK, NULL);
  expect("state", stn_stepper_set_state(s, 0.0, q, 2, v, 2), STN_OK, NULL);
  stn_model_destroy(model);
  scene->s = s;
  return s;
}

/* The block bounces; one of its functions makes trouble from its n-th call on. */
static void one_trouble(Trouble trouble, Asked at, long n, stn_status expected, const char *text) {
  Scene scene, calm;
  stn_stepper *s, *twin;
  Seen before, after;
  const int located = method != STN_METHOD_STEWART_TRINKLE && method != STN_METHOD_MOREAU &&
                      method != STN_METHOD_SCHATZMAN_PAOLI;
  stn_status st;
  int k;
  memset(&scene, 0, sizeof scene);
  memset(&calm, 0, sizeof calm);
  s = full_stepper(&scene), twin = full_stepper(&calm);
  for (k = 0; k < 5; k++) { /* the block hits the ground in the last of these */
    st = stn_stepper_step(twin, 0.01);
    /* Methods that locate nothing may feel the impact a step later, or have no word for it. */
    check(located ? st == (k < 4 ? STN_OK : STN_EVENT) : st == STN_OK || st == STN_EVENT, "twin");
    expect("calm", stn_stepper_step(s, 0.01), st, NULL);
  }
  scene.trouble = trouble, scene.at = at, scene.from = n, scene.calls = 0;
  for (k = 0; k < 100; k++) {
    before = look(s);
    st = stn_stepper_step(s, 0.01);
    if (st != STN_OK && st != STN_EVENT)
      break;
    check(stn_stepper_step(twin, 0.01) == st, "the same status as the twin");
  }
  snprintf(what, sizeof what, "method %d, trouble %d of function %d at call %ld", (int)method,
           (int)trouble, (int)at, n);
  if (scene.calls == 0) { /* not every method asks for everything */
    check(at == JACOBIAN, what);
    stn_stepper_destroy(s);
    stn_stepper_destroy(twin);
    return;
  }
  expect(what, st, expected, text);
  after = look(s);
  check(after.stats.rejected == before.stats.rejected + 1, "a failure is counted in rejected");
  after.stats.rejected = before.stats.rejected;
  check(memcmp(&before, &after, sizeof before) == 0, what);
  /* An advance that cannot complete a step stands where it was too. */
  expect(what, stn_stepper_advance(s, before.t + 0.03, 0.01), expected, text);
  check(look(s).t == before.t, "an advance that failed at once has not moved");
  /* And then it goes on as its twin, to whom nothing happened. */
  scene.trouble = NO_TROUBLE;
  for (k = 0; k < 10; k++) {
    const stn_status mine = stn_stepper_step(s, 0.01);
    check(mine == stn_stepper_step(twin, 0.01), what);
    before = look(twin), after = look(s);
    check(memcmp(after.q, before.q, sizeof after.q) == 0 && after.t == before.t &&
              memcmp(after.v, before.v, sizeof after.v) == 0 && after.count == before.count &&
              memcmp(after.event, before.event, sizeof after.event) == 0,
          what);
  }
  stn_stepper_destroy(s);
  stn_stepper_destroy(twin);
  check(scene.released == 1 && calm.released == 1, "released once");
}

static void all_troubles(void) {
  static const char *const name[8] = {"",        "mass",      "force", "gap",
                                      "tangent", "force_jac", "rate",  "joint"};
  static const char *const spoiled[8] = {"",           "mass[0]", "force[0]", "gap[0]",
                                         "tangent[0]", "dfdq[0]", "qdot[0]",  "phi[0]"};
  const long calls[4] = {1, 2, 10, 25};
  int at, k;
  for (at = MASS; at <= JOINT; at++)
    for (k = 0; k < 4; k++) {
      char text[100];
      snprintf(text, sizeof text, "%s refused the point with 1", name[at]);
      one_trouble(REFUSE, (Asked)at, calls[k], STN_REJECTED, text);
      snprintf(text, sizeof text, "%s returned -1", name[at]);
      one_trouble(STOP, (Asked)at, calls[k], STN_ERR_CALLBACK, text);
      snprintf(text, sizeof text, "%s is NaN", spoiled[at]);
      one_trouble(SPOIL, (Asked)at, calls[k], STN_ERR_NONFINITE, text);
    }
}

/* Every method that this version has. */
static void callbacks(void) {
  const int32_t usual = method;
  plain_model = block_model(NULL);
  for (method = STN_METHOD_EULER; method <= STN_METHOD_HALF_EXPLICIT_4; method++) {
    stn_stepper_options opt = defaults();
    opt.method = method;
    if (try_options(&opt) == STN_OK)
      all_troubles();
  }
  stn_model_destroy(plain_model);
  method = usual;
  one_trouble(SINGULAR, MASS, 1, STN_ERR_SINGULAR, "mass is not positive definite");
  one_trouble(SINGULAR, MASS, 10, STN_ERR_SINGULAR, "mass is not positive definite");
}

/* What a failed step found at its start must not be taken for true by the next. */
static void mended(void) {
  one_trouble(SINGULAR, MASS, 2, STN_ERR_SINGULAR, "mass is not positive definite");
  one_trouble(SINGULAR, MASS, 25, STN_ERR_SINGULAR, "mass is not positive definite");
  method = STN_METHOD_IMPLICIT_EULER;
  one_trouble(SINGULAR, MASS, 1, STN_ERR_SINGULAR, "mass is not positive definite");
}

/* A state that is set is a new beginning: what the model said there before is asked for again. */
static void asked_again(void) {
  const double q[2] = {0.0, 100.0}, v[2] = {0.0, 0.0};
  Scene scene;
  stn_stepper *s;
  Seen first, second;
  memset(&scene, 0, sizeof scene);
  s = block_stepper(&scene);
  expect("set", stn_stepper_set_state(s, 0.0, q, 2, v, 2), STN_OK, NULL);
  expect("step", stn_stepper_step(s, 0.1), STN_OK, NULL);
  first = look(s);
  scene.push = 1.0;
  expect("set", stn_stepper_set_state(s, first.t, first.q, 2, first.v, 2), STN_OK, NULL);
  expect("step", stn_stepper_step(s, 0.1), STN_OK, NULL);
  second = look(s);
  check(fabs(second.v[0] - 0.1) < 1e-12, "1 N on 1 kg for 0.1 s");
  stn_stepper_destroy(s);
}

/* Forces so large that the motion leaves the range of numbers: a failure, not an infinite state. */
static int vast_force(double t, const double *q, const double *v, double *force, void *user) {
  (void)t, (void)q, (void)v, (void)user;
  force[0] = 1e308, force[1] = -1e308;
  return 0;
}

static void overflow(void) {
  const stn_dims dims = block_dims();
  stn_model_fns fns = block_fns(NULL);
  const double q[2] = {0.0, 0.0}, v[2] = {0.0, 0.0};
  stn_model *model = NULL;
  stn_stepper *s = NULL;
  stn_status st = STN_OK;
  Seen seen;
  int k;
  fns.force = vast_force;
  expect("model", stn_model_create(&dims, &fns, &block_mu, NULL, NULL, &model), STN_OK, NULL);
  expect("stepper", stn_stepper_create(model, NULL, &s), STN_OK, NULL);
  expect("set", stn_stepper_set_state(s, 0.0, q, 2, v, 2), STN_OK, NULL);
  for (k = 0; k < 50 && st >= 0; k++) {
    st = stn_stepper_step(s, 1.0);
    seen = look(s);
    check(isfinite(seen.q[0]) && isfinite(seen.v[0]), "the state stays finite");
  }
  expect("out of range", st, STN_ERR_NONFINITE, "velocity[0] is");
  stn_stepper_destroy(s);
  stn_model_destroy(model);
}

/* An advance that is refused for its arguments does not forget what happened before. */
static void kept_events(void) {
  Scene scene;
  stn_stepper *s;
  Seen before, after;
  memset(&scene, 0, sizeof scene);
  s = full_stepper(&scene);
  expect("advance", stn_stepper_advance(s, 0.06, 0.01), STN_EVENT, NULL);
  before = look(s);
  expect("forever", stn_stepper_advance(s, 1e300, 1e-300), STN_ERR_VALUE, "h is");
  after = look(s);
  check(memcmp(&before, &after, sizeof before) == 0, "nothing has changed");
  stn_stepper_destroy(s);
}

/* An advance that fails on its way stands at the end of its last completed step. */
static void half_way(void) {
  Scene scene;
  stn_stepper *s;
  Seen seen;
  memset(&scene, 0, sizeof scene);
  s = full_stepper(&scene);
  scene.trouble = REFUSE, scene.at = FORCE, scene.from = 30;
  expect("half way", stn_stepper_advance(s, 1.0, 0.01), STN_REJECTED, "force refused the point");
  seen = look(s);
  check(seen.stats.steps > 2 && seen.stats.steps < 30, "some steps were completed");
  check(seen.t == 0.01 * (double)seen.stats.steps, "it stands at the end of a step");
  check(seen.stats.rejected == 1, "one step was rejected");
  scene.trouble = NO_TROUBLE;
  expect("the rest", stn_stepper_advance(s, 1.0, 0.01), STN_EVENT, NULL);
  check(look(s).t == 1.0, "and arrives");
  stn_stepper_destroy(s);
}

/* A host that knows its world only up to a time: a step beyond it is refused, a shorter one is not.
 */
static int known_force(double t, const double *q, const double *v, double *force, void *user) {
  (void)q, (void)v, (void)user;
  force[1] = -10.0;
  return t > 0.6;
}

static void shorter(void) {
  const stn_dims dims = block_dims();
  stn_model_fns fns = block_fns(NULL);
  stn_model *model = NULL;
  stn_stepper *s = NULL;
  double h = 0.25, t = 0.0;
  int refused = 0, k;
  fns.force = known_force;
  expect("model", stn_model_create(&dims, &fns, NULL, NULL, NULL, &model), STN_OK, NULL);
  expect("stepper", stn_stepper_create(model, NULL, &s), STN_OK, NULL);
  for (k = 0; k < 20; k++) {
    const stn_status st = stn_stepper_step(s, h);
    check(st == STN_OK || st == STN_REJECTED, "done or refused");
    if (st == STN_REJECTED)
      h *= 0.5, refused++;
  }
  expect("get", stn_stepper_get_state(s, &t, NULL, 2, NULL, 2), STN_OK, NULL);
  check(refused > 3 && t > 0.59 && t <= 0.6, "it comes as near as its steps allow");
  stn_stepper_destroy(s);
  stn_model_destroy(model);
}

/* Uses the stepper from inside one of its functions. */
static void reenter(void *user) {
  Scene *scene = (Scene *)user;
  stn_stepper *s = scene->s, *other = NULL;
  stn_event event = no_event();
  stn_stats stats = no_stats();
  double x[2] = {7.0, 7.0}, y[2] = {7.0, 7.0}, t = 7.0;
  size_t needed = 7;
  unsigned char byte = 0;
  expect("step", stn_stepper_step(s, 0.1), STN_ERR_BUSY, "the handle is in use");
  expect("advance", stn_stepper_advance(s, 1.0, 0.1), STN_ERR_BUSY, NULL);
  expect("set_state", stn_stepper_set_state(s, 0.0, x, 2, y, 2), STN_ERR_BUSY, NULL);
  expect("get_state", stn_stepper_get_state(s, &t, x, 2, y, 2), STN_ERR_BUSY, NULL);
  check(stn_stepper_event_count(s) == STN_ERR_BUSY, "event_count");
  expect("get_event", stn_stepper_get_event(s, 0, &event), STN_ERR_BUSY, NULL);
  expect("get_stats", stn_stepper_get_stats(s, &stats), STN_ERR_BUSY, NULL);
  expect("save", stn_stepper_save(s, NULL, 0, &needed), STN_ERR_BUSY, NULL);
  expect("restore", stn_stepper_restore(s, &byte, 1), STN_ERR_BUSY, NULL);
  check(t == 7.0 && x[0] == 7.0 && y[1] == 7.0 && needed == 7 && stats.steps == 0,
        "a busy handle tells nothing");
  stn_stepper_destroy(s); /* nothing, too */
  /* Other handles are free. */
  other = block_stepper(NULL);
  expect("another stepper", stn_stepper_step(other, 0.1), STN_OK, NULL);
  stn_stepper_destroy(other);
}

static void reentry(void) {
  int at;
  for (at = MASS; at <= JOINT; at++) {
    Scene scene, calm;
    stn_stepper *s, *twin;
    Seen a, b;
    memset(&scene, 0, sizeof scene);
    memset(&calm, 0, sizeof calm);
    s = full_stepper(&scene), twin = full_stepper(&calm);
    scene.trouble = CALL_BACK, scene.at = (Asked)at, scene.act = reenter;
    expect("advance", stn_stepper_advance(s, 0.06, 0.01), STN_EVENT, NULL);
    expect("advance", stn_stepper_advance(twin, 0.06, 0.01), STN_EVENT, NULL);
    a = look(s), b = look(twin);
    check(memcmp(&a, &b, sizeof a) == 0, "calls from inside change nothing");
    stn_stepper_destroy(s);
    stn_stepper_destroy(twin);
    check(scene.released == 1, "released once");
  }
}

/* ---- what happened ---- */

static stn_status get_event(stn_stepper *s, void *out) {
  return stn_stepper_get_event(s, 0, (stn_event *)out);
}

static stn_status get_stats(stn_stepper *s, void *out) {
  return stn_stepper_get_stats(s, (stn_stats *)out);
}

static void happenings(void) {
  const int32_t nowhere[] = {-1, 1, 2, INT32_MAX, INT32_MIN};
  const size_t word = sizeof(size_t);
  size_t event_ends[8] = {word, word + 4, word + 8}, stats_ends[21], i;
  stn_stepper *s;
  Scene scene;
  Seen seen;
  double room[40];
  memset(&scene, 0, sizeof scene);
  s = full_stepper(&scene);
  check(stn_stepper_event_count(NULL) == STN_ERR_NULL, "no stepper");
  check(stn_stepper_event_count(s) == 0, "nothing has happened yet");
  expect("no event yet", stn_stepper_get_event(s, 0, &seen.event[0]), STN_ERR_DIMENSION, "i is 0");
  expect("advance", stn_stepper_advance(s, 0.06, 0.01), STN_EVENT, NULL);
  seen = look(s);
  check(seen.count == 1 && seen.event[0].kind == STN_EVENT_IMPACT, "one impact");
  check(seen.event[0].contact == 0 && seen.event[0].key == 0, "at the only contact");
  check(seen.event[0].speed_before < 0.0 && seen.event[0].speed_after > 0.0, "it bounced");
  for (i = 0; i < 5; i++) {
    stn_event event = no_event();
    event.kind = event.contact = -3;
    expect("no such event", stn_stepper_get_event(s, nowhere[i], &event), STN_ERR_DIMENSION,
           "i is");
    check(event.kind == -3 && event.contact == -3, "out is untouched");
  }
  expect("no out", stn_stepper_get_event(s, 0, NULL), STN_ERR_NULL, "out is NULL");
  expect("no out", stn_stepper_get_stats(s, NULL), STN_ERR_NULL, "out is NULL");
  expect("no stepper", stn_stepper_get_event(NULL, 0, &seen.event[0]), STN_ERR_NULL, "s is NULL");
  expect("no stepper", stn_stepper_get_stats(NULL, &seen.stats), STN_ERR_NULL, "s is NULL");
  expect("misaligned", get_event(s, (char *)room + 1), STN_ERR_VALUE, "out is at an address");
  expect("misaligned", get_stats(s, (char *)room + 1), STN_ERR_VALUE, "out is at an address");
  for (i = 3; i < 8; i++)
    event_ends[i] = event_ends[i - 1] + 8;
  for (i = 0; i < 21; i++)
    stats_ends[i] = word + 8 * i;
  check(event_ends[7] == sizeof(stn_event) && stats_ends[20] == sizeof(stn_stats),
        "all members are known here");
  cut_output("event", &seen.event[0], sizeof(stn_event), event_ends, 8, s, get_event);
  cut_output("stats", &seen.stats, sizeof(stn_stats), stats_ends, 21, s, get_stats);
  stn_stepper_destroy(s);
}

/* More events than there is room for are counted. */
static void lost_events(void) {
  stn_stepper_options opt = defaults();
  const double q[2] = {0.0, 0.1}, v[2] = {0.0, 0.0};
  stn_model *model = block_model(NULL);
  stn_stepper *s = NULL;
  stn_stats stats = no_stats();
  opt.event_capacity = 2;
  expect("create", stn_stepper_create(model, &opt, &s), STN_OK, NULL);
  expect("state", stn_stepper_set_state(s, 0.0, q, 2, v, 2), STN_OK, NULL);
  expect("advance", stn_stepper_advance(s, 1.0, 0.01), STN_EVENT, NULL);
  expect("stats", stn_stepper_get_stats(s, &stats), STN_OK, NULL);
  check(stn_stepper_event_count(s) == 2, "two are kept");
  check(stats.events_lost > 2, "the others are counted");
  stn_stepper_destroy(s);
  stn_model_destroy(model);
}

/* ---- snapshots ---- */

/* FNV-1a, so that a snapshot can be altered and yet look whole. */
static void seal(unsigned char *p, size_t len) {
  uint64_t sum = UINT64_C(0xcbf29ce484222325);
  size_t i;
  for (i = 0; i + 8 < len; i++)
    sum = (sum ^ p[i]) * UINT64_C(0x100000001b3);
  for (i = 0; i < 8; i++)
    p[len - 8 + i] = (unsigned char)(sum >> (8 * i));
}

static void saving(const stn_stepper *s, size_t len) {
  unsigned char *room = (unsigned char *)malloc(len + 64);
  size_t needed, cap, i;
  needed = 0;
  expect("ask", stn_stepper_save(s, NULL, 0, &needed), STN_OK, NULL);
  check(needed == len, "needed");
  needed = 0;
  expect("NULL with room", stn_stepper_save(s, NULL, len, &needed), STN_ERR_NULL, "buf is NULL");
  check(needed == len, "needed is always written");
  expect("no needed", stn_stepper_save(s, room, len, NULL), STN_ERR_NULL, "needed is NULL");
  expect("no stepper", stn_stepper_save(NULL, room, len, &needed), STN_ERR_NULL, "s is NULL");
  for (cap = 0; cap < len + 3; cap++) {
    needed = 0;
    memset(room, 0xA5, len + 64);
    expect("save", stn_stepper_save(s, room, cap, &needed), cap < len ? STN_ERR_CAPACITY : STN_OK,
           NULL);
    check(needed == len, "needed is always written");
    for (i = cap < len ? 0 : len; i < len + 64; i++)
      if (room[i] != 0xA5)
        check(0, "save wrote where it must not");
  }
  expect("needed in buf", stn_stepper_save(s, &needed, sizeof needed, &needed), STN_ERR_VALUE,
         "overlap");
  free(room);
}

static void restoring(stn_stepper *s, const unsigned char *good, size_t len) {
  unsigned char *p = (unsigned char *)malloc(len + 1);
  const Seen before = look(s);
  Seen after;
  size_t i;
  int bit;
  memcpy(p, good, len);
  p[len] = 0;
  expect("no buf", stn_stepper_restore(s, NULL, len), STN_ERR_NULL, "buf is NULL");
  expect("no buf", stn_stepper_restore(s, NULL, 0), STN_ERR_NULL, "buf is NULL");
  expect("no stepper", stn_stepper_restore(NULL, p, len), STN_ERR_NULL, "s is NULL");
  for (i = 0; i < len; i++) { /* cut short, in a block of that size */
    unsigned char *part = (unsigned char *)malloc(i + 1);
    memcpy(part, good, i);
    expect("cut short", stn_stepper_restore(s, part, i), STN_ERR_VALUE, "snapshot");
    free(part);
  }
  expect("too long", stn_stepper_restore(s, p, len + 1), STN_ERR_VALUE, "snapshot");
  for (i = 0; i < len; i++)
    for (bit = 0; bit < 8; bit++) {
      stn_status st;
      p[i] ^= (unsigned char)(1 << bit);
      st = stn_stepper_restore(s, p, len);
      /* Behind the name of the format comes its version. */
      snprintf(what, sizeof what, "byte %lu bit %d: %s", (unsigned long)i, bit,
               stn_status_name(st));
      check(st == (i >= 8 && i < 12 ? STN_ERR_ABI : STN_ERR_VALUE), what);
      p[i] ^= (unsigned char)(1 << bit);
    }
  memset(p, 0xA5, len);
  expect("foreign", stn_stepper_restore(s, p, len), STN_ERR_VALUE, "snapshot");
  memset(p, 0, len);
  expect("zeros", stn_stepper_restore(s, p, len), STN_ERR_VALUE, "snapshot");
  /* Whole by its checksum, and yet wrong: never a crash, never a number that is not finite. */
  for (i = 0; i + 8 < len; i++) {
    static const unsigned char value[3] = {0x00, 0x7f, 0xff};
    int k;
    for (k = 0; k < 3; k++) {
      stn_status st;
      memcpy(p, good, len);
      p[i] = value[k];
      seal(p, len);
      st = stn_stepper_restore(s, p, len);
      check(st == STN_OK || st == STN_ERR_VALUE || st == STN_ERR_ABI || st == STN_ERR_DIMENSION,
            "an altered snapshot");
      after = look(s);
      check(isfinite(after.q[0]) && isfinite(after.q[1]) && isfinite(after.v[0]) &&
                isfinite(after.v[1]) && isfinite(after.t),
            "the state stays finite");
      st = stn_stepper_step(s, 0.01);
      check(st != STN_ERR_PANIC && st != STN_ERR_POISONED, "and a step is a step");
      expect("back", stn_stepper_restore(s, good, len), STN_OK, NULL);
    }
  }
  after = look(s);
  check(after.count == 0, "a restored stepper has no events");
  after.count = before.count;
  memcpy(after.event, before.event, sizeof after.event);
  check(memcmp(&before, &after, sizeof before) == 0, "state and statistics are those saved");
  free(p);
}

static void snapshots(void) {
  Scene scene, same;
  stn_stepper *s, *twin, *other;
  unsigned char *p;
  size_t len = 0;
  Seen a, b;
  int k;
  memset(&scene, 0, sizeof scene);
  memset(&same, 0, sizeof same);
  s = full_stepper(&scene), twin = full_stepper(&same);
  for (k = 0; k < 40; k++) {
    expect("ask", stn_stepper_save(s, NULL, 0, &len), STN_OK, NULL);
    p = (unsigned char *)malloc(len);
    expect("save", stn_stepper_save(s, p, len, &len), STN_OK, NULL);
    if (k == 6)
      saving(s, len);
    if (k == 6)
      restoring(s, p, len);
    /* The twin takes up the state and does the same from there, to the last bit. */
    expect("restore", stn_stepper_restore(twin, p, len), STN_OK, NULL);
    check(stn_stepper_step(s, 0.01) == stn_stepper_step(twin, 0.01), "the same status");
    a = look(s), b = look(twin);
    check(memcmp(a.q, b.q, sizeof a.q) == 0 && memcmp(a.v, b.v, sizeof a.v) == 0 && a.t == b.t &&
              a.count == b.count && memcmp(a.event, b.event, sizeof a.event) == 0,
          "the same bits after a restore");
    free(p);
  }
  other = block_stepper(NULL); /* without the joint */
  expect("ask", stn_stepper_save(s, NULL, 0, &len), STN_OK, NULL);
  p = (unsigned char *)malloc(len);
  expect("save", stn_stepper_save(s, p, len, &len), STN_OK, NULL);
  expect("another model", stn_stepper_restore(other, p, len), STN_ERR_DIMENSION, "n_joint is 1");
  p[8]++;
  seal(p, len);
  expect("another version", stn_stepper_restore(s, p, len), STN_ERR_ABI, "snapshot has version");
  free(p);
  stn_stepper_destroy(s);
  stn_stepper_destroy(twin);
  stn_stepper_destroy(other);
}

int main(int argc, char **argv) {
  static const Section sections[] = {
      {"models", models},    {"options", options},     {"batches", batches},
      {"times", times},      {"callbacks", callbacks}, {"half-way", half_way},
      {"shorter", shorter},  {"reentry", reentry},     {"happenings", happenings},
      {"lost", lost_events}, {"snapshots", snapshots},
  };
  /* Not with the others: the first needs a limit of memory, the rest a better library. */
  static const Section alone[] = {{"sizes", sizes},
                                  {"mended", mended},
                                  {"asked-again", asked_again},
                                  {"overflow", overflow},
                                  {"kept-events", kept_events}};
  size_t i;
  for (i = 0; argc > 1 && i < sizeof alone / sizeof alone[0]; i++)
    if (strcmp(argv[1], alone[i].name) == 0)
      return run_sections(&alone[i], 1, argc, argv);
  return run_sections(sections, sizeof sections / sizeof sections[0], argc, argv);
}
