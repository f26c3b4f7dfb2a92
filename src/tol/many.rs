//! Tolerances of problems with many contacts: the space of bodies, patches and proximal terms.

/// Friction directions of a contact that differ from combinations of two of them by less than this,
/// relative to their size, lie in one plane.
pub const SAME_DIRECTION: f64 = 1e-12;

/// Coordinates that the mass couples up to which they are taken for one body. More stay the bodies that were told: as one they
/// would cost the cube of their number.
pub const COUPLED_AS_ONE: usize = 24;

/// Contacts and joint equations from which on an island is worth a thread: it takes some tens of microseconds to begin.
pub const WORTH_A_THREAD: usize = 24;

/// Sweeps over the contacts of an island before Newton's method takes over: they find most modes.
pub const SWEEPS: usize = 100;
/// Part of them that is made in islands with joints: what pushes one end of a chain is felt at the other, which sweeps are slow
/// to find.
pub const SWEEPS_JOINTED: usize = 10;
/// The same where they were too few.
pub const SWEEPS_ONCE_MORE: usize = 1000;

/// Strength of the proximal term at first and at last, relative to the response of a contact. A
/// strong one makes the modes easy to find, a weak one leaves little to repeat.
pub const PROXIMAL_FIRST: f64 = 0.1;
/// See [`PROXIMAL_FIRST`].
pub const PROXIMAL_LAST: f64 = 1e-9;
/// The first where sweeps have found most modes.
pub const PROXIMAL_SWEPT: f64 = 1e-3;
/// Part of a proximal term that the next has.
pub const PROXIMAL_WEAKER: f64 = 0.1;
/// The same where modes are known.
pub const PROXIMAL_MODES: f64 = 1e-6;

/// Steps of Newton's method for one strength of the proximal term, and the shortest part of one
/// that is tried: beyond, modes cycle.
pub const NEWTON_STEPS: usize = 16;
/// The same where a path can be followed instead: what four steps do not settle sixteen do not.
pub const NEWTON_STEPS_BEFORE_PATH: usize = 4;
/// See [`NEWTON_STEPS`].
pub const NEWTON_SHORTEST: f64 = 1.0 / 64.0;

/// Strength of the weakest proximal term for which Newton's method is tried before a path is followed: with a strong term it
/// takes two to five factorisations where a path takes hundreds of changes; with a weaker one its modes cycle as often as not.
pub const NEWTON_WEAKEST: f64 = 0.9e-2;
/// The same where that was in vain.
pub const NEWTON_WEAKEST_ONCE_MORE: f64 = 0.9e-3;

/// Most contacts of an island whose modes are found by Lemke's method where Newton's does not find them, and rounds in
/// which they are gathered.
pub const UNDECIDED: usize = 32;
/// See [`UNDECIDED`].
pub const UNDECIDED_ROUNDS: usize = 16;

/// How much larger a residual may be than the least of an island before it is taken for that of wrong modes.
pub const PROXIMAL_LOST: f64 = 10.0;

/// Cosine of the angle between two proximal steps, and least length of the second relative to the first, from which on
/// impulses drift: more steps would be like these.
pub const DRIFT_ALIKE: f64 = 0.99;
/// See [`DRIFT_ALIKE`].
pub const DRIFT_STEADY: f64 = 0.9;
/// Part of the largest impulse of a step that one must have to take part in a drift: others flicker.
pub const DRIFT_PART: f64 = 1e-3;
/// How far beyond the first wall impulses are taken, relative to the way there.
pub const DRIFT_BEYOND: f64 = 1e-3;
/// Drifts that are followed for one island.
pub const DRIFTS: usize = 50;

/// Proximal terms that are tried for one island.
pub const PROXIMAL_TERMS: usize = 60;

/// Failures of Newton's method after which an island is left to Lemke's.
pub const NEWTON_FAILURES: usize = 12;

/// Repetitions of the proximal step with one factor, and the part of the residual that each must
/// at least remove.
pub const PROXIMAL_STEPS: usize = 40;
/// See [`PROXIMAL_STEPS`].
pub const PROXIMAL_PROGRESS: f64 = 0.9;

/// Residual of an island, relative to the largest speed without impulses, that is as good as
/// rounding allows.
pub const STRUCTURED_TARGET: f64 = 1e-14;
/// The same, up to which an island counts as solved.
pub const STRUCTURED_DONE: f64 = 1e-11;
/// The same with joints: a chain of a hundred links magnifies rounding by the square of their number.
pub const STRUCTURED_HELD: f64 = 1e-10;
/// The same, up to which the impulses of the problem before are kept.
pub const STRUCTURED_AGAIN: f64 = 1e-13;
/// The same, from which on modes are right but for contacts without a load.
pub const STRUCTURED_NEAR: f64 = 1e-7;
/// Part of the residual that a proximal term must leave at most to be used once more.
pub const PROXIMAL_GAIN: f64 = 0.3;

/// Part of the terms that a speed is summed from which counts as a speed when residuals are measured: a violation of
/// 1e-8 of it, the largest allowed, is fifty units in the last place of the terms.
pub const ROUNDED_SPEED: f64 = 1e-6;

/// Difference of the normals of two contacts, relative to their size, up to which they may belong
/// to one patch: triangulated faces are flat to about this.
pub const PATCH_NORMAL: f64 = 1e-6;

/// Part of the extent of a patch below which contacts lie on the edge of its hull, not beyond it.
pub const PATCH_SLACK: f64 = 1e-9;

/// Distance of two contacts of a patch, in units of [`PATCH_SLACK`] of its extent, up to which they are at one point.
pub const PATCH_TWINS: f64 = 4.0;

/// Square of the cosine of the angle by which the normal of a contact may turn within a step: 60 degrees.
pub const TURNED_OVER: f64 = 0.25;

