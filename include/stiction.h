/* Stiction: motion of bodies that touch, by linear complementarity.
 *
 * Generated from the Rust sources by cbindgen; do not edit. MIT OR Apache-2.0.
 *
 * Arrays: matrices are column-major, directions are columns of length nv. Units are SI. Counts are int32_t.
 * Results: every call that can fail returns a stn_status; on failure outputs are untouched (a handle output becomes
 * NULL) and stn_last_error has the reason. Outputs must not overlap inputs or each other.
 * NULL: a pointer may be NULL only where its comment says so, or when its length is zero.
 * Structs: set struct_size to the size of your struct; the library reads and writes no further.
 * Threads: different handles are independent. Thread class "any": may overlap with everything. "shared": may overlap with other
 * shared calls on the same handle. "exclusive": may not overlap with any call on the same handle. A call that would overlap
 * where it may not returns STN_ERR_BUSY instead. After STN_ERR_PANIC a handle only accepts destroy.
 * Floating point: on x86-64 the traps, rounding and flushing that the host has set neither matter nor change; functions of the host
 * are called with none trapped, to nearest. */


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
   * Only from stn_passive_step: answers are wanted before the step can go on; state unchanged.
   */
  STN_WANTED = 3,
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
   * A function of a model returned a negative number, or a progress function anything but 0.
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
   * stn_stepper_advance by tolerances has tried max_steps steps; it stands at the last that was taken.
   */
  STN_ERR_STEP_LIMIT = -45,
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
   * Compression, then decompression with e times the compression impulse. The restituted impulse
   * carries no friction. Can create energy with friction or several contacts: compare v'Mv
   * before and after.
   */
  STN_IMPACT_POISSON = 2,
  /**
   * v+ = (1+e) v^c - e v-, e the smallest of the contacts with an impulse; v^c when some n'v+
   * would be negative; never creates energy.
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
   * A tableau whose columns are made when they are needed; problems too large for it use the
   * factored basis all the same.
   */
  STN_LCP_ENGINE_TABLEAU = 1,
  /**
   * An inverse of the kernel of the basis, updated and refined.
   */
  STN_LCP_ENGINE_FACTORED = 2,
} stn_lcp_engine;

/**
 * What the solvability theorem for contact problems asks for beyond finite data, a definite mass
 * and mu >= 0, which are checked for every problem.
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
 * Methods. The comments name the papers: AP97, AP02 Anitescu and Potra; ST96 Stewart and Trinkle;
 * PAGT06 Potra, Anitescu, Gavrea and Trinkle; AC09 Acary. After the order: what is located inside
 * steps, and the law of impact, unless other options are set. Changing the method thus changes the law:
 * from TRAPEZOID to a Runge-Kutta method it is Newton's in place of Poisson's, which differ where
 * several contacts or friction take part; set impact_law to keep it. abs_tol and rel_tol work with
 * every method; with one of order 1 they cost many steps, 1e5 at a tolerance of 1e-4.
 */
typedef enum stn_method {
  /**
   * AP97. Order 1; collisions; Poisson.
   */
  STN_METHOD_EULER = 1,
  /**
   * ST96, position level, fixed-point NCP. Order 1; nothing; plastic, over two steps.
   */
  STN_METHOD_STEWART_TRINKLE = 2,
  /**
   * AP02, for stiff springs and dampers. Order 1; collisions; Poisson.
   */
  STN_METHOD_IMPLICIT_EULER = 3,
  /**
   * Mixed scheme: the default. Order 2; collisions, stick, slip, take-off; Poisson.
   */
  STN_METHOD_TRAPEZOID = 4,
  /**
   * PAGT06 (6.12). Order 2, 1 with constraints that turn; as TRAPEZOID.
   */
  STN_METHOD_TRAPEZOID_I = 5,
  /**
   * PAGT06 (6.10). Order 2; as TRAPEZOID. Mirrors speeds that it does not locate.
   */
  STN_METHOD_TRAPEZOID_II = 6,
  /**
   * AC09 (16); theta and gamma are its options. Order 1; nothing; Newton.
   */
  STN_METHOD_MOREAU = 7,
  /**
   * AC09 (22) to (24), for steps of any lengths. Velocities are those of the last displacement.
   * Order 1 through impacts, 2 between them; nothing; Newton, over two steps.
   */
  STN_METHOD_SCHATZMAN_PAOLI = 8,
  /**
   * AC09 algorithm 1 from here on: collisions, stick, slip, take-off; Newton. Order 2.
   */
  STN_METHOD_LOBATTO_IIIA_2 = 20,
  /**
   * Order 4.
   */
  STN_METHOD_LOBATTO_IIIA_4 = 21,
  /**
   * Order 6.
   */
  STN_METHOD_LOBATTO_IIIA_6 = 22,
  /**
   * Order 3.
   */
  STN_METHOD_RADAU_IIA_3 = 23,
  /**
   * Order 5.
   */
  STN_METHOD_RADAU_IIA_5 = 24,
  /**
   * Order 2.
   */
  STN_METHOD_HALF_EXPLICIT_2 = 25,
  /**
   * Order 4.
   */
  STN_METHOD_HALF_EXPLICIT_4 = 26,
} stn_method;

/**
 * What is located inside a step.
 */
typedef enum stn_event_level {
  /**
   * Time stepping only.
   */
  STN_EVENTS_NONE = 0,
  /**
   * Locate impacts, restart inside the step.
   */
  STN_EVENTS_COLLISIONS = 1,
  /**
   * Also stick, slip, take-off: the default.
   */
  STN_EVENTS_ALL = 2,
} stn_event_level;

/**
 * How problems with many contacts are solved. Every answer satisfies the conditions of all contacts.
 */
typedef enum stn_many_contacts {
  /**
   * In the space of bodies; contacts inside of flat patches are left out and looked at afterwards,
   * unless the patch spins: the default.
   */
  STN_MANY_SAFE = 0,
  /**
   * In the space of bodies, with all contacts.
   */
  STN_MANY_FULL = 1,
  /**
   * As SAFE, in spinning patches too: the corners then carry all friction torque.
   */
  STN_MANY_AGGRESSIVE = 2,
  /**
   * By Lemke's method alone, which is slow and whose success is a theorem.
   */
  STN_MANY_LEMKE = 3,
} stn_many_contacts;

/**
 * How drift is kept small. STN_BY_METHOD means, for events / impact law / stabilization: TRAPEZOID
 * all / Poisson / project; TRAPEZOID_I all / Poisson / positions only; TRAPEZOID_II all / Poisson
 * / project; EULER, IMPLICIT_EULER collisions / Poisson / none; STEWART_TRINKLE none / plastic /
 * its own position rows; MOREAU, SCHATZMAN_PAOLI none / Newton / none; Runge-Kutta all / Newton /
 * project.
 */
typedef enum stn_stabilization {
  /**
   * For method-dependent options: what suits the method.
   */
  STN_BY_METHOD = -1,
  /**
   * It is not.
   */
  STN_STABILIZE_NONE = 0,
  /**
   * Gap and drift terms in the right-hand side.
   */
  STN_STABILIZE_VELOCITY = 1,
  /**
   * Positions and velocities are projected.
   */
  STN_STABILIZE_PROJECT = 2,
} stn_stabilization;

/**
 * Kinds of events.
 */
typedef enum stn_event_kind {
  /**
   * A contact received an impulse; also for e = 0. Speeds n'v before (negative where it was hit, 0 for one
   * that only supports others, a little more for one that is about to leave when others hit it) and after, total normal impulse.
   */
  STN_EVENT_IMPACT = 1,
  /**
   * Slip ended, at a contact or a brake. Speeds max_j(d_j'v) >= 0.
   */
  STN_EVENT_STICK = 2,
  /**
   * Slip began. Speeds as for STN_EVENT_STICK.
   */
  STN_EVENT_SLIP = 3,
  /**
   * A closed contact opened. Speeds n'v.
   */
  STN_EVENT_TAKEOFF = 4,
  /**
   * Touched without an impact, or closed at the end of an accumulation. Speeds n'v.
   */
  STN_EVENT_CLOSE = 5,
  /**
   * An impact created energy and the fallback was used. Contact -1, kinetic energy before and
   * after.
   */
  STN_EVENT_ENERGY = 6,
} stn_event_kind;

/**
 * Arrays that a passive model is asked for, as bits of a mask. Matrices are column-major.
 */
typedef enum stn_want {
  /**
   * Mass matrix at (t, q), nv by nv.
   */
  STN_WANT_MASS = 1,
  /**
   * All forces but those of constraints at (t, q, v), nv numbers.
   */
  STN_WANT_FORCE = 2,
  /**
   * Derivative of the force by q at (t, q, v), nv by nq; always with STN_WANT_DFDV.
   */
  STN_WANT_DFDQ = 4,
  /**
   * Derivative of the force by v at (t, q, v), nv by nv.
   */
  STN_WANT_DFDV = 8,
  /**
   * The matrix B(t, q) of dq/dt = B v, nq by nv.
   */
  STN_WANT_RATE = 16,
  /**
   * Joint errors at (t, q), n_joint numbers; always with STN_WANT_JT.
   */
  STN_WANT_PHI = 32,
  /**
   * Joint directions at (t, q), nv by n_joint.
   */
  STN_WANT_JT = 64,
  /**
   * Gaps at (t, q), n_contact numbers; always with STN_WANT_NORMAL.
   */
  STN_WANT_GAP = 128,
  /**
   * Normals at (t, q), nv by n_contact.
   */
  STN_WANT_NORMAL = 256,
  /**
   * Friction directions at (t, q), nv by n_contact*n_dir, as stn_tangent_fn writes them.
   */
  STN_WANT_TANGENT = 512,
  /**
   * The position reached from q by the displacement that stands in the place of v, nq numbers.
   */
  STN_WANT_MOVED = 1024,
  /**
   * What velocity alone adds to accelerations of joints at (t, q, v), n_joint numbers, as
   * stn_accel_fn writes them; so the next two, which come with it.
   */
  STN_WANT_JOINT_ACCEL = 2048,
  /**
   * The same of gaps, n_contact numbers.
   */
  STN_WANT_NORMAL_ACCEL = 4096,
  /**
   * The same of slip, n_contact*n_dir numbers.
   */
  STN_WANT_TANGENT_ACCEL = 8192,
  /**
   * Largest forces of brakes at (t, q), n_brake numbers >= 0; always with STN_WANT_BRAKE.
   */
  STN_WANT_BRAKE_BOUND = 16384,
  /**
   * Directions of brakes at (t, q), nv by n_brake.
   */
  STN_WANT_BRAKE = 32768,
} stn_want;

/**
 * Over which time energies are summed.
 */
typedef enum stn_ledger_span {
  /**
   * The last step; of an advance the last one. All zero before the first step, and after the
   * state was set or restored.
   */
  STN_LEDGER_STEP = 0,
  /**
   * Since the state was set, or since creation; part of snapshots.
   */
  STN_LEDGER_SUM = 1,
} stn_ledger_span;

/**
 * What a contact does.
 */
typedef enum stn_contact_mode {
  /**
   * Not touching, or leaving.
   */
  STN_CONTACT_OPEN = 0,
  /**
   * Touching; nothing more is known yet: before the first step from a state that was set.
   */
  STN_CONTACT_TOUCH = 1,
  /**
   * Closed, not slipping.
   */
  STN_CONTACT_STICK = 2,
  /**
   * Closed and slipping; always so without friction.
   */
  STN_CONTACT_SLIP = 3,
} stn_contact_mode;

/**
 * The world, which does not move, where a body is asked for.
 */
typedef enum stn_ground {
  /**
   * The world in place of a body.
   */
  STN_GROUND = -1,
} stn_ground;

/**
 * How two bodies are joined. In the plane STN_JOINT_REVOLUTE about z, STN_JOINT_PRISMATIC and
 * STN_JOINT_FIXED exist, in space all. For a point mass, which has no orientation,
 * STN_JOINT_SPHERICAL (in the plane STN_JOINT_REVOLUTE) pins the point, STN_JOINT_PRISMATIC and
 * STN_JOINT_CYLINDRICAL make a bead on a straight wire.
 */
typedef enum stn_joint_kind {
  /**
   * One common point: 3 equations.
   */
  STN_JOINT_SPHERICAL = 1,
  /**
   * One common point and axis: 5 equations, in the plane 2.
   */
  STN_JOINT_REVOLUTE = 2,
  /**
   * One common point, an axis of each body at right angles to the other's: 4 equations.
   */
  STN_JOINT_UNIVERSAL = 3,
  /**
   * One common axis, along and about which the bodies move: 4 equations.
   */
  STN_JOINT_CYLINDRICAL = 4,
  /**
   * Straight motion along an axis without rotation: 5 equations, in the plane 2.
   */
  STN_JOINT_PRISMATIC = 5,
  /**
   * No relative motion: 6 equations, in the plane 3.
   */
  STN_JOINT_FIXED = 6,
} stn_joint_kind;

/**
 * A coordinate that a joint leaves free, of the second body relative to the first; zero at the
 * builder's pose.
 */
typedef enum stn_freedom {
  /**
   * Rotation about the axis, rad.
   */
  STN_FREEDOM_ANGLE = 1,
  /**
   * Motion along the axis, m.
   */
  STN_FREEDOM_SLIDE = 2,
} stn_freedom;

/**
 * Collects bodies and what acts between them, and makes models of it.
 */
typedef struct stn_builder stn_builder;

/**
 * Takes the contacts of one point. Serves during the call of a stn_contacts_fn that it was given
 * to, on the same thread.
 */
typedef struct stn_contact_sink stn_contact_sink;

/**
 * Workspace for complementarity, contact and impact problems; remembers the last basis.
 */
typedef struct stn_lcp stn_lcp;

/**
 * A mechanical system. Never changes; steppers keep it alive.
 */
typedef struct stn_model stn_model;

/**
 * State and workspace of one motion.
 */
typedef struct stn_stepper stn_stepper;

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
   * Upper bound of the unit-free residual of the answer, see stn_lcp_residual, up to the rounding
   * of M z + q, which is known to be below a tenth of the tolerance; at most the tolerance.
   */
  double residual;
  /**
   * Inverses made from scratch.
   */
  int32_t refactorizations;
  /**
   * Attempts made: 1 when the first path answered, 0 when none was needed or the remembered
   * basis led there.
   */
  int32_t attempts;
  /**
   * The stn_lcp_engine that found the answer.
   */
  int32_t engine;
  /**
   * Hypotheses of the solvability theorem that do not hold, as bits of stn_hypothesis; 0: a
   * solution is guaranteed. STN_HYPOTHESIS_UNKNOWN for problems that come as bare matrices.
   */
  int32_t uncovered;
  /**
   * Largest rate of a basic variable on the path, where the scaled data are of order one: above
   * 1e8 or so the problem is close to one without a unique answer.
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
   * Unit-free residual up to which an answer counts as a solution, > 0 and at most 1e-3; 1e-9.
   */
  double tolerance;
} stn_lcp_options;

/**
 * Told how a solve goes on: pivots so far, and the artificial variable, which is 0 at the end but
 * does not fall all the way. Returns 0 to go on, anything else to stop. Must not call the library
 * with the same handle, throw or longjmp.
 */
typedef int (*stn_progress_fn)(int64_t pivots, double artificial, void *user);

/**
 * Sizes of a model.
 */
typedef struct stn_dims {
  /**
   * sizeof(stn_dims), set by the caller.
   */
  size_t struct_size;
  /**
   * Coordinates of position.
   */
  int32_t nq;
  /**
   * Coordinates of velocity.
   */
  int32_t nv;
  /**
   * Joint equations.
   */
  int32_t n_joint;
  /**
   * Contacts, open or closed.
   */
  int32_t n_contact;
  /**
   * Friction directions per contact, even; 0 without friction.
   */
  int32_t n_dir;
  /**
   * 0.
   */
  int32_t reserved0;
  /**
   * Brakes: friction with bounds of its own, not tied to a normal force.
   */
  int32_t n_brake;
  /**
   * Elastic and damping elements, whose forces the library adds.
   */
  int32_t n_element;
} stn_dims;

/**
 * Mass matrix at (t, q): writes nv by nv numbers, column-major. Returns 0, > 0 to refuse the
 * point, < 0 to stop.
 */
typedef int (*stn_mass_fn)(double t, const double *q, double *mass, void *user);

/**
 * All forces but those of constraints at (t, q, v), with every Coriolis and gyroscopic term:
 * writes nv numbers. What it gives at the end of a step serves for the start of the next: an input
 * of the host that jumps between steps is felt over one step.
 */
