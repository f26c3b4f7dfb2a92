/* Stiction: motion of bodies that touch, by linear complementarity.
 *
 * Generated from the Rust sources by cbindgen; do not edit. MIT OR Apache-2.0.
 *
 * Arrays: matrices are column-major, directions are columns of length nv. Units are SI. Counts are int32_t.
 * Results: every call that can fail returns a stn_status; on failure outputs are untouched (a handle output becomes
 * NULL) and stn_last_error has the reason. Outputs must not overlap inputs or each other.
 * NULL: a pointer may be NULL only where its comment says so, or when its length is zero.
 * Structs: set struct_size to the size of your struct; the library reads and writes no further.
 * Threads: "any" calls may overlap freely. Different handles are independent. An "exclusive" call on a handle that
 * is in use returns STN_ERR_BUSY. After STN_ERR_PANIC a handle only accepts destroy. */


#ifndef STICTION_H
#define STICTION_H

#include <stddef.h>
#include <stdint.h>

#define STN_VERSION_MAJOR 0
#define STN_VERSION_MINOR 1
#define STN_VERSION_PATCH 0
#define STN_VERSION_NUMBER 1000
#define STN_VERSION_STRING "0.1.0"
#define STN_ABI_VERSION 1

/* On Windows define STN_SHARED to link the DLL; the CMake target stiction::shared does. */
#ifndef STN_API
#if defined(_WIN32) && defined(STN_SHARED)
#define STN_API __declspec(dllimport)
#else
#define STN_API
#endif
#endif

/**
 * What a call returns: 0 done, > 0 soft outcome (state valid), < 0 failure (nothing changed).
 */
typedef enum stn_status {
  /**
   * Done.
   */
  STN_OK = 0,
  /**
   * Advanced, and something happened: read the events.
   */
  STN_EVENT = 1,
  /**
   * A callback refused a point; state unchanged, try a shorter step.
   */
  STN_REJECTED = 2,
  /**
   * A pointer is NULL that must not be.
   */
  STN_ERR_NULL = -1,
  /**
   * A count is negative or an array has the wrong size.
   */
  STN_ERR_DIMENSION = -2,
  /**
   * A value is outside its range, an enum value is unknown, arrays overlap or are misaligned.
   */
  STN_ERR_VALUE = -3,
  /**
   * A number is NaN or infinite.
   */
  STN_ERR_NONFINITE = -4,
  /**
   * A struct_size is smaller than one size_t, or data come from another version.
   */
  STN_ERR_ABI = -5,
  /**
   * The problem is larger than the workspace, or a buffer is too small.
   */
  STN_ERR_CAPACITY = -6,
  /**
   * The handle is in use by another thread or by the caller of this callback.
   */
  STN_ERR_BUSY = -7,
  /**
   * A callback returned a negative number.
   */
  STN_ERR_CALLBACK = -20,
  /**
   * Lemke's method ended on a ray: no solution was found.
   */
  STN_ERR_LCP_RAY = -40,
  /**
   * The pivot limit was reached.
   */
  STN_ERR_LCP_PIVOTS = -41,
  /**
   * A matrix is not positive definite, or equations contradict each other.
   */
  STN_ERR_SINGULAR = -42,
  /**
   * An answer was found but failed the independent check.
   */
  STN_ERR_RESIDUAL = -43,
  /**
   * The step size fell below its limit.
   */
  STN_ERR_STEP_TOO_SMALL = -44,
  /**
   * Storage could not be had.
   */
  STN_ERR_MEMORY = -90,
  /**
   * A defect in the library; the handle is poisoned.
   */
  STN_ERR_PANIC = -98,
  /**
   * The handle met a defect earlier; only destroy works.
   */
  STN_ERR_POISONED = -99,
} stn_status;

/**
 * How a contact gives back what it took; e is its restitution coefficient.
 */
typedef enum stn_impact_law {
  /**
   * Compression only: v_plus = v^c.
   */
  STN_IMPACT_PLASTIC = 0,
  /**
   * n'v+ >= max(0, -e n'v-); v_compression = v_plus.
   */
  STN_IMPACT_NEWTON = 1,
  /**
   * Compression, then decompression with e times the compression impulse. Can create energy with friction or
   * several contacts.
   */
  STN_IMPACT_POISSON = 2,
  /**
   * v+ = (1+e) v^c - e v-, e the smallest of the contacts with an impulse; v^c when some n'v+ would be negative;
   * never creates energy.
   */
  STN_IMPACT_REFLECTION = 3,
} stn_impact_law;

