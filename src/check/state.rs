//! Whether a state satisfies joints and gaps, and the nearest one that does. Knows only [`Model`].

use crate::error::{
    Error, Result, collect, finite, finite_number, grow, length, push, reserve, zeros,
};
use crate::linalg::{DefiniteFactor, MatRef, RankFactor, axpy, dot, max_abs};
use crate::model::{Checked, ContactSet, Dims, Model};
use crate::tol;

/// How far a state is from being allowed. Zero everywhere: it is.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Consistency {
    /// Largest joint error |phi|, and which.
    pub joint: (f64, usize),
    /// Largest joint speed |jt'v + d phi/dt|, and which.
    pub joint_speed: (f64, usize),
    /// Deepest penetration -gap, 0 when all are open, and which: those with a gap of their own come
    /// first, then those that come and go in the order they are pushed.
    pub depth: (f64, usize),
    /// The host's key of the deepest contact; none when all are open.
    pub depth_key: Option<i64>,
}

impl Consistency {
    /// The largest of the three.
    pub fn worst(&self) -> f64 {
        self.joint.0.max(self.joint_speed.0).max(self.depth.0)
    }
}

/// How far (t, q, v) is from satisfying joints, joint velocities and gaps.
///
/// # Errors
/// `Dimension`, `NonFinite`; `Range` for a position that is none; `Rejected` and `Callback` from the
/// model, and what its pushes fail with.
pub fn check_state(model: &dyn Model, t: f64, q: &[f64], v: &[f64]) -> Result<Consistency> {
    let mut p = Projection::new(model, t)?;
    p.input(q, v)?;
    p.evaluate(q)?;
    p.consistency(v)
}

/// Moves (q, v) to the nearest state that satisfies joints, joint velocities and gaps: the
/// displacement is the smallest in the norm of the mass, then the velocity changes least in the
/// same norm. Gaps that were open stay as they are unless joints need their room. Needs a start
/// near enough: displacements small against the radii of curvature. Contacts that come and go are
/// asked for up to twice the displacement.
///
/// # Errors
/// `Dimension`, `NonFinite`; `Range` for a position that is none; `Rejected` and `Callback` from the
/// model, and what its pushes fail with; `NotPositiveDefinite` for the mass; `Residual` when Newton's method does not arrive, or joints and gaps contradict each
/// other. The state is then unchanged.
pub fn nearest_state(
    model: &dyn Model,
    t: f64,
    q: &mut [f64],
    v: &mut [f64],
) -> Result<Consistency> {
    let mut p = Projection::new(model, t)?;
    p.input(q, v)?;
    let (mut near, mut velocity) = (collect(q.iter().copied())?, collect(v.iter().copied())?);
    let scale = max_abs(q).max(1.0);
    p.evaluate(&near)?;
    if !p.satisfied(scale) {
        let mut total = zeros(v.len())?;
        p.reach(&total);
        p.evaluate(&near)?;
        for _ in 0..tol::NEAREST_STEPS {
            let next = p.smallest(&near, &total)?;
            let change = next.iter().zip(&total).fold(0.0f64, |c, (a, b)| c.max((a - b).abs()));
            total = next;
            p.reach(&total);
            near = p.displaced(q, &total)?;
            p.evaluate(&near)?;
            if change <= tol::NEAREST_CHANGE * scale {
                break;
            }
        }
    }
    // What is left is of second order in the last change: Newton steps from where it is.
    for _ in 0..tol::NEAREST_STEPS {
        if p.satisfied(scale) {
            break;
        }
        let step = p.smallest(&near, &zeros(v.len())?)?;
        near = p.displaced(&near, &step)?;
        p.evaluate(&near)?;
    }
    p.correct_velocity(&near, &mut velocity)?;
    let at = p.consistency(&velocity)?;
    let speed = max_abs(v).max(max_abs(&p.phi_t)).max(1.0);
    for (residual, scale) in [(at.joint.0.max(at.depth.0), scale), (at.joint_speed.0, speed)] {
        let tolerance = tol::NEAREST * scale;
        if !(residual <= tolerance) {
            return Err(Error::Residual { residual, tolerance });
        }
    }
    q.copy_from_slice(&near);
    v.copy_from_slice(&velocity);
    Ok(at)
}

/// Joints and gaps at a position, and storage for the projection.
struct Projection<'a> {
    asked: Checked<'a>,
    d: Dims,
    t: f64,
    phi: Vec<f64>,
    phi_t: Vec<f64>,
    jt: Vec<f64>,
    /// Gaps and normals of the fixed contacts, then of those that are pushed.
    gap: Vec<f64>,
    normal: Vec<f64>,
    pushed: ContactSet,
    /// Distance up to which those are asked for.
    margin: f64,
}

