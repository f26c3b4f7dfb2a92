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
 * How the basis is represented along the path.
 */
typedef enum stn_lcp_engine {
  /**
   * By size, as measured. In a report: no path was needed.
   */
  STN_LCP_ENGINE_AUTO = 0,
  /**
   * A dense tableau; problems too large for it use the factored basis all the same.
   */
  STN_LCP_ENGINE_TABLEAU = 1,
  /**
   * An inverse of the kernel of the basis, updated and refined.
   */
  STN_LCP_ENGINE_FACTORED = 2,
} stn_lcp_engine;

/**
 * What the solvability theorem for contact problems asks for beyond finite data, a definite mass and mu >= 0, which are
 * checked for every problem.
 */
typedef enum stn_hypothesis {
  /**
   * A bare matrix: nothing is known about where it comes from.
   */
  STN_HYPOTHESIS_UNKNOWN = 1,
  /**
   * Constraint rows are the directions of the impulses.
   */
  STN_HYPOTHESIS_ROWS = 2,
  /**
   * Joint rows have no offset.
   */
  STN_HYPOTHESIS_JOINTS = 4,
  /**
   * Friction rows have no offset.
   */
  STN_HYPOTHESIS_SLIP = 8,
  /**
   * No contact is asked to separate, as Newton's law does.
   */
  STN_HYPOTHESIS_NORMALS = 16,
} stn_hypothesis;

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
   * Upper bound of the unit-free residual of the answer, see stn_lcp_residual; at most the tolerance.
   */
  double residual;
  /**
   * Inverses made from scratch.
   */
  int32_t refactorizations;
  /**
   * Attempts made: 1 when the first path answered, 0 when none was needed or the remembered basis led there.
   */
  int32_t attempts;
  /**
   * The stn_lcp_engine that found the answer.
   */
  int32_t engine;
  /**
   * Hypotheses of the solvability theorem that do not hold, as bits of stn_hypothesis; 0: a solution is guaranteed.
   * STN_HYPOTHESIS_UNKNOWN for problems that come as bare matrices.
   */
  int32_t uncovered;
  /**
   * Largest rate of a basic variable on the path, where the scaled data are of order one.
   */
  double growth;
} stn_lcp_info;

/**
 * Choices for a workspace; fill with stn_lcp_options_init, then change what you mean to.
 */
typedef struct stn_lcp_options {
  /**
   * sizeof(stn_lcp_options), set by the caller.
   */
  size_t struct_size;
  /**
   * Pivots of one solve, recoveries included; 0: a limit that grows with the problem.
   */
  int32_t max_pivots;
  /**
   * A stn_lcp_engine.
   */
  int32_t engine;
  /**
   * 1: start from the basis of the last solution when the size is the same; 0: always afresh.
   */
  int32_t warm;
  /**
   * 0.
   */
  int32_t reserved0;
  /**
   * Unit-free residual up to which an answer counts as a solution, > 0; 1e-9.
   */
  double tolerance;
} stn_lcp_options;

/**
 * Told how a solve goes on: pivots so far, and the artificial variable, which is 0 at the end but does not fall all the way.
 * Returns 0 to go on, anything else to stop. Must not call the library with the same handle, throw or longjmp.
 */
typedef int (*stn_progress_fn)(int64_t pivots, double artificial, void *user);

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
 * Fills options with their defaults and sets struct_size.
 *
 * @param opt  receives the defaults; Nullable: no
 * @param struct_size  sizeof(stn_lcp_options) of the caller
 * @return STN_OK, STN_ERR_NULL, STN_ERR_ABI, STN_ERR_VALUE (misaligned)
 * @note Thread class: any. Since 0.1.
 */
STN_API enum stn_status stn_lcp_options_init(struct stn_lcp_options *opt, size_t struct_size);

/**
 * Changes the choices for the solves to come on this workspace.
 *
 * @param lcp  workspace; Nullable: no
 * @param opt  options; Nullable: yes, for the defaults
 * @return STN_OK; STN_ERR_NULL, STN_ERR_DIMENSION (negative max_pivots), STN_ERR_VALUE (unknown engine, tolerance <= 0),
 * STN_ERR_NONFINITE, STN_ERR_ABI, STN_ERR_BUSY, STN_ERR_POISONED. The choices stay as they were on failure
 * @note Thread class: exclusive. Since 0.1.
 */
STN_API
enum stn_status stn_lcp_set_options(struct stn_lcp *lcp,
                                    const struct stn_lcp_options *opt);

/**
 * Sets the function that stn_lcp_solve calls about every 64 pivots, on the thread that solves. A solve it stops returns
 * STN_ERR_CALLBACK and leaves its outputs untouched.
 *
 * @param lcp  workspace; Nullable: no
 * @param progress  the function; Nullable: yes, for none
 * @param user  handed to the function; must live as long as it is set; Nullable: yes
 * @return STN_OK; STN_ERR_NULL, STN_ERR_BUSY, STN_ERR_POISONED
 * @note Thread class: exclusive. Since 0.1.
 */
