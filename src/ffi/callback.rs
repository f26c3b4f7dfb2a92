//! A model made of C function pointers. Each is called as `extern "C-unwind"`, so that a C++
//! exception which escapes it ends the process with a message instead of passing through the
//! library unseen.

use super::sink::{open_sink, stn_contact_sink};
use crate::error::{Result, collect};
use crate::model::{Answer, ContactSink, Dims, Elements, Model, Refusal};
use libc::{c_int, c_void};

/// Mass matrix at (t, q): writes nv by nv numbers, column-major. Returns 0, > 0 to refuse the
/// point, < 0 to stop.
pub type stn_mass_fn = Option<
    unsafe extern "C-unwind" fn(t: f64, q: *const f64, mass: *mut f64, user: *mut c_void) -> c_int,
>;

/// All forces but those of constraints at (t, q, v), with every Coriolis and gyroscopic term:
/// writes nv numbers. What it gives at the end of a step serves for the start of the next: an input
/// of the host that jumps between steps is felt over one step.
pub type stn_force_fn = Option<
    unsafe extern "C-unwind" fn(
        t: f64,
        q: *const f64,
        v: *const f64,
        force: *mut f64,
        user: *mut c_void,
    ) -> c_int,
>;

/// Derivatives of the force at (t, q, v): writes dfdq, nv by nq, and dfdv, nv by nv, column-major.
pub type stn_force_jac_fn = Option<
    unsafe extern "C-unwind" fn(
        t: f64,
        q: *const f64,
        v: *const f64,
        dfdq: *mut f64,
        dfdv: *mut f64,
        user: *mut c_void,
    ) -> c_int,
>;

/// dq/dt at (t, q, v), linear in v: writes nq numbers.
pub type stn_rate_fn = Option<
    unsafe extern "C-unwind" fn(
        t: f64,
        q: *const f64,
        v: *const f64,
        qdot: *mut f64,
        user: *mut c_void,
    ) -> c_int,
>;

/// Joint errors and directions at (t, q): writes phi, n_joint numbers, and jt, nv by n_joint,
/// column-major.
pub type stn_joint_fn = Option<
    unsafe extern "C-unwind" fn(
        t: f64,
        q: *const f64,
        phi: *mut f64,
        jt: *mut f64,
        user: *mut c_void,
    ) -> c_int,
>;

/// Gaps, positive when open, and normals at (t, q): writes gap, n_contact numbers, and normal, nv
/// by n_contact.
pub type stn_gap_fn = Option<
    unsafe extern "C-unwind" fn(
        t: f64,
        q: *const f64,
        gap: *mut f64,
        normal: *mut f64,
        user: *mut c_void,
    ) -> c_int,
>;

/// Friction directions at (t, q): writes tangent, nv by n_contact*n_dir, grouped by contact, in
/// angular order, column k + n_dir/2 = - column k.
pub type stn_tangent_fn = Option<
    unsafe extern "C-unwind" fn(
        t: f64,
        q: *const f64,
        tangent: *mut f64,
        user: *mut c_void,
    ) -> c_int,
>;

/// Brakes, friction with bounds of its own, at (t, q): writes bound, n_brake numbers >= 0 (N, or N m
/// for a rotation), and direction, nv by n_brake. direction'v is the speed that the brake works
/// against, by a force between -bound and bound along direction.
pub type stn_brake_fn = Option<
    unsafe extern "C-unwind" fn(
        t: f64,
        q: *const f64,
        bound: *mut f64,
        direction: *mut f64,
        user: *mut c_void,
    ) -> c_int,
>;

/// The position reached from (t, q) by the displacement d, a velocity times a time, on the
/// configuration manifold itself: writes nq numbers. Must agree with rate to second order in d.
pub type stn_displace_fn = Option<
    unsafe extern "C-unwind" fn(
        t: f64,
        q: *const f64,
        d: *const f64,
        moved: *mut f64,
        user: *mut c_void,
    ) -> c_int,
>;

/// What velocity alone adds to accelerations at (t, q, v): the rates of change of jt'v + d phi/dt,
/// of normal'v + d gap/dt and of tangent'v along the motion with v constant. Writes joint, n_joint
/// numbers, normal, n_contact, and tangent, n_contact*n_dir.
pub type stn_accel_fn = Option<
    unsafe extern "C-unwind" fn(
        t: f64,
        q: *const f64,
        v: *const f64,
        joint: *mut f64,
        normal: *mut f64,
        tangent: *mut f64,
        user: *mut c_void,
    ) -> c_int,
