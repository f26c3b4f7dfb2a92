/* Snapshots are untrusted: bytes that were changed are refused; bytes with a right checksum but wrong contents are
 * refused or give a stepper that goes on without a crash. */
#include "input.h"

enum { LONGEST = 8192 };

static int mass(double t, const double *q, double *m, void *user) {
  (void)t, (void)q, (void)user;
  m[0] = m[3] = 1.0;
  return 0;
}

static int force(double t, const double *q, const double *v, double *f, void *user) {
  (void)t, (void)q, (void)v, (void)user;
  f[0] = 3.0, f[1] = -10.0;
  return 0;
}

/* The ground, and one corner of the block that comes and goes. */
static int gap(double t, const double *q, double *g, double *n, void *user) {
  (void)t, (void)user;
  g[0] = q[1], n[1] = 1.0;
  return 0;
}

static int tangent(double t, const double *q, double *d, void *user) {
  (void)t, (void)q, (void)user;
  d[0] = 1.0, d[2] = -1.0;
  return 0;
}

static int contacts(double t, const double *q, double margin, stn_contact_sink *sink, void *user) {
  static const double n[2] = {-1.0, 0.0}, d[4] = {0.0, 1.0, 0.0, -1.0};
  static const int64_t key = 42;
  const double g = 0.5 - q[0];
  (void)t, (void)user;
  if (g > margin)
    return 0;
  if (stn_contact_push(sink, key, g, n, 2, d, 0.2, 0.0) < 0)
    return -1;
  return stn_contact_join(sink, 7, 1, &key) < 0 ? -1 : 0;
}

static stn_stepper *make(int32_t method) {
  static const double mu = 0.4, e = 0.3;
  stn_dims dims;
  stn_model_fns fns;
  stn_stepper_options opt;
  stn_model *model = NULL;
  stn_stepper *s = NULL;
  memset(&dims, 0, sizeof dims);
  memset(&fns, 0, sizeof fns);
  dims.struct_size = sizeof dims, fns.struct_size = sizeof fns;
  dims.nq = dims.nv = 2, dims.n_contact = 1, dims.n_dir = 2;
  fns.mass = mass, fns.force = force, fns.gap = gap, fns.tangent = tangent, fns.contacts = contacts;
  fns.max_contacts = 2;
  HOLDS(stn_stepper_options_init(&opt, sizeof opt) == STN_OK);
  opt.method = method;
  HOLDS(stn_model_create(&dims, &fns, &mu, &e, NULL, &model) == STN_OK);
  HOLDS(stn_stepper_create(model, &opt, &s) == STN_OK);
  stn_model_destroy(model);
  return s;
}

static size_t save(stn_stepper *s, unsigned char *to) {
  size_t needed = 0;
  HOLDS(stn_stepper_save(s, to, LONGEST, &needed) == STN_OK);
  return needed;
}

/* FNV-1a over all but the last eight bytes, written into these: as one would who forges a snapshot. */
static void forge(unsigned char *bytes, size_t n) {
  uint64_t sum = 0xcbf29ce484222325u;
  size_t i;
  if (n < 8)
    return;
  for (i = 0; i < n - 8; i++)
    sum = (sum ^ bytes[i]) * 0x100000001b3u;
  for (i = 0; i < 8; i++)
    bytes[n - 8 + i] = (unsigned char)(sum >> (8 * i));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const int32_t methods[] = {4, 8, 24};
  static stn_stepper *steppers[3];
  static unsigned char good[3][LONGEST], before[LONGEST], after[LONGEST], work[LONGEST];
  static size_t length[3];
  Input in = input(data, size);
  const int k = choice(&in, 3), forged = choice(&in, 2), from = choice(&in, 8) ? k : choice(&in, 3);
  stn_stepper *s;
  unsigned char *bytes;
  size_t n, old;
  int changed;
  stn_status st;
  if (!steppers[k] || !steppers[from]) {
    static const double q[2] = {0.3, 0.01}, v[2] = {0.4, -0.2};
    int i, j;
    for (j = 0; j < 3; j++) {
      steppers[j] = make(methods[j]);
      HOLDS(stn_stepper_set_state(steppers[j], 0.0, q, 2, v, 2) == STN_OK);
      for (i = 0; i < 40; i++)
        HOLDS(stn_stepper_step(steppers[j], 0.01) >= 0);
      length[j] = save(steppers[j], good[j]);
    }
  }
  s = steppers[k];
  HOLDS(stn_stepper_restore(s, good[k], length[k]) == STN_OK);
  old = save(s, before);
  n = length[from];
  memcpy(work, good[from], n);
  if (choice(&in, 8) == 0) { /* another length */
    n = ((size_t)byte(&in) << 8 | byte(&in)) % LONGEST;
    if (n > length[from])
      memset(work + length[from], 0, n - length[from]);
  }
  while (in.at < in.end) { /* other bytes */
    const size_t at = (size_t)byte(&in) << 8 | byte(&in);
    if (n)
      work[at % n] ^= (unsigned char)byte(&in);
  }
  if (forged)
    forge(work, n);
  bytes = (unsigned char *)fenced(0, n);
  memcpy(bytes, work, n);
  changed = n != length[k] || memcmp(bytes, good[k], n) != 0;
  st = stn_stepper_restore(s, bytes, n);
  HOLDS(st != STN_ERR_PANIC && st != STN_ERR_POISONED);
  if (changed && !forged)
    HOLDS(st < 0);
  if (st < 0) {
    HOLDS(save(s, after) == old && memcmp(before, after, old) == 0);
    return 0;
  }
  st = stn_stepper_step(s, 0.01);
  HOLDS(st != STN_ERR_PANIC && st != STN_ERR_POISONED);
  {
    double t, q[2], v[2];
    HOLDS(stn_stepper_get_state(s, &t, q, 2, v, 2) == STN_OK && all_finite(q, 2) && all_finite(v, 2));
  }
  return 0;
}
