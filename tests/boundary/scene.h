/* Small mechanical systems that the programs of this folder step, and what can go wrong with them.
 */
#ifndef STICTION_SCENE_H
#define STICTION_SCENE_H

#include <math.h>
#include <stddef.h>
#include <stiction.h>
#include <string.h>

/* What a scene does at a call of its functions, counted from 1 over all of them. */
typedef enum Trouble {
  NO_TROUBLE,
  REFUSE,    /* returns +1 */
  STOP,      /* returns -1 */
  SPOIL,     /* writes a NaN */
  SINGULAR,  /* the mass is singular */
  CALL_BACK, /* uses its own stepper */
  HOLD       /* waits for another thread */
} Trouble;

typedef enum Asked { ANY, MASS, FORCE, GAP, TANGENT, JACOBIAN, RATE, JOINT } Asked;

typedef struct Scene {
  Trouble trouble;
  Asked at;                 /* which function makes it */
  long from, calls;         /* from which call on, calls of that function so far */
  int released;             /* calls of release */
  double push;              /* along the ground, N */
  stn_stepper *s;           /* for CALL_BACK */
  void (*act)(void *scene); /* what CALL_BACK and HOLD do */
} Scene;

/* Counts a call; 0 when all is well, else what to return. Spoils x[0] when it should. */
static int trouble(Scene *scene, Asked who, double *x) {
  if (!scene || (scene->at != ANY && scene->at != who))
    return 0;
  if (++scene->calls < scene->from || scene->trouble == NO_TROUBLE)
    return 0;
  switch (scene->trouble) {
  case REFUSE:
    return 1;
  case STOP:
    return -1;
  case SPOIL:
    x[0] = NAN;
    return 0;
  case SINGULAR:
    if (who == MASS)
      x[0] = 0.0;
    return 0;
  default:
    scene->act(scene);
    return 0;
  }
}

/* A block of 1 kg on rough ground that may bounce: q = (x, y). */
static int block_mass(double t, const double *q, double *mass, void *user) {
  (void)t, (void)q;
  mass[0] = mass[3] = 1.0;
  return trouble((Scene *)user, MASS, mass);
}

static int block_force(double t, const double *q, const double *v, double *force, void *user) {
  (void)t, (void)q, (void)v;
  force[0] = user ? ((Scene *)user)->push : 0.0;
  force[1] = -10.0;
  return trouble((Scene *)user, FORCE, force);
}

static inline int block_force_jac(double t, const double *q, const double *v, double *dfdq,
                                  double *dfdv, void *user) {
  (void)t, (void)q, (void)v, (void)dfdv;
  return trouble((Scene *)user, JACOBIAN, dfdq);
}

static inline int block_rate(double t, const double *q, const double *v, double *qdot, void *user) {
  (void)t, (void)q;
  qdot[0] = v[0], qdot[1] = v[1];
  return trouble((Scene *)user, RATE, qdot);
}

static inline int block_joint(double t, const double *q, double *phi, double *jt, void *user) {
  (void)t;
  phi[0] = q[0];
  jt[0] = 1.0;
  return trouble((Scene *)user, JOINT, phi);
}

static int block_gap(double t, const double *q, double *gap, double *normal, void *user) {
  (void)t;
  gap[0] = q[1];
  normal[1] = 1.0;
  return trouble((Scene *)user, GAP, gap);
}

static int block_tangent(double t, const double *q, double *tangent, void *user) {
  (void)t, (void)q;
  tangent[0] = 1.0, tangent[2] = -1.0;
  return trouble((Scene *)user, TANGENT, tangent);
}

static inline void block_release(void *user) { ((Scene *)user)->released++; }

static stn_dims no_dims(void) {
  stn_dims dims;
  memset(&dims, 0, sizeof dims);
  dims.struct_size = sizeof dims;
  return dims;
}

static stn_model_fns no_fns(void) {
  stn_model_fns fns;
  memset(&fns, 0, sizeof fns);
  fns.struct_size = sizeof fns;
  return fns;
}

static stn_dims block_dims(void) {
  stn_dims dims = no_dims();
  dims.nq = dims.nv = dims.n_dir = 2;
  dims.n_contact = 1;
  return dims;
}

static stn_model_fns block_fns(const Scene *scene) {
  stn_model_fns fns = no_fns();
  fns.mass = block_mass, fns.force = block_force;
  fns.gap = block_gap, fns.tangent = block_tangent;
  if (scene)
    fns.release = block_release;
  return fns;
}

static const double block_mu = 0.5, block_e = 0.5;

/* A model of the block, or NULL. */
static stn_model *block_model(Scene *scene) {
  const stn_dims dims = block_dims();
  const stn_model_fns fns = block_fns(scene);
  stn_model *model = NULL;
  return stn_model_create(&dims, &fns, &block_mu, &block_e, scene, &model) == STN_OK ? model : NULL;
}

/* A stepper for the block at t = 0, alone owner of its model, or NULL. */
static inline stn_stepper *block_stepper(Scene *scene) {
  stn_model *model = block_model(scene);
  stn_stepper *s = NULL;
  const stn_status st = stn_stepper_create(model, NULL, &s);
  stn_model_destroy(model);
  if (scene)
    scene->s = s;
  return st == STN_OK ? s : NULL;
}

#endif
