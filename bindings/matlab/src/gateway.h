/* What the parts of the MEX gateway share: arguments in, failures out, handles as numbers. Nothing
 * here may be called from inside the library: mexErrMsgIdAndTxt does not return, and would leave
 * through its frames. */
#ifndef STICTION_GATEWAY_H
#define STICTION_GATEWAY_H

#include <mex.h>
#include <stiction.h>

/* A command gets its arguments without its name. */
typedef void (*command_fn)(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[]);
typedef struct command {
  const char *name;
  int nrhs; /* exactly */
  command_fn run;
} command;

extern const command array_commands[];
extern const command motion_commands[];
extern const command builder_commands[];
extern const command report_commands[];
extern const command passive_commands[];
extern const command question_commands[];

/* Raises stiction:Value and its like with the library's text; passes everything that is no failure.
 */
void check(stn_status status);
/* Raises stiction:Argument. */
void refuse(const char *what, const char *must);

/* Numbers of an array, which must be real, full and double; n < 0: any number of them. NULL for [].
 */
const double *doubles(const mxArray *a, ptrdiff_t n, const char *what);
/* The same where [] is not allowed unless n is 0. */
const double *required(const mxArray *a, ptrdiff_t n, const char *what);
double scalar(const mxArray *a, const char *what);
int32_t integer(const mxArray *a, const char *what);
mxArray *column(size_t n);
mxArray *number(double x);
/* Keys of contacts may be too large for a double: then they are int64 on both sides. */
int64_t key_of(const mxArray *a);
mxArray *key_number(int64_t key);

/* Members of a struct of the library by name. */
typedef struct member {
  const char *name;
  size_t offset;
  enum { INT32, INT64, DOUBLE } type;
} member;
/* Sets the members that the fields of a MATLAB struct name; unknown fields are refused. */
void set_members(void *target, const member *members, const mxArray *values);
mxArray *get_members(const void *source, const member *members);

/* Handles live in a table; a number that does not name a living one of its kind is refused. */
typedef enum kind { NONE = 0, MODEL, STEPPER, BUILDER } kind;
typedef struct entry {
  kind kind;
  unsigned generation;
  void *handle;
  struct system *system; /* functions of a model or of the model of a stepper; NULL for bodies */
  int32_t nq, nv;
} entry;
mxArray *keep(kind kind, void *handle, struct system *system, int32_t nq, int32_t nv);
entry *entry_of(const mxArray *id, kind kind);
void give_up(entry *e);

/* The functions of a model during a call: a struct of function handles that the caller holds. A
 * builder has one system for all its functions of time, which lives as long as one of them. */
struct system {
  int32_t nq, nv, n_joint, n_contact, n_dir, n_brake, n_element;
  int32_t bodies;  /* 1 when it belongs to a builder */
  int32_t signals; /* functions of time given so far */
  int32_t owners;
  const mxArray *functions;
};
/* A system with one owner; raises an error when there is no room. */
struct system *new_system(void);
/* Gives up one owner; called by the library too. */
void release_system(void *user);
/* Fills the table for the functions that the struct has; `user` is then a struct system. */
void set_functions(stn_model_fns *fns, const mxArray *functions);
/* Functions of time of a builder: `user` is a struct signal. */
struct signal;
struct signal *new_signal(struct system *owner);
void release_signal(void *user);
double call_signal(double t, void *user);
void call_vector_signal(double t, double *value, void *user);

/* Lends the functions for one call, and takes them back; a function that uses another stepper of
 * the same model finds its own again. */
const mxArray *lend(const entry *e, const mxArray *functions);
stn_status take_back(const entry *e, const mxArray *before, stn_status st);
#define WITH_FUNCTIONS(e, functions, call_)                                                        \
  do {                                                                                             \
    const mxArray *before_ = lend(e, functions);                                                   \
    st = take_back(e, before_, call_);                                                             \
  } while (0)

/* Sizes of a model as eight numbers: nq nv n_joint n_contact n_dir n_brake n_element max_contacts;
 * the last is no part of the dims. */
stn_dims dims_of(const mxArray *sizes);

/* Sets an output that was asked for; the first always is. */
#define OUT(i, value)                                                                              \
  do {                                                                                             \
    if ((i) < nlhs || (i) == 0)                                                                    \
      plhs[i] = (value);                                                                           \
  } while (0)

#endif