typedef int (*stn_force_fn)(double t, const double *q, const double *v, double *force, void *user);

/**
 * Derivatives of the force at (t, q, v): writes dfdq, nv by nq, and dfdv, nv by nv, column-major.
 */
typedef int (*stn_force_jac_fn)(double t,
                                const double *q,
                                const double *v,
                                double *dfdq,
                                double *dfdv,
                                void *user);

/**
 * dq/dt at (t, q, v), linear in v: writes nq numbers.
 */
typedef int (*stn_rate_fn)(double t, const double *q, const double *v, double *qdot, void *user);

/**
 * Joint errors and directions at (t, q): writes phi, n_joint numbers, and jt, nv by n_joint,
 * column-major.
 */
typedef int (*stn_joint_fn)(double t, const double *q, double *phi, double *jt, void *user);

/**
 * Gaps, positive when open, and normals at (t, q): writes gap, n_contact numbers, and normal, nv
 * by n_contact.
 */
typedef int (*stn_gap_fn)(double t, const double *q, double *gap, double *normal, void *user);

/**
 * Friction directions at (t, q): writes tangent, nv by n_contact*n_dir, grouped by contact, in
 * angular order, column k + n_dir/2 = - column k.
 */
typedef int (*stn_tangent_fn)(double t, const double *q, double *tangent, void *user);

/**
 * Called once with user when the last owner of a model is gone.
 */
typedef void (*stn_release_fn)(void *user);

/**
 * Brakes, friction with bounds of its own, at (t, q): writes bound, n_brake numbers >= 0 (N, or N m
 * for a rotation), and direction, nv by n_brake. direction'v is the speed that the brake works
 * against, by a force between -bound and bound along direction.
 */
typedef int (*stn_brake_fn)(double t, const double *q, double *bound, double *direction, void *user);

/**
 * The position reached from (t, q) by the displacement d, a velocity times a time, on the
 * configuration manifold itself: writes nq numbers. Must agree with rate to second order in d.
 */
typedef int (*stn_displace_fn)(double t, const double *q, const double *d, double *moved, void *user);

/**
 * What velocity alone adds to accelerations at (t, q, v): the rates of change of jt'v + d phi/dt,
 * of normal'v + d gap/dt and of tangent'v along the motion with v constant. Writes joint, n_joint
 * numbers, normal, n_contact, and tangent, n_contact*n_dir.
 */
typedef int (*stn_accel_fn)(double t,
                            const double *q,
                            const double *v,
                            double *joint,
                            double *normal,
                            double *tangent,
                            void *user);

/**
 * Contacts that come and go at (t, q): pushes every one with a gap up to margin into sink, by
 * stn_contact_push, stn_contact_push_tangents or stn_contact_push_sparse, each at most once; may
 * push others. A contact keeps its key as long as it is the same for the host. The sink serves for
 * this call only. With more than a few bodies tell them in stn_model_fns, and push with the coordinates of the two that
 * touch alone.
 * The margin of a step is contact_margin + 6 h max|v| max(1, length_scale), the second part rounded up
 * to a power of two: it grows with speed and step, and max_contacts must hold for the largest. A speed in
 * rad/s counts as one in m/s: what turns at 40 rad/s is asked for within 2 m in steps of 5 ms. Be generous: memory is taken
 * as contacts come. STN_ERR_CAPACITY tells how many there were if all of them are pushed, also after one that did not fit. A
 * surface that the host moves itself is not in it; push more for that.
 * A contact that is no longer pushed where a part of a step starts is over, and if it was closed that
 * is a take-off event with its key; inside a part it keeps the gap and the directions it had at the
 * start. What is remembered for the next step (mode, start of the solvers) is lost with it, but not
 * that of the others.
 */
typedef int (*stn_contacts_fn)(double t,
                               const double *q,
                               double margin,
                               struct stn_contact_sink *sink,
                               void *user);

/**
 * Elastic and damping elements at (t, q): writes phi, n_element elongations from rest; gradient, nv by
 * n_element, with gradient'v the rate of phi; stiffness and damping, n_element numbers >= 0, which
 * must not change along a motion. The library adds -(stiffness phi + damping gradient'v) gradient to
 * force, which must not hold it; force_jac leaves it out too.
 */
typedef int (*stn_element_fn)(double t,
                              const double *q,
                              double *phi,
                              double *gradient,
                              double *stiffness,
                              double *damping,
                              void *user);

/**
 * The functions of a model. Output arrays are zeroed before each call, so only nonzeros need
 * writing. Return 0, > 0 to refuse the point (the step returns STN_REJECTED), < 0 to stop
 * (STN_ERR_CALLBACK). They run on the thread that called the library and must not call it with the
 * same handle, throw or longjmp.
 */
typedef struct stn_model_fns {
  /**
   * sizeof(stn_model_fns), set by the caller.
   */
  size_t struct_size;
  /**
   * Required; every other may be NULL.
   */
  stn_mass_fn mass;
  /**
   * NULL: no force.
   */
  stn_force_fn force;
  /**
   * NULL: by differences of force (option jacobian).
   */
  stn_force_jac_fn force_jac;
  /**
   * NULL: qdot = v, needs nq == nv; else q advances by the midpoint rule through it.
   */
  stn_rate_fn rate;
  /**
   * Required when n_joint > 0.
   */
  stn_joint_fn joint;
  /**
   * Required when n_contact > 0.
   */
  stn_gap_fn gap;
  /**
   * Required when n_contact > 0 and n_dir > 0.
   */
  stn_tangent_fn tangent;
  /**
   * NULL: nothing to release.
   */
  stn_release_fn release;
  /**
   * Required when n_brake > 0.
   */
  stn_brake_fn brake;
  /**
   * NULL: q moves by the midpoint rule through rate. With it unit quaternions stay units.
   */
  stn_displace_fn displace;
  /**
   * NULL: by differences of directions along the motion, in error by about 1e-10 v^2 per
   * length_scale.
   */
  stn_accel_fn accel;
  /**
   * NULL: no contacts that come and go; else max_contacts > 0.
   */
  stn_contacts_fn contacts;
  /**
   * The most contacts that come and go at one point, beside the n_contact with a gap; 0 for none.
   */
  int32_t max_contacts;
  /**
   * 0.
   */
  int32_t reserved0;
  /**
   * Required when n_element > 0.
   */
  stn_element_fn element;
  /**
   * First coordinate of velocity of each body, ascending from 0: what lies between two of them is one body. Where a model
   * is made of many that touch few others, problems with hundreds of contacts are answered body by body then.
   * n_body numbers; Nullable: only if n_body = 0.
   */
  const int32_t *body;
  /**
   * Bodies; 0 where nothing is told about them.
   */
  int32_t n_body;
  /**
   * 0.
   */
  int32_t reserved1;
} stn_model_fns;

/**
 * Choices for a stepper; fill with stn_stepper_options_init, then change what you mean to.
 */
typedef struct stn_stepper_options {
  /**
   * sizeof(stn_stepper_options), set by the caller.
   */
  size_t struct_size;
  /**
   * A stn_method; STN_METHOD_TRAPEZOID.
   */
  int32_t method;
  /**
   * A stn_event_level; STN_BY_METHOD.
   */
  int32_t events;
  /**
   * A stn_impact_law; STN_BY_METHOD.
   */
  int32_t impact_law;
  /**
   * A stn_stabilization; STN_BY_METHOD.
   */
  int32_t stabilization;
  /**
   * Per step, then plain stepping to its end; 0: 10 + 4 per contact that is there (n_contact, and
   * those that have come), Runge-Kutta 200 + 4 per contact. With 0, steps in which a pile of many contacts hands impacts
   * round are made without locating them; not so with Runge-Kutta methods, with tolerances, and where steps stop at events.
   */
  int32_t max_events;
  /**
   * Per complementarity problem; 0: automatic.
   */
  int32_t max_pivots;
  /**
   * 0 given, else differences; 1 given, else explicit; 2 positive definite part, that of elements
   * being stiffness and damping times gradient gradient'.
   */
  int32_t jacobian;
  /**
   * When an impact would create energy: STN_IMPACT_PLASTIC (default) or STN_IMPACT_REFLECTION.
   */
  int32_t energy_fallback;
  /**
   * Events kept per step or advance, later ones counted; 0: 1024.
   */
  int32_t event_capacity;
  /**
   * 0.
   */
  int32_t reserved0;
  /**
   * Of the scene, m; 0: 1.
   */
  double length_scale;
  /**
   * Gap up to which a contact touches, m; 0: 1e-9 length_scale, Runge-Kutta 1e-12 length_scale
   * after the first step.
   */
  double active_gap;
  /**
   * The same, per h^3; 0.
   */
  double active_gap_h3;
  /**
   * Below this approach speed, m/s, restitution counts as 0; 0: only the closing rule.
   */
  double restitution_speed;
  /**
   * A flight shorter than closing * h is closed; 0: 0.01, Runge-Kutta of order p: 0.01^(p/2).
   */
  double closing;
  /**
   * 0: 1e-9.
   */
  double lcp_tolerance;
  /**
   * MOREAU: the part of the new velocity in forces and displacement, 0 to 1, else STN_ERR_VALUE;
   * 0.5. 0 is explicit; every other is linearly implicit, one solve with derivatives of the force
   * and no iteration.
   */
  double theta;
  /**
   * MOREAU: a contact takes part when gap + gamma h rate is closed, 0 to 1, else STN_ERR_VALUE;
   * 0.5.
   */
  double gamma;
  /**
   * What each coordinate of q may err by at the end of stn_stepper_advance, in its unit, >= 0, for
   * every method; 0. abs_tol or rel_tol > 0: advance chooses the steps, h is its first try, and
   * stn_stepper_step takes its h as it is. Velocities are not measured; those of SCHATZMAN_PAOLI
   * belong to the middle of its last step and are wrong by half a step of acceleration. About 1e-11
   * of the scene's size can be reached by methods of order 2, 1e-14 by those of order 4 to 6; what
   * cannot ends with STN_ERR_STEP_TOO_SMALL, and always does where the tolerance is below the
   * rounding of q, 2e-15 |q|. Forces may jump and bumpers may begin to act: they are sampled five
   * times per step, and passed by steps that shrink to them. A pulse that begins and ends between two
   * samples is not seen: max_step. A force that turns round at every step, such as friction
   * written as one, ends with STN_ERR_STEP_TOO_SMALL. A start with joints apart by more than ten
   * tolerances, and 1e-6 length_scale, is STN_ERR_VALUE.
   */
  double abs_tol;
  /**
   * The same, times the size of the coordinate, which counts as 1e-3 length_scale at least; the
   * two are added. 0.
   */
  double rel_tol;
  /**
   * 1: stn_stepper_step and stn_stepper_advance end at the first event, resolved; 0: at their end.
   * With events NONE impacts are the only events, and lie at the end of the step that feels them:
   * STEWART_TRINKLE and SCHATZMAN_PAOLI feel them over two steps and report the second.
   */
  int32_t stop_at_event;
  /**
   * 0: two linearly implicit Euler sub-steps after an impact, or a start, that excites a stiff
   * damper, for the trapezoidal methods; 1: none.
   */
  int32_t damping_steps;
  /**
   * Least distance up to which contacts that come and go are asked for, m, beside the way of the
   * step, see stn_contacts_fn; 0: 0.01 length_scale.
   */
  double contact_margin;
  /**
   * A stn_many_contacts; STN_MANY_SAFE.
   */
  int32_t many_contacts;
  /**
   * 0.
   */
  int32_t reserved1;
  /**
   * Runge-Kutta of order p: the constant C of AC09's algorithm 1, s^-p; collisions are passed by a
   * step of C h^(p+1) of MOREAU, 1e-9 h at least. 0: they are located to rounding.
   */
  double critical;
  /**
   * By tolerances: the longest step, s, for forces with pulses shorter than the motion shows; 0: any.
   */
  double max_step;
  /**
   * By tolerances: steps that one stn_stepper_advance tries, those taken back counted, before it ends
   * with STN_ERR_STEP_LIMIT at the last that was taken; 0: any number.
   */
  int32_t max_steps;
  /**
   * Threads, the calling one among them, that share islands of contacts, each independent of the others, where there are
   * enough of 24 contacts and more; 0 or 1: the calling one alone. The motion is the same to the bit. Functions of the
   * model are called on the calling thread. Threads take memory in every step.
   */
  int32_t island_threads;
} stn_stepper_options;

/**
 * One event. Order: t, then contact, then kind. Modes found at the first step after set_state and
 * modes that follow an impact are not events. An event at t + h belongs to the step that ends
 * there.
 */
typedef struct stn_event {
  /**
   * sizeof(stn_event), set by the caller.
   */
  size_t struct_size;
  /**
   * A stn_event_kind.
   */
  int32_t kind;
  /**
   * Index of the contact, n_contact + i for brake i, -1 for none.
   */
  int32_t contact;
  /**
   * When, s.
   */
  double t;
  /**
   * Before, see stn_event_kind.
   */
  double speed_before;
  /**
   * After, see stn_event_kind.
   */
  double speed_after;
  /**
   * Total normal impulse of an impact, N s, else 0.
   */
  double impulse;
  /**
   * The host's key; the index for fixed gaps and for brakes, the number of the joint for its
   * friction.
   */
  int64_t key;
} stn_event;

/**
 * Counted since creation; a failed step counts only in rejected.
 */
typedef struct stn_stats {
  /**
   * sizeof(stn_stats), set by the caller.
   */
  size_t struct_size;
  /**
   * Steps completed.
   */
  int64_t steps;
  /**
   * Pieces they were made of.
   */
  int64_t substeps;
  /**
   * Steps that failed and left no other trace.
   */
  int64_t rejected;
  /**
   * Complementarity problems of steps and impacts.
   */
  int64_t lcp_solves;
  /**
   * Of all problems, those that the remembered basis solved.
   */
  int64_t warm_solves;
  /**
   * Pivots of all problems.
   */
  int64_t pivots;
  /**
   * Impacts resolved.
   */
  int64_t impacts;
  /**
   * Force evaluations.
   */
  int64_t force_evals;
  /**
   * Largest unit-free residual accepted.
   */
  double worst_residual;
  /**
   * The most negative gap at the end of a step, <= 0, m.
   */
  double worst_gap;
  /**
   * Largest joint error at the end of a step.
   */
  double worst_joint_drift;
  /**
   * Problems that checked forces or found modes.
   */
  int64_t check_solves;
  /**
   * Steps that fell back to scheme I, and pieces of Runge-Kutta methods left to complementarity.
   */
  int64_t scheme_fallbacks;
  /**
   * Steps of which a part was made without locating events: the cap was reached, they met a crowd, or modes and
   * complementarity did not agree.
   */
  int64_t capped_steps;
  /**
   * Events that did not fit.
   */
  int64_t events_lost;
  /**
   * Steps whose force derivatives were replaced by their definite part.
   */
  int64_t jacobian_fallbacks;
  /**
   * Iterations of the stage equations of Runge-Kutta methods.
   */
  int64_t stage_iterations;
  /**
   * Steps taken back because their error exceeded the tolerance.
   */
  int64_t tolerance_rejections;
  /**
   * Of lcp_solves and check_solves, those answered in the space of bodies; the others by Lemke's
   * method or a basis it remembers.
   */
  int64_t body_solves;
  /**
   * Steps that began where the one before began and were not computed again; only steps and substeps count on in them.
   */
  int64_t repeated_steps;
} stn_stats;

/**
 * Where kinetic energy came from and where it went, J: kinetic = external + drive - friction -
 * impact + stabilization + residue.
 */
typedef struct stn_ledger {
  /**
   * sizeof(stn_ledger), set by the caller.
   */
  size_t struct_size;
  /**
   * Change of the kinetic energy.
   */
  double kinetic;
  /**
   * Work of the forces of the model, Coriolis forces apart.
   */
  double external;
  /**
   * Work of joints and surfaces that move by themselves.
   */
  double drive;
  /**
   * Lost to friction between impacts: the sum of mu times slip speed times normal impulse.
   */
  double friction;
  /**
   * Lost in impacts and when flights are closed, friction in them included.
   */
  double impact;
  /**
   * Work of the means against drift.
   */
  double stabilization;
  /**
   * The rest: what the method gained or lost by itself.
   */
  double residue;
} stn_ledger;

/**
 * One contact at the present state, with its impulses over the last step, impacts in it included.
 */
