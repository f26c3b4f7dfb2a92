/* Every bad input to every function, one at a time: the named status, a text that names the
 * culprit, not a byte changed, and a handle that works afterwards. Run with the name of a section,
 * or with none for all; says what differs on stderr and ends with 1. */
#include "live.h"
#include <limits.h>

static stn_lcp *lcp;
static char what[200], text[200];

static void null_pointers(const Function *f) {
  int i;
  Live l;
  for (i = 0; f->inputs[i].name; i++) {
    l = good(f, lcp);
    l.call.in[i] = NULL;
    snprintf(text, sizeof text, "%s is NULL", f->inputs[i].name);
    must_fail(&l, text, STN_ERR_NULL, text);
  }
  for (i = 0; f->outputs[i].name; i++) {
    l = good(f, lcp);
    l.call.out[i] = NULL;
    snprintf(text, sizeof text, "%s is NULL", f->outputs[i].name);
    if (f->outputs[i].optional) {
      must_succeed(&l, text);
      release(&l);
    } else {
      must_fail(&l, text, STN_ERR_NULL, text);
    }
  }
  if (f->has_handle) {
    l = good(f, lcp);
    l.call.lcp = NULL;
    must_fail(&l, "no handle", STN_ERR_NULL, "lcp is NULL");
  }
  if (f->has_info) {
    l = good(f, lcp);
    l.call.info = NULL;
    must_succeed(&l, "no info");
    release(&l);
  }
}

static void bad_count(const Function *f, int i, int32_t value, stn_status expected,
                      const char *say) {
  Live l = good(f, lcp);
  l.call.count[i] = value;
  snprintf(what, sizeof what, "%s = %d", f->counts[i].name, (int)value);
  if (expected == STN_OK) {
    must_succeed(&l, what);
    release(&l);
  } else {
    must_fail(&l, what, expected, say);
  }
}

static void counts(const Function *f) {
  const int32_t negative[] = {-1, -1000, INT32_MIN}, unknown[] = {-1, 4, INT32_MIN, INT32_MAX};
  int i, k;
  for (i = 0; f->counts[i].name; i++) {
    const Count *c = &f->counts[i];
    if (c->kind == LAW) {
      for (k = 0; k < 4; k++) {
        snprintf(text, sizeof text, "law is %d, which is no stn_impact_law", (int)unknown[k]);
        bad_count(f, i, unknown[k], STN_ERR_VALUE, text);
      }
      continue;
    }
    for (k = 0; k < 3; k++) {
      snprintf(text, sizeof text, "%s is %d", c->name, (int)negative[k]);
      bad_count(f, i, negative[k], STN_ERR_DIMENSION, text);
    }
    if (c->kind == LEADING) {
      bad_count(f, i, 2, STN_ERR_DIMENSION, "ldm is 2");
      bad_count(f, i, 0, STN_ERR_DIMENSION, "ldm is 0");
      continue;
    }
    /* Without a workspace only the distance of columns says that this cannot be. */
    bad_count(f, i, N_MAX + 1, f->has_handle ? STN_ERR_CAPACITY : STN_ERR_DIMENSION, "");
    bad_count(f, i, INT32_MAX, f->has_handle ? STN_ERR_CAPACITY : STN_ERR_DIMENSION, "");
    bad_count(f, i, INT32_MAX - 1, f->has_handle ? STN_ERR_CAPACITY : STN_ERR_DIMENSION, "");
    bad_count(f, i, 0, STN_OK, "");
  }
}

/* Nothing at all is a problem too, and needs no memory. */
static void nothing(const Function *f) {
  Live l = good(f, lcp);
  int i;
  for (i = 0; f->counts[i].name; i++)
    if (f->counts[i].kind != LAW)
      l.call.count[i] = 0;
  for (i = 0; f->inputs[i].name; i++)
    l.call.in[i] = NULL;
  for (i = 0; f->outputs[i].name; i++)
    if (strcmp(f->outputs[i].name, "residual") != 0)
      l.call.out[i] = NULL;
  must_succeed(&l, "everything empty");
  release(&l);

  l = good(f, lcp);
  for (i = 0; f->counts[i].name; i++)
    if (f->counts[i].kind != LAW)
      l.call.count[i] = 0;
  must_succeed(&l, "every count zero");
  for (i = 0; f->outputs[i].name; i++)
    if (strcmp(f->outputs[i].name, "residual") != 0 && written(l.call.out[i], f->outputs[i].len))
      complain(&l, "every count zero", "wrote an output", f->outputs[i].name);
  release(&l);
}