impl<'a> Projection<'a> {
    fn new(model: &'a dyn Model, t: f64) -> Result<Self> {
        let d = model.dims();
        finite_number("t", t)?;
        Ok(Self {
            asked: Checked::new(model),
            d,
            t,
            phi: zeros(d.n_joint)?,
            phi_t: zeros(d.n_joint)?,
            jt: zeros(d.nv * d.n_joint)?,
            gap: zeros(d.n_contact)?,
            normal: zeros(d.nv * d.n_contact)?,
            pushed: ContactSet::new(d.nv, d.n_dir, model.hosted()),
            margin: 0.0,
        })
    }

    fn input(&self, q: &[f64], v: &[f64]) -> Result<()> {
        length("q", q, self.d.nq)?;
        length("v", v, self.d.nv)?;
        finite("q", q)?;
        finite("v", v)?;
        self.asked.model().check_position(q)
    }

    /// From now on asks for all contacts that a motion by `d` can close, or opens.
    fn reach(&mut self, d: &[f64]) {
        let depth = self.gap.iter().fold(0.0f64, |most, gap| most.max(-gap));
        let way = max_abs(d).max(max_abs(&self.phi)).max(depth);
        self.margin = self.margin.max(2.0 * way);
    }

    fn evaluate(&mut self, q: &[f64]) -> Result<()> {
        let t = self.t;
        if self.asked.model().constraints_move() {
            let s = tol::CENTRAL_DIFFERENCE * t.abs().max(1.0);
            self.asked.joint(t + s, q, &mut self.phi_t, &mut self.jt)?;
            self.asked.joint(t - s, q, &mut self.phi, &mut self.jt)?;
            for (rate, before) in self.phi_t.iter_mut().zip(&self.phi) {
                *rate = (*rate - before) / (2.0 * s);
            }
        }
        self.asked.joint(t, q, &mut self.phi, &mut self.jt)?;
        let (nv, fixed) = (self.d.nv, self.d.n_contact);
        self.gap.resize(fixed, 0.0);
        self.normal.resize(nv * fixed, 0.0);
        self.asked.gap(t, q, &mut self.gap, &mut self.normal)?;
        if self.asked.model().hosted() == 0 {
            return Ok(());
        }
        self.asked.contacts(t, q, self.margin, &mut self.pushed)?;
        grow(&mut self.gap, self.pushed.len())?;
        grow(&mut self.normal, nv * self.pushed.len())?;
        for k in 0..self.pushed.len() {
            // Of a group one gap is enough: the largest.
            self.gap.push(if self.pushed.counts(k) { self.pushed.gap(k) } else { f64::INFINITY });
            self.normal.resize(nv * (fixed + k + 1), 0.0);
            self.pushed.write_normal(k, &mut self.normal[nv * (fixed + k)..]);
        }
        Ok(())
    }

    fn consistency(&self, v: &[f64]) -> Result<Consistency> {
        let mut c = Consistency::default();
        let see = |worst: &mut (f64, usize), x: f64, i: usize| {
            if x > worst.0 {
                *worst = (x, i);
            }
        };
        for i in 0..self.d.n_joint {
            see(&mut c.joint, self.phi[i].abs(), i);
            see(&mut c.joint_speed, (dot(self.column(i), v) + self.phi_t[i]).abs(), i);
        }
        for (i, gap) in self.gap.iter().enumerate() {
            see(&mut c.depth, -gap, i);
        }
        let key = |i: usize| match i.checked_sub(self.d.n_contact) {
            None => self.asked.model().key(i),
            Some(k) => self.pushed.key(k),
        };
        c.depth_key = (c.depth.0 > 0.0).then(|| key(c.depth.1));
        Ok(c)
    }

    /// Direction of joint i, or of contact i - n_joint.
    fn column(&self, i: usize) -> &[f64] {
        let nv = self.d.nv;
        match i.checked_sub(self.d.n_joint) {
            None => &self.jt[i * nv..(i + 1) * nv],
            Some(i) => &self.normal[i * nv..(i + 1) * nv],
        }
    }

    /// Whether joints and gaps hold.
    fn satisfied(&self, scale: f64) -> bool {
        let joints = max_abs(&self.phi) <= tol::NEAREST * scale;
        joints && self.gap.iter().all(|g| *g >= -tol::NEAREST * scale)
    }