typedef struct stn_contact_state {
  /**
   * sizeof(stn_contact_state), set by the caller.
   */
  size_t struct_size;
  /**
   * A stn_contact_mode.
   */
  int32_t mode;
  /**
   * 0.
   */
  int32_t reserved0;
  /**
   * The host's key; the index for fixed gaps of a model of functions. For built-in bodies see
   * stn_model_get_contact_pair.
   */
  int64_t key;
  /**
   * Gap, m, positive when open.
   */
  double gap;
  /**
   * Its rate, m/s.
   */
  double gap_rate;
  /**
   * Slip speed, m/s; max_j(d_j'v) where the directions form no regular polygon.
   */
  double slip_speed;
  /**
   * Normal impulse of the last step, N s.
   */
  double normal_impulse;
  /**
   * Size of the tangential impulse of the last step, N s, for directions that form a regular
   * polygon, fewer than n_dir of them too while the contact is there.
   */
  double tangential_impulse;
} stn_contact_state;

/**
 * A number at time t. Must not throw or longjmp.
 */
typedef double (*stn_signal_fn)(double t, void *user);

/**
 * A vector at time t: writes 3 numbers, world axes, which are zero before the call. Must not throw
 * or longjmp.
 */
typedef void (*stn_vector_signal_fn)(double t, double *value, void *user);

/**
 * How far a state is from being allowed. Zeros: it is.
 */
typedef struct stn_consistency {
  /**
   * sizeof(stn_consistency), set by the caller.
   */
  size_t struct_size;
  /**
   * Largest joint error |phi|.
   */
  double joint;
  /**
   * Largest joint speed |jt'v + d phi/dt|.
   */
  double joint_speed;
  /**
   * Deepest penetration -gap, m; 0 when all gaps are open.
   */
  double depth;
  /**
   * Which joint equation has the error, -1 when all are zero.
   */
  int32_t at_joint;
  /**
   * Which joint equation has the speed, -1 when all are zero.
   */
  int32_t at_joint_speed;
  /**
   * Which contact is deepest: -1 when all are open, -2 for one that comes and goes, whose key
   * says which.
   */
  int32_t at_depth;
  /**
   * 0.
   */
  int32_t reserved0;
  /**
   * Key of the deepest contact, -1 when all are open.
   */
  int64_t depth_key;
} stn_consistency;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * The name of a status, for messages.
 *
 * @param status  any number
 * @return static text such as "STN_ERR_NULL"; "STN_UNKNOWN" for a number that is no status; never
 * NULL
 * @note Thread class: any. Since 0.1.
 */
STN_API const char *stn_status_name(int32_t status);

/**
 * The text of the last failure on this thread, UTF-8, as snprintf writes it: at most cap - 1 bytes
 * and a NUL. Not cleared by success; empty before the first failure.
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
 * Number of the binary interface at run time; a program works while it equals STN_ABI_VERSION of
 * the header it was compiled with.
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
 * Takes a workspace for problems of up to n_max unknowns. All storage is taken here; memory pages
 * are used only as problems need them.
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
 * Solves w = M z + q, 0 <= z, 0 <= w, z'w = 0. STN_OK only with stn_lcp_residual <= the tolerance,
 * 1e-9 unless stn_lcp_set_options changed it. Starts from the basis of the last solution on this
 * workspace when the size is the same: related problems cost less, and where there are several
 * solutions the answer may depend on the calls before (option warm). The residual is relative to the
 * largest |r_i q_i|. Rows smaller than that are judged by their own terms too, but only down to 2e-16 of
 * it: beside an entry of 1e20 a row with terms below 2e4 is not seen; solve it apart or in other units.
 *
 * @param lcp  workspace; Nullable: no
 * @param n  number of unknowns, 0 <= n <= n_max of the workspace
 * @param m  M, column-major, n columns of n numbers, ldm apart; Nullable: only if n = 0
 * @param ldm  distance between columns in numbers, >= n
 * @param q  n numbers; Nullable: only if n = 0
 * @param z  receives n numbers >= 0; Nullable: only if n = 0
 * @param w  receives M z + q; Nullable: yes
 * @param info  receives the report; Nullable: yes
 * @return STN_OK; STN_ERR_NULL, STN_ERR_DIMENSION, STN_ERR_CAPACITY, STN_ERR_NONFINITE,
 * STN_ERR_VALUE (overlap), STN_ERR_ABI, STN_ERR_BUSY, STN_ERR_POISONED for the call;
 * STN_ERR_LCP_RAY, STN_ERR_LCP_PIVOTS, STN_ERR_RESIDUAL when no solution was found,
 * STN_ERR_CALLBACK when the progress function stopped it. Outputs are untouched on failure
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
 * Solves the mixed problem: rows 0 .. n_free-1 of M x + q are zero and belong to free unknowns,
 * the other rows are w >= 0 and complementary to the other unknowns, which are >= 0. STN_OK only
 * with a residual <= the tolerance, in which equation rows enter as |r_i (M x + q)_i|. The block of the
 * free unknowns may be singular: a monotone problem that has a solution is solved all the same, and
 * unknowns that nothing determines are zero.
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
 * Judges a candidate z: the unit-free natural-map residual max_i |min(z_i / c_i, r_i w_i)| / max_i
 * |r_i q_i| with w = M z + q computed afresh in twice the digits (divisor 1 when q = 0). r, c: eight sweeps of r_i /=
 * sqrt(max_j r_i |M_ij| c_j) over rows, then the same over columns, empty ones left at 1,
 * none above 2^1000; at the end each rounded to 2^round(log2).
 *
 * @param n  number of unknowns, >= 0
 * @param m  M, column-major; Nullable: only if n = 0
 * @param ldm  distance between columns in numbers, >= n
 * @param q  n numbers; Nullable: only if n = 0
 * @param z  n numbers; Nullable: only if n = 0
 * @param residual  receives the residual, 0 for n = 0; Nullable: no
 * @return STN_OK, STN_ERR_NULL, STN_ERR_DIMENSION, STN_ERR_NONFINITE, STN_ERR_VALUE (overlap),
 * STN_ERR_MEMORY
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
 * @return STN_OK; STN_ERR_NULL, STN_ERR_DIMENSION (negative max_pivots), STN_ERR_VALUE (unknown
 * engine, tolerance out of range), STN_ERR_NONFINITE, STN_ERR_ABI, STN_ERR_BUSY, STN_ERR_POISONED.
 * The choices stay as they were on failure
 * @note Thread class: exclusive. Since 0.1.
 */
STN_API enum stn_status stn_lcp_set_options(struct stn_lcp *lcp, const struct stn_lcp_options *opt);

/**
 * Sets the function that stn_lcp_solve, and only it, calls about every 64 pivots, on the thread
 * that solves. A solve it stops returns STN_ERR_CALLBACK and leaves its outputs untouched.
 *
 * @param lcp  workspace; Nullable: no
 * @param progress  the function; Nullable: yes, for none
 * @param user  handed to the function; must live as long as it is set; Nullable: yes
 * @return STN_OK; STN_ERR_NULL, STN_ERR_BUSY, STN_ERR_POISONED
 * @note Thread class: exclusive. Since 0.1.
 */
STN_API enum stn_status stn_lcp_set_progress(struct stn_lcp *lcp, stn_progress_fn progress, void *user);

/**
 * As stn_lcp_solve for a changed q only: m must hold the matrix of the last stn_lcp_solve or
 * stn_lcp_solve_again on this workspace. Its scales and the inverse of the last basis are used
 * again, and M is not examined, which makes sequences of related problems many times cheaper; the
 * first call after a cold stn_lcp_solve makes that inverse and may cost as much as two. With another
 * matrix the answer is still checked against it, but in the scales of the old one: STN_OK does not
 * promise a small stn_lcp_residual then. A first call, or one with another n, is a plain stn_lcp_solve. The
 * progress function is not called.
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
 * Reads the basis of the last solution, or the one set since by stn_lcp_set_basis, as the keys of the
 * unknowns that may be positive, ascending. Keys are the caller's names for unknowns, so that a basis can be carried over when
 * contacts come and go.
 *
 * @param lcp  workspace; Nullable: no
 * @param n  number of unknowns of the last solution; after stn_mlcp_solve of its complementary ones.
 * 0 is right before the first solution and after one of no unknowns: no keys are written then
 * @param keys  n keys, all different, in the order of the unknowns; not checked: a key that names two unknowns is
 * told as often as they are basic, and starts both when it is set. Nullable: only if n = 0
 * @param basis  receives up to cap keys; Nullable: only if cap = 0, to ask for the number
 * @param cap  room in basis, n is always enough
 * @param needed  receives the number of keys, also when cap is too small; Nullable: no
 * @return STN_OK; STN_ERR_CAPACITY when cap is too small and basis is not NULL; STN_ERR_DIMENSION when n is not the size
 * of the last solution, or there is none; STN_ERR_NULL, STN_ERR_VALUE (overlap), STN_ERR_MEMORY,
 * STN_ERR_BUSY, STN_ERR_POISONED
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
 * Starts the next solve of n unknowns from a basis: the unknowns whose keys are in it may be
 * positive. Keys it does not know start at zero; keys in it that no unknown has are passed over.
 *
 * @param lcp  workspace; Nullable: no
 * @param n  number of unknowns of the next solve, <= n_max; of stn_mlcp_solve the complementary ones
 * @param keys  n keys, all different, in the order of the unknowns; Nullable: only if n = 0
 * @param basis  n_basis keys; Nullable: only if n_basis = 0
 * @param n_basis  number of keys in basis
 * @return STN_OK; STN_ERR_NULL, STN_ERR_DIMENSION, STN_ERR_CAPACITY, STN_ERR_MEMORY, STN_ERR_BUSY,
 * STN_ERR_POISONED
 * @note Thread class: exclusive. Since 0.1.
 */
STN_API
enum stn_status stn_lcp_set_basis(struct stn_lcp *lcp,
                                  int32_t n,
                                  const int64_t *keys,
                                  const int64_t *basis,
                                  int32_t n_basis);

/**
 * Reads the ray on which the last solve failed with STN_ERR_LCP_RAY: z + t z^h, w + t w^h stay
 * almost complementary for every t >= 0. The unknowns with z^h > 0 are those that make the
 * trouble.
 *
 * @param lcp  workspace; Nullable: no
 * @param n  number of unknowns of the failed problem; after stn_mlcp_solve of its complementary ones
 * @param z  receives n numbers >= 0, z^h; Nullable: yes
 * @param w  receives n numbers >= 0, w^h; Nullable: yes
 * @param infeasible  receives 1 when the ray proves, up to rounding of the entries of M, that no
 * z >= 0 has M z + q >= 0, else 0; Nullable: yes
 * @return STN_OK; STN_ERR_DIMENSION when n is not the size of the failed problem, or the last
 * solve did not fail on a ray; STN_ERR_NULL, STN_ERR_VALUE (overlap), STN_ERR_BUSY,
 * STN_ERR_POISONED
 * @note Thread class: shared. Since 0.1.
 */
STN_API
enum stn_status stn_lcp_get_ray(const struct stn_lcp *lcp,
                                int32_t n,
                                double *z,
                                double *w,
                                int32_t *infeasible);

/**
 * Solves one velocity-impulse problem: mass v - joint c_j - normal c_n - tangent beta = p, joint'v
 * = 0, and per contact 0 <= c_n, 0 <= normal'v, c_n normal'v = 0 with polygonal Coulomb friction:
 * sum beta <= mu c_n, slip speed max_j(d_j'v). Directions are columns of length nv. Redundant
 * joints and contacts are fine.
 *
 * @param lcp  workspace with n_max >= max(nv + n_joint, n_contact * (n_dir + 2)); Nullable: no
 * @param nv  length of v, >= 0
 * @param n_joint  number of joint equations, >= 0
 * @param n_contact  number of contacts, >= 0
 * @param n_dir  friction directions per contact, even, 0 for no friction
 * @param mass  nv by nv, column-major, kg; may be unsymmetric, its symmetric part positive
 * definite; Nullable: only if nv = 0
 * @param joint  nv by n_joint; Nullable: only if empty
 * @param normal  nv by n_contact; Nullable: only if empty
 * @param tangent  nv by n_contact*n_dir, grouped by contact, in angular order, column k + n_dir/2
 * = - column k (checked to 1e-12); Nullable: only if empty
 * @param mu  n_contact friction coefficients >= 0; Nullable: only if n_dir = 0 or n_contact = 0
 * @param p  nv numbers, momentum without constraints, kg m/s; Nullable: only if nv = 0
 * @param v  receives nv numbers, m/s; Nullable: only if nv = 0
 * @param joint_impulse  receives n_joint numbers, N s; Nullable: yes
 * @param normal_impulse  receives n_contact numbers >= 0, N s; Nullable: yes
 * @param friction_impulse  receives n_contact*n_dir numbers >= 0, N s; Nullable: yes
 * @param info  receives the report; Nullable: yes
 * @return STN_OK; STN_ERR_NULL, STN_ERR_DIMENSION, STN_ERR_CAPACITY, STN_ERR_NONFINITE,
 * STN_ERR_VALUE (mu < 0, odd n_dir, directions not opposite, overlap), STN_ERR_ABI, STN_ERR_BUSY,
 * STN_ERR_POISONED for the call; STN_ERR_SINGULAR for a mass that is not positive definite;
 * STN_ERR_LCP_RAY, STN_ERR_LCP_PIVOTS, STN_ERR_RESIDUAL when no solution was found. Outputs are
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
 * Resolves an impact: the velocity jump from v_minus to v_plus when the given contacts, all that
 * touch, respond. Impulses are totals: mass (v_plus - v_minus) = joint c_j + normal c_n + tangent
 * beta. Joints are kept.
 *
 * @param lcp  workspace with n_max >= max(nv + n_joint, n_contact * (n_dir + 2)); Nullable: no
 * @param law  a stn_impact_law
 * @param nv  length of v_minus, >= 0
 * @param n_joint  number of joint equations, >= 0
 * @param n_contact  number of contacts, >= 0
 * @param n_dir  friction directions per contact, even, 0 for no friction
 * @param mass  nv by nv, column-major, kg, symmetric part positive definite; Nullable: only if nv
 * = 0
 * @param joint  nv by n_joint; Nullable: only if empty
 * @param normal  nv by n_contact; Nullable: only if empty
 * @param tangent  nv by n_contact*n_dir as in stn_contact_solve; Nullable: only if empty
 * @param mu  n_contact friction coefficients >= 0; Nullable: only if n_dir = 0 or n_contact = 0
 * @param restitution  n_contact coefficients in [0, 1]; Nullable: only for STN_IMPACT_PLASTIC or
 * n_contact = 0
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

/**
 * One step of the linearly implicit trapezoidal rule from (t, q, v) by h, without a model: the
 * host evaluates, the library solves. Second order with mass and directions at the midpoint (t +
 * h/2, q + h/2 v) and rows at (t + h, q + h v). Solves (mass - h/2 dfdv - h^2/4 dfdq)(v_plus - v)
 * = h/2 (force_start + force_end + h dfdq v) + impulses, joint_row'v_plus + joint_offset = 0, and
 * contact and friction as in stn_contact_solve with normal_row'v_plus + normal_offset >= 0. Then
 * q_plus = q + h/2 (v + v_plus). Rows on the mean velocity (scheme II): pass the rows at the
 * midpoint and row'v as offsets.
 *
 * @param lcp  workspace with n_max >= max(nv + n_joint, n_contact * (n_dir + 2)); Nullable: no
 * @param nv  length of v, >= 0
 * @param n_joint  number of joint equations, >= 0
 * @param n_contact  number of closed contacts, >= 0
 * @param n_dir  friction directions per contact, even, 0 for no friction
 * @param h  step length, s, finite and > 0
 * @param mass  nv by nv at (t + h/2, q + h/2 v); Nullable: only if nv = 0
 * @param force_start  nv numbers, force at (t, q, v); Nullable: only if nv = 0
 * @param force_end  nv numbers, force at (t + h, q, v); Nullable: only if nv = 0
 * @param dfdq  nv by nv, derivative of the force along displacements at (t + h, q, v);
 * Nullable: yes, for zero
 * @param dfdv  nv by nv, derivative of the force along velocities there; Nullable: yes, for zero
 * @param v  nv numbers, velocity at t; Nullable: only if nv = 0
 * @param joint  nv by n_joint, directions at the midpoint; Nullable: only if empty
 * @param normal  nv by n_contact, likewise; Nullable: only if empty
 * @param tangent  nv by n_contact*n_dir, likewise, as in stn_contact_solve; Nullable: only if
 * empty
 * @param joint_row  nv by n_joint, rows at (t + h, q + h v); Nullable: yes, for the directions
 * @param normal_row  nv by n_contact, likewise; Nullable: yes, for the directions
 * @param tangent_row  nv by n_contact*n_dir, likewise; Nullable: yes, for the directions
 * @param joint_offset  n_joint numbers, rate in time of moving joints, drift terms; Nullable: yes,
 * for zero
 * @param normal_offset  n_contact numbers, likewise; Nullable: yes, for zero
 * @param mu  n_contact friction coefficients >= 0; Nullable: only if n_dir = 0 or n_contact = 0
 * @param v_plus  receives nv numbers, velocity at t + h; Nullable: only if nv = 0
 * @param joint_impulse  receives n_joint numbers, N s; Nullable: yes
 * @param normal_impulse  receives n_contact numbers >= 0, N s; Nullable: yes
 * @param friction_impulse  receives n_contact*n_dir numbers >= 0, N s; Nullable: yes
 * @param info  receives the report; Nullable: yes
 * @return as stn_contact_solve; STN_ERR_VALUE for h <= 0; STN_ERR_SINGULAR also when the
 * derivatives outweigh the mass at this h
 * @note Thread class: exclusive. Since 0.1.
 */
