/* Problems on plain arrays: complementarity, contact, impact, one step; and what the library says
 * of itself. No function of the host is called here, which makes this the path for programs that
 * evaluate their own models. */
#include "gateway.h"

#include <stddef.h>

static const member info_members[] = {
    {"pivots", offsetof(stn_lcp_info, pivots), INT32},
    {"warm", offsetof(stn_lcp_info, warm), INT32},
    {"residual", offsetof(stn_lcp_info, residual), DOUBLE},
    {"refactorizations", offsetof(stn_lcp_info, refactorizations), INT32},
    {"attempts", offsetof(stn_lcp_info, attempts), INT32},
    {"engine", offsetof(stn_lcp_info, engine), INT32},
    {"uncovered", offsetof(stn_lcp_info, uncovered), INT32},
    {"growth", offsetof(stn_lcp_info, growth), DOUBLE},
    {NULL, 0, INT32}};

static const member option_members[] = {
    {"max_pivots", offsetof(stn_lcp_options, max_pivots), INT32},
    {"engine", offsetof(stn_lcp_options, engine), INT32},
    {"tolerance", offsetof(stn_lcp_options, tolerance), DOUBLE},
    {NULL, 0, INT32}};

static size_t square(const mxArray *m, const char *what) {
  if (mxGetM(m) != mxGetN(m) || mxGetNumberOfDimensions(m) != 2)
    refuse(what, "square");
  return mxGetM(m);
}

/* z, w, info = lcp(M, q, options, n_free); n_free < 0: no free unknowns and no equations */
static void run_lcp(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
  const size_t n = square(prhs[0], "M");
  const double *m = required(prhs[0], (ptrdiff_t)(n * n), "M");
  const double *q = required(prhs[1], (ptrdiff_t)n, "q");
  const int32_t n_free = integer(prhs[3], "n_free"), size = (int32_t)n;
  const int32_t n_comp = size - (n_free > 0 ? n_free : 0), lead = size > 0 ? size : 1;
  mxArray *z = column(n), *w = column(n_comp > 0 ? (size_t)n_comp : 0);
  stn_lcp_options options;
  stn_lcp_info info;
  stn_lcp *lcp = NULL;
  stn_status st;
  (void)nrhs;
  info.struct_size = sizeof info;
  check(stn_lcp_options_init(&options, sizeof options));
  set_members(&options, option_members, prhs[2]);
  check(stn_lcp_create(size, &lcp));
  if ((st = stn_lcp_set_options(lcp, &options)) >= 0)
    st = n_free < 0
             ? stn_lcp_solve(lcp, size, m, lead, q, mxGetPr(z), mxGetPr(w), &info)
             : stn_mlcp_solve(lcp, n_free, n_comp, m, lead, q, mxGetPr(z), mxGetPr(w), &info);
  stn_lcp_destroy(lcp);
  check(st);
  OUT(0, z);
  OUT(1, w);
  OUT(2, get_members(&info, info_members));
}

/* residual = lcp_residual(M, q, z) */
static void run_residual(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
  const size_t n = square(prhs[0], "M");
  double residual = 0.0;
  (void)nlhs, (void)nrhs;
  check(stn_lcp_residual((int32_t)n, required(prhs[0], (ptrdiff_t)(n * n), "M"),
                         n > 0 ? (int32_t)n : 1, required(prhs[1], (ptrdiff_t)n, "q"),
                         required(prhs[2], (ptrdiff_t)n, "z"), &residual));
  plhs[0] = number(residual);
}

/* What contact problems have in common. */
typedef struct directions {
  int32_t nv, n_joint, n_contact, n_dir, n_max;
  const double *mass, *joint, *normal, *tangent, *mu;
  mxArray *v, *joint_impulse, *normal_impulse, *friction_impulse;
} directions;

static size_t columns_of(const mxArray *a, size_t rows, const char *what) {
  if (mxIsEmpty(a))
    return 0;
  if (mxGetM(a) != rows)
    refuse(what, "columns of as many numbers as the velocity has");
  return mxGetN(a);
}