static void not_finite(const Function *f) {
  const double bad[3] = {NAN, INFINITY, -INFINITY};
  const char *const name[3] = {"NaN", "inf", "-inf"};
  int i, k, b;
  for (i = 0; f->inputs[i].name; i++) {
    const Array *a = &f->inputs[i];
    if (strcmp(f->name, "stn_lcp_solve_again") == 0 && strcmp(a->name, "m") == 0)
      continue; /* by promise the matrix of the last call, and not looked through again */
    for (k = 0; k < a->len; k++) {
      if (k % a->ld >= a->rows)
        continue; /* the gap between columns, which holds a NaN in every good call */
      for (b = 0; b < 3; b++) {
        Live l = good(f, lcp);
        ((double *)l.call.in[i])[k] = bad[b];
        snprintf(text, sizeof text, "%s[%d] is %s", a->name, k, name[b]);
        must_fail(&l, text, STN_ERR_NONFINITE, text);
      }
    }
  }
}

/* Only whole members that end within struct_size are written, and no byte behind them. */
static void check_info(Live *l, size_t size, size_t bytes) {
  const size_t ends[] = {sizeof(size_t),
                         offsetof(stn_lcp_info, warm),
                         offsetof(stn_lcp_info, residual),
                         offsetof(stn_lcp_info, refactorizations),
                         offsetof(stn_lcp_info, attempts),
                         offsetof(stn_lcp_info, engine),
                         offsetof(stn_lcp_info, uncovered),
                         offsetof(stn_lcp_info, growth),
                         sizeof(stn_lcp_info)};
  enum { N_ENDS = sizeof ends / sizeof ends[0] };
  const unsigned char *p = (const unsigned char *)l->call.info;
  size_t end = 0, i;
  int k;
  for (k = 0; k < N_ENDS; k++)
    if (ends[k] <= size)
      end = ends[k];
  if (l->call.info->struct_size != size)
    complain(l, what, "struct_size was changed", "");
  for (i = end; i < bytes; i++)
    if (p[i] != CANARY)
      complain(l, what, "wrote beyond struct_size", "");
  for (k = 1; k < N_ENDS; k++) {
    const size_t from = ends[k - 1], to = ends[k];
    size_t untouched = 0;
    for (i = from; i < to && to <= end; i++)
      untouched += p[i] == CANARY;
    if (to <= end && untouched == to - from)
      complain(l, what, "left out a member that fits", "");
  }
}

static void struct_sizes(const Function *f) {
  const size_t sizes[] = {8,  9,  11, 12, 13, 15, 16, 17, 20,  23,   24,
                          25, 28, 32, 36, 40, 47, 48, 49, 100, 4096, SIZE_MAX};
  size_t k;
  if (!f->has_info)
    return;
  for (k = 0; k < sizeof(size_t); k++) {
    Live l = good(f, lcp);
    information(&l, k, sizeof(stn_lcp_info));
    snprintf(text, sizeof text, "info.struct_size is %u", (unsigned)k);
    must_fail(&l, text, STN_ERR_ABI, text);
  }
  for (k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
    /* SIZE_MAX stands for a garbled size: what is written still ends with what the library knows.
     */
    const size_t bytes = sizes[k] == SIZE_MAX ? sizeof(stn_lcp_info) + 16 : sizes[k] + 16;
    Live l = good(f, lcp);
    information(&l, sizes[k], bytes);
    snprintf(what, sizeof what, "struct_size %lu", (unsigned long)sizes[k]);
    must_succeed(&l, what);
    check_info(&l, sizes[k], bytes);
    release(&l);
  }
}

/* Puts array b (input or output) `shift` numbers behind output a in one block, the values of b
 * intact. */
static Live together(const Function *f, int a, int b, int b_is_input, int shift) {
  Live l = good(f, lcp);
  const Array *second = b_is_input ? &f->inputs[b] : &f->outputs[b];
  const int first_len = f->outputs[a].len;
  const int low = shift < 0 ? -shift : 0;
  const int end_a = low + first_len, end_b = low + shift + second->len;
  double *p = (double *)block(&l, sizeof(double) * (size_t)(end_a > end_b ? end_a : end_b));
  double *q = p + low + shift;
  if (b_is_input) {
    memcpy(q, second->good, sizeof(double) * (size_t)second->len);
    l.call.in[b] = q;
  } else {
    l.call.out[b] = q;
  }
  l.call.out[a] = p + low;
  return l;
}