STN_API
enum stn_status stn_trapezoid_solve(struct stn_lcp *lcp,
                                    int32_t nv,
                                    int32_t n_joint,
                                    int32_t n_contact,
                                    int32_t n_dir,
                                    double h,
                                    const double *mass,
                                    const double *force_start,
                                    const double *force_end,
                                    const double *dfdq,
                                    const double *dfdv,
                                    const double *v,
                                    const double *joint,
                                    const double *normal,
                                    const double *tangent,
                                    const double *joint_row,
                                    const double *normal_row,
                                    const double *tangent_row,
                                    const double *joint_offset,
                                    const double *normal_offset,
                                    const double *mu,
                                    double *v_plus,
                                    double *joint_impulse,
                                    double *normal_impulse,
                                    double *friction_impulse,
                                    struct stn_lcp_info *info);

/**
 * Pushes one contact, with dense columns. The library copies what it is given. A push that fails
 * makes the step fail with its status, whatever the host's function returns.
 *
 * @param sink  the sink of this call; Nullable: no
 * @param key  what the host knows the contact by, from call to call; two contacts of one call have
 * different keys
 * @param gap  positive when open, m
 * @param normal  nv numbers: the rate of the gap is normal'v + d gap/dt; Nullable: no
 * @param n_dir  friction directions of this contact, even, at most n_dir of the model; 0 for none
 * @param tangent  nv by n_dir, in angular order, column k + n_dir/2 = - column k; Nullable: only if
 * n_dir = 0
 * @param mu  friction coefficient >= 0; 0 if n_dir = 0
 * @param restitution  coefficient in [0, 1]
 * @return STN_OK; STN_ERR_NULL, STN_ERR_DIMENSION (n_dir < 0), STN_ERR_VALUE (n_dir odd, columns
 * not opposite, mu or restitution out of range, a sink that is not open on this thread),
 * STN_ERR_NONFINITE, STN_ERR_CAPACITY (too many directions or contacts), STN_ERR_MEMORY
 * @note Thread class: the thread of the call under way. Since 0.1.
 */
STN_API
enum stn_status stn_contact_push(struct stn_contact_sink *sink,
                                 int64_t key,
                                 double gap,
                                 const double *normal,
                                 int32_t n_dir,
                                 const double *tangent,
                                 double mu,
                                 double restitution);

/**
 * Pushes one contact whose friction directions are the corners of a regular polygon: direction k is
 * cos(2 pi k/facets) first + sin(2 pi k/facets) second. Otherwise as stn_contact_push.
 *
 * @param sink  the sink of this call; Nullable: no
 * @param key  what the host knows the contact by
 * @param gap  positive when open, m
 * @param normal  nv numbers; Nullable: no
 * @param facets  corners, even, at most n_dir of the model; 0 for none
 * @param first  nv numbers: a tangent; Nullable: only if facets = 0
 * @param second  nv numbers: the tangent a quarter turn further; Nullable: only if facets = 0
 * @param mu  friction coefficient >= 0; 0 if facets = 0
 * @param restitution  coefficient in [0, 1]
 * @return as stn_contact_push
 * @note Thread class: the thread of the call under way. Since 0.1.
 */
STN_API
enum stn_status stn_contact_push_tangents(struct stn_contact_sink *sink,
                                          int64_t key,
                                          double gap,
                                          const double *normal,
                                          int32_t facets,
                                          const double *first,
                                          const double *second,
                                          double mu,
                                          double restitution);

/**
 * Pushes one contact with columns on a few velocity coordinates, the others being zero: those of
 * the two bodies that touch, say. Otherwise as stn_contact_push.
 *
 * @param sink  the sink of this call; Nullable: no
 * @param key  what the host knows the contact by
 * @param gap  positive when open, m
 * @param n_index  number of coordinates, > 0
 * @param index  the coordinates, from 0 to nv - 1 in any order; entries for the same one add up;
 * Nullable: no
 * @param normal  n_index numbers; Nullable: no
 * @param n_dir  friction directions of this contact, even, at most n_dir of the model; 0 for none
 * @param tangent  n_index by n_dir; Nullable: only if n_dir = 0
 * @param mu  friction coefficient >= 0; 0 if n_dir = 0
 * @param restitution  coefficient in [0, 1]
 * @return as stn_contact_push, and STN_ERR_DIMENSION for a coordinate that the model does not have
 * and for n_index <= 0
 * @note Thread class: the thread of the call under way. Since 0.1.
 */
STN_API
enum stn_status stn_contact_push_sparse(struct stn_contact_sink *sink,
                                        int64_t key,
                                        double gap,
                                        int32_t n_index,
                                        const int32_t *index,
                                        const double *normal,
                                        int32_t n_dir,
                                        const double *tangent,
                                        double mu,
                                        double restitution);

/**
 * Makes contacts that were pushed in this call branches of a group: at least one of the gaps of a
 * group must hold, as where a vertex may pass an edge on either side. The gap of the group is the
 * largest of its branches; the branch that has it acts as contact, along its normal and with its
 * coefficients, and the others are as if they were not there. The host pushes and joins all
 * branches of a group, or none. More calls with the same group add to it.
 *
 * @param sink  the sink of this call; Nullable: no
 * @param group  what the host knows the group by, from call to call; need not differ from keys of
 * contacts
 * @param n_key  number of branches that join, > 0
 * @param key  keys of contacts that have been pushed and are in no group; Nullable: no
 * @return STN_OK; STN_ERR_NULL, STN_ERR_DIMENSION (n_key <= 0), STN_ERR_VALUE (a key that was not
 * pushed or is in a group, a sink that is not open on this thread), STN_ERR_MEMORY. A call that
 * fails makes the step fail with its status
 * @note Thread class: the thread of the call under way. Since 0.1.
 */
STN_API
enum stn_status stn_contact_join(struct stn_contact_sink *sink,
                                 int64_t group,
                                 int32_t n_key,
                                 const int64_t *key);

/**
 * Number of contacts that have an index: the n_contact of the model, then the slots of those that
 * come and go, free ones included. Grows when more come than at any time before.
 *
 * @param s  stepper; Nullable: no
 * @return the number, or a negative stn_status: STN_ERR_NULL, STN_ERR_BUSY, STN_ERR_POISONED
 * @note Thread class: shared. Since 0.1.
 */
STN_API int32_t stn_stepper_contact_count(const struct stn_stepper *s);

/**
 * The host's key of a contact at the present state; the index itself for fixed gaps of a model
 * of functions. For built-in bodies see stn_model_get_contact_pair.
 *
 * @param s  stepper; Nullable: no
 * @param contact  0 <= contact < stn_stepper_contact_count
 * @param key  receives the key, 0 for a slot that is free; Nullable: no
 * @param taken  receives 1, or 0 for a slot that is free; Nullable: yes
 * @return STN_OK; STN_ERR_NULL, STN_ERR_DIMENSION (no such contact), STN_ERR_VALUE (overlap),
 * STN_ERR_BUSY, STN_ERR_POISONED
 * @note Thread class: shared. Since 0.1.
 */
STN_API
enum stn_status stn_stepper_get_contact_key(const struct stn_stepper *s,
                                            int32_t contact,
                                            int64_t *key,
                                            int32_t *taken);

/**
 * Finds a contact that comes and goes by its key.
 *
 * @param s  stepper; Nullable: no
 * @param key  the host's key
 * @param contact  receives the index of the contact at the present state, -1 when no contact with
 * this key was reported there; Nullable: no
 * @return STN_OK; STN_ERR_NULL, STN_ERR_BUSY, STN_ERR_POISONED
 * @note Thread class: shared. Since 0.1.
 */
STN_API enum stn_status stn_stepper_find_contact(const struct stn_stepper *s, int64_t key, int32_t *contact);

/**
 * Makes a model of functions: M(t,q) dv/dt = force + constraint forces. Force holds every Coriolis
 * and gyroscopic term, but neither the friction of brakes nor the springs and dampers declared
 * as elements, which the library adds. d phi/dt and d gap/dt at fixed q are taken by differences in t: rows read
 * jt'v + phi_t = 0 and normal'v + gap_t >= 0, impact speeds include gap_t. The library copies what
 * it is given except user, which must live until release(user) is called, once, when the last
 * owner is gone. On failure release is not called.
 *
 * @param dims  sizes; Nullable: no
 * @param fns  functions; called from every thread that steps this model; Nullable: no
 * @param mu  n_contact friction coefficients >= 0; Nullable: yes, for zero
 * @param restitution  n_contact coefficients in [0, 1]; Nullable: yes, for zero
 * @param user  handed to every function; Nullable: yes
 * @param out  receives the handle, NULL on failure; Nullable: no
 * @return STN_OK; STN_ERR_NULL (a required function too), STN_ERR_DIMENSION (a negative size, nq
 * != nv without rate), STN_ERR_VALUE (mu < 0, e outside [0, 1], n_dir odd, friction without
 * directions, contacts without max_contacts or the other way round, bodies that do not ascend from 0), STN_ERR_NONFINITE, STN_ERR_ABI, STN_ERR_MEMORY
 * @note Thread class: any. Since 0.1.
 */
STN_API
enum stn_status stn_model_create(const struct stn_dims *dims,
                                 const struct stn_model_fns *fns,
                                 const double *mu,
                                 const double *restitution,
                                 void *user,
                                 struct stn_model **out);

/**
 * Compares what a model gives at (t, q, v) with differences of what it gives nearby: force
 * derivatives, normals against gaps (also of contacts that come and go), joint directions against
 * joint errors, rate, displacement, acceleration terms, symmetry and definiteness of the mass,
 * balance of friction directions, directions of brakes, elements whose constants are not constant, and
 * the power of Coriolis forces where the mass varies or dq/dt is not v. stn_last_error then names every
 * kind of check with an error above 1e-6, the worst first, with the entry that is worst. A force that is
 * even in v without being a Coriolis force (lift) is told as power where that is checked.
 *
 * @param model  model; Nullable: no
 * @param t  time, s
 * @param q  nq numbers; Nullable: only if nq = 0
 * @param nq  as in the model
 * @param v  nv numbers, not all zero for a thorough check; Nullable: only if nv = 0
 * @param nv  as in the model
 * @param worst  receives the largest relative error: about 1 for a wrong derivative, below 1e-6
 * for correct ones; Nullable: no
 * @return STN_OK whatever worst is; STN_REJECTED and STN_ERR_CALLBACK from the model;
 * STN_ERR_NULL, STN_ERR_DIMENSION, STN_ERR_NONFINITE, STN_ERR_VALUE (overlap), STN_ERR_BUSY,
 * STN_ERR_POISONED, STN_ERR_MEMORY
 * @note Thread class: shared. Since 0.1.
 */
STN_API
enum stn_status stn_model_check(const struct stn_model *model,
                                double t,
                                const double *q,
                                int32_t nq,
                                const double *v,
                                int32_t nv,
                                double *worst);

/**
 * Gives up a model. Steppers made from it keep it alive.
 *
 * @param model  model; Nullable: yes
 * @note Thread class: exclusive. Since 0.1.
 */
STN_API void stn_model_destroy(struct stn_model *model);

/**
 * Fills options with their defaults and sets struct_size.
 *
 * @param opt  receives the defaults; Nullable: no
 * @param struct_size  sizeof(stn_stepper_options) of the caller
 * @return STN_OK, STN_ERR_NULL, STN_ERR_ABI, STN_ERR_VALUE (misaligned)
 * @note Thread class: any. Since 0.1.
 */
STN_API enum stn_status stn_stepper_options_init(struct stn_stepper_options *opt, size_t struct_size);

/**
 * Makes a stepper for a model, at t = 0, q = 0, v = 0; for built-in bodies at the builder's pose.
 * All storage is taken here, except that for contacts that come and go it grows when more of them
 * come than at any time before.
 *
 * @param model  model; kept alive by the stepper; Nullable: no
 * @param opt  options; Nullable: yes, for the defaults
 * @param out  receives the handle, NULL on failure; Nullable: no
 * @return STN_OK; STN_ERR_NULL, STN_ERR_VALUE (an unknown or unavailable choice, brakes with a
 * Runge-Kutta method), STN_ERR_DIMENSION (a negative count), STN_ERR_CAPACITY (more contacts than can be counted),
 * STN_ERR_NONFINITE, STN_ERR_ABI, STN_ERR_BUSY, STN_ERR_MEMORY
 * @note Thread class: any. Since 0.1.
 */
STN_API
enum stn_status stn_stepper_create(const struct stn_model *model,
                                   const struct stn_stepper_options *opt,
                                   struct stn_stepper **out);

/**
 * Frees a stepper. A stepper in use is left alone.
 *
 * @param s  stepper; Nullable: yes
 * @note Thread class: exclusive. Since 0.1.
 */
STN_API void stn_stepper_destroy(struct stn_stepper *s);

/**
 * Puts the motion at (t, q, v). Clears events, modes and the remembered basis, keeps the
 * statistics. A gap below -active_gap gets no impulse for its depth: its row is n'v >= 0,
 * projection moves it out. A touching contact that approaches is an impact at the start.
 *
 * @param s  stepper; Nullable: no
 * @param t  time, s
 * @param q  nq numbers; Nullable: only if nq = 0
 * @param nq  as in the model
 * @param v  nv numbers; Nullable: only if nv = 0
 * @param nv  as in the model
 * @return STN_OK; STN_ERR_NULL, STN_ERR_DIMENSION, STN_ERR_NONFINITE, STN_ERR_VALUE (a quaternion of a
 * built-in body that is not of length one), STN_ERR_BUSY, STN_ERR_POISONED. The state is untouched on
 * failure
 * @note Thread class: exclusive. Since 0.1.
 */
STN_API
enum stn_status stn_stepper_set_state(struct stn_stepper *s,
                                      double t,
                                      const double *q,
                                      int32_t nq,
                                      const double *v,
                                      int32_t nv);

/**
 * Reads the state.
 *
 * @param s  stepper; Nullable: no
 * @param t  receives the time, s; Nullable: yes
 * @param q  receives nq numbers; Nullable: yes
 * @param nq  as in the model
 * @param v  receives nv numbers; Nullable: yes
 * @param nv  as in the model
 * @return STN_OK; STN_ERR_NULL, STN_ERR_DIMENSION, STN_ERR_VALUE (overlap), STN_ERR_BUSY,
 * STN_ERR_POISONED
 * @note Thread class: shared. Since 0.1.
 */
STN_API
enum stn_status stn_stepper_get_state(const struct stn_stepper *s,
                                      double *t,
                                      double *q,
                                      int32_t nq,
                                      double *v,
                                      int32_t nv);

/**
 * Reads the state at any time inside the last step: between events q on a cubic through positions
 * and velocities of the step, v its derivative; at an event the state after it. Calls rate.
 *
 * @param s  stepper; Nullable: no
 * @param t  time, s; before the first step and after set_state or restore only the present
 * @param q  receives nq numbers; Nullable: yes
 * @param nq  as in the model
 * @param v  receives nv numbers; Nullable: yes
 * @param nv  as in the model
 * @return STN_OK, STN_REJECTED when a callback refused; STN_ERR_VALUE for a time outside of the last
 * step and for overlap; STN_ERR_NONFINITE, STN_ERR_CALLBACK, STN_ERR_NULL, STN_ERR_DIMENSION,
 * STN_ERR_BUSY, STN_ERR_POISONED
 * @note Thread class: exclusive. Since 0.1.
 */
