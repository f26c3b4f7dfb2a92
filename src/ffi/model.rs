//! Models: immutable, shareable between threads.

use super::callback::{CallbackModel, stn_model_fns};
use super::guard::{self, Handle, Opaque};
use super::ptr::{Arrays, In, count, counted};
use super::sized::{read, sized_struct};
use super::status::{Fault, report as note, stn_status};
use crate::check::check_model;
use crate::contact::{check_friction, check_restitution};
use crate::error::{Error, collect, reserve, told};
use crate::model::{Dims, Model};
use crate::rigid::Scene;
use crate::tol;
use libc::c_void;
use std::sync::Arc;

/// A mechanical system. Never changes; steppers keep it alive.
#[derive(Debug)]
pub struct stn_model(Handle<SharedModel>);

/// What a model handle holds: the model, and the same once more when it is made of built-in bodies.
pub(super) struct SharedModel(pub(super) Arc<dyn Model>, pub(super) Option<Arc<Scene>>);

impl std::fmt::Debug for SharedModel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("SharedModel").field(&self.0.dims()).finish()
    }
}

impl Opaque for stn_model {
    type Inner = SharedModel;
    const NAME: &'static str = "model";
    fn handle(&self) -> &Handle<SharedModel> {
        &self.0
    }
    fn wrap(handle: Handle<SharedModel>) -> Self {
        Self(handle)
    }
}

/// Sizes of a model.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct stn_dims {
    /// sizeof(stn_dims), set by the caller.
    pub struct_size: usize,
    /// Coordinates of position.
    pub nq: i32,
    /// Coordinates of velocity.
    pub nv: i32,
    /// Joint equations.
    pub n_joint: i32,
    /// Contacts, open or closed.
    pub n_contact: i32,
    /// Friction directions per contact, even; 0 without friction.
    pub n_dir: i32,
    /// 0.
    pub reserved0: i32,
    /// Brakes: friction with bounds of its own, not tied to a normal force.
    pub n_brake: i32,
    /// Elastic and damping elements, whose forces the library adds.
    pub n_element: i32,
}

sized_struct!(
    stn_dims,
    nq: i32,
    nv: i32,
    n_joint: i32,
    n_contact: i32,
    n_dir: i32,
    reserved0: i32,
    n_brake: i32,
    n_element: i32,
);

impl Default for stn_dims {
    fn default() -> Self {
        Self::NONE
    }
}

impl stn_dims {
    pub(super) const NONE: Self = Self {
        struct_size: size_of::<Self>(),
        nq: 0,
        nv: 0,
        n_joint: 0,
        n_contact: 0,
        n_dir: 0,
        reserved0: 0,
        n_brake: 0,
        n_element: 0,
    };

    pub(super) fn checked(&self) -> Result<Dims, Fault> {
        if self.reserved0 != 0 {
            return Err(Fault::Unknown { what: "reserved0", got: self.reserved0, of: "zero" });
        }
        let dims = Dims {
            nq: count("nq", self.nq)?,
            nv: count("nv", self.nv)?,
            n_joint: count("n_joint", self.n_joint)?,
            n_contact: count("n_contact", self.n_contact)?,
            n_dir: count("n_dir", self.n_dir)?,
            n_brake: count("n_brake", self.n_brake)?,
            n_element: count("n_element", self.n_element)?,
        };
        if dims.n_dir % 2 == 1 {
            let got = told(dims.n_dir);
            return Err(Error::Value { what: "n_dir", got, must: "even" }.into());
        }
        Ok(dims)
    }
}

impl From<Dims> for stn_dims {
    fn from(d: Dims) -> Self {
        // A model larger than this could not have been made.
        let n = |n: usize| i32::try_from(n).unwrap_or(i32::MAX);
        Self {
            nq: n(d.nq),
            nv: n(d.nv),
            n_joint: n(d.n_joint),
            n_contact: n(d.n_contact),
            n_dir: n(d.n_dir),
            n_brake: n(d.n_brake),
            n_element: n(d.n_element),
            ..Self::NONE
        }
    }
}

