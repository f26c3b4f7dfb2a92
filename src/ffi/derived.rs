//! What follows from a model at one point, in C: Coriolis forces from its mass, and whether its
//! friction cone is pointed.

use super::guard;
use super::model::{SharedModel, exactly, stn_model};
use super::ptr::Arrays;
use super::status::stn_status;
use crate::check::cone_margin;
use crate::error::{ALONE, Error, finite, finite_number};
use crate::model::coriolis;
use crate::tol;

/// Coriolis and centrifugal forces that the mass of a model makes at (t, q, v), by differences of
/// mass: minus dM/dt v plus half the gradient of v'Mv. Only for models without rate, whose velocities
/// are derivatives of their coordinates. A force function may call this for its own model and add the
/// result; it asks for mass only.
///
/// @param model  model; Nullable: no
/// @param t  time, s
/// @param q  nq numbers; Nullable: only if nq = 0
/// @param nq  as in the model
/// @param v  nv numbers; Nullable: only if nv = 0
/// @param nv  as in the model
/// @param out  receives nv numbers; Nullable: only if nv = 0
/// @return STN_OK; STN_REJECTED and STN_ERR_CALLBACK from the model; STN_ERR_NULL,
/// STN_ERR_DIMENSION, STN_ERR_NONFINITE, STN_ERR_VALUE (a model with a rate, overlap), STN_ERR_BUSY,
/// STN_ERR_POISONED, STN_ERR_MEMORY
/// @note Thread class: shared. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_model_coriolis(
    model: *const stn_model,
    t: f64,
    q: *const f64,
    nq: i32,
    v: *const f64,
    nv: i32,
    out: *mut f64,
) -> stn_status {
    let call = |m: &SharedModel| {
        let dims = m.0.dims();
        let mut a = Arrays::new();
        let q = a.input("q", q, exactly("nq", nq, dims.nq)?)?;
        let v = a.input("v", v, exactly("nv", nv, dims.nv)?)?;
        let out = a.output("out", out, dims.nv)?;
        a.disjoint()?;
        // SAFETY: the caller's promise for the arrays, which are disjoint.
        unsafe { coriolis(m.0.as_ref(), t, q.get(), v.get(), out.get())? };
        Ok(stn_status::STN_OK)
    };
    // SAFETY: `shared` checks the pointer and holds the gate of the handle.
    unsafe { guard::shared(model, call) }
}

/// Whether the friction cone of the contacts with gaps up to near is pointed: where it is not,
/// impulses of contacts and joints can cancel, nothing bounds them, and a body may jam, like a wedge
/// between steep walls with more friction than their slope.
/// Contacts that come and go are asked for up to near.
///
/// @param model  model; Nullable: no
/// @param t  time, s
/// @param q  nq numbers; Nullable: only if nq = 0
/// @param nq  as in the model
/// @param near  gap up to which contacts take part, m, >= 0
/// @param pointed  receives 1 or 0; Nullable: yes
/// @param margin  receives the length of the shortest mean of the cone's edges, each of length one
/// in the norm of the inverse mass: 0 for a cone that is not pointed, small for one that almost is
/// not, at most 1; INFINITY without contacts; Nullable: yes
/// @return STN_OK whatever they are; STN_REJECTED and STN_ERR_CALLBACK from the model; STN_ERR_NULL,
/// STN_ERR_DIMENSION, STN_ERR_NONFINITE, STN_ERR_VALUE (near, unbalanced directions, overlap, a bad
/// contact), STN_ERR_CAPACITY for more than max_contacts, STN_ERR_SINGULAR, STN_ERR_BUSY, STN_ERR_POISONED, STN_ERR_MEMORY
/// @note Thread class: shared. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_model_check_cone(
    model: *const stn_model,
    t: f64,
    q: *const f64,
    nq: i32,
    near: f64,
    pointed: *mut i32,
    margin: *mut f64,
) -> stn_status {
    let call = |m: &SharedModel| {
        let mut a = Arrays::new();
        let q = a.input("q", q, exactly("nq", nq, m.0.dims().nq)?)?;
        let pointed = a.wanted("pointed", pointed, 1)?;
        let margin = a.wanted("margin", margin, 1)?;
        a.disjoint()?;
        finite_number("near", near)?;
        if near < 0.0 {
            let must = ">= 0";
            return Err(Error::Range { what: "near", index: ALONE, value: near, must }.into());
        }
        finite_number("t", t)?;
        // SAFETY: the caller's promise for the arrays, which are disjoint.
        let q = unsafe { q.get() };
        finite("q", q)?;
        let found = cone_margin(m.0.as_ref(), t, q, near)?;
        // SAFETY: as above.
        unsafe {
            if let Some(out) = pointed {
                out.get()[0] = i32::from(found > tol::POINTED);
            }
            if let Some(out) = margin {
                out.get()[0] = found;
            }
        }
        Ok(stn_status::STN_OK)
    };
    // SAFETY: `shared` checks the pointer and holds the gate of the handle.
    unsafe { guard::shared(model, call) }
}