STN_API
enum stn_status stn_stepper_get_state_at(struct stn_stepper *s,
                                         double t,
                                         double *q,
                                         int32_t nq,
                                         double *v,
                                         int32_t nv);

/**
 * One step, to t + h exactly, events resolved inside. With the option stop_at_event it ends at the
 * first event, which may be where it began. Slip and take-off by a change of force are followed
 * until the acceleration shows them: then t of the event is a little before the state.
 *
 * @param s  stepper; Nullable: no
 * @param h  step length, s, finite and > 0
 * @return STN_OK, STN_EVENT when something happened, STN_REJECTED when a callback refused a point;
 * STN_ERR_VALUE and STN_ERR_NONFINITE for h; STN_ERR_CALLBACK, STN_ERR_NONFINITE and
 * STN_ERR_SINGULAR from the model; STN_ERR_LCP_RAY, STN_ERR_LCP_PIVOTS, STN_ERR_RESIDUAL,
 * STN_ERR_STEP_TOO_SMALL, and STN_ERR_SINGULAR or STN_ERR_RESIDUAL for a step so long that joints cannot
 * be kept together; with contacts that come and go also STN_ERR_CAPACITY, STN_ERR_MEMORY and
 * the statuses of a push that failed; STN_ERR_NULL, STN_ERR_BUSY, STN_ERR_POISONED. On anything but
 * STN_OK and STN_EVENT the state is the one before
 * @note Thread class: exclusive. Since 0.1.
 */
STN_API enum stn_status stn_stepper_step(struct stn_stepper *s, double h);

/**
 * Steps of h from the present time t0 to t_end: n = round((t_end - t0)/h) steps when that is an
 * integer to 1e-9, else ceil; step k ends at t0 + k h, the last at t_end exactly. Does not stop at
 * events unless the option stop_at_event says so; the next call counts its steps from there. With
 * abs_tol or rel_tol in the options the stepper chooses its steps, and h is the first try: shorter
 * when the motion looks too fast for it, and not much longer than the last step of the call before.
 *
 * @param s  stepper; Nullable: no
 * @param t_end  end time, s, not before the present; equal: nothing happens
 * @param h  step length, s, finite and > 0
 * @return STN_OK, or STN_EVENT when there were events; else as stn_stepper_step, and the stepper
 * stands at the end of the last completed step; STN_ERR_STEP_TOO_SMALL when a tolerance cannot be
 * kept, for instance one below the rounding of so many steps as the method would need, and the text says
 * why; STN_ERR_STEP_LIMIT after max_steps; STN_ERR_VALUE by tolerances for a start with joints apart
 * @note Thread class: exclusive. Since 0.1.
 */
STN_API enum stn_status stn_stepper_advance(struct stn_stepper *s, double t_end, double h);

/**
 * Writes a snapshot: what the following steps depend on, with version and checksum.
 *
 * @param s  stepper; Nullable: no
 * @param buf  receives the bytes; Nullable: only if cap = 0, to ask for the size
 * @param cap  size of buf in bytes
 * @param needed  receives the size of the snapshot, always; Nullable: no
 * @return STN_OK; STN_ERR_CAPACITY when cap is too small; STN_ERR_NULL, STN_ERR_VALUE (overlap),
 * STN_ERR_BUSY, STN_ERR_POISONED
 * @note Thread class: shared. Since 0.1.
 */
STN_API enum stn_status stn_stepper_save(const struct stn_stepper *s, void *buf, size_t cap, size_t *needed);

/**
 * Takes up a snapshot of a stepper with the same model sizes and options: the following steps give
 * the same bits as after stn_stepper_save, for the same model. stop_at_event and event_capacity may
 * differ: they change where the host looks, not the motion.
 *
 * @param s  stepper; Nullable: no
 * @param buf  the snapshot; Nullable: no
 * @param len  its size in bytes
 * @return STN_OK; STN_ERR_VALUE for bytes that are no whole snapshot and for one of other options,
 * STN_ERR_ABI for another version, STN_ERR_DIMENSION for another model; STN_ERR_NULL, STN_ERR_BUSY, STN_ERR_POISONED.
 * Nothing changes on failure
 * @note Thread class: exclusive. Since 0.1.
 */
STN_API
enum stn_status stn_stepper_restore(struct stn_stepper *s,
                                    const void *buf,
                                    size_t len);

/**
 * stn_stepper_step for many steppers, over several threads. Each stepper is stepped whole by one
 * thread: results do not depend on how many there are. One that fails does not keep the others
 * from going on. Functions of models are called on the threads of the batch: models of C functions must allow that,
 * also where no two steppers share one.
 *
 * @param steppers  n handles, each once; Nullable: only if n = 0
 * @param n  number of steppers
 * @param h  step length, s, finite and > 0
 * @param threads  most threads, the calling one included; 0: as many as the machine runs at once
 * @param status  receives the status of each stepper as stn_stepper_step gives it, n numbers, whenever
 * they were stepped at all; Nullable: yes
 * @return STN_OK; STN_EVENT when some stepper had events and none failed; STN_REJECTED when some stepper was refused a
 * point and none failed; the status of the first in the list that failed, whose text stn_last_error has; STN_ERR_NULL, STN_ERR_DIMENSION, STN_ERR_VALUE (a stepper
 * twice, overlap), STN_ERR_MEMORY: none was stepped
 * @note Thread class: exclusive for every stepper. Since 0.1.
 */
STN_API
enum stn_status stn_batch_step(struct stn_stepper *const *steppers,
                               int32_t n,
                               double h,
                               int32_t threads,
                               int32_t *status);

/**
 * stn_stepper_advance for many steppers, over several threads: each to t_end with steps of h, as
 * stn_batch_step steps them.
 *
 * @param steppers  n handles, each once; Nullable: only if n = 0
 * @param n  number of steppers
 * @param t_end  end time, s, not before the present of any of them
 * @param h  step length, s, finite and > 0
 * @param threads  most threads, the calling one included; 0: as many as the machine runs at once
 * @param status  receives the status of each stepper as stn_stepper_advance gives it, n numbers,
 * whenever they were stepped at all; Nullable: yes
 * @return as stn_batch_step
 * @note Thread class: exclusive for every stepper. Since 0.1.
 */
STN_API
enum stn_status stn_batch_advance(struct stn_stepper *const *steppers,
                                  int32_t n,
                                  double t_end,
                                  double h,
                                  int32_t threads,
                                  int32_t *status);

/**
 * Makes a model that is fed by its host: for hosts that cannot or do not want to be called. A
 * stepper of it is driven by stn_passive_step, which says what is wanted, and stn_passive_put.
 * Everything that steps do is possible this way, with the same bits as by functions that give the
 * same answers: impacts, stick, slip and take-off are located. Functions that would ask the model
 * outside stn_passive_step (stn_stepper_step, stn_stepper_advance, stn_model_check and the like)
 * return STN_ERR_VALUE. Every contact has a gap: contacts that come and go, and elements, are for models
 * of functions. Steppers of one model are independent. Storage for max_points times all
 * arrays of a point is taken with the model and with each stepper; what is not used of it is not
 * touched.
 *
 * @param dims  sizes; Nullable: no
 * @param gives  what the host gives besides mass, joints, gaps, directions and brakes, which the
 * sizes demand: a mask of STN_WANT_FORCE (else no force), STN_WANT_DFDQ + STN_WANT_DFDV (else
 * differences of force, asked for in one round, or none with option jacobian = 1), STN_WANT_RATE
 * (required for nq != nv), STN_WANT_MOVED, STN_WANT_NORMAL_ACCEL for all three accelerations
 * (else differences of directions); other bits of stn_want change nothing
 * @param moving  1 when joints or gaps depend on t at fixed q, which asks for three times as many
 * of them; else 0
 * @param max_points  points held at a time, which are those of one step; 0: 1024
 * @param mu  n_contact friction coefficients >= 0; Nullable: yes, for zero
 * @param restitution  n_contact coefficients in [0, 1]; Nullable: yes, for zero
 * @param out  receives the handle, NULL on failure; Nullable: no
 * @return STN_OK; STN_ERR_NULL, STN_ERR_DIMENSION (a negative size, nq != nv without rate),
 * STN_ERR_VALUE (an unknown bit, one derivative without the other, moving not 0 or 1, mu < 0, e
 * outside [0, 1], n_dir odd, friction without directions, elements), STN_ERR_NONFINITE,
 * STN_ERR_ABI, STN_ERR_MEMORY
 * @note Thread class: any. Since 0.1.
 */
STN_API
enum stn_status stn_passive_create(const struct stn_dims *dims,
                                   int32_t gives,
                                   int32_t moving,
                                   int32_t max_points,
                                   const double *mu,
                                   const double *restitution,
                                   struct stn_model **out);

/**
 * One step of a stepper with a passive model, as far as the answers go. On STN_WANTED answer all
 * requests and call it again with the same h: the step repeats itself to the last bit and comes
 * further. A step without events takes about two rounds, three while a contact slips, five with
 * joints that are projected; one with a located event some dozens. Answers at the end of a step
 * serve as those at the start of the next.
 *
 * @param s  stepper of a passive model; Nullable: no
 * @param h  step length, s, finite and > 0
 * @return STN_WANTED; else as stn_stepper_step, and STN_ERR_VALUE when requests are not answered
 * or the model is not passive, STN_ERR_CAPACITY when one step asks for more than max_points
 * points. On anything but STN_OK and STN_EVENT the state is the one before; on failures of the
 * step itself the answers are forgotten
 * @note Thread class: exclusive. Since 0.1.
 */
STN_API enum stn_status stn_passive_step(struct stn_stepper *s, double h);

/**
 * Number of requests after stn_passive_step returned STN_WANTED; 0 otherwise.
 *
 * @param s  stepper of a passive model; Nullable: no
 * @return the number, or a status < 0: STN_ERR_NULL, STN_ERR_VALUE (the model is not passive),
 * STN_ERR_BUSY, STN_ERR_POISONED
 * @note Thread class: shared. Since 0.1.
 */
STN_API int32_t stn_passive_request_count(const struct stn_stepper *s);

/**
 * Reads one request: what is wanted, and where.
 *
 * @param s  stepper of a passive model; Nullable: no
 * @param i  0 <= i < stn_passive_request_count
 * @param what  receives a mask of stn_want; Nullable: no
 * @param t  receives the time, s; Nullable: no
 * @param q  receives nq numbers; Nullable: only if nq = 0
 * @param nq  as in the model
 * @param v  receives nv numbers: the velocity, the displacement for STN_WANT_MOVED, zero where
 * nothing wanted depends on it; Nullable: only if nv = 0
 * @param nv  as in the model
 * @return STN_OK; STN_ERR_NULL, STN_ERR_DIMENSION (no such request, wrong nq or nv), STN_ERR_VALUE
 * (the model is not passive, overlap), STN_ERR_BUSY, STN_ERR_POISONED
 * @note Thread class: shared. Since 0.1.
 */
STN_API
enum stn_status stn_passive_get_request(const struct stn_stepper *s,
                                        int32_t i,
                                        int32_t *what,
                                        double *t,
                                        double *q,
                                        int32_t nq,
                                        double *v,
                                        int32_t nv);

/**
 * Answers one array of a request. Answering again replaces, until stn_passive_step is called.
 *
 * @param s  stepper of a passive model; Nullable: no
 * @param i  0 <= i < stn_passive_request_count
 * @param what  the array: one stn_want that the request has asked for
 * @param values  the array; Nullable: only if n = 0
 * @param n  its length, all entries of a matrix
 * @return STN_OK; STN_ERR_NULL, STN_ERR_DIMENSION (no such request, wrong n), STN_ERR_VALUE (an
 * unknown array, or one that the request does not ask for; the model is not passive),
 * STN_ERR_NONFINITE, STN_ERR_BUSY, STN_ERR_POISONED. Nothing changes on failure
 * @note Thread class: exclusive. Since 0.1.
 */
STN_API
enum stn_status stn_passive_put(struct stn_stepper *s,
                                int32_t i,
                                int32_t what,
                                const double *values,
                                int32_t n);

/**
 * Forgets all requests and answers: when the host refuses a point and tries a shorter step, or
 * when it has changed what it would answer. The state stays that before the step.
 * stn_stepper_set_state and stn_stepper_restore do so too.
 *
 * @param s  stepper of a passive model; Nullable: no
 * @return STN_OK; STN_ERR_NULL, STN_ERR_VALUE (the model is not passive), STN_ERR_BUSY,
 * STN_ERR_POISONED
 * @note Thread class: exclusive. Since 0.1.
 */
STN_API enum stn_status stn_passive_cancel(struct stn_stepper *s);

/**
 * Number of events of the last step or advance that were kept.
 *
 * @param s  stepper; Nullable: no
 * @return the number, or a negative stn_status: STN_ERR_NULL, STN_ERR_BUSY, STN_ERR_POISONED
 * @note Thread class: shared. Since 0.1.
 */
STN_API int32_t stn_stepper_event_count(const struct stn_stepper *s);

/**
 * Reads one event of the last step or advance.
 *
 * @param s  stepper; Nullable: no
 * @param i  0 <= i < stn_stepper_event_count
 * @param out  receives the event; Nullable: no
 * @return STN_OK; STN_ERR_NULL, STN_ERR_DIMENSION (no such event), STN_ERR_ABI, STN_ERR_BUSY,
 * STN_ERR_POISONED
 * @note Thread class: shared. Since 0.1.
 */
STN_API enum stn_status stn_stepper_get_event(const struct stn_stepper *s, int32_t i, struct stn_event *out);

/**
 * Reads the statistics.
 *
 * @param s  stepper; Nullable: no
 * @param out  receives the statistics; Nullable: no
 * @return STN_OK; STN_ERR_NULL, STN_ERR_ABI, STN_ERR_BUSY, STN_ERR_POISONED
 * @note Thread class: shared. Since 0.1.
 */
STN_API enum stn_status stn_stepper_get_stats(const struct stn_stepper *s, struct stn_stats *out);

/**
 * Reads the books of energy: of the last step, or since the state was set.
 *
 * @param s  stepper; Nullable: no
 * @param span  a stn_ledger_span
 * @param out  receives the energies; Nullable: no
 * @return STN_OK; STN_ERR_VALUE for an unknown span; STN_ERR_NULL, STN_ERR_ABI, STN_ERR_BUSY,
 * STN_ERR_POISONED
 * @note Thread class: shared. Since 0.1.
 */
STN_API
enum stn_status stn_stepper_get_ledger(const struct stn_stepper *s,
                                       int32_t span,
                                       struct stn_ledger *out);

/**
 * Reads the impulses of the last step, impacts in it included. Zero before the first step, and
 * after the state was set or restored. With several contacts or joints that could carry the same
 * load only their sums are determined.
 *
 * @param s  stepper; Nullable: no
 * @param joint  receives n_joint numbers, along the columns jt; Nullable: yes
 * @param n_joint  as in the model
 * @param normal  receives n_contact normal impulses, N s; Nullable: yes
 * @param n_contact  stn_stepper_contact_count: as in the model, and slots of contacts that come and
 * go
 * @param friction  receives n_contact * n_dir impulses along the friction directions, N s, none
 * negative, at most one of two opposite ones not zero; Nullable: yes
 * @param n_friction  n_contact * n_dir, n_dir of the model
 * @return STN_OK; STN_ERR_NULL, STN_ERR_DIMENSION, STN_ERR_VALUE (overlap), STN_ERR_BUSY,
 * STN_ERR_POISONED
 * @note Thread class: shared. Since 0.1.
 */
STN_API
enum stn_status stn_stepper_get_impulses(const struct stn_stepper *s,
                                         double *joint,
                                         int32_t n_joint,
                                         double *normal,
                                         int32_t n_contact,
                                         double *friction,
                                         int32_t n_friction);

/**
 * Reads the impulses of the brakes over the last step. Zero before the first step, and after the
 * state was set or restored.
 *
 * @param s  stepper; Nullable: no
 * @param brake  receives n_brake numbers, along the directions of the brakes, N s; Nullable: only if
 * n_brake = 0
 * @param n_brake  as in the model
 * @return STN_OK; STN_ERR_NULL, STN_ERR_DIMENSION, STN_ERR_BUSY, STN_ERR_POISONED
 * @note Thread class: shared. Since 0.1.
 */