/**
 * Workspace for complementarity, contact and impact problems; remembers the last basis.
 */
typedef struct stn_lcp stn_lcp;

/**
 * What a solve reports besides its answer. Set struct_size before the call.
 */
typedef struct stn_lcp_info {
  /**
   * sizeof(stn_lcp_info), set by the caller.
   */
  size_t struct_size;
  /**
   * Pivots done, recoveries included.
   */
  int32_t pivots;
  /**
   * 1: the remembered basis solved it without a pivot.
   */
  int32_t warm;
  /**
   * Unit-free residual of the answer.
   */
  double residual;
} stn_lcp_info;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * The name of a status, for messages.
 *
 * @param status  any number
 * @return static text such as "STN_ERR_NULL"; "STN_UNKNOWN" for a number that is no status; never NULL
 * @note Thread class: any. Since 0.1.
 */
STN_API const char *stn_status_name(int32_t status);

/**
 * The text of the last failure on this thread, UTF-8, as snprintf writes it: at most cap - 1 bytes and a
 * NUL. Not cleared by success; empty before the first failure.
 *
 * @param buf  receives the text; Nullable: yes, with any cap
 * @param cap  size of buf in bytes; nothing is written when it is 0 or negative
 * @return length of the whole text without its NUL
 * @note Thread class: any; each thread has its own text. Since 0.1.
 */
STN_API int32_t stn_last_error(char *buf, int32_t cap);

/**
 * Version of the library at run time; compare with STN_VERSION_NUMBER of the header.
 *
 * @return 1000000*major + 1000*minor + patch
 * @note Thread class: any. Since 0.1.
 */
STN_API int32_t stn_version_number(void);

/**
 * Number of the binary interface at run time; a program works while it equals STN_ABI_VERSION of the
 * header it was compiled with.
 *
 * @return the number
 * @note Thread class: any. Since 0.1.
 */
STN_API int32_t stn_abi_version(void);

/**
 * Version of the library at run time as text, such as "0.1.0".
 *
 * @return static text, never NULL
 * @note Thread class: any. Since 0.1.
 */
STN_API const char *stn_version_string(void);

/**
 * Takes a workspace for problems of up to n_max unknowns. All storage is taken here; memory pages are
 * used only as problems need them.
 *
 * @param n_max  largest number of unknowns, >= 0
 * @param out  receives the handle, NULL on failure; Nullable: no
 * @return STN_OK, STN_ERR_NULL, STN_ERR_DIMENSION, STN_ERR_MEMORY
 * @note Thread class: any. Since 0.1.
 */
STN_API enum stn_status stn_lcp_create(int32_t n_max, struct stn_lcp **out);

/**
 * Frees a workspace. A workspace in use is left alone.
 *
 * @param lcp  workspace; Nullable: yes
 * @note Thread class: exclusive. Since 0.1.
 */
STN_API void stn_lcp_destroy(struct stn_lcp *lcp);

/**
 * Solves w = M z + q, 0 <= z, 0 <= w, z'w = 0. STN_OK only with stn_lcp_residual <= 1e-9.
 *
 * @param lcp  workspace; Nullable: no
 * @param n  number of unknowns, 0 <= n <= n_max of the workspace
 * @param m  M, column-major, n columns of n numbers, ldm apart; Nullable: only if n = 0
 * @param ldm  distance between columns in numbers, >= n
 * @param q  n numbers; Nullable: only if n = 0
 * @param z  receives n numbers >= 0; Nullable: only if n = 0
 * @param w  receives M z + q; Nullable: yes
 * @param info  receives the report; Nullable: yes
 * @return STN_OK; STN_ERR_NULL, STN_ERR_DIMENSION, STN_ERR_CAPACITY, STN_ERR_NONFINITE, STN_ERR_VALUE
 * (overlap), STN_ERR_ABI, STN_ERR_BUSY, STN_ERR_POISONED for the call; STN_ERR_LCP_RAY, STN_ERR_LCP_PIVOTS,
 * STN_ERR_RESIDUAL when no solution was found. Outputs are untouched on failure
 * @note Thread class: exclusive. Since 0.1.
 */
