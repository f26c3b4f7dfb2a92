//! Every tolerance: name, dimension, reason. All are relative unless the comment says otherwise.

mod many;
mod rest;

pub use many::*;
pub use rest::*;

/// Unit-free residual below which an LCP counts as solved. The promise of the C interface.
pub const LCP_RESIDUAL: f64 = 1e-9;

/// Largest residual that a caller may accept: beyond it z = 0 solves everything.
pub const LCP_LOOSEST: f64 = 1e-3;

/// Pivot, relative to the largest entry of its column, below which a row cannot leave the basis.
/// Entries of this size are rounding noise of a basis with condition up to 1e7.
pub const LCP_PIVOT: f64 = 1e-9;

/// Slack of the two-pass ratio test, in units of the scaled right-hand side. Among rows that tie
/// within it the largest pivot is taken.
pub const LCP_RATIO: f64 = 1e-10;

/// Pivot of an L D L' factorisation, relative to the diagonal entry it came from, at or below which
/// the matrix is not positive definite: what remains of the entry is its rounding error.
pub const DEFINITE_PIVOT: f64 = 1e-14;

/// How much larger than the diagonal entry of its row, in the scale of the pivots, what is eliminated from a row may be
/// without exchanges of rows; beyond, three digits would be lost and more, and rows are exchanged. Without an antisymmetric
/// part it is never more than that entry.
pub const LU_GROWTH: f64 = 1e3;

/// Rows up to which blocks of a matrix are factored with all their zeros: four bodies in space, as fast as by their
/// profile.
pub const PROFILE_ROWS: usize = 24;

/// Springs and dampers are stored by the bodies that they couple where that takes less than this part of the square of
/// all velocities: with a larger part one dense block is as fast.
pub const SPARSE: usize = 2;

/// Pivot of an equation, relative to the size of the row before elimination, below which the
/// equation depends on those before it.
pub const RANK: f64 = 1e-11;

/// Right-hand side of a dependent equation, relative to its data, up to which it is consistent.
pub const CONSISTENT: f64 = 1e-9;

/// Part of the mass that force derivatives must leave of the matrix of a step. A tenth magnifies a
/// velocity tenfold at most.
pub const MASS_MARGIN: f64 = 0.1;

/// Friction coefficients above this act as this one. Sums of friction impulses and normal ones meet in
/// one row: beyond, the smaller ones would be lost in rounding.
pub const MU_LARGEST: f64 = 1e12;

/// Friction directions must come in opposite pairs up to this, relative to the larger entry.
/// Written into the C contract.
pub const OPPOSITE: f64 = 1e-12;

/// Momentum, joint and normal rows of a velocity problem must hold to this, relative to the size of
/// what they are made of.
pub const VELOCITY_CHECK: f64 = 1e-9;

/// Sums up to this part of the absolute values they are made of are rounding: a few hundred units
/// in the last place, more than eliminations of contact problems add up.
pub const ROUNDING: f64 = 1e-13;

/// Impulses up to this fraction of the largest one are rounding of a zero.
pub const IMPULSE_ZERO: f64 = 1e-12;

/// Speeds up to this fraction of the sum of the absolute values of their terms are rounding of a
/// zero.
pub const SPEED_ZERO: f64 = 1e-12;

/// Residual of a direction, relative to its size, above which it is refined once. A direction this
/// good moves no variable by more than the slack of the ratio test.
pub const LCP_REFINE: f64 = 1e-11;

/// Residual of a direction after refinement above which the inverse is made afresh.
pub const LCP_REFACTOR: f64 = 1e-6;

/// Lift of the scaled right-hand side that separates rows tied by degeneracy: above the slack of
/// the ratio test, small enough that the basis found usually serves the true problem.
pub const LCP_LIFT: f64 = 1e-8;

/// Residual at which the point of a finished path is taken as it is. Above it the basis is solved
/// again.
pub const LCP_FINE: f64 = 1e-12;

/// Part of the tolerance that the rounding of M z + q may have at most, by its bound, where an answer is
/// judged by the plain product; beyond it products and sums carry their rounding along.
pub const LCP_TRUST: f64 = 0.1;