static void overlap_pair(const Function *f, int a, int b, int b_is_input) {
  const Array *first = &f->outputs[a], *second = b_is_input ? &f->inputs[b] : &f->outputs[b];
  const int shifts[] = {0, first->len - 1, 1 - second->len};
  Live l;
  int k;
  for (k = 0; k < 3; k++) {
    l = together(f, a, b, b_is_input, shifts[k]);
    snprintf(what, sizeof what, "%s overlaps %s, shift %d", first->name, second->name, shifts[k]);
    must_fail(&l, what, STN_ERR_VALUE, " overlap");
  }
  snprintf(what, sizeof what, "%s touches %s", first->name, second->name);
  l = together(f, a, b, b_is_input, first->len);
  must_succeed(&l, what);
  release(&l);
  l = together(f, a, b, b_is_input, -second->len);
  must_succeed(&l, what);
  release(&l);
}

/* The report over the end of an array, or over its beginning. */
static void overlap_info(const Function *f, int i, int is_input) {
  const Array *a = is_input ? &f->inputs[i] : &f->outputs[i];
  const size_t len = sizeof(double) * (size_t)a->len;
  int behind;
  for (behind = 0; behind < 2; behind++) {
    Live l = good(f, lcp);
    unsigned char *p = (unsigned char *)block(&l, len + sizeof(stn_lcp_info));
    double *x = (double *)(p + (behind ? 0 : sizeof(stn_lcp_info) - sizeof(double)));
    if (is_input)
      memcpy(x, a->good, len);
    l.call.info = (stn_lcp_info *)(p + (behind ? len - sizeof(double) : 0));
    l.call.info->struct_size = sizeof(stn_lcp_info);
    if (is_input)
      l.call.in[i] = x;
    else
      l.call.out[i] = x;
    snprintf(what, sizeof what, "info overlaps %s", a->name);
    must_fail(&l, what, STN_ERR_VALUE, " overlap");
  }
}

/* Inputs are only read, so one array may serve as two of them. */
static void shared_inputs(const Function *f) {
  int a, b;
  for (a = 0; f->inputs[a].name; a++)
    for (b = 0; b < a; b++)
      if (strcmp(f->inputs[a].name, "restitution") == 0 && strcmp(f->inputs[b].name, "mu") == 0) {
        Live l = good(f, lcp);
        l.call.in[a] = l.call.in[b];
        must_succeed(&l, "mu serves as restitution");
        release(&l);
      }
}

static void overlaps(const Function *f) {
  int a, b;
  shared_inputs(f);
  for (a = 0; f->outputs[a].name; a++) {
    for (b = 0; f->inputs[b].name; b++)
      overlap_pair(f, a, b, 1);
    for (b = 0; b < a; b++)
      overlap_pair(f, a, b, 0);
    if (f->has_info)
      overlap_info(f, a, 0);
  }
  for (b = 0; f->has_info && f->inputs[b].name; b++)
    overlap_info(f, b, 1);
}

static void misaligned(const Function *f) {
  int i, by;
  Live l;
  for (by = 1; by < 4; by++) {
    for (i = 0; f->inputs[i].name; i++) {
      l = good(f, lcp);
      l.call.in[i] = (const double *)(const void *)((const char *)l.call.in[i] + by);
      snprintf(what, sizeof what, "%s is at an address", f->inputs[i].name);
      must_fail(&l, what, STN_ERR_VALUE, what);
    }
    for (i = 0; f->outputs[i].name; i++) {
      l = good(f, lcp);
      l.call.out[i] = (double *)(void *)((char *)l.call.out[i] + by);
      snprintf(what, sizeof what, "%s is at an address", f->outputs[i].name);
      must_fail(&l, what, STN_ERR_VALUE, what);
    }
    if (f->has_info) {
      l = good(f, lcp);
      l.call.info = (stn_lcp_info *)(void *)((char *)l.call.info + by);
      must_fail(&l, "info misaligned", STN_ERR_VALUE, "info is at an address");
    }
    if (f->has_handle) {
      l = good(f, lcp);
      l.call.lcp = (stn_lcp *)(void *)((char *)l.call.lcp + by);
      must_fail(&l, "handle misaligned", STN_ERR_VALUE, "lcp is at an address");
    }
  }
}