STN_API
enum stn_status stn_lcp_solve(struct stn_lcp *lcp,
                              int32_t n,
                              const double *m,
                              int32_t ldm,
                              const double *q,
                              double *z,
                              double *w,
                              struct stn_lcp_info *info);

/**
 * Solves the mixed problem: rows 0 .. n_free-1 of M x + q are zero and belong to free unknowns, the other
 * rows are w >= 0 and complementary to the other unknowns, which are >= 0. STN_OK only with a residual <= 1e-9,
 * in which equation rows enter as |r_i (M x + q)_i|.
 *
 * @param lcp  workspace; Nullable: no
 * @param n_free  number of equations and of free unknowns, >= 0
 * @param n_comp  number of complementary pairs, >= 0; n_free + n_comp <= n_max of the workspace
 * @param m  M, column-major, n_free + n_comp columns and rows; Nullable: only if there are none
 * @param ldm  distance between columns in numbers, >= n_free + n_comp
 * @param q  n_free + n_comp numbers; Nullable: only if there are none
 * @param x  receives n_free + n_comp numbers; Nullable: only if there are none
 * @param w  receives n_comp numbers; Nullable: yes
 * @param info  receives the report; Nullable: yes
 * @return as stn_lcp_solve, and STN_ERR_SINGULAR when the equations contradict each other
 * @note Thread class: exclusive. Since 0.1.
 */
STN_API
enum stn_status stn_mlcp_solve(struct stn_lcp *lcp,
                               int32_t n_free,
                               int32_t n_comp,
                               const double *m,
                               int32_t ldm,
                               const double *q,
                               double *x,
                               double *w,
                               struct stn_lcp_info *info);

/**
 * Judges a candidate z: the unit-free natural-map residual max_i |min(z_i / c_i, r_i w_i)| / max_i |r_i q_i| with
 * w = M z + q computed afresh (divisor 1 when q = 0). r, c: eight sweeps of r_i /= sqrt(max_j r_i |M_ij| c_j) over rows,
 * then the same over columns, empty ones left at 1; at the end each rounded to 2^round(log2).
 *
 * @param n  number of unknowns, >= 0
 * @param m  M, column-major; Nullable: only if n = 0
 * @param ldm  distance between columns in numbers, >= n
 * @param q  n numbers; Nullable: only if n = 0
 * @param z  n numbers; Nullable: only if n = 0
 * @param residual  receives the residual, 0 for n = 0; Nullable: no
 * @return STN_OK, STN_ERR_NULL, STN_ERR_DIMENSION, STN_ERR_NONFINITE, STN_ERR_VALUE (overlap), STN_ERR_MEMORY
 * @note Thread class: any. Since 0.1.
 */
STN_API
enum stn_status stn_lcp_residual(int32_t n,
                                 const double *m,
                                 int32_t ldm,
                                 const double *q,
                                 const double *z,
                                 double *residual);

/**
 * Solves one velocity-impulse problem: mass v - joint c_j - normal c_n - tangent beta = p, joint'v = 0, and per
 * contact 0 <= c_n, 0 <= normal'v, c_n normal'v = 0 with polygonal Coulomb friction: sum beta <= mu c_n, slip speed
 * max_j(d_j'v). Directions are columns of length nv. Redundant joints and contacts are fine.
 *
 * @param lcp  workspace with n_max >= max(nv + n_joint, n_contact * (n_dir + 2)); Nullable: no
 * @param nv  length of v, >= 0
 * @param n_joint  number of joint equations, >= 0
 * @param n_contact  number of contacts, >= 0
 * @param n_dir  friction directions per contact, even, 0 for no friction
 * @param mass  nv by nv, column-major, kg; may be unsymmetric, its symmetric part positive definite; Nullable: only if nv = 0
 * @param joint  nv by n_joint; Nullable: only if empty
 * @param normal  nv by n_contact; Nullable: only if empty
 * @param tangent  nv by n_contact*n_dir, grouped by contact, in angular order, column k + n_dir/2 = - column k
 * (checked to 1e-12); Nullable: only if empty
 * @param mu  n_contact friction coefficients >= 0; Nullable: only if n_dir = 0 or n_contact = 0
 * @param p  nv numbers, momentum without constraints, kg m/s; Nullable: only if nv = 0
 * @param v  receives nv numbers, m/s; Nullable: only if nv = 0
 * @param joint_impulse  receives n_joint numbers, N s; Nullable: yes
 * @param normal_impulse  receives n_contact numbers >= 0, N s; Nullable: yes
 * @param friction_impulse  receives n_contact*n_dir numbers >= 0, N s; Nullable: yes
 * @param info  receives the report; Nullable: yes
 * @return STN_OK; STN_ERR_NULL, STN_ERR_DIMENSION, STN_ERR_CAPACITY, STN_ERR_NONFINITE, STN_ERR_VALUE (mu < 0, odd n_dir,
 * directions not opposite, overlap), STN_ERR_ABI, STN_ERR_BUSY, STN_ERR_POISONED for the call; STN_ERR_SINGULAR for a mass that
 * is not positive definite; STN_ERR_LCP_RAY, STN_ERR_LCP_PIVOTS, STN_ERR_RESIDUAL when no solution was found. Outputs are
 * untouched on failure
 * @note Thread class: exclusive. Since 0.1.
 */