>;

/// Contacts that come and go at (t, q): pushes every one with a gap up to margin into sink, by
/// stn_contact_push, stn_contact_push_tangents or stn_contact_push_sparse, each at most once; may
/// push others. A contact keeps its key as long as it is the same for the host. The sink serves for
/// this call only. With more than a few bodies tell them in stn_model_fns, and push with the coordinates of the two that
/// touch alone.
/// The margin of a step is contact_margin + 6 h max|v| max(1, length_scale), the second part rounded up
/// to a power of two: it grows with speed and step, and max_contacts must hold for the largest. A speed in
/// rad/s counts as one in m/s: what turns at 40 rad/s is asked for within 2 m in steps of 5 ms. Be generous: memory is taken
/// as contacts come. STN_ERR_CAPACITY tells how many there were if all of them are pushed, also after one that did not fit. A
/// surface that the host moves itself is not in it; push more for that.
/// A contact that is no longer pushed where a part of a step starts is over, and if it was closed that
/// is a take-off event with its key; inside a part it keeps the gap and the directions it had at the
/// start. What is remembered for the next step (mode, start of the solvers) is lost with it, but not
/// that of the others.
pub type stn_contacts_fn = Option<
    unsafe extern "C-unwind" fn(
        t: f64,
        q: *const f64,
        margin: f64,
        sink: *mut stn_contact_sink,
        user: *mut c_void,
    ) -> c_int,
>;

/// Elastic and damping elements at (t, q): writes phi, n_element elongations from rest; gradient, nv by
/// n_element, with gradient'v the rate of phi; stiffness and damping, n_element numbers >= 0, which
/// must not change along a motion. The library adds -(stiffness phi + damping gradient'v) gradient to
/// force, which must not hold it; force_jac leaves it out too.
pub type stn_element_fn = Option<
    unsafe extern "C-unwind" fn(
        t: f64,
        q: *const f64,
        phi: *mut f64,
        gradient: *mut f64,
        stiffness: *mut f64,
        damping: *mut f64,
        user: *mut c_void,
    ) -> c_int,
>;

/// Called once with user when the last owner of a model is gone.
pub type stn_release_fn = Option<unsafe extern "C-unwind" fn(user: *mut c_void)>;

/// The functions of a model. Output arrays are zeroed before each call, so only nonzeros need
/// writing. Return 0, > 0 to refuse the point (the step returns STN_REJECTED), < 0 to stop
/// (STN_ERR_CALLBACK). They run on the thread that called the library and must not call it with the
/// same handle, throw or longjmp.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct stn_model_fns {
    /// sizeof(stn_model_fns), set by the caller.
    pub struct_size: usize,
    /// Required; every other may be NULL.
    pub mass: stn_mass_fn,
    /// NULL: no force.
    pub force: stn_force_fn,
    /// NULL: by differences of force (option jacobian).
    pub force_jac: stn_force_jac_fn,
    /// NULL: qdot = v, needs nq == nv; else q advances by the midpoint rule through it.
    pub rate: stn_rate_fn,
    /// Required when n_joint > 0.
    pub joint: stn_joint_fn,
    /// Required when n_contact > 0.
    pub gap: stn_gap_fn,
    /// Required when n_contact > 0 and n_dir > 0.
    pub tangent: stn_tangent_fn,
    /// NULL: nothing to release.
    pub release: stn_release_fn,
    /// Required when n_brake > 0.
    pub brake: stn_brake_fn,
    /// NULL: q moves by the midpoint rule through rate. With it unit quaternions stay units.
    pub displace: stn_displace_fn,
    /// NULL: by differences of directions along the motion, in error by about 1e-10 v^2 per
    /// length_scale.
    pub accel: stn_accel_fn,
    /// NULL: no contacts that come and go; else max_contacts > 0.
    pub contacts: stn_contacts_fn,
    /// The most contacts that come and go at one point, beside the n_contact with a gap; 0 for none.
    pub max_contacts: i32,
    /// 0.
    pub reserved0: i32,
    /// Required when n_element > 0.
    pub element: stn_element_fn,
    /// First coordinate of velocity of each body, ascending from 0: what lies between two of them is one body. Where a model
    /// is made of many that touch few others, problems with hundreds of contacts are answered body by body then.
    /// n_body numbers; Nullable: only if n_body = 0.
    pub body: *const i32,
    /// Bodies; 0 where nothing is told about them.
    pub n_body: i32,
    /// 0.
    pub reserved1: i32,
}