/* One number of one input replaced. */
static void bad_value(const Function *f, const char *array, int k, double value,
                      stn_status expected, const char *say) {
  int i;
  for (i = 0; f->inputs[i].name; i++)
    if (strcmp(f->inputs[i].name, array) == 0) {
      Live l = good(f, lcp);
      ((double *)l.call.in[i])[k] = value;
      snprintf(what, sizeof what, "%s[%d] = %g", array, k, value);
      must_fail(&l, what, expected, say);
    }
}

static void values(const Function *f) {
  int i, k;
  bad_value(f, "mu", 0, -0.1, STN_ERR_VALUE, "mu[0] is -0.1, must be >= 0");
  bad_value(f, "mu", 1, -1e-300, STN_ERR_VALUE, "mu[1] is -");
  bad_value(f, "restitution", 0, -1e-16, STN_ERR_VALUE, "restitution[0] is -");
  bad_value(f, "restitution", 1, 1.0000001, STN_ERR_VALUE, "restitution[1] is 1.0000001");
  for (k = 0; k < 16; k++) /* each entry of each direction, one in a million off */
    bad_value(f, "tangent", k, tangent[k] + 1e-6, STN_ERR_VALUE, "tangent[");
  bad_value(f, "mass", 0, 0.0, STN_ERR_SINGULAR, "mass is not positive definite");
  bad_value(f, "mass", 0, -2.0, STN_ERR_SINGULAR, "mass is not positive definite");
  bad_value(f, "mass", 15, 0.0625, STN_ERR_SINGULAR,
            "mass is not positive definite"); /* singular */
  bad_value(f, "mass", 15, 0.0, STN_ERR_SINGULAR, "mass is not positive definite");
  /* [[1, 100], [0, 1]] within: all eigenvalues positive, and yet not definite. */
  bad_value(f, "mass", 4, 100.0, STN_ERR_SINGULAR, "mass is not positive definite");
  for (i = 0; f->counts[i].name; i++)
    if (strcmp(f->counts[i].name, "n_dir") == 0)
      bad_count(f, i, 1, STN_ERR_VALUE, "n_dir is 1, must be even");
}

/* Problems without an answer. */
static void no_answer(const Function *f) {
  Live l;
  int i;
  if (strcmp(f->name, "stn_lcp_solve") == 0) { /* w = -z - 1 */
    const double m[11] = {-1, 0, 0, 0, 0, -1, 0, 0, 0, 0, -1};
    l = good(f, lcp);
    memcpy((double *)l.call.in[0], m, sizeof m);
    for (i = 0; i < 3; i++)
      ((double *)l.call.in[1])[i] = -1.0;
    must_fail(&l, "no solution", STN_ERR_LCP_RAY, "ray");
  } else if (strcmp(f->name, "stn_mlcp_solve") == 0) { /* 0 x = 1 */
    l = good(f, lcp);
    for (i = 0; i < 3; i++)
      ((double *)l.call.in[0])[4 * i] = 0.0;
    must_fail(&l, "an equation without unknowns", STN_ERR_SINGULAR, "");
  }
}

typedef struct Section {
  const char *name;
  void (*cases)(const Function *f);
} Section;

static const Section sections[] = {
    {"null", null_pointers}, {"counts", counts},        {"nothing", nothing},
    {"finite", not_finite},  {"structs", struct_sizes}, {"overlap", overlaps},
    {"aligned", misaligned}, {"values", values},        {"no-answer", no_answer},
};

int main(int argc, char **argv) {
  size_t s;
  int k;
  if (stn_lcp_create(N_MAX, &lcp) != STN_OK)
    return 2;
  for (s = 0; s < sizeof sections / sizeof sections[0]; s++) {
    if (argc > 1 && strcmp(argv[1], sections[s].name) != 0)
      continue;
    for (k = 0; k < N_FUNCTIONS; k++) {
      sections[s].cases(&functions[k]);
      still_works(&functions[k], lcp, sections[s].name);
    }
  }
  stn_lcp_destroy(lcp);
  printf("%d cases, %d failures\n", cases, failures);
  return failures || !cases;
}