/// Refuses functions that are missing for the sizes.
fn complete(dims: &Dims, fns: &stn_model_fns, hosted: usize) -> Result<(), Fault> {
    let needed = [
        ("mass", fns.mass.is_none()),
        ("joint", fns.joint.is_none() && dims.n_joint > 0),
        ("gap", fns.gap.is_none() && dims.n_contact > 0),
        ("tangent", fns.tangent.is_none() && dims.n_contact > 0 && dims.n_dir > 0),
        ("brake", fns.brake.is_none() && dims.n_brake > 0),
        ("element", fns.element.is_none() && dims.n_element > 0),
    ];
    if fns.contacts.is_some() != (hosted > 0) {
        let (got, must) = (told(hosted), "> 0 with contacts, 0 without");
        return Err(Error::Value { what: "max_contacts", got, must }.into());
    }
    if let Some((what, _)) = needed.into_iter().find(|(_, missing)| *missing) {
        return Err(Fault::Null { what });
    }
    if fns.rate.is_none() && dims.nq != dims.nv {
        let expected = told(format_args!("nv = {} for a model without rate", dims.nv));
        return Err(Error::Dimension { what: "nq", got: dims.nq as i64, expected }.into());
    }
    Ok(())
}

/// Where bodies begin, as the model keeps it.
///
/// # Errors
/// `Range` unless they ascend from 0 and stay below nv; `Memory`.
fn told_bodies(body: &[i32], dims: &Dims) -> Result<Vec<usize>, Fault> {
    for (index, &first) in body.iter().enumerate() {
        let before = if index == 0 { -1 } else { body[index - 1] };
        let begins = index > 0 || first == 0;
        if !begins || first <= before || first as usize >= dims.nv {
            let must = "ascending from 0 and below nv";
            return Err(Error::Range { what: "body", index, value: first.into(), must }.into());
        }
    }
    Ok(collect(body.iter().map(|&first| first as usize))?)
}

/// A copy of `values`, zeros when there are none.
fn kept(values: &[f64], n: usize) -> Result<Vec<f64>, Fault> {
    let mut copy = reserve(n)?;
    copy.extend_from_slice(values);
    copy.resize(n, 0.0);
    Ok(copy)
}

/// Makes a model of functions: M(t,q) dv/dt = force + constraint forces. Force holds every Coriolis
/// and gyroscopic term, but neither the friction of brakes nor the springs and dampers declared
/// as elements, which the library adds. d phi/dt and d gap/dt at fixed q are taken by differences in t: rows read
/// jt'v + phi_t = 0 and normal'v + gap_t >= 0, impact speeds include gap_t. The library copies what
/// it is given except user, which must live until release(user) is called, once, when the last
/// owner is gone. On failure release is not called.
///
/// @param dims  sizes; Nullable: no
/// @param fns  functions; called from every thread that steps this model; Nullable: no
/// @param mu  n_contact friction coefficients >= 0; Nullable: yes, for zero
/// @param restitution  n_contact coefficients in [0, 1]; Nullable: yes, for zero
/// @param user  handed to every function; Nullable: yes
/// @param out  receives the handle, NULL on failure; Nullable: no
/// @return STN_OK; STN_ERR_NULL (a required function too), STN_ERR_DIMENSION (a negative size, nq
/// != nv without rate), STN_ERR_VALUE (mu < 0, e outside [0, 1], n_dir odd, friction without
/// directions, contacts without max_contacts or the other way round, bodies that do not ascend from 0), STN_ERR_NONFINITE, STN_ERR_ABI, STN_ERR_MEMORY
/// @note Thread class: any. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_model_create(
    dims: *const stn_dims,
    fns: *const stn_model_fns,
    mu: *const f64,
    restitution: *const f64,
    user: *mut c_void,
    out: *mut *mut stn_model,
) -> stn_status {
    let make = || {
        // SAFETY: the caller's promise for both structs.
        let (dims, fns) = unsafe {
            (read("dims", dims, stn_dims::NONE)?, read("fns", fns, stn_model_fns::NONE)?)
        };
        let dims = dims.checked()?;
        if fns.reserved0 != 0 {
            return Err(Fault::Unknown { what: "reserved0", got: fns.reserved0, of: "zero" });
        }
        if fns.reserved1 != 0 {
            return Err(Fault::Unknown { what: "reserved1", got: fns.reserved1, of: "zero" });
        }
        let hosted = count("max_contacts", fns.max_contacts)?;
        complete(&dims, &fns, hosted)?;
        let mut a = Arrays::new();
        let body: In<'_, i32> = a.input("body", fns.body, count("n_body", fns.n_body)?)?;
        // SAFETY: the caller's promise for the array; nothing is written.
        let bodies = told_bodies(unsafe { body.get() }, &dims)?;
        // The array is the caller's: it is not looked at again.
        let fns = stn_model_fns { body: std::ptr::null(), ..fns };
        let given = |p: *const f64| if p.is_null() { 0 } else { dims.n_contact };
        let mu: In<'_> = a.input("mu", mu, given(mu))?;
        let restitution: In<'_> = a.input("restitution", restitution, given(restitution))?;
        // SAFETY: the caller's promise for the arrays; nothing is written.
        let (mu, restitution) = unsafe { (mu.get(), restitution.get()) };
        let (mu, restitution) = (kept(mu, dims.n_contact)?, kept(restitution, dims.n_contact)?);
        check_friction(&mu, dims.n_contact)?;
        check_restitution(&restitution, dims.n_contact)?;
        if let Some(i) = mu.iter().position(|&x| x > 0.0 && dims.n_dir == 0) {
            let must = "0 without friction directions";
            return Err(Error::Range { what: "mu", index: i, value: mu[i], must }.into());
        }
        let model = || CallbackModel { dims, fns, mu, restitution, hosted, bodies, user };
        Ok(SharedModel(counted(model)?, None))
    };
    // SAFETY: `create` checks `out`.
    unsafe { guard::create(out, make) }
}