/// Difference of slip velocities across a patch, relative to the largest speed without impulses,
/// above which it spins.
pub const PATCH_SPIN: f64 = 1e-9;

/// The same in units of what the normals of the patch disagree by: noise of triangles turns a body by as much.
pub const PATCH_TILTED: f64 = 4.0;

/// Part of the gap that counts as closed by which contacts inside of a patch may be below the others: they
/// take no part in steps that end with them this deep.
pub const PATCH_DEPTH: f64 = 0.1;

/// Times that a problem is solved again with contacts of patches that approached, and how many of each patch are taken in at
/// a time: three hold a face.
pub const PATCH_LOOKS: usize = 10;
/// See [`PATCH_LOOKS`].
pub const PATCH_TAKEN: usize = 3;

/// Times that contacts which were left out of a step are taken in again before all are.
pub const PATCH_ROUNDS: usize = 6;

/// How softly joints are held beside contacts, relative to their own response: what keeps equations that depend on others
/// from being singular, and is gone after a round or two for all others.
pub const JOINT_SOFTNESS: f64 = 1e-10;
/// Rounds in which speeds along joints are brought to zero: one does, the next removes its rounding.
pub const HOLD_ROUNDS: usize = 3;
/// Rounding errors of a speed along a joint that may be left of it.
pub const ROUNDED_DONE: f64 = 16.0;

/// Strengths of the first and the last proximal term with which paths are followed from known modes where there are joints. The
/// first finds modes, the last leaves next to nothing where contacts and joints are nearly redundant, as in a straight chain.
pub const PROXIMAL_JOINTED: [f64; 2] = [1e-2, 1e-9];
/// Part of such a term that the next has, its root where a path does not end.
pub const PROXIMAL_JOINTED_PART: f64 = 1e-2;
/// Paths with each of them, changes of modes on one for each of its groups, and times that it may turn.
pub const PATHS_JOINTED: usize = 3;
/// See [`PATHS_JOINTED`].
pub const PATH_JOINTED: usize = 4;
/// See [`PATHS_JOINTED`].
pub const PATH_FLIPS_JOINTED: usize = 60;

/// Residual of an island with joints, relative to the largest speed without impulses, that the judge lets pass: it measures by the
/// whole problem, and allows 1e-9.
pub const STRUCTURED_JUDGED: f64 = 3e-10;

/// Joint equations from which a velocity problem is first tried in the space of bodies, whatever touches: there they cost in
/// proportion to their number, with Lemke's method as its cube.
pub const MANY_JOINTS: usize = 24;

/// Sweeps between looks at whether they have reached the answer.
pub const SWEEPS_AT_A_TIME: usize = 10;

/// Contacts from which a velocity problem is first tried in the space of bodies. Below, Lemke's
/// method is as fast. Patches of up to as many take part in steps as a whole.
pub const MANY_CONTACTS: usize = 8;

/// Least and most changes of modes on a path between factorisations: each costs one substitution, and a little for every one
/// before. In between, as many as make that as much work as the factorisation.
pub const PATH_CHANGES: [usize; 2] = [20, 160];

/// How much a group may move on a path without being looked at, relative to its distance from its walls: the rest is for
/// rounding.
pub const PATH_UNSEEN: f64 = 0.999;

/// Changes of modes on a path for each of its groups: after sweeps one in ten is worth a change or two, and a path that takes
/// many more wanders.
pub const PATH_PIVOTS: f64 = 0.3;

/// Times that a path may turn from forth to back or from back to forth: beyond, it wanders, and a stronger proximal term is
/// cheaper.
pub const PATH_FLIPS: usize = 12;

/// Changes of modes for each group on a path that is known to end.
pub const PATH_LONGEST: usize = 50;
/// How far beyond the last wall such a path starts, relative to the largest that a group asks for.
pub const PATH_BEYOND: f64 = 1e-3;

/// Distance from the walls of a mode at which a path starts, relative to the largest impulse: nearer ones would be met
/// together with others.
pub const PATH_APART: f64 = 1e-12;

/// Rounds in which what a contact asks for is moved to inside of all walls of its mode.
pub const PATH_ROUNDS: usize = 20;

/// Unknowns up to which Lemke's method is asked after a short search: it takes the square of them, at least.
pub const LEMKE_AFTER_SHORT: usize = 300;
/// The same after long ones.
pub const LEMKE_AFTER_LONG: usize = 1000;

/// Residual of an island, relative to the largest speed without impulses, up to which the judge is asked where another
/// proximal term gains nothing.
pub const STRUCTURED_ENOUGH: f64 = 1e-9;

/// Part of the largest impulse by which contacts may pull, or rub beyond their cones: rounding of what they are summed from.
pub const PUSH_ROUNDED: f64 = 1e-12;

/// Part of a momentum that shared impulses may leave of it before contacts around are looked at as well: paths hold by equations what
/// normals that differ by noise make by themselves.
pub const SHARED: f64 = 1e-9;

/// The same up to which contacts around are not looked at: a projection of velocities that pulls by this at one of the contacts of a pile.
pub const PULLED_LITTLE: f64 = 1e-5;

/// Part of the impulses up to which those that pull are drift that was projected away, and the others are kept as nearly as can be;
/// beyond, none of them means anything.
pub const SHARED_NEAR: f64 = 1e-3;

/// How softly shared impulses make a momentum, in units of what one of them does: what a round leaves of it.
pub const SHARE_SOFTNESS: f64 = 1e-6;

/// Part of a momentum at which Newton's method ends, and that may be left where rounds of it end: rounding.
pub const SHARE_DONE: f64 = 1e-15;
/// See [`SHARE_DONE`].
pub const SHARE_LEFT: f64 = 1e-14;