STN_API
enum stn_status stn_stepper_get_brake_impulses(const struct stn_stepper *s,
                                               double *brake,
                                               int32_t n_brake);

/**
 * Reads one contact: what it does at the present state, and its impulses over the last step. Asks
 * the model if it was not asked at this state last.
 *
 * @param s  stepper; Nullable: no
 * @param i  0 <= i < stn_stepper_contact_count; a contact that is not there has an infinite gap
 * @param out  receives the contact; Nullable: no
 * @return STN_OK, STN_REJECTED when a callback refused the state; STN_ERR_DIMENSION for i;
 * STN_ERR_CALLBACK and STN_ERR_NONFINITE from the model; STN_ERR_NULL, STN_ERR_ABI, STN_ERR_BUSY,
 * STN_ERR_POISONED
 * @note Thread class: exclusive. Since 0.1.
 */
STN_API
enum stn_status stn_stepper_get_contact(struct stn_stepper *s,
                                        int32_t i,
                                        struct stn_contact_state *out);

/**
 * Computes what acts at the present state: accelerations, forces of joints and contacts, slip
 * speeds. Changes nothing. A contact that touches and approaches takes no part: there an impact
 * comes first. With several contacts or joints that could carry the same load only sums of their
 * forces are determined. Asks the model at this state and a little beside it, which a passive model
 * cannot answer.
 *
 * @param s  stepper; Nullable: no
 * @param acceleration  receives nv numbers, dv/dt; Nullable: yes
 * @param nv  as in the model
 * @param joint  receives n_joint forces along the columns jt; Nullable: yes
 * @param n_joint  as in the model
 * @param normal  receives n_contact normal forces, N; Nullable: yes
 * @param slip_speed  receives n_contact slip speeds, m/s; Nullable: yes
 * @param n_contact  stn_stepper_contact_count: as in the model, and slots of contacts that come and
 * go; this call may add slots, which is STN_ERR_DIMENSION once
 * @param friction  receives n_contact * n_dir forces along the friction directions, N, none
 * negative; Nullable: yes
 * @param n_friction  n_contact * n_dir, n_dir of the model
 * @return STN_OK, STN_REJECTED when a callback refused a point; STN_ERR_LCP_RAY where rigid bodies
 * have no acceleration (Painleve); STN_ERR_CALLBACK, STN_ERR_NONFINITE and STN_ERR_SINGULAR from the
 * model; STN_ERR_NULL, STN_ERR_DIMENSION, STN_ERR_VALUE (overlap, or a passive model),
 * STN_ERR_LCP_PIVOTS, STN_ERR_RESIDUAL, STN_ERR_BUSY, STN_ERR_POISONED
 * @note Thread class: exclusive. Since 0.1.
 */
STN_API
enum stn_status stn_stepper_get_forces(struct stn_stepper *s,
                                       double *acceleration,
                                       int32_t nv,
                                       double *joint,
                                       int32_t n_joint,
                                       double *normal,
                                       double *slip_speed,
                                       int32_t n_contact,
                                       double *friction,
                                       int32_t n_friction);

/**
 * Makes a builder for a world without bodies and without gravity. A call on it that fails changes
 * nothing. What is added is numbered from zero in the order of creation: bodies, joints and shapes
 * each for themselves. The poses given are those at which joints are made and the model's initial
 * position.
 *
 * @param out  receives the handle, NULL on failure; Nullable: no
 * @return STN_OK; STN_ERR_NULL, STN_ERR_VALUE (misaligned), STN_ERR_MEMORY
 * @note Thread class: any. Since 0.1.
 */
STN_API enum stn_status stn_builder_create(struct stn_builder **out);

/**
 * Frees a builder. Models made by it live on. A builder in use is left alone.
 *
 * @param builder  builder; Nullable: yes
 * @note Thread class: exclusive. Since 0.1.
 */
STN_API void stn_builder_destroy(struct stn_builder *builder);

/**
 * Makes a model of everything added so far. The builder stays as it is and can be used further.
 *
 * @param builder  builder; Nullable: no
 * @param out  receives the model, NULL on failure; Nullable: no
 * @return STN_OK; STN_ERR_VALUE without bodies, for shapes that meet but have no gap function, for
 * materials that meet without a surface; STN_ERR_NULL, STN_ERR_BUSY, STN_ERR_POISONED,
 * STN_ERR_MEMORY
 * @note Thread class: shared. Since 0.1.
 */
STN_API enum stn_status stn_builder_build(const struct stn_builder *builder, struct stn_model **out);

/**
 * Sets the acceleration of gravity; zero before.
 *
 * @param builder  builder; Nullable: no
 * @param g  3 numbers, m/s^2, world axes; Nullable: no
 * @return STN_OK; STN_ERR_NULL, STN_ERR_NONFINITE, STN_ERR_VALUE (misaligned), STN_ERR_BUSY,
 * STN_ERR_POISONED
 * @note Thread class: exclusive. Since 0.1.
 */
STN_API enum stn_status stn_builder_set_gravity(struct stn_builder *builder, const double *g);

/**
 * Adds a point mass in the plane: q = (x, y), v = dq/dt.
 *
 * @param builder  builder; Nullable: no
 * @param mass  kg, > 0
 * @param at  2 numbers, m; Nullable: no
 * @param body  receives its number; Nullable: yes
 * @return STN_OK; STN_ERR_NULL, STN_ERR_NONFINITE, STN_ERR_VALUE (mass, overlap), STN_ERR_BUSY,
 * STN_ERR_POISONED, STN_ERR_MEMORY
 * @note Thread class: exclusive. Since 0.1.
 */
STN_API
enum stn_status stn_builder_add_point2(struct stn_builder *builder,
                                       double mass,
                                       const double *at,
                                       int32_t *body);

/**
 * Adds a point mass in space: q = (x, y, z), v = dq/dt.
 *
 * @param builder  builder; Nullable: no
 * @param mass  kg, > 0
 * @param at  3 numbers, m; Nullable: no
 * @param body  receives its number; Nullable: yes
 * @return STN_OK; STN_ERR_NULL, STN_ERR_NONFINITE, STN_ERR_VALUE (mass, overlap), STN_ERR_BUSY,
 * STN_ERR_POISONED, STN_ERR_MEMORY
 * @note Thread class: exclusive. Since 0.1.
 */
STN_API
enum stn_status stn_builder_add_point3(struct stn_builder *builder,
                                       double mass,
                                       const double *at,
                                       int32_t *body);

/**
 * Adds a rigid body in the plane: q = (x, y, theta) with the center of mass at (x, y), v = dq/dt.
 *
 * @param builder  builder; Nullable: no
 * @param mass  kg, > 0
 * @param inertia  about the center of mass, kg m^2, > 0
 * @param at  center of mass, 2 numbers, m; Nullable: no
 * @param angle  theta, rad
 * @param body  receives its number; Nullable: yes
 * @return STN_OK; STN_ERR_NULL, STN_ERR_NONFINITE, STN_ERR_VALUE (mass, inertia, overlap),
 * STN_ERR_BUSY, STN_ERR_POISONED, STN_ERR_MEMORY
 * @note Thread class: exclusive. Since 0.1.
 */
STN_API
enum stn_status stn_builder_add_planar(struct stn_builder *builder,
                                       double mass,
                                       double inertia,
                                       const double *at,
                                       double angle,
                                       int32_t *body);

/**
 * Adds a rigid body in space: q = (center of mass, unit quaternion w x y z), v = (velocity
 * in world axes, angular velocity in body axes).
 *
 * @param builder  builder; Nullable: no
 * @param mass  kg, > 0
 * @param inertia  9 numbers, about the center of mass in body axes, kg m^2, symmetric positive
 * definite; Nullable: no
 * @param pose  7 numbers: center of mass x y z, unit quaternion w x y z; Nullable: no
 * @param body  receives its number; Nullable: yes
 * @return STN_OK; STN_ERR_NULL, STN_ERR_NONFINITE, STN_ERR_VALUE (mass, an inertia that is not
 * symmetric, a quaternion that is not of length one to 1e-9, overlap), STN_ERR_SINGULAR (inertia),
 * STN_ERR_BUSY, STN_ERR_POISONED, STN_ERR_MEMORY
 * @note Thread class: exclusive. Since 0.1.
 */
STN_API
enum stn_status stn_builder_add_spatial(struct stn_builder *builder,
                                        double mass,
                                        const double *inertia,
                                        const double *pose,
                                        int32_t *body);

/**
 * Sets the initial velocity of a body; zero before. What a body cannot do must be zero.
 *
 * @param builder  builder; Nullable: no
 * @param body  its number
 * @param linear  velocity of the center of mass, 3 numbers, m/s, world axes; Nullable: no
 * @param angular  angular velocity, 3 numbers, rad/s, world axes; Nullable: yes, for zero
 * @return STN_OK; STN_ERR_NULL, STN_ERR_NONFINITE, STN_ERR_VALUE (unknown body, a part that it
 * does not have), STN_ERR_BUSY, STN_ERR_POISONED
 * @note Thread class: exclusive. Since 0.1.
 */
STN_API
enum stn_status stn_builder_set_velocity(struct stn_builder *builder,
                                         int32_t body,
                                         const double *linear,
                                         const double *angular);

/**
 * Sets the number of friction directions per contact. By default 8, and 2 when everything that
 * touches moves in the plane.
 *
 * @param builder  builder; Nullable: no
 * @param n  even, from 2 to 64
 * @return STN_OK; STN_ERR_NULL, STN_ERR_DIMENSION (negative), STN_ERR_VALUE (odd or zero),
 * STN_ERR_BUSY, STN_ERR_POISONED
 * @note Thread class: exclusive. Since 0.1.
 */
STN_API enum stn_status stn_builder_set_facets(struct stn_builder *builder, int32_t n);

/**
 * Joins two bodies, or a body and the ground, at a point of the builder's pose, where the joint
 * holds by construction. Axes are given in world axes at that pose, fixed in the first body and
 * need not have length one.
 *
 * @param builder  builder; Nullable: no
 * @param kind  a stn_joint_kind
 * @param a  first body, or STN_GROUND
 * @param b  second body, or STN_GROUND, not the first
 * @param at  the point, 3 numbers, m, world axes; Nullable: no
 * @param axis  3 numbers, not zero; Nullable: for kinds without an axis, which do not read it
 * @param axis_b  3 numbers, fixed in b, at right angles to axis; Nullable: for all kinds but
 * STN_JOINT_UNIVERSAL, which do not read it
 * @param joint  receives its number; Nullable: yes
 * @return STN_OK; STN_ERR_NULL, STN_ERR_NONFINITE, STN_ERR_VALUE (unknown kind or body, a body
 * with itself, a joint that these bodies cannot have, an axis of length zero, overlap),
 * STN_ERR_BUSY, STN_ERR_POISONED, STN_ERR_MEMORY
 * @note Thread class: exclusive. Since 0.1.
 */
STN_API
enum stn_status stn_builder_add_joint(struct stn_builder *builder,
                                      int32_t kind,
                                      int32_t a,
                                      int32_t b,
                                      const double *at,
                                      const double *axis,
                                      const double *axis_b,
                                      int32_t *joint);

/**
 * Keeps a point of one body and a point of another at a distance: one equation.
 *
 * @param builder  builder; Nullable: no
 * @param a  first body, or STN_GROUND
 * @param at_a  its point, 3 numbers, body coordinates; Nullable: yes, for the center of mass
 * @param b  second body, or STN_GROUND, not the first
 * @param at_b  its point, 3 numbers, body coordinates; Nullable: yes, for the center of mass
 * @param length  m, > 0; 0: the distance at the builder's pose, which must not be zero
 * @param joint  receives its number; Nullable: yes
 * @return STN_OK; STN_ERR_NULL, STN_ERR_NONFINITE, STN_ERR_VALUE (unknown body, a body with
 * itself, length, a point off a point mass or off the plane of its body, overlap), STN_ERR_BUSY,
 * STN_ERR_POISONED, STN_ERR_MEMORY
 * @note Thread class: exclusive. Since 0.1.
 */
STN_API
enum stn_status stn_builder_add_rod(struct stn_builder *builder,
                                    int32_t a,
                                    const double *at_a,
                                    int32_t b,
                                    const double *at_b,
                                    double length,
                                    int32_t *joint);

/**
 * Prescribes a free coordinate of a joint as a function of time: one more equation. The function
 * should be 0 at the start, where the coordinate is; it is asked for t = 0 here. A value that is
 * not finite stops a step with STN_ERR_NONFINITE.
 *
 * @param builder  builder; Nullable: no
 * @param joint  number of a joint that leaves the coordinate free
 * @param freedom  a stn_freedom
 * @param motion  the coordinate at t, rad or m; called from every thread that steps a model of
 * this builder; Nullable: no
 * @param user  handed to motion; must live until release; Nullable: yes
 * @param release  called with user once, when the builder and all its models are gone, not on
 * failure; Nullable: yes
 * @param drive  receives the number of the drive among the joints; Nullable: yes
 * @return STN_OK; STN_ERR_NULL, STN_ERR_VALUE (unknown joint or freedom, one that the joint does
 * not leave free), STN_ERR_NONFINITE (motion at t = 0), STN_ERR_BUSY, STN_ERR_POISONED,
 * STN_ERR_MEMORY
 * @note Thread class: exclusive. Since 0.1.
 */
STN_API
enum stn_status stn_builder_add_drive(struct stn_builder *builder,
                                      int32_t joint,
                                      int32_t freedom,
                                      stn_signal_fn motion,
                                      void *user,
                                      stn_release_fn release,
                                      int32_t *drive);

/**
 * Keeps a free coordinate of a joint between two ends, by contacts without friction, one for each
 * finite end. Angles of bodies in space need both ends, less than one turn apart.
 *
 * @param builder  builder; Nullable: no
 * @param joint  number of a joint that leaves the coordinate free
 * @param freedom  a stn_freedom
 * @param low  lower end, rad or m; -INFINITY: none
 * @param high  upper end, > low; INFINITY: none
 * @param restitution  in [0, 1]
 * @return STN_OK; STN_ERR_NULL, STN_ERR_NONFINITE (NaN), STN_ERR_VALUE (unknown joint or freedom,
 * one that the joint does not leave free, ends that are out of order or too far apart,
 * restitution), STN_ERR_BUSY, STN_ERR_POISONED, STN_ERR_MEMORY
 * @note Thread class: exclusive. Since 0.1.
 */
STN_API
enum stn_status stn_builder_add_limit(struct stn_builder *builder,
                                      int32_t joint,
                                      int32_t freedom,
                                      double low,
                                      double high,
                                      double restitution);

/**
 * Keeps the distance of two points between two ends, by contacts without friction, one for each
 * finite end: a rope has no lower end.
 *
 * @param builder  builder; Nullable: no
 * @param a  first body, or STN_GROUND
 * @param at_a  its point, 3 numbers, body coordinates; Nullable: yes, for the center of mass
 * @param b  second body, or STN_GROUND, not the first
 * @param at_b  its point, 3 numbers, body coordinates; Nullable: yes, for the center of mass
 * @param low  lower end, m; -INFINITY: none
 * @param high  upper end, > low; INFINITY: none
 * @param restitution  in [0, 1]
 * @return STN_OK; STN_ERR_NULL, STN_ERR_NONFINITE (points, NaN), STN_ERR_VALUE (unknown body, a
 * body with itself, ends that are out of order, restitution), STN_ERR_BUSY, STN_ERR_POISONED,
 * STN_ERR_MEMORY
 * @note Thread class: exclusive. Since 0.1.
 */
STN_API
enum stn_status stn_builder_add_distance_limit(struct stn_builder *builder,
                                               int32_t a,
                                               const double *at_a,
                                               int32_t b,
                                               const double *at_b,
                                               double low,
                                               double high,
                                               double restitution);

/**
 * Adds a spring and damper between a point of one body and a point of another. The points must
 * never coincide: a step that meets this is refused with STN_REJECTED.
 *
 * @param builder  builder; Nullable: no
 * @param a  first body, or STN_GROUND
 * @param at_a  its point, 3 numbers, body coordinates; Nullable: yes, for the center of mass
 * @param b  second body, or STN_GROUND, not the first
 * @param at_b  its point, 3 numbers, body coordinates; Nullable: yes, for the center of mass
 * @param stiffness  N/m, >= 0
 * @param damping  N s/m, >= 0
 * @param rest  length without force, m, > 0; 0: the distance at the builder's pose, which must not
 * be zero
 * @return STN_OK; STN_ERR_NULL, STN_ERR_NONFINITE, STN_ERR_VALUE (unknown body, a body with
 * itself, stiffness, damping, rest, a point off a point mass or off the plane of its body),
 * STN_ERR_BUSY, STN_ERR_POISONED, STN_ERR_MEMORY
 * @note Thread class: exclusive. Since 0.1.
 */
