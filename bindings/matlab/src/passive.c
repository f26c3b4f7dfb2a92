/* Models that are never called: the stepper lists what it wants, the host computes it in its own
 * loop and puts it. */
#include "gateway.h"

#include <string.h>

/* The arrays by name; their order is that of the bits. */
static const struct {
  const char *name;
  int32_t bit;
} arrays[] = {{"mass", STN_WANT_MASS},       {"force", STN_WANT_FORCE}, {"dfdq", STN_WANT_DFDQ},
              {"dfdv", STN_WANT_DFDV},       {"rate", STN_WANT_RATE},   {"phi", STN_WANT_PHI},
              {"jt", STN_WANT_JT},           {"gap", STN_WANT_GAP},     {"normal", STN_WANT_NORMAL},
              {"tangent", STN_WANT_TANGENT}, {"moved", STN_WANT_MOVED}};
enum { ARRAYS = sizeof arrays / sizeof arrays[0] };

static int32_t bit_of(const mxArray *name) {
  char text[16] = "";
  int i;
  if (mxGetString(name, text, sizeof text) == 0)
    for (i = 0; i < ARRAYS; i++)
      if (strcmp(arrays[i].name, text) == 0)
        return arrays[i].bit;
  mexErrMsgIdAndTxt("stiction:Argument", "there is no array %s", text);
  return 0;
}

/* model = passive_create(sizes, {names}, moving, max_points, mu, restitution) */
static void run_create(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
  const stn_dims dims = dims_of(prhs[0]);
  const int32_t moving = integer(prhs[2], "moving"), max_points = integer(prhs[3], "max_points");
  const double *mu = doubles(prhs[4], dims.n_contact, "mu");
  const double *e = doubles(prhs[5], dims.n_contact, "restitution");
  int32_t gives = 0;
  stn_model *model = NULL;
  size_t i;
  (void)nlhs, (void)nrhs;
  if (!mxIsCell(prhs[1]))
    refuse("gives", "a cell of names");
  for (i = 0; i < mxGetNumberOfElements(prhs[1]); i++)
    gives |= bit_of(mxGetCell(prhs[1], i));
  check(stn_passive_create(&dims, gives, moving, max_points, mu, e, &model));
  plhs[0] = keep(MODEL, model, NULL, dims.nq, dims.nv);
}

/* status = passive_step(stepper, h) */
static void run_step(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
  const stn_status st =
      stn_passive_step((stn_stepper *)entry_of(prhs[0], STEPPER)->handle, scalar(prhs[1], "h"));
  (void)nlhs, (void)nrhs;
  check(st);
  plhs[0] = mxCreateString(st == STN_OK       ? "ok"
                           : st == STN_EVENT  ? "event"
                           : st == STN_WANTED ? "wanted"
                                              : "rejected");
}

/* struct array with what (a cell of names), t, q, v = passive_requests(stepper) */
static void run_requests(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
  static const char *names[] = {"what", "t", "q", "v"};
  const entry *e = entry_of(prhs[0], STEPPER);
  const int32_t n = stn_passive_request_count((stn_stepper *)e->handle);
  int32_t i;
  (void)nlhs, (void)nrhs;
  if (n < 0)
    check((stn_status)n);
  plhs[0] = mxCreateStructMatrix((size_t)n, 1, 4, names);
  for (i = 0; i < n; i++) {
    mxArray *q = column((size_t)e->nq), *v = column((size_t)e->nv), *what;
    int32_t mask = 0, k, count = 0;
    double t = 0.0;
    check(stn_passive_get_request((stn_stepper *)e->handle, i, &mask, &t, mxGetPr(q), e->nq,
                                  mxGetPr(v), e->nv));
    for (k = 0; k < ARRAYS; k++)
      count += (mask & arrays[k].bit) != 0;
    what = mxCreateCellMatrix(1, (size_t)count);
    for (k = ARRAYS - 1; k >= 0; k--)
      if (mask & arrays[k].bit)
        mxSetCell(what, (size_t)--count, mxCreateString(arrays[k].name));
    mxSetFieldByNumber(plhs[0], (size_t)i, 0, what);
    mxSetFieldByNumber(plhs[0], (size_t)i, 1, number(t));
    mxSetFieldByNumber(plhs[0], (size_t)i, 2, q);
    mxSetFieldByNumber(plhs[0], (size_t)i, 3, v);
  }
}

/* passive_put(stepper, i, name, values) */
static void run_put(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
  const entry *e = entry_of(prhs[0], STEPPER);
  (void)nlhs, (void)plhs, (void)nrhs;
  check(stn_passive_put((stn_stepper *)e->handle, integer(prhs[1], "request"), bit_of(prhs[2]),
                        doubles(prhs[3], -1, "values"), (int32_t)mxGetNumberOfElements(prhs[3])));
}

static void run_cancel(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
  (void)nlhs, (void)plhs, (void)nrhs;
  check(stn_passive_cancel((stn_stepper *)entry_of(prhs[0], STEPPER)->handle));
}

const command passive_commands[] = {
    {"passive_create", 6, run_create},     {"passive_step", 2, run_step},
    {"passive_requests", 1, run_requests}, {"passive_put", 4, run_put},
    {"passive_cancel", 1, run_cancel},     {NULL, 0, NULL}};