STN_API
enum stn_status stn_lcp_set_progress(struct stn_lcp *lcp,
                                     stn_progress_fn progress,
                                     void *user);

/**
 * As stn_lcp_solve for a changed q only: m must hold the matrix of the last call on this workspace. Its scales and the inverse of
 * the last basis are used again, and M is not examined, which makes sequences of related problems many times cheaper.
 *
 * @param lcp  workspace; Nullable: no
 * @param n  number of unknowns, as in the last call
 * @param m  the matrix of the last call, unchanged; Nullable: only if n = 0
 * @param ldm  distance between columns in numbers, >= n
 * @param q  n numbers; Nullable: only if n = 0
 * @param z  receives n numbers >= 0; Nullable: only if n = 0
 * @param w  receives M z + q; Nullable: yes
 * @param info  receives the report; Nullable: yes
 * @return as stn_lcp_solve
 * @note Thread class: exclusive. Since 0.1.
 */
STN_API
enum stn_status stn_lcp_solve_again(struct stn_lcp *lcp,
                                    int32_t n,
                                    const double *m,
                                    int32_t ldm,
                                    const double *q,
                                    double *z,
                                    double *w,
                                    struct stn_lcp_info *info);

/**
 * Reads the basis of the last solution as the keys of the unknowns that may be positive, ascending. Keys are the caller's names
 * for unknowns, so that a basis can be carried over when contacts come and go.
 *
 * @param lcp  workspace; Nullable: no
 * @param n  number of unknowns of the last solution
 * @param keys  n keys, all different, in the order of the unknowns; Nullable: only if n = 0
 * @param basis  receives up to cap keys; Nullable: only if cap = 0, to ask for the number
 * @param cap  room in basis, n is always enough
 * @param needed  receives the number of keys, also when cap is too small; Nullable: no
 * @return STN_OK; STN_ERR_CAPACITY when cap is too small; STN_ERR_DIMENSION when n is not the size of the last solution, or
 * there is none; STN_ERR_NULL, STN_ERR_VALUE (overlap), STN_ERR_MEMORY, STN_ERR_BUSY, STN_ERR_POISONED
 * @note Thread class: shared. Since 0.1.
 */
STN_API
enum stn_status stn_lcp_get_basis(const struct stn_lcp *lcp,
                                  int32_t n,
                                  const int64_t *keys,
                                  int64_t *basis,
                                  int32_t cap,
                                  int32_t *needed);

/**
 * Starts the next solve of n unknowns from a basis: the unknowns whose keys are in it may be positive. Keys it does not know
 * start at zero; keys in it that no unknown has are passed over.
 *
 * @param lcp  workspace; Nullable: no
 * @param n  number of unknowns of the next solve, <= n_max
 * @param keys  n keys, all different, in the order of the unknowns; Nullable: only if n = 0
 * @param basis  n_basis keys; Nullable: only if n_basis = 0
 * @param n_basis  number of keys in basis
 * @return STN_OK; STN_ERR_NULL, STN_ERR_DIMENSION, STN_ERR_CAPACITY, STN_ERR_MEMORY, STN_ERR_BUSY, STN_ERR_POISONED
 * @note Thread class: exclusive. Since 0.1.
 */
STN_API
enum stn_status stn_lcp_set_basis(struct stn_lcp *lcp,
                                  int32_t n,
                                  const int64_t *keys,
                                  const int64_t *basis,
                                  int32_t n_basis);

/**
 * Reads the ray on which the last solve failed with STN_ERR_LCP_RAY: z + t z^h, w + t w^h stay almost complementary for every t >= 0.
 * The unknowns with z^h > 0 are those that make the trouble.
 *
 * @param lcp  workspace; Nullable: no
 * @param n  number of unknowns of the failed problem
 * @param z  receives n numbers >= 0, z^h; Nullable: yes
 * @param w  receives n numbers >= 0, w^h; Nullable: yes
 * @param infeasible  receives 1 when the ray proves that no z >= 0 has M z + q >= 0, else 0; Nullable: yes
 * @return STN_OK; STN_ERR_DIMENSION when n is not the size of the failed problem, or the last solve did not fail on a ray;
 * STN_ERR_NULL, STN_ERR_VALUE (overlap), STN_ERR_BUSY, STN_ERR_POISONED
 * @note Thread class: shared. Since 0.1.
 */
STN_API
enum stn_status stn_lcp_get_ray(const struct stn_lcp *lcp,
                                int32_t n,
                                double *z,
                                double *w,
                                int32_t *infeasible);

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