    /// The smallest displacement from the start that meets joints and gaps as linearised at `q`,
    /// which is `total` away from it. Gaps that would have to pull are let go, those that the
    /// displacement would violate are taken in, until neither happens.
    fn smallest(&self, q: &[f64], total: &[f64]) -> Result<Vec<f64>> {
        let nj = self.d.n_joint;
        // What the linearised joint or gap would be at the start.
        let first = |i: usize| self.error(i) - dot(self.column(i), total);
        let gaps = (nj..nj + self.gap.len()).filter(|&i| first(i) < 0.0);
        let mut set: Vec<usize> = collect((0..nj).chain(gaps))?;
        let slack = -tol::NEAREST * max_abs(q).max(1.0);
        let mut next = zeros(self.d.nv)?;
        for _ in 0..2 * (self.gap.len() + 1) {
            let values: Vec<f64> = collect(set.iter().map(|&i| first(i)))?;
            next.fill(0.0);
            let pushes = self.least(q, &set, &values, &mut next)?;
            let pulls = (0..set.len())
                .filter(|&k| set[k] >= nj && pushes[k] < 0.0)
                .min_by(|&a, &b| pushes[a].total_cmp(&pushes[b]));
            if let Some(k) = pulls {
                set.remove(k);
                continue;
            }
            let after = |i: &usize| first(*i) + dot(self.column(*i), &next);
            let closed = (nj..nj + self.gap.len())
                .filter(|i| !set.contains(i) && after(i) < slack)
                .min_by(|a, b| after(a).total_cmp(&after(b)));
            match closed {
                Some(i) => push(&mut set, i)?,
                None => break,
            }
        }
        Ok(next)
    }

    fn error(&self, i: usize) -> f64 {
        match i.checked_sub(self.d.n_joint) {
            None => self.phi[i],
            Some(i) => self.gap[i],
        }
    }

    fn correct_velocity(&mut self, q: &[f64], v: &mut [f64]) -> Result<()> {
        let set: Vec<usize> = collect(0..self.d.n_joint)?;
        let speeds: Vec<f64> =
            collect(set.iter().map(|&i| dot(self.column(i), v) + self.phi_t[i]))?;
        self.least(q, &set, &speeds, v).map(|_| ())
    }

    /// Adds to `x` the change d, smallest in the norm of the mass, with column'd = -value for every
    /// constraint of `set`; gives the multipliers.
    fn least(&self, q: &[f64], set: &[usize], values: &[f64], x: &mut [f64]) -> Result<Vec<f64>> {
        let (nv, n) = (self.d.nv, set.len());
        let mut mass = zeros(nv * nv)?;
        self.asked.mass(self.t, q, &mut mass)?;
        let mut factor = DefiniteFactor::new(nv)?;
        factor.factor("mass", MatRef::square("mass", &mass, nv)?)?;
        let mut moved: Vec<Vec<f64>> = reserve(n)?;
        for &i in set {
            let mut y = collect(self.column(i).iter().copied())?;
            factor.solve(&mut y);
            moved.push(y);
        }
        let mut system = RankFactor::new(n)?;
        system.factor(n, |i, j| dot(self.column(set[i]), &moved[j]));
        let mut push: Vec<f64> = collect(values.iter().map(|x| -x))?;
        // Equations that depend on each other agree only up to the square of their error here; the
        // state that is reached is judged instead.
        let judged_later = collect((0..n).map(|_| f64::MAX))?;
        system.solve("joints and gaps", &judged_later, &mut push)?;
        for (y, p) in moved.iter().zip(&push) {
            axpy(*p, y, x);
        }
        Ok(push)
    }

    /// q displaced by d, as the model does it or by the midpoint rule through its rate.
    fn displaced(&self, q: &[f64], d: &[f64]) -> Result<Vec<f64>> {
        let model = self.asked.model();
        let mut moved = collect(q.iter().copied())?;
        if model.gives_displacement() {
            self.asked.displace(self.t, q, d, &mut moved)?;
        } else if model.gives_rate() {
            let mut rate = zeros(self.d.nq)?;
            self.asked.rate(self.t, q, d, &mut rate)?;
            axpy(0.5, &rate, &mut moved);
            let middle = collect(moved.iter().copied())?;
            self.asked.rate(self.t, &middle, d, &mut rate)?;
            moved.copy_from_slice(q);
            axpy(1.0, &rate, &mut moved);
        } else {
            axpy(1.0, d, &mut moved);
        }
        Ok(moved)
    }
}