super::sized::sized_struct!(
    stn_model_fns,
    mass: stn_mass_fn,
    force: stn_force_fn,
    force_jac: stn_force_jac_fn,
    rate: stn_rate_fn,
    joint: stn_joint_fn,
    gap: stn_gap_fn,
    tangent: stn_tangent_fn,
    release: stn_release_fn,
    brake: stn_brake_fn,
    displace: stn_displace_fn,
    accel: stn_accel_fn,
    contacts: stn_contacts_fn,
    max_contacts: i32,
    reserved0: i32,
    element: stn_element_fn,
    body: *const i32,
    n_body: i32,
    reserved1: i32,
);

impl stn_model_fns {
    /// What members take that the caller's struct does not have.
    pub(super) const NONE: Self = Self {
        struct_size: size_of::<Self>(),
        mass: None,
        force: None,
        force_jac: None,
        rate: None,
        joint: None,
        gap: None,
        tangent: None,
        release: None,
        brake: None,
        displace: None,
        accel: None,
        contacts: None,
        max_contacts: 0,
        reserved0: 0,
        element: None,
        body: std::ptr::null(),
        n_body: 0,
        reserved1: 0,
    };
}

impl Default for stn_model_fns {
    fn default() -> Self {
        Self::NONE
    }
}

/// The model behind the functions. Knows that the host keeps its promises about `user`, nothing
/// more.
#[derive(Debug)]
pub(super) struct CallbackModel {
    pub(super) dims: Dims,
    pub(super) fns: stn_model_fns,
    pub(super) mu: Vec<f64>,
    pub(super) restitution: Vec<f64>,
    /// The most contacts that come and go at one point.
    pub(super) hosted: usize,
    /// First coordinate of each body; nothing where none were told.
    pub(super) bodies: Vec<usize>,
    pub(super) user: *mut c_void,
}

// SAFETY: a model is shared between steppers on several threads; the header says that the functions and
// `user` must allow that.
unsafe impl Send for CallbackModel {}
// SAFETY: as above.
unsafe impl Sync for CallbackModel {}

impl Drop for CallbackModel {
    fn drop(&mut self) {
        if let Some(release) = self.fns.release {
            // SAFETY: the host gave the function for this call, which happens once.
            unsafe { release(self.user) }
        }
    }
}

fn answer(code: c_int) -> Answer {
    match code {
        0 => Ok(()),
        refused if refused > 0 => Err(Refusal::Point(refused)),
        stopped => Err(Refusal::Stop(stopped)),
    }
}

impl Model for CallbackModel {
    fn dims(&self) -> Dims {
        self.dims
    }

    fn mass(&self, t: f64, q: &[f64], mass: &mut [f64]) -> Answer {
        // SAFETY: the slices have the sizes the header states, the rest is the host's promise.
        self.fns
            .mass
            .map_or(Ok(()), |f| unsafe { answer(f(t, q.as_ptr(), mass.as_mut_ptr(), self.user)) })
    }

    fn force(&self, t: f64, q: &[f64], v: &[f64], force: &mut [f64]) -> Answer {
        // SAFETY: as for `mass`.
        self.fns.force.map_or(Ok(()), |f| unsafe {
            answer(f(t, q.as_ptr(), v.as_ptr(), force.as_mut_ptr(), self.user))
        })
    }

    fn gives_force_jac(&self) -> bool {
        self.fns.force_jac.is_some()
    }

    fn force_jac(
        &self,
        t: f64,
        q: &[f64],
        v: &[f64],
        dfdq: &mut [f64],
        dfdv: &mut [f64],
    ) -> Answer {
        let (q, v) = (q.as_ptr(), v.as_ptr());
        // SAFETY: as for `mass`.
        self.fns.force_jac.map_or(Ok(()), |f| unsafe {
            answer(f(t, q, v, dfdq.as_mut_ptr(), dfdv.as_mut_ptr(), self.user))
        })
    }

    fn gives_rate(&self) -> bool {
        self.fns.rate.is_some()
    }