/// Unknowns of a mixed problem larger than this, in units of the right-hand side, are solved for again
/// with those that are not determined set to zero: 1e-16 of them begins to be seen by the residual.
pub const LCP_LARGE: f64 = 1e5;

/// Violation of a row, relative to the sum of its own terms, that rounding cannot explain. The
/// unit-free residual is relative to the largest row of all.
pub const LCP_ROW: f64 = 1e-9;

/// Pivot of an inversion, relative to its column, at or below which a basis is singular: a basis
/// of condition above 1e13 has no correct digits.
pub const LCP_SINGULAR: f64 = 1e-14;

/// Residual at which the remembered basis is accepted without a pivot.
pub const LCP_WARM: f64 = 1e-11;

/// Violation of the equations of a remembered basis, relative to the data, after refinement with an
/// old inverse, above which the inverse is made afresh.
pub const LCP_STALE: f64 = 1e-12;

/// Violation of the equations of a basis at which refinement has reached rounding.
pub const LCP_FRESH: f64 = 1e-14;

/// Gap up to which a contact touches, per unit of the scene's length. Far above rounding of
/// positions, far below real gaps. The default of the option `active_gap`.
pub const ACTIVE_GAP: f64 = 1e-9;

/// The same for Runge-Kutta methods once a motion is under way: they locate contacts to rounding.
pub const MOVING_GAP: f64 = 1e-12;

/// Flights shorter than this part of the step are closed. Below it an accumulation of impacts
/// changes positions by less than the method does. The default of the option `closing`.
pub const CLOSING: f64 = 0.01;

/// Times the energy of short flights that closing them may take: coupling through a body makes it
/// some times more, normals at a small angle make it the whole energy of the motion between them.
pub const FLIGHT_ENERGY: f64 = 100.0;

/// Size of differences of forces: the square root of the rounding unit, where truncation and
/// rounding of a one-sided difference balance.
pub const DIFFERENCE: f64 = 1.5e-8;

/// Half the distance of differences in time, per step. The error, of relative size its square, is
/// far below that of any method; rounding stays below `MODE_SPEED`.
pub const TIME_DIFFERENCE: f64 = 1e-3;

/// Part of the longest step of a run by tolerances that differences in time assume at least: rounding of
/// positions is then 1e-10 of a speed, and the truncation as small.
pub const CALM: f64 = 1e-3;

/// The same, per time itself: below it two times are the same number or nearly so, and what a wall
/// does between them is rounding. Rates of motions of the size of their time are good to 1e-4 here.
pub const TIME_RESOLVED: f64 = 4096.0 * f64::EPSILON;

/// Length of step, s, that differences in time assume before any step is known. The only absolute
/// time here; a step replaces it.
pub const FIRST_STEP: f64 = 1e-2;

/// Newton steps of a projection. The distance is of second order in the step, so two reach
/// rounding.
pub const PROJECTIONS: usize = 3;

/// The same where joints are still [apart](JOINTS_APART): steps so long that their errors are those of
/// the scene.
pub const LONG_PROJECTIONS: usize = 20;

/// Joint errors and closed gaps up to this part of the scene's length are not projected.
pub const PROJECTED: f64 = 1e-15;

/// Joint errors, per scene length, above which a projection that does not halve them has failed:
/// far above the rounding of joints that depend on each other, far below what can be meant.
pub const JOINTS_APART: f64 = 1e-6;

/// Longest way of a projection that holds springs, squared, in terms of the way of the step and of the
/// projection without them. It is of second order in the step unless springs stand against joints.
pub const HOLD_REACH: f64 = 4.0;

/// Margin of a friction cone up to which it is not pointed: the root of the rounding of its square.
pub const POINTED: f64 = 1e-7;

/// Damping rate times step above which the trapezoidal rule counts as ringing: there it leaves two
/// thirds of an excitation, with changed sign, in every step.
pub const STIFF: f64 = 10.0;

/// Part of the velocity that dampers must change within a step to count as excited.
pub const EXCITED: f64 = 1e-3;

/// Speeds up to this part of the contact speeds, and of what the free acceleration makes in a step,
/// count as zero when modes are told apart. Rounding of a few hundred operations lies far below.
pub const MODE_SPEED: f64 = 1e-9;