STN_API
enum stn_status stn_builder_add_spring(struct stn_builder *builder,
                                       int32_t a,
                                       const double *at_a,
                                       int32_t b,
                                       const double *at_b,
                                       double stiffness,
                                       double damping,
                                       double rest);

/**
 * Adds a spring and damper that pulls two points together in every direction: rest length zero.
 * The points may coincide.
 *
 * @param builder  builder; Nullable: no
 * @param a  first body, or STN_GROUND
 * @param at_a  its point, 3 numbers, body coordinates; Nullable: yes, for the center of mass
 * @param b  second body, or STN_GROUND, not the first
 * @param at_b  its point, 3 numbers, body coordinates; Nullable: yes, for the center of mass
 * @param stiffness  N/m, >= 0
 * @param damping  N s/m, >= 0
 * @return STN_OK; STN_ERR_NULL, STN_ERR_NONFINITE, STN_ERR_VALUE (unknown body, a body with
 * itself, stiffness, damping, a point off a point mass or off the plane of its body),
 * STN_ERR_BUSY, STN_ERR_POISONED, STN_ERR_MEMORY
 * @note Thread class: exclusive. Since 0.1.
 */
STN_API
enum stn_status stn_builder_add_bushing(struct stn_builder *builder,
                                        int32_t a,
                                        const double *at_a,
                                        int32_t b,
                                        const double *at_b,
                                        double stiffness,
                                        double damping);

/**
 * Adds a spring and damper along a free coordinate of a joint: torsional for STN_FREEDOM_ANGLE. In
 * space the spring must not be wound up by half a turn or more.
 *
 * @param builder  builder; Nullable: no
 * @param joint  number of a joint that leaves the coordinate free
 * @param freedom  a stn_freedom
 * @param stiffness  N m/rad or N/m, >= 0
 * @param damping  N m s/rad or N s/m, >= 0
 * @param rest  coordinate without force, rad or m; 0 is the builder's pose
 * @return STN_OK; STN_ERR_NULL, STN_ERR_NONFINITE, STN_ERR_VALUE (unknown joint or freedom, one
 * that the joint does not leave free, stiffness, damping), STN_ERR_BUSY, STN_ERR_POISONED,
 * STN_ERR_MEMORY
 * @note Thread class: exclusive. Since 0.1.
 */
STN_API
enum stn_status stn_builder_add_joint_spring(struct stn_builder *builder,
                                             int32_t joint,
                                             int32_t freedom,
                                             double stiffness,
                                             double damping,
                                             double rest);

/**
 * Adds dry friction along a free coordinate of a joint, as bearings and gears have it: its force is
 * at most bound, whatever the joint carries. It holds what it can, opposes motion with the full
 * bound, and does nothing in impacts. Its stick and slip are events: contact is n_contact plus the
 * number of such frictions added before, key the number of the joint.
 *
 * @param builder  builder; Nullable: no
 * @param joint  number of a joint that leaves the coordinate free
 * @param freedom  a stn_freedom
 * @param bound  N m or N, >= 0
 * @return STN_OK; STN_ERR_NULL, STN_ERR_NONFINITE, STN_ERR_VALUE (unknown joint or freedom, one
 * that the joint does not leave free, bound), STN_ERR_BUSY, STN_ERR_POISONED, STN_ERR_MEMORY
 * @note Thread class: exclusive. Since 0.1.
 */
STN_API
enum stn_status stn_builder_add_joint_friction(struct stn_builder *builder,
                                               int32_t joint,
                                               int32_t freedom,
                                               double bound);

/**
 * Adds a force or torque along a free coordinate of a joint, given in time: positive makes the
 * coordinate grow. It is asked for t = 0 here. A value that is not finite stops a step with
 * STN_ERR_NONFINITE.
 *
 * @param builder  builder; Nullable: no
 * @param joint  number of a joint that leaves the coordinate free
 * @param freedom  a stn_freedom
 * @param force  N or N m at t; called from every thread that steps a model of this builder;
 * Nullable: no
 * @param user  handed to force; must live until release; Nullable: yes
 * @param release  called with user once, when the builder and all its models are gone, not on
 * failure; Nullable: yes
 * @return STN_OK; STN_ERR_NULL, STN_ERR_VALUE (unknown joint or freedom, one that the joint does
 * not leave free), STN_ERR_NONFINITE (force at t = 0), STN_ERR_BUSY, STN_ERR_POISONED,
 * STN_ERR_MEMORY
 * @note Thread class: exclusive. Since 0.1.
 */
STN_API
enum stn_status stn_builder_add_motor(struct stn_builder *builder,
                                      int32_t joint,
                                      int32_t freedom,
                                      stn_signal_fn force,
                                      void *user,
                                      stn_release_fn release);

/**
 * Adds a force on a body, given in time, in world axes. It is asked for t = 0 here. A value that
 * is not finite stops a step with STN_ERR_NONFINITE.
 *
 * @param builder  builder; Nullable: no
 * @param body  its number
 * @param at  where it acts, 3 numbers, body coordinates; Nullable: yes, for the center of mass
 * @param force  N at t; called from every thread that steps a model of this builder; Nullable: no
 * @param user  handed to force; must live until release; Nullable: yes
 * @param release  called with user once, when the builder and all its models are gone, not on
 * failure; Nullable: yes
 * @return STN_OK; STN_ERR_NULL, STN_ERR_VALUE (unknown body), STN_ERR_NONFINITE (at, or force at t
 * = 0), STN_ERR_BUSY, STN_ERR_POISONED, STN_ERR_MEMORY
 * @note Thread class: exclusive. Since 0.1.
 */
STN_API
enum stn_status stn_builder_add_force(struct stn_builder *builder,
                                      int32_t body,
                                      const double *at,
                                      stn_vector_signal_fn force,
                                      void *user,
                                      stn_release_fn release);

/**
 * Adds a torque on a body, given in time, in world axes. It is asked for t = 0 here. A value that
 * is not finite stops a step with STN_ERR_NONFINITE.
 *
 * @param builder  builder; Nullable: no
 * @param body  its number; not a point mass
 * @param torque  N m at t; called from every thread that steps a model of this builder;
 * Nullable: no
 * @param user  handed to torque; must live until release; Nullable: yes
 * @param release  called with user once, when the builder and all its models are gone, not on
 * failure; Nullable: yes
 * @return STN_OK; STN_ERR_NULL, STN_ERR_VALUE (unknown body, point mass), STN_ERR_NONFINITE
 * (torque at t = 0), STN_ERR_BUSY, STN_ERR_POISONED, STN_ERR_MEMORY
 * @note Thread class: exclusive. Since 0.1.
 */
STN_API
enum stn_status stn_builder_add_torque(struct stn_builder *builder,
                                       int32_t body,
                                       stn_vector_signal_fn torque,
                                       void *user,
                                       stn_release_fn release);

/**
 * Makes a new material, besides the default one, which has the number 0.
 *
 * @param builder  builder; Nullable: no
 * @param material  receives its number; Nullable: no
 * @return STN_OK; STN_ERR_NULL, STN_ERR_VALUE (misaligned), STN_ERR_BUSY, STN_ERR_POISONED
 * @note Thread class: exclusive. Since 0.1.
 */
STN_API enum stn_status stn_builder_add_material(struct stn_builder *builder, int32_t *material);

/**
 * Says how shapes of two materials meet; the last word counts. Without one, material 0 meets
 * itself without friction and restitution; other materials that meet need one. With an axis,
 * friction is anisotropic: mu along it, mu_across across it, an ellipse between.
 *
 * @param builder  builder; Nullable: no
 * @param a  number of a material
 * @param b  number of a material
 * @param mu  friction coefficient, >= 0
 * @param restitution  in [0, 1]
 * @param axis  3 numbers, not zero, body axes of the shape with material a; its part in the
 * contact plane counts; Nullable: yes, for friction that is the same in all directions
 * @param mu_across  friction coefficient across the axis, >= 0; not read without an axis
 * @return STN_OK; STN_ERR_NULL, STN_ERR_NONFINITE, STN_ERR_VALUE (unknown material, mu < 0, e
 * outside [0, 1], an axis of length zero), STN_ERR_BUSY, STN_ERR_POISONED, STN_ERR_MEMORY
 * @note Thread class: exclusive. Since 0.1.
 */
STN_API
enum stn_status stn_builder_set_surface(struct stn_builder *builder,
                                        int32_t a,
                                        int32_t b,
                                        double mu,
                                        double restitution,
                                        const double *axis,
                                        double mu_across);

/**
 * Attaches a ball, in the plane a disc. All shapes can touch each other but two half-spaces, two
 * meshes, and a half-space and a mesh: those that could meet are refused by stn_builder_build, and
 * stn_builder_set_groups keeps them apart.
 *
 * @param builder  builder; Nullable: no
 * @param body  number of a body, or STN_GROUND
 * @param radius  m, >= 0; a point when it is zero
 * @param pose  7 numbers, place and unit quaternion w x y z in body axes; Nullable: yes, for the
 * center of mass along the body axes
 * @param material  its number; 0 is the default
 * @param shape  receives its number; Nullable: yes
 * @return STN_OK; STN_ERR_NULL, STN_ERR_NONFINITE, STN_ERR_VALUE (unknown body or material, sizes,
 * a quaternion that is not of length one, a place or shape that the body cannot have, overlap),
 * STN_ERR_BUSY, STN_ERR_POISONED, STN_ERR_MEMORY
 * @note Thread class: exclusive. Since 0.1.
 */
STN_API
enum stn_status stn_builder_add_ball(struct stn_builder *builder,
                                     int32_t body,
                                     double radius,
                                     const double *pose,
                                     int32_t material,
                                     int32_t *shape);

/**
 * Attaches a capsule: all points within a radius of a segment along the x axis of its pose.
 *
 * @param builder  builder; Nullable: no
 * @param body  number of a body, or STN_GROUND
 * @param half_length  half the length of the segment, m, > 0
 * @param radius  m, >= 0
 * @param pose  as for stn_builder_add_ball; Nullable: yes
 * @param material  its number; 0 is the default
 * @param shape  receives its number; Nullable: yes
 * @return as stn_builder_add_ball
 * @note Thread class: exclusive. Since 0.1.
 */
STN_API
enum stn_status stn_builder_add_capsule(struct stn_builder *builder,
                                        int32_t body,
                                        double half_length,
                                        double radius,
                                        const double *pose,
                                        int32_t material,
                                        int32_t *shape);

/**
 * Attaches a box along the axes of its pose. Bodies in space only.
 *
 * @param builder  builder; Nullable: no
 * @param body  number of a body, or STN_GROUND
 * @param half  half the lengths of the edges, 3 numbers, m, > 0; Nullable: no
 * @param pose  as for stn_builder_add_ball; Nullable: yes
 * @param material  its number; 0 is the default
 * @param shape  receives its number; Nullable: yes
 * @return as stn_builder_add_ball
 * @note Thread class: exclusive. Since 0.1.
 */
STN_API
enum stn_status stn_builder_add_box(struct stn_builder *builder,
                                    int32_t body,
                                    const double *half,
                                    const double *pose,
                                    int32_t material,
                                    int32_t *shape);

/**
 * Attaches the convex hull of points in the plane. Bodies in the plane only.
 *
 * @param builder  builder; Nullable: no
 * @param body  number of a body in the plane
 * @param n  number of points, at least 1
 * @param vertices  2 by n numbers, m, x y of each point in turn; Nullable: only if n = 0, which is
 * refused
 * @param pose  as for stn_builder_add_ball; Nullable: yes
 * @param material  its number; 0 is the default
 * @param shape  receives its number; Nullable: yes
 * @return as stn_builder_add_ball; STN_ERR_DIMENSION for n < 0, STN_ERR_VALUE for n = 0;
 * STN_ERR_MEMORY
 * @note Thread class: exclusive. Since 0.1.
 */
STN_API
enum stn_status stn_builder_add_polygon(struct stn_builder *builder,
                                        int32_t body,
                                        int32_t n,
                                        const double *vertices,
                                        const double *pose,
                                        int32_t material,
                                        int32_t *shape);

/**
 * Attaches everything below a plane through the place of its pose.
 *
 * @param builder  builder; Nullable: no
 * @param body  number of a body, or STN_GROUND
 * @param normal  outward normal in the axes of the pose, 3 numbers, not zero; Nullable: no
 * @param pose  as for stn_builder_add_ball; Nullable: yes
 * @param material  its number; 0 is the default
 * @param shape  receives its number; Nullable: yes
 * @return as stn_builder_add_ball
 * @note Thread class: exclusive. Since 0.1.
 */
STN_API
enum stn_status stn_builder_add_half_space(struct stn_builder *builder,
                                           int32_t body,
                                           const double *normal,
                                           const double *pose,
                                           int32_t material,
                                           int32_t *shape);

/**
 * Puts a shape into groups. Two shapes meet when each meets a group of the other and they are on
 * different bodies. A new shape is in group 1 and meets all.
 *
 * @param builder  builder; Nullable: no
 * @param shape  its number
 * @param group  bits of the groups it belongs to
 * @param meets  bits of the groups it meets
 * @return STN_OK; STN_ERR_NULL, STN_ERR_VALUE (unknown shape), STN_ERR_BUSY, STN_ERR_POISONED
 * @note Thread class: exclusive. Since 0.1.
 */
STN_API
enum stn_status stn_builder_set_groups(struct stn_builder *builder,
                                       int32_t shape,
                                       uint32_t group,
                                       uint32_t meets);

/**
 * Attaches the convex hull of points in space. Bodies in space and the ground.
 *
 * @param builder  builder; Nullable: no
 * @param body  number of a body, or STN_GROUND
 * @param n  number of points, 4 to 64
 * @param points  3 by n numbers, m, x y z of each point in turn, not all in one plane; Nullable: no
 * @param pose  as for stn_builder_add_ball; Nullable: yes
 * @param material  its number; 0 is the default
 * @param shape  receives its number; Nullable: yes
 * @return as stn_builder_add_ball; STN_ERR_DIMENSION for n < 0, STN_ERR_VALUE for fewer than 4 or
 * more than 64 points; points in one plane are refused by stn_builder_build; STN_ERR_MEMORY
 * @note Thread class: exclusive. Since 0.1.
 */
STN_API
enum stn_status stn_builder_add_hull(struct stn_builder *builder,
                                     int32_t body,
                                     int32_t n,
                                     const double *points,
                                     const double *pose,
                                     int32_t material,
                                     int32_t *shape);

/**
 * Attaches a sheet of triangles, solid below: seen from outside, the corners of each turn
 * counterclockwise. It meets balls, capsules, boxes and hulls.
 *
 * @param builder  builder; Nullable: no
 * @param body  number of a body, or STN_GROUND
 * @param n_vertices  number of corners
 * @param vertices  3 by n_vertices numbers, m; Nullable: only if n_vertices = 0, which is refused
 * @param n_triangles  number of triangles, 1 to 262144
 * @param triangles  3 by n_triangles numbers of corners, from 0; Nullable: only if n_triangles = 0,
 * which is refused
 * @param pose  as for stn_builder_add_ball; Nullable: yes
 * @param material  its number; 0 is the default
 * @param shape  receives its number; Nullable: yes
 * @return as stn_builder_add_ball; STN_ERR_DIMENSION for negative counts and unknown corners,
 * STN_ERR_VALUE for triangles without an area; STN_ERR_MEMORY
 * @note Thread class: exclusive. Since 0.1.
 */
STN_API
enum stn_status stn_builder_add_mesh(struct stn_builder *builder,
                                     int32_t body,
                                     int32_t n_vertices,
                                     const double *vertices,
                                     int32_t n_triangles,
                                     const int32_t *triangles,
                                     const double *pose,
                                     int32_t material,
                                     int32_t *shape);