    fn rate(&self, t: f64, q: &[f64], v: &[f64], qdot: &mut [f64]) -> Answer {
        let Some(f) = self.fns.rate else {
            qdot.copy_from_slice(v);
            return Ok(());
        };
        // SAFETY: as for `mass`.
        unsafe { answer(f(t, q.as_ptr(), v.as_ptr(), qdot.as_mut_ptr(), self.user)) }
    }

    fn gives_displacement(&self) -> bool {
        self.fns.displace.is_some()
    }

    fn displace(&self, t: f64, q: &[f64], d: &[f64], moved: &mut [f64]) -> Answer {
        // SAFETY: as for `mass`.
        self.fns.displace.map_or(Ok(()), |f| unsafe {
            answer(f(t, q.as_ptr(), d.as_ptr(), moved.as_mut_ptr(), self.user))
        })
    }

    fn gives_acceleration_terms(&self) -> bool {
        self.fns.accel.is_some()
    }

    fn acceleration_terms(
        &self,
        t: f64,
        q: &[f64],
        v: &[f64],
        joint: &mut [f64],
        normal: &mut [f64],
        tangent: &mut [f64],
    ) -> Answer {
        let (q, v, joint) = (q.as_ptr(), v.as_ptr(), joint.as_mut_ptr());
        // SAFETY: as for `mass`.
        self.fns.accel.map_or(Ok(()), |f| unsafe {
            answer(f(t, q, v, joint, normal.as_mut_ptr(), tangent.as_mut_ptr(), self.user))
        })
    }

    fn joint(&self, t: f64, q: &[f64], phi: &mut [f64], jt: &mut [f64]) -> Answer {
        // SAFETY: as for `mass`.
        self.fns.joint.map_or(Ok(()), |f| unsafe {
            answer(f(t, q.as_ptr(), phi.as_mut_ptr(), jt.as_mut_ptr(), self.user))
        })
    }

    fn gap(&self, t: f64, q: &[f64], gap: &mut [f64], normal: &mut [f64]) -> Answer {
        // SAFETY: as for `mass`.
        self.fns.gap.map_or(Ok(()), |f| unsafe {
            answer(f(t, q.as_ptr(), gap.as_mut_ptr(), normal.as_mut_ptr(), self.user))
        })
    }

    fn tangent(&self, t: f64, q: &[f64], tangent: &mut [f64]) -> Answer {
        // SAFETY: as for `mass`.
        self.fns.tangent.map_or(Ok(()), |f| unsafe {
            answer(f(t, q.as_ptr(), tangent.as_mut_ptr(), self.user))
        })
    }

    fn elements(&self, t: f64, q: &[f64], e: &mut Elements) -> Answer {
        let Some(f) = self.fns.element else { return Ok(()) };
        let (phi, gradient) = (e.phi.as_mut_ptr(), e.gradient.as_mut_ptr());
        let (stiffness, damping) = (e.stiffness.as_mut_ptr(), e.damping.as_mut_ptr());
        // SAFETY: as for `mass`.
        unsafe { answer(f(t, q.as_ptr(), phi, gradient, stiffness, damping, self.user)) }
    }

    fn brake(&self, t: f64, q: &[f64], bound: &mut [f64], direction: &mut [f64]) -> Answer {
        // SAFETY: as for `mass`.
        self.fns.brake.map_or(Ok(()), |f| unsafe {
            answer(f(t, q.as_ptr(), bound.as_mut_ptr(), direction.as_mut_ptr(), self.user))
        })
    }

    fn hosted(&self) -> usize {
        self.hosted
    }

    fn bodies(&self) -> Result<Vec<usize>> {
        collect(self.bodies.iter().copied())
    }

    fn contacts(&self, t: f64, q: &[f64], margin: f64, sink: &mut ContactSink<'_>) -> Answer {
        let Some(f) = self.fns.contacts else { return Ok(()) };
        // SAFETY: as for `mass`; the sink can be used by nobody but `open_sink` lets in.
        open_sink(sink, |sink| unsafe { answer(f(t, q.as_ptr(), margin, sink, self.user)) })
    }

    fn mu(&self, contact: usize) -> f64 {
        self.mu.get(contact).copied().unwrap_or(0.0)
    }

    fn restitution(&self, contact: usize) -> f64 {
        self.restitution.get(contact).copied().unwrap_or(0.0)
    }
}