/// Accelerations up to this part of the free one count as zero when modes are told apart. They rest
/// on differences of directions with a relative error of about 1e-10.
pub const MODE_ACCELERATION: f64 = 1e-7;

/// Speeds up to this, in scene lengths per step, are rounding of positions.
pub const SPEED_ROUNDING: f64 = 1e-14;

/// Part of what the free acceleration makes in a step that rounding of positions may hide: a slip that
/// begins must grow beyond it in one step. It bounds the above in steps below a microsecond or so.
pub const SPEED_FORCED: f64 = 1e-3;

/// Part of the way of a fall through the step by which a contact that came on the way may be below zero at the end: triangles of
/// one face differ by some of it, and are met where they come.
pub const MISSED: f64 = 1e-3;

/// Part of a step below which times are not told apart.
pub const INSTANT: f64 = 1e-8;

/// Part of a step to which changes of force are located. The force is continuous there, so that the
/// error is of second order in this.
pub const FORCE_EVENT: f64 = 1e-6;

/// Distance of differences of directions, per scene length: truncation and rounding balance for
/// central differences. The floor of the accelerations made of them is about 1e-10 v^2 per scene
/// length; models that give the terms themselves have none.
pub const DIRECTION_DIFFERENCE: f64 = 1e-5;

/// Distance of differences of directions in time, per step, where joints or gaps move by
/// themselves, and at most otherwise.
pub const DIRECTION_TIME: f64 = 1e-2;

/// Part of the step for which impulses decide where no acceleration exists. Longer ones open gaps.
pub const IMPULSE_STEP: f64 = 1e-6;

/// Kinetic energy may grow by this part in an impact: rounding.
pub const ENERGY_GROWTH: f64 = 1e-12;

/// Iterations of the fixed point of position-level rows. It contracts like the square of the step.
pub const ITERATIONS: usize = 50;

/// What may be left of the velocities of Runge-Kutta stages, relative to velocities and to what
/// accelerations make in a step: rounding.
pub const STAGE: f64 = 1e-15;

/// Changes of stage velocities that no longer shrink count as rounding up to this: accelerations
/// rest on differences of directions.
pub const STAGE_NOISE: f64 = 1e-11;

/// Iterations of the stage equations. At the slowest rates that are followed thirty reach rounding.
pub const STAGE_ITERATIONS: usize = 40;

/// Ratio of successive changes above which the stage equations are solved with derivatives of the
/// force, which cost more.
pub const FIXED_POINT_RATE: f64 = 0.3;

/// The same with derivatives, above which the step is halved.
pub const NEWTON_RATE: f64 = 0.8;

/// Distance of differences of fourth order of directions, per scene length: truncation and rounding
/// balance at about 1e-13.
pub const FINE_DIRECTION: f64 = 1e-3;

/// The same in time, per step, where joints or gaps move by themselves.
pub const FINE_TIME: f64 = 0.05;

/// Shortest step that control of the error tries, per length of the way or time: beyond, times
/// cannot be told apart well enough to locate events in it.
pub const SHORTEST_STEP: f64 = 1e-13;

/// A way or a step, s, whose parts have no digits left: they are subnormal numbers.
pub const SHORTEST_WAY: f64 = f64::MIN_POSITIVE / f64::EPSILON;

/// Fourth difference of forces, relative to them, that rounding explains: sixteen of its units, and a
/// few operations in each.
pub const FORCE_ROUNDING: f64 = 256.0 * f64::EPSILON;

/// Part of the second difference of a smooth force, times the length of the step, that cubics between its
/// samples may leave of a momentum: the square of the angle that a step turns by, over 400.
pub const CUBIC_MOMENTUM: f64 = 0.0005;

/// Part of the way of a run by tolerances within which jumps of a force follow each other that may be a
/// force that turns round at every step: far below the period of any that is meant.
pub const RESTLESS_PART: f64 = 1e-5;

/// Difference of two positions, relative to them, that rounding explains: two ways of some pieces each,
/// projected.
pub const POSITION_ROUNDING: f64 = 8.0 * f64::EPSILON;