/* From mass, joint, normal, tangent, mu. */
static directions read_directions(const mxArray *mass, const mxArray *const a[4]) {
  directions d;
  const size_t nv = square(mass, "mass"), nj = columns_of(a[0], nv, "joint"),
               nc = columns_of(a[1], nv, "normal");
  const size_t nt = columns_of(a[2], nv, "tangent"), nd = nc > 0 ? nt / nc : 0;
  size_t room = nc * (nd + 2);
  if (nd * nc != nt)
    refuse("tangent", "the same number of columns for each contact");
  d.nv = (int32_t)nv, d.n_joint = (int32_t)nj, d.n_contact = (int32_t)nc, d.n_dir = (int32_t)nd;
  d.n_max = (int32_t)(room > nv + nj ? room : nv + nj);
  d.mass = required(mass, (ptrdiff_t)(nv * nv), "mass");
  d.joint = doubles(a[0], -1, "joint"), d.normal = doubles(a[1], -1, "normal");
  d.tangent = doubles(a[2], -1, "tangent");
  d.mu = nd > 0 ? required(a[3], (ptrdiff_t)nc, "mu") : NULL;
  d.v = column(nv), d.joint_impulse = column(nj), d.normal_impulse = column(nc);
  d.friction_impulse = column(nt);
  return d;
}

static void give(int nlhs, mxArray *plhs[], const directions *d, const stn_lcp_info *info,
                 mxArray *between) {
  static const char *names[] = {"joint", "normal", "friction"};
  mxArray *impulses = mxCreateStructMatrix(1, 1, 3, names);
  mxSetFieldByNumber(impulses, 0, 0, d->joint_impulse);
  mxSetFieldByNumber(impulses, 0, 1, d->normal_impulse);
  mxSetFieldByNumber(impulses, 0, 2, d->friction_impulse);
  OUT(0, d->v);
  OUT(1, impulses);
  OUT(2, get_members(info, info_members));
  if (between != NULL)
    OUT(3, between);
}

/* v, impulses, info = contact(mass, p, joint, normal, tangent, mu) */
static void run_contact(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
  directions d = read_directions(prhs[0], prhs + 2);
  const double *p = required(prhs[1], d.nv, "p");
  stn_lcp_info info;
  stn_lcp *lcp = NULL;
  stn_status st;
  (void)nrhs;
  info.struct_size = sizeof info;
  check(stn_lcp_create(d.n_max, &lcp));
  st = stn_contact_solve(lcp, d.nv, d.n_joint, d.n_contact, d.n_dir, d.mass, d.joint, d.normal,
                         d.tangent, d.mu, p, mxGetPr(d.v), mxGetPr(d.joint_impulse),
                         mxGetPr(d.normal_impulse), mxGetPr(d.friction_impulse), &info);
  stn_lcp_destroy(lcp);
  check(st);
  give(nlhs, plhs, &d, &info, NULL);
}

/* v, impulses, info, v_compression = impact(mass, v, joint, normal, tangent, mu, law, restitution)
 */
static void run_impact(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
  directions d = read_directions(prhs[0], prhs + 2);
  const double *before = required(prhs[1], d.nv, "v");
  const int32_t law = integer(prhs[6], "law");
  const double *e = doubles(prhs[7], d.n_contact, "restitution");
  mxArray *between = column((size_t)d.nv);
  stn_lcp_info info;
  stn_lcp *lcp = NULL;
  stn_status st;
  (void)nrhs;
  info.struct_size = sizeof info;
  check(stn_lcp_create(d.n_max, &lcp));
  st = stn_impact_solve(lcp, law, d.nv, d.n_joint, d.n_contact, d.n_dir, d.mass, d.joint, d.normal,
                        d.tangent, d.mu, e, before, mxGetPr(between), mxGetPr(d.v),
                        mxGetPr(d.joint_impulse), mxGetPr(d.normal_impulse),
                        mxGetPr(d.friction_impulse), &info);
  stn_lcp_destroy(lcp);
  check(st);
  give(nlhs, plhs, &d, &info, between);
}

/* v, impulses, info = trapezoid(mass, v, joint, normal, tangent, mu, h, force_start, force_end,
 * dfdq, dfdv, joint_row, normal_row, tangent_row, joint_offset, normal_offset) */