/// Compares what a model gives at (t, q, v) with differences of what it gives nearby: force
/// derivatives, normals against gaps (also of contacts that come and go), joint directions against
/// joint errors, rate, displacement, acceleration terms, symmetry and definiteness of the mass,
/// balance of friction directions, directions of brakes, elements whose constants are not constant, and
/// the power of Coriolis forces where the mass varies or dq/dt is not v. stn_last_error then names every
/// kind of check with an error above 1e-6, the worst first, with the entry that is worst. A force that is
/// even in v without being a Coriolis force (lift) is told as power where that is checked.
///
/// @param model  model; Nullable: no
/// @param t  time, s
/// @param q  nq numbers; Nullable: only if nq = 0
/// @param nq  as in the model
/// @param v  nv numbers, not all zero for a thorough check; Nullable: only if nv = 0
/// @param nv  as in the model
/// @param worst  receives the largest relative error: about 1 for a wrong derivative, below 1e-6
/// for correct ones; Nullable: no
/// @return STN_OK whatever worst is; STN_REJECTED and STN_ERR_CALLBACK from the model;
/// STN_ERR_NULL, STN_ERR_DIMENSION, STN_ERR_NONFINITE, STN_ERR_VALUE (overlap), STN_ERR_BUSY,
/// STN_ERR_POISONED, STN_ERR_MEMORY
/// @note Thread class: shared. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_model_check(
    model: *const stn_model,
    t: f64,
    q: *const f64,
    nq: i32,
    v: *const f64,
    nv: i32,
    worst: *mut f64,
) -> stn_status {
    let call = |m: &SharedModel| {
        let dims = m.0.dims();
        let mut a = Arrays::new();
        let q = a.input("q", q, exactly("nq", nq, dims.nq)?)?;
        let v = a.input("v", v, exactly("nv", nv, dims.nv)?)?;
        let worst = a.output("worst", worst, 1)?;
        a.disjoint()?;
        crate::error::finite_number("t", t)?;
        // SAFETY: the caller's promise for the arrays, which are disjoint.
        let (q, v, worst) = unsafe { (q.get(), v.get(), worst.get()) };
        let report = check_model(m.0.as_ref(), t, q, v)?;
        worst[0] = report.worst;
        note(&Fault::Finding { text: report.text(tol::MODEL_WRONG) });
        Ok(stn_status::STN_OK)
    };
    // SAFETY: `shared` checks the pointer and holds the gate of the handle.
    unsafe { guard::shared(model, call) }
}

/// Refuses a length that is not the model's.
pub(super) fn exactly(what: &'static str, given: i32, expected: usize) -> Result<usize, Fault> {
    let n = count(what, given)?;
    if n != expected {
        let expected = told(expected);
        return Err(Error::Dimension { what, got: n as i64, expected }.into());
    }
    Ok(n)
}

/// Gives up a model. Steppers made from it keep it alive.
///
/// @param model  model; Nullable: yes
/// @note Thread class: exclusive. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_model_destroy(model: *mut stn_model) {
    // SAFETY: `destroy` checks the pointer and the gate of the handle.
    unsafe { guard::destroy(model) }
}