/// Velocity, in tolerances per time of the advance, to which equations of stages are solved: what is left in a thousand steps,
/// after it has acted for all of the time, is a hundredth of the tolerance.
pub const STAGE_SHARE: f64 = 1e-5;

/// Shortest critical step, in steps: what happens in it is still above the rounding of positions.
pub const CRITICAL: f64 = 1e-9;

/// Part of a step by which two may differ and count as equal: far above what sums of times lose, far below what a change
/// of steps does to an impact between them.
pub const EQUAL_STEPS: f64 = 1e-6;

/// Coordinates below this part of the scene's length are not told apart from zero by a relative
/// tolerance.
pub const SMALL_COORDINATE: f64 = 1e-3;

/// Part of the tolerance below which the error of a step says no more about the next.
pub const LEAST_ERROR: f64 = 1e-4;

/// Change of position, per scene length, at which the fixed point counts as reached.
pub const FIXED_POINT: f64 = 1e-13;

/// A time divided by a step is a whole number of steps when it is one up to this. Written into the
/// C contract.
pub const WHOLE_STEPS: f64 = 1e-9;

/// What is given as a unit vector, a unit quaternion, a right angle or a symmetric matrix may miss
/// it by this: more than the rounding of a few operations or ten printed digits, less than any
/// meant deviation.
pub const GIVEN_UNIT: f64 = 1e-9;

/// How far a quaternion of a state that the host sets may be from length one: a host that keeps it
/// in single precision must pass, a vector that was never normalised must not.
pub const STATE_UNIT: f64 = 1e-5;

/// Relative error from which a check of a model calls an answer wrong. Differences of smooth
/// functions agree to 1e-8 or better; a wrong entry is wrong by a good part of its size.
pub const MODEL_WRONG: f64 = 1e-6;

/// Squared angle below which the screw motion is taken from its series, whose sixth term is then
/// below rounding.
pub const ROTATION_SERIES: f64 = 0.0625;

/// Sine of the angle between a normal and a pole below which tangents are taken from another
/// direction.
pub const POLE: f64 = 1e-3;

/// Size of central differences, relative to their argument: the cube root of the rounding unit,
/// where truncation and rounding balance.
pub const CENTRAL_DIFFERENCE: f64 = 6e-6;

/// Size of second differences: the fourth root of the rounding unit.
pub const SECOND_DIFFERENCE: f64 = 1.2e-4;

/// Rounding units by which values may differ that should be equal, before a difference of them is
/// an error: a model sums a few dozen terms.
pub const DIFFERENCE_NOISE: f64 = 64.0;

/// Joint errors and depths of a projected state, relative to the largest coordinate.
pub const NEAREST: f64 = 1e-12;

/// Change of the displacement to the nearest state, relative to the largest coordinate, at which it
/// counts as the smallest: its size changes by the square.
pub const NEAREST_CHANGE: f64 = 1e-9;

/// Steps after which a start was too far away.
pub const NEAREST_STEPS: usize = 50;

/// Friction directions form a regular polygon when they do up to this part of their size.
pub const REGULAR: f64 = 1e-9;

/// Part of the slip speed that may be left aside when a contact in space stops: its direction is
/// predicted to second order.
pub const STOPPED: f64 = 0.05;

/// Difference of the slip speeds of two contacts, relative to them, up to which they belong to one
/// slide and stop together.
pub const SLIP_ALIKE: f64 = 1e-6;

/// Change of a slip speed in a piece, relative to the lesser of both ends, above which the direction
/// of its friction is found implicitly. Below, friction is far from turning the slip about.
pub const SWING: f64 = 0.1;

/// Most that a turn of friction may make of itself for the line through two turns to be believed:
/// friction that follows a slip makes less than nothing of it.
pub const SWING_RATE: f64 = 0.5;

/// Part of a slip speed below which, at the end of a path, a stop on the way is looked for.
pub const SLOWING: f64 = 0.5;

/// Pivot of a Cholesky factorisation, relative to the diagonal entry it came from, at or below
/// which the matrix is not positive definite: what remains of the entry is its rounding error.
pub const CHOLESKY_PIVOT: f64 = 1e-14;

