/* The MEX gateway: stiction_mex(command, arguments...) finds the command and runs it. The functions
 * in +stiction are what people call. One source for MATLAB and Octave. */
#include "gateway.h"

#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- failures ---- */

/* STN_ERR_LCP_RAY -> stiction:LcpRay */
static void identifier(stn_status status, char *id, size_t cap) {
  const char *name = stn_status_name(status) + strlen("STN_");
  size_t n = strlen("stiction:");
  int up = 1;
  if (strncmp(name, "ERR_", 4) == 0)
    name += 4;
  strcpy(id, "stiction:");
  for (; *name != '\0' && n + 1 < cap; name++) {
    if (*name == '_') {
      up = 1;
    } else {
      id[n++] = (char)(up ? *name : tolower((unsigned char)*name));
      up = 0;
    }
  }
  id[n] = '\0';
}

void check(stn_status status) {
  char id[64], text[1024];
  if (status >= 0)
    return;
  identifier(status, id, sizeof id);
  stn_last_error(text, (int32_t)sizeof text);
  mexErrMsgIdAndTxt(id, "%s", text);
}

void refuse(const char *what, const char *must) {
  mexErrMsgIdAndTxt("stiction:Argument", "%s must be %s", what, must);
}

/* ---- arguments ---- */

const double *doubles(const mxArray *a, ptrdiff_t n, const char *what) {
  char must[64];
  if (mxIsEmpty(a))
    return NULL;
  if (!mxIsDouble(a) || mxIsComplex(a) || mxIsSparse(a))
    refuse(what, "real, full and double");
  if (n >= 0 && mxGetNumberOfElements(a) != (size_t)n) {
    sprintf(must, "an array of %ld numbers", (long)n);
    refuse(what, must);
  }
  return mxGetPr(a);
}

const double *required(const mxArray *a, ptrdiff_t n, const char *what) {
  const double *x = doubles(a, n, what);
  if (x == NULL && n != 0)
    refuse(what, "given");
  return x;
}

double scalar(const mxArray *a, const char *what) { return *required(a, 1, what); }

int32_t integer(const mxArray *a, const char *what) {
  const double x = scalar(a, what);
  if (!(x >= -2147483648.0 && x <= 2147483647.0) || x != (double)(int32_t)x)
    refuse(what, "a whole number");
  return (int32_t)x;
}

mxArray *column(size_t n) { return mxCreateDoubleMatrix(n, 1, mxREAL); }

mxArray *number(double x) { return mxCreateDoubleScalar(x); }

int64_t key_of(const mxArray *a) {
  if (mxIsInt64(a) && mxGetNumberOfElements(a) == 1)
    return *(const int64_t *)mxGetData(a);
  return (int64_t)scalar(a, "key");
}

mxArray *key_number(int64_t key) {
  const int64_t exact = (int64_t)1 << 53; /* up to here a double holds every whole number */
  mxArray *a;
  if (key >= -exact && key <= exact)
    return number((double)key);
  a = mxCreateNumericMatrix(1, 1, mxINT64_CLASS, mxREAL);
  *(int64_t *)mxGetData(a) = key;
  return a;
}

/* ---- structs ---- */

void set_members(void *target, const member *members, const mxArray *values) {
  int i, n = mxIsStruct(values) ? mxGetNumberOfFields(values) : 0;
  for (i = 0; i < n; i++) {
    const char *name = mxGetFieldNameByNumber(values, i);
    const mxArray *value = mxGetFieldByNumber(values, 0, i);
    const member *m = members;
    while (m->name != NULL && strcmp(m->name, name) != 0)
      m++;
    if (m->name == NULL || m->type == INT64)
      mexErrMsgIdAndTxt("stiction:Argument", "there is no option %s", name);
    if (m->type == DOUBLE) {
      const double x = scalar(value, name);
      memcpy((char *)target + m->offset, &x, sizeof x);
    } else {
      const int32_t x = integer(value, name);
      memcpy((char *)target + m->offset, &x, sizeof x);
    }
  }
}

mxArray *get_members(const void *source, const member *members) {
  mxArray *values = mxCreateStructMatrix(1, 1, 0, NULL);
  const member *m;
  for (m = members; m->name != NULL; m++) {
    const char *at = (const char *)source + m->offset;
    double x = 0.0;
    int32_t i = 0;
    int64_t k = 0;
    mxArray *value;
    if (m->type == DOUBLE) {
      memcpy(&x, at, sizeof x);
      value = number(x);
    } else if (m->type == INT32) {
      memcpy(&i, at, sizeof i);
      value = number(i);
    } else {
      memcpy(&k, at, sizeof k);
      value = key_number(k);
    }
    mxSetFieldByNumber(values, 0, mxAddField(values, m->name), value);
  }
  return values;
}