/**
 * Attaches a height field: a mesh over a grid in the x y plane of its pose, around its place, with
 * two triangles per cell.
 *
 * @param builder  builder; Nullable: no
 * @param body  number of a body, or STN_GROUND
 * @param nx  number of heights along x, at least 2
 * @param ny  number of heights along y, at least 2
 * @param size_x  length of the field along x, m, > 0
 * @param size_y  length of the field along y, m, > 0
 * @param heights  nx by ny numbers, m, those along x side by side; Nullable: no
 * @param pose  as for stn_builder_add_ball; Nullable: yes
 * @param material  its number; 0 is the default
 * @param shape  receives its number; Nullable: yes
 * @return as stn_builder_add_mesh; STN_ERR_VALUE for fewer than 2 heights along an axis and for
 * lengths that are not positive
 * @note Thread class: exclusive. Since 0.1.
 */
STN_API
enum stn_status stn_builder_add_height_field(struct stn_builder *builder,
                                             int32_t body,
                                             int32_t nx,
                                             int32_t ny,
                                             double size_x,
                                             double size_y,
                                             const double *heights,
                                             const double *pose,
                                             int32_t material,
                                             int32_t *shape);

/**
 * Reads the sizes of a model.
 *
 * @param model  model; Nullable: no
 * @param out  receives the sizes; Nullable: no
 * @return STN_OK; STN_ERR_NULL, STN_ERR_ABI, STN_ERR_BUSY, STN_ERR_POISONED
 * @note Thread class: shared. Since 0.1.
 */
STN_API enum stn_status stn_model_get_dims(const struct stn_model *model, struct stn_dims *out);

/**
 * Reads the state that a stepper of this model starts from: zero, and for built-in bodies the
 * builder's poses and velocities.
 *
 * @param model  model; Nullable: no
 * @param q  receives nq numbers; Nullable: yes
 * @param nq  as in the model
 * @param v  receives nv numbers; Nullable: yes
 * @param nv  as in the model
 * @return STN_OK; STN_ERR_NULL, STN_ERR_DIMENSION, STN_ERR_VALUE (overlap), STN_ERR_BUSY,
 * STN_ERR_POISONED, STN_ERR_MEMORY
 * @note Thread class: shared. Since 0.1.
 */
STN_API
enum stn_status stn_model_get_initial(const struct stn_model *model,
                                      double *q,
                                      int32_t nq,
                                      double *v,
                                      int32_t nv);

/**
 * Energy at a state: kinetic v'Mv/2 of any model, potential of gravity (zero at the origin) and
 * springs of built-in bodies, of a model of functions that of its elements alone: stiffness phi^2/2.
 * Forces, torques, motors and drives given in time have no potential.
 *
 * @param model  model; Nullable: no
 * @param t  time, s
 * @param q  nq numbers; Nullable: only if nq = 0
 * @param nq  as in the model
 * @param v  nv numbers; Nullable: only if nv = 0
 * @param nv  as in the model
 * @param kinetic  receives the kinetic energy, J; Nullable: yes
 * @param potential  receives the potential energy, J; Nullable: yes
 * @return STN_OK; STN_ERR_VALUE (potential of a model of functions without elements,
 * overlap), STN_REJECTED where the ends of a spring coincide; STN_REJECTED and STN_ERR_CALLBACK
 * from the model; STN_ERR_NULL, STN_ERR_DIMENSION, STN_ERR_NONFINITE, STN_ERR_BUSY,
 * STN_ERR_POISONED, STN_ERR_MEMORY
 * @note Thread class: shared. Since 0.1.
 */
STN_API
enum stn_status stn_model_get_energy(const struct stn_model *model,
                                     double t,
                                     const double *q,
                                     int32_t nq,
                                     const double *v,
                                     int32_t nv,
                                     double *kinetic,
                                     double *potential);

/**
 * Momentum of built-in bodies at a state, in world axes.
 *
 * @param model  model made of built-in bodies; Nullable: no
 * @param q  nq numbers; Nullable: no
 * @param nq  as in the model
 * @param v  nv numbers; Nullable: no
 * @param nv  as in the model
 * @param linear  receives 3 numbers, N s; Nullable: yes
 * @param angular  receives 3 numbers, about the origin, N m s; Nullable: yes
 * @return STN_OK; STN_ERR_VALUE (not made of built-in bodies, overlap), STN_ERR_NULL,
 * STN_ERR_DIMENSION, STN_ERR_NONFINITE, STN_ERR_BUSY, STN_ERR_POISONED
 * @note Thread class: shared. Since 0.1.
 */
STN_API
enum stn_status stn_model_get_momentum(const struct stn_model *model,
                                       const double *q,
                                       int32_t nq,
                                       const double *v,
                                       int32_t nv,
                                       double *linear,
                                       double *angular);

/**
 * Mass of all built-in bodies.
 *
 * @param model  model made of built-in bodies; Nullable: no
 * @param mass  receives the mass, kg; Nullable: no
 * @return STN_OK; STN_ERR_VALUE (not made of built-in bodies), STN_ERR_NULL, STN_ERR_NONFINITE
 * (beyond the largest number), STN_ERR_BUSY, STN_ERR_POISONED
 * @note Thread class: shared. Since 0.1.
 */
STN_API enum stn_status stn_model_get_total_mass(const struct stn_model *model, double *mass);

/**
 * Where the coordinates of a built-in body lie in q and v.
 *
 * @param model  model made of built-in bodies; Nullable: no
 * @param body  its number
 * @param q_at  receives the place of the first in q; Nullable: yes
 * @param n_q  receives how many there are in q; Nullable: yes
 * @param v_at  receives the place of the first in v; Nullable: yes
 * @param n_v  receives how many there are in v; Nullable: yes
 * @return STN_OK; STN_ERR_VALUE (not made of built-in bodies, unknown body, overlap),
 * STN_ERR_NULL, STN_ERR_BUSY, STN_ERR_POISONED
 * @note Thread class: shared. Since 0.1.
 */
STN_API
enum stn_status stn_model_get_body_range(const struct stn_model *model,
                                         int32_t body,
                                         int32_t *q_at,
                                         int32_t *n_q,
                                         int32_t *v_at,
                                         int32_t *n_v);

/**
 * Which equations, among the n_joint of the model, are those of a joint.
 *
 * @param model  model made of built-in bodies; Nullable: no
 * @param joint  its number
 * @param first  receives the number of its first equation; Nullable: yes
 * @param n  receives how many there are; Nullable: yes
 * @return STN_OK; STN_ERR_VALUE (not made of built-in bodies, unknown joint, overlap),
 * STN_ERR_NULL, STN_ERR_BUSY, STN_ERR_POISONED
 * @note Thread class: shared. Since 0.1.
 */
STN_API
enum stn_status stn_model_get_joint_range(const struct stn_model *model,
                                          int32_t joint,
                                          int32_t *first,
                                          int32_t *n);

/**
 * Where a built-in body stands.
 *
 * @param model  model made of built-in bodies; Nullable: no
 * @param body  its number
 * @param q  nq numbers; Nullable: no
 * @param nq  as in the model
 * @param pose  receives 7 numbers: center of mass x y z, unit quaternion w x y z; Nullable: no
 * @return STN_OK; STN_ERR_VALUE (not made of built-in bodies, unknown body, overlap),
 * STN_ERR_NULL, STN_ERR_DIMENSION, STN_ERR_NONFINITE, STN_ERR_BUSY, STN_ERR_POISONED
 * @note Thread class: shared. Since 0.1.
 */
STN_API
enum stn_status stn_model_get_pose(const struct stn_model *model,
                                   int32_t body,
                                   const double *q,
                                   int32_t nq,
                                   double *pose);

/**
 * World place and velocity of a point fixed to a built-in body.
 *
 * @param model  model made of built-in bodies; Nullable: no
 * @param body  its number
 * @param at  the point, 3 numbers, body coordinates; Nullable: yes, for the center of mass
 * @param q  nq numbers; Nullable: no
 * @param nq  as in the model
 * @param v  nv numbers; Nullable: yes, if velocity is
 * @param nv  as in the model
 * @param place  receives 3 numbers, m; Nullable: yes
 * @param velocity  receives 3 numbers, m/s; Nullable: yes
 * @return STN_OK; STN_ERR_VALUE (not made of built-in bodies, unknown body, overlap),
 * STN_ERR_NULL, STN_ERR_DIMENSION, STN_ERR_NONFINITE, STN_ERR_BUSY, STN_ERR_POISONED
 * @note Thread class: shared. Since 0.1.
 */
STN_API
enum stn_status stn_model_get_point(const struct stn_model *model,
                                    int32_t body,
                                    const double *at,
                                    const double *q,
                                    int32_t nq,
                                    const double *v,
                                    int32_t nv,
                                    double *place,
                                    double *velocity);

/**
 * A free coordinate of a joint, counted from the builder's pose. Angles in space lie in (-pi, pi].
 *
 * @param model  model made of built-in bodies; Nullable: no
 * @param joint  number of a joint that leaves the coordinate free
 * @param freedom  a stn_freedom
 * @param q  nq numbers; Nullable: no
 * @param nq  as in the model
 * @param value  receives the coordinate, rad or m; Nullable: no
 * @return STN_OK; STN_ERR_VALUE (not made of built-in bodies, unknown joint or freedom, one that
 * the joint does not leave free, overlap), STN_ERR_NULL, STN_ERR_DIMENSION, STN_ERR_NONFINITE,
 * STN_ERR_BUSY, STN_ERR_POISONED
 * @note Thread class: shared. Since 0.1.
 */
STN_API
enum stn_status stn_model_get_joint_coordinate(const struct stn_model *model,
                                               int32_t joint,
                                               int32_t freedom,
                                               const double *q,
                                               int32_t nq,
                                               double *value);

/**
 * Tells which bodies and shapes a contact between built-in bodies belongs to. Its key is that of
 * stn_event, stn_contact_state and stn_stepper_get_contact_key.
 *
 * Which contacts have an index of their own below n_contact, open or closed, and which come and go: a
 * ball with a ball, a box or a capsule, and anything but hulls and meshes with a half-space have their
 * own, as long as there are at most 128 such pairs in the scene; limits and half-spaces that move always do. All
 * others come and go: solids with solids and with meshes, and everything in larger scenes. A key
 * stands for two shapes and a pair of their features (corner and face, edge and edge, triangle of a
 * mesh): as long as the features stay the same so does the key, whatever other contacts do. Keys of
 * one model mean nothing in another.
 *
 * @param model  model made of built-in bodies; Nullable: no
 * @param key  key of a contact
 * @param body_a  receives the first body, STN_GROUND for the ground: the gap grows when it moves along
 * the normal; Nullable: yes
 * @param body_b  receives the second body; Nullable: yes
 * @param shape_a  receives the number of the shape of the first, -1 for a limit; Nullable: yes
 * @param shape_b  receives that of the second; Nullable: yes
 * @return STN_OK; STN_ERR_VALUE (not made of built-in bodies, a key that no contact of the model can
 * have, overlap), STN_ERR_NULL, STN_ERR_BUSY, STN_ERR_POISONED
 * @note Thread class: shared. Since 0.1.
 */
STN_API
enum stn_status stn_model_get_contact_pair(const struct stn_model *model,
                                           int64_t key,
                                           int32_t *body_a,
                                           int32_t *body_b,
                                           int32_t *shape_a,
                                           int32_t *shape_b);

/**
 * Says how far a state is from satisfying joints, joint velocities and gaps. Contacts that come and
 * go are asked for with a margin of 0.
 *
 * @param model  model; Nullable: no
 * @param t  time, s
 * @param q  nq numbers; Nullable: only if nq = 0
 * @param nq  as in the model
 * @param v  nv numbers; Nullable: only if nv = 0
 * @param nv  as in the model
 * @param out  receives the distances; Nullable: no
 * @return STN_OK whatever they are; STN_REJECTED and STN_ERR_CALLBACK from the model;
 * STN_ERR_NULL, STN_ERR_DIMENSION, STN_ERR_NONFINITE, STN_ERR_VALUE (overlap, a quaternion that is
 * not of length one, a bad contact), STN_ERR_CAPACITY for more than max_contacts, STN_ERR_ABI,
 * STN_ERR_BUSY, STN_ERR_POISONED, STN_ERR_MEMORY
 * @note Thread class: shared. Since 0.1.
 */
STN_API
enum stn_status stn_model_check_state(const struct stn_model *model,
                                      double t,
                                      const double *q,
                                      int32_t nq,
                                      const double *v,
                                      int32_t nv,
                                      struct stn_consistency *out);

/**
 * Moves a state to one that satisfies joints, joint velocities and gaps, changing it least in the
 * norm of the mass. Gaps that were open stay as they are unless joints need their room. The start
 * must be near enough for Newton's method. Velocities into touching contacts stay: they are
 * impacts. Contacts that come and go are asked for with margins up to a few times the distance moved.
 *
 * @param model  model; Nullable: no
 * @param t  time, s
 * @param q  nq numbers, moved; Nullable: only if nq = 0
 * @param nq  as in the model
 * @param v  nv numbers, changed; Nullable: only if nv = 0
 * @param nv  as in the model
 * @param out  receives what is left of the distances; Nullable: yes
 * @return STN_OK; STN_ERR_RESIDUAL when Newton's method does not arrive or joints and gaps
 * contradict each other; STN_ERR_SINGULAR for the mass; STN_REJECTED and STN_ERR_CALLBACK from the
 * model; STN_ERR_NULL, STN_ERR_DIMENSION, STN_ERR_NONFINITE, STN_ERR_VALUE (overlap, a quaternion
 * that is not of length one, a bad contact), STN_ERR_CAPACITY for more than max_contacts,
 * STN_ERR_ABI, STN_ERR_BUSY, STN_ERR_POISONED, STN_ERR_MEMORY. On anything but STN_OK q and v are untouched
 * @note Thread class: shared. Since 0.1.
 */
STN_API
enum stn_status stn_model_nearest_state(const struct stn_model *model,
                                        double t,
                                        double *q,
                                        int32_t nq,
                                        double *v,
                                        int32_t nv,
                                        struct stn_consistency *out);

/**
 * Coriolis and centrifugal forces that the mass of a model makes at (t, q, v), by differences of
 * mass: minus dM/dt v plus half the gradient of v'Mv. Only for models without rate, whose velocities
 * are derivatives of their coordinates. A force function may call this for its own model and add the
 * result; it asks for mass only.
 *
 * @param model  model; Nullable: no
 * @param t  time, s
 * @param q  nq numbers; Nullable: only if nq = 0
 * @param nq  as in the model
 * @param v  nv numbers; Nullable: only if nv = 0
 * @param nv  as in the model
 * @param out  receives nv numbers; Nullable: only if nv = 0
 * @return STN_OK; STN_REJECTED and STN_ERR_CALLBACK from the model; STN_ERR_NULL,
 * STN_ERR_DIMENSION, STN_ERR_NONFINITE, STN_ERR_VALUE (a model with a rate, overlap), STN_ERR_BUSY,
 * STN_ERR_POISONED, STN_ERR_MEMORY
 * @note Thread class: shared. Since 0.1.
 */
STN_API
enum stn_status stn_model_coriolis(const struct stn_model *model,
                                   double t,
                                   const double *q,
                                   int32_t nq,
                                   const double *v,
                                   int32_t nv,
                                   double *out);

/**
 * Whether the friction cone of the contacts with gaps up to near is pointed: where it is not,
 * impulses of contacts and joints can cancel, nothing bounds them, and a body may jam, like a wedge
 * between steep walls with more friction than their slope.
 * Contacts that come and go are asked for up to near.
 *
 * @param model  model; Nullable: no
 * @param t  time, s
 * @param q  nq numbers; Nullable: only if nq = 0
 * @param nq  as in the model
 * @param near  gap up to which contacts take part, m, >= 0
 * @param pointed  receives 1 or 0; Nullable: yes
 * @param margin  receives the length of the shortest mean of the cone's edges, each of length one
 * in the norm of the inverse mass: 0 for a cone that is not pointed, small for one that almost is
 * not, at most 1; INFINITY without contacts; Nullable: yes
 * @return STN_OK whatever they are; STN_REJECTED and STN_ERR_CALLBACK from the model; STN_ERR_NULL,
 * STN_ERR_DIMENSION, STN_ERR_NONFINITE, STN_ERR_VALUE (near, unbalanced directions, overlap, a bad
 * contact), STN_ERR_CAPACITY for more than max_contacts, STN_ERR_SINGULAR, STN_ERR_BUSY, STN_ERR_POISONED, STN_ERR_MEMORY
 * @note Thread class: shared. Since 0.1.
 */
STN_API
enum stn_status stn_model_check_cone(const struct stn_model *model,
                                     double t,
                                     const double *q,
                                     int32_t nq,
                                     double near,
                                     int32_t *pointed,
                                     double *margin);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* STICTION_H */