STN_API
enum stn_status stn_contact_solve(struct stn_lcp *lcp,
                                  int32_t nv,
                                  int32_t n_joint,
                                  int32_t n_contact,
                                  int32_t n_dir,
                                  const double *mass,
                                  const double *joint,
                                  const double *normal,
                                  const double *tangent,
                                  const double *mu,
                                  const double *p,
                                  double *v,
                                  double *joint_impulse,
                                  double *normal_impulse,
                                  double *friction_impulse,
                                  struct stn_lcp_info *info);

/**
 * Resolves an impact: the velocity jump from v_minus to v_plus when the given contacts, all that touch, respond.
 * Impulses are totals: mass (v_plus - v_minus) = joint c_j + normal c_n + tangent beta. Joints are kept.
 *
 * @param lcp  workspace with n_max >= max(nv + n_joint, n_contact * (n_dir + 2)); Nullable: no
 * @param law  a stn_impact_law
 * @param nv  length of v_minus, >= 0
 * @param n_joint  number of joint equations, >= 0
 * @param n_contact  number of contacts, >= 0
 * @param n_dir  friction directions per contact, even, 0 for no friction
 * @param mass  nv by nv, column-major, kg, symmetric part positive definite; Nullable: only if nv = 0
 * @param joint  nv by n_joint; Nullable: only if empty
 * @param normal  nv by n_contact; Nullable: only if empty
 * @param tangent  nv by n_contact*n_dir as in stn_contact_solve; Nullable: only if empty
 * @param mu  n_contact friction coefficients >= 0; Nullable: only if n_dir = 0 or n_contact = 0
 * @param restitution  n_contact coefficients in [0, 1]; Nullable: only for STN_IMPACT_PLASTIC or n_contact = 0
 * @param v_minus  nv numbers, velocity before, m/s; Nullable: only if nv = 0
 * @param v_compression  receives nv numbers, velocity after compression; Nullable: yes
 * @param v_plus  receives nv numbers, velocity after the impact; Nullable: only if nv = 0
 * @param joint_impulse  receives n_joint numbers, N s; Nullable: yes
 * @param normal_impulse  receives n_contact numbers >= 0, N s; Nullable: yes
 * @param friction_impulse  receives n_contact*n_dir numbers >= 0, N s; Nullable: yes
 * @param info  receives the report over all phases; Nullable: yes
 * @return as stn_contact_solve, and STN_ERR_VALUE for an unknown law or restitution outside [0, 1]
 * @note Thread class: exclusive. Since 0.1.
 */
STN_API
enum stn_status stn_impact_solve(struct stn_lcp *lcp,
                                 int32_t law,
                                 int32_t nv,
                                 int32_t n_joint,
                                 int32_t n_contact,
                                 int32_t n_dir,
                                 const double *mass,
                                 const double *joint,
                                 const double *normal,
                                 const double *tangent,
                                 const double *mu,
                                 const double *restitution,
                                 const double *v_minus,
                                 double *v_compression,
                                 double *v_plus,
                                 double *joint_impulse,
                                 double *normal_impulse,
                                 double *friction_impulse,
                                 struct stn_lcp_info *info);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* STICTION_H */