/* ---- handles ---- */

enum { SLOTS = 1 << 20 }; /* a number is generation * SLOTS + slot, exact in a double */
static entry *table = NULL;
static size_t table_size = 0, living = 0;

static void destroy(entry *e) {
  if (e->kind == MODEL)
    stn_model_destroy((stn_model *)e->handle);
  else if (e->kind == STEPPER)
    stn_stepper_destroy((stn_stepper *)e->handle);
  else if (e->kind == BUILDER) {
    stn_builder_destroy((stn_builder *)e->handle);
    release_system(e->system);
  }
  e->kind = NONE;
}

static void destroy_all(void) {
  size_t i;
  for (i = 0; i < table_size; i++)
    destroy(&table[i]);
  free(table);
  table = NULL;
  table_size = living = 0;
}

mxArray *keep(kind kind, void *handle, struct system *system, int32_t nq, int32_t nv) {
  size_t slot = 0;
  entry e = {NONE, 0, NULL, NULL, 0, 0};
  e.kind = kind, e.handle = handle, e.system = system, e.nq = nq, e.nv = nv;
  /* Freed slots lie anywhere; with few handles alive the search is short. */
  while (slot < table_size && table[slot].kind != NONE)
    slot++;
  if (slot == table_size) {
    const size_t larger = table_size == 0 ? 16 : 2 * table_size;
    entry *moved = larger > SLOTS ? NULL : (entry *)realloc(table, larger * sizeof *table);
    if (moved == NULL) {
      destroy(&e);
      mexErrMsgIdAndTxt("stiction:Memory", "no room for another handle");
    }
    memset(moved + table_size, 0, (larger - table_size) * sizeof *moved);
    table = moved, table_size = larger;
  }
  e.generation = table[slot].generation + 1;
  table[slot] = e;
  if (living++ == 0)
    mexLock(); /* `clear all` must not unload the library under living handles */
  return number((double)e.generation * SLOTS + (double)slot);
}

entry *entry_of(const mxArray *id, kind kind) {
  const double x = scalar(id, "handle");
  const double slot = x >= 0 ? x - SLOTS * (double)(unsigned)(x / SLOTS) : SLOTS;
  entry *e = slot < (double)table_size ? &table[(size_t)slot] : NULL;
  if (e == NULL || e->kind != kind || (double)e->generation != (x - slot) / SLOTS)
    mexErrMsgIdAndTxt("stiction:Handle", "the object was deleted or is of another kind");
  return e;
}

void give_up(entry *e) {
  destroy(e);
  if (--living == 0)
    mexUnlock();
}

/* ---- dispatch ---- */

static const command *find(const command *commands, const char *name) {
  for (; commands->name != NULL; commands++)
    if (strcmp(commands->name, name) == 0)
      return commands;
  return NULL;
}

void mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]) {
  static const command *const commands[] = {array_commands,   motion_commands,  report_commands,
                                            passive_commands, builder_commands, question_commands};
  static int ready = 0;
  const command *c = NULL;
  size_t i;
  char name[64];
  if (!ready) {
    if (stn_abi_version() != STN_ABI_VERSION)
      mexErrMsgIdAndTxt(
          "stiction:Abi",
          "the library has the binary interface %d, this gateway was built for %d: run build again",
          (int)stn_abi_version(), STN_ABI_VERSION);
    mexAtExit(destroy_all);
    ready = 1;
  }
  if (nrhs < 1 || mxGetString(prhs[0], name, sizeof name) != 0)
    refuse("the first argument", "the name of a command");
  for (i = 0; c == NULL && i < sizeof commands / sizeof commands[0]; i++)
    c = find(commands[i], name);
  if (c == NULL)
    mexErrMsgIdAndTxt("stiction:Argument", "there is no command %s", name);
  if (nrhs - 1 != c->nrhs)
    mexErrMsgIdAndTxt("stiction:Argument", "%s takes %d arguments, not %d", name, c->nrhs,
                      nrhs - 1);
  c->run(nlhs, plhs, nrhs - 1, prhs + 1);
}