/// Parts of a length: contacts that come and go are reported at least up to this part of the scene,
/// also at rest. A contact that is missed is found at the end of the step, only later.
pub const MARGIN: f64 = 1e-2;

/// Ways of the fastest coordinate that a gap can shrink by: two bodies along three axes each, 2
/// sqrt(3), and nearly as much again by turning.
pub const MARGIN_WAY: f64 = 6.0;

/// The same in ways of the fastest point of a surface, where that is known: two bodies, each of which may become twice as
/// fast in the step.
pub const MARGIN_POINTS: f64 = 4.0;

/// Points within this part of the size of a hull from one plane lie in it.
pub const HULL_FLAT: f64 = 1e-9;

/// A corner counts as over a face, and a crossing as within two edges, up to this part of their
/// size beyond: neighbors that share an edge leave no gap between them.
pub const FEATURE_SLACK: f64 = 1e-9;

/// Sine of the angle between two edges up to which they are parallel and do not cross.
pub const FEATURE_PARALLEL: f64 = 1e-6;

/// Sine of the angle by which the faces beside two crossing edges may lean over before the edges no
/// longer face each other. Faces that are about to lie flat must count before they do.
pub const FEATURE_TILT: f64 = 0.1;

/// Depth, relative to the smaller solid, to which edges may have passed through each other and
/// still be told from those on the far sides.
pub const FEATURE_DEPTH: f64 = 0.05;

/// Two edges are not looked at any closer from this many times the distance on at which their gap does not count: so
/// much more than rounding that none is left out which would.
pub const FEATURE_FAR: f64 = 1.1;

/// Most contacts that have slots of their own in a scene. Beyond, contacts come and go: columns
/// of contacts that are far away cost more than a search for the near ones.
pub const SLOTS_OF_THEIR_OWN: usize = 128;

/// Most contacts at one point of a scene whose contacts come and go.
pub const CONTACTS_OF_A_SCENE: usize = 1 << 16;

/// How softly the method of multipliers (step.70) holds an equation, in units of what a multiplier
/// does along its own row: what a round leaves of a violation, and what it loses of its digits.
pub const MULTIPLIER_SOFTNESS: f64 = 1e-7;

/// The same for joints: where contacts contradict them, what is left is theirs in this proportion.
pub const MULTIPLIER_JOINT: f64 = 1e-11;

/// Part of the first violations at which the method of multipliers ends: rounding of what they are
/// made of.
pub const MULTIPLIERS_DONE: f64 = 1e-14;

/// Energy of a change of velocity by its projection, in units of that of the velocity, above which normals alone are asked too: a
/// step violates by the square of its length.
pub const PROJECTED_FAR: f64 = 1e-4;

/// The same in units of what normals alone need, above which friction along slips that are kept is next to singular.
pub const PROJECTED_FARTHER: f64 = 100.0;

/// Energy on a path with modes kept, in units of that without any impulse and that at its start, above which what is held is next to
/// singular: held without friction it never exceeds them.
pub const PATH_ENERGY: f64 = 100.0;

/// Part of what the round before moved above which another one gains nothing. Where equations do not contradict each other
/// a round leaves a millionth.
pub const MULTIPLIERS_STALL: f64 = 0.5;

/// Ratios of the heights of a contact that takes off after a time and after half of it that are those of a square, 4.
pub const LIKE_A_SQUARE: [f64; 2] = [3.0, 5.0];

/// The same of a slip from rest, which is in proportion to the time.
pub const LIKE_THE_TIME: [f64; 2] = [1.5, 2.5];

/// Rounds of the method of multipliers. Two or three do, unless masses differ by many powers of ten.
pub const MULTIPLIER_ROUNDS: u32 = 12;

/// Part of the time at which the line between the ends of a slip reaches zero before which the slip
/// itself does not: paths are straight up to the square of their length.
pub const LINE_OF_SLIP: f64 = 0.7;

/// Part of the kinetic energy that friction may add on a path of modes: where directions turn, rows at the end of a
/// piece leave a mean slip of second order to friction in its middle. Blocks that tip in coarse steps reach 6e-5; stops
/// that cannot be made add 0.05 and more.
pub const FRICTION_DRIVES: f64 = 1e-3;