static void run_trapezoid(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
  directions d = read_directions(prhs[0], prhs + 2);
  const ptrdiff_t nv = d.nv, nj = d.n_joint, nc = d.n_contact;
  const double *v = required(prhs[1], nv, "v");
  const double h = scalar(prhs[6], "h");
  const double *start = required(prhs[7], nv, "force_start"),
               *end = required(prhs[8], nv, "force_end");
  const double *dfdq = doubles(prhs[9], nv * nv, "dfdq"),
               *dfdv = doubles(prhs[10], nv * nv, "dfdv");
  const double *joint_row = doubles(prhs[11], nv * nj, "joint_row");
  const double *normal_row = doubles(prhs[12], nv * nc, "normal_row");
  const double *tangent_row = doubles(prhs[13], nv * nc * d.n_dir, "tangent_row");
  const double *joint_offset = doubles(prhs[14], nj, "joint_offset");
  const double *normal_offset = doubles(prhs[15], nc, "normal_offset");
  stn_lcp_info info;
  stn_lcp *lcp = NULL;
  stn_status st;
  (void)nrhs;
  info.struct_size = sizeof info;
  check(stn_lcp_create(d.n_max, &lcp));
  st =
      stn_trapezoid_solve(lcp, d.nv, d.n_joint, d.n_contact, d.n_dir, h, d.mass, start, end, dfdq,
                          dfdv, v, d.joint, d.normal, d.tangent, joint_row, normal_row, tangent_row,
                          joint_offset, normal_offset, d.mu, mxGetPr(d.v), mxGetPr(d.joint_impulse),
                          mxGetPr(d.normal_impulse), mxGetPr(d.friction_impulse), &info);
  stn_lcp_destroy(lcp);
  check(st);
  give(nlhs, plhs, &d, &info, NULL);
}

/* text, number, abi = version() */
static void run_version(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
  (void)nrhs, (void)prhs;
  OUT(0, mxCreateString(stn_version_string()));
  OUT(1, number(stn_version_number()));
  OUT(2, number(stn_abi_version()));
}

/* Enumerators that a host may want to write, without their STN_. */
#define VALUE(name)                                                                                \
  { #name, STN_##name }
static const struct {
  const char *name;
  int value;
} values[] = {VALUE(IMPACT_PLASTIC),
              VALUE(IMPACT_NEWTON),
              VALUE(IMPACT_POISSON),
              VALUE(IMPACT_REFLECTION),
              VALUE(LCP_ENGINE_AUTO),
              VALUE(LCP_ENGINE_TABLEAU),
              VALUE(LCP_ENGINE_FACTORED),
              VALUE(METHOD_EULER),
              VALUE(METHOD_STEWART_TRINKLE),
              VALUE(METHOD_IMPLICIT_EULER),
              VALUE(METHOD_TRAPEZOID),
              VALUE(METHOD_TRAPEZOID_I),
              VALUE(METHOD_TRAPEZOID_II),
              VALUE(METHOD_MOREAU),
              VALUE(METHOD_SCHATZMAN_PAOLI),
              VALUE(METHOD_LOBATTO_IIIA_2),
              VALUE(METHOD_LOBATTO_IIIA_4),
              VALUE(METHOD_LOBATTO_IIIA_6),
              VALUE(METHOD_RADAU_IIA_3),
              VALUE(METHOD_RADAU_IIA_5),
              VALUE(METHOD_HALF_EXPLICIT_2),
              VALUE(METHOD_HALF_EXPLICIT_4),
              VALUE(EVENTS_NONE),
              VALUE(EVENTS_COLLISIONS),
              VALUE(EVENTS_ALL),
              VALUE(BY_METHOD),
              VALUE(STABILIZE_NONE),
              VALUE(STABILIZE_VELOCITY),
              VALUE(STABILIZE_PROJECT),
              VALUE(JOINT_SPHERICAL),
              VALUE(JOINT_REVOLUTE),
              VALUE(JOINT_UNIVERSAL),
              VALUE(JOINT_CYLINDRICAL),
              VALUE(JOINT_PRISMATIC),
              VALUE(JOINT_FIXED),
              VALUE(FREEDOM_ANGLE),
              VALUE(FREEDOM_SLIDE),
              VALUE(LEDGER_STEP),
              VALUE(LEDGER_SUM)};

/* struct = constants() */
static void run_constants(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
  mxArray *s = mxCreateStructMatrix(1, 1, 0, NULL);
  size_t i;
  (void)nlhs, (void)nrhs, (void)prhs;
  for (i = 0; i < sizeof values / sizeof values[0]; i++)
    mxSetFieldByNumber(s, 0, mxAddField(s, values[i].name), number(values[i].value));
  plhs[0] = s;
}

const command array_commands[] = {{"lcp", 4, run_lcp},
                                  {"lcp_residual", 3, run_residual},
                                  {"contact", 6, run_contact},
                                  {"impact", 8, run_impact},
                                  {"trapezoid", 16, run_trapezoid},
                                  {"version", 0, run_version},
                                  {"constants", 0, run_constants},
                                  {NULL, 0, NULL}};
