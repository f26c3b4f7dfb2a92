//! What can be read from a model: sizes, initial state and energy of any, momenta and mass of
//! built-in bodies.

use super::guard;
use super::model::{SharedModel, exactly, stn_dims, stn_model};
use super::ptr::{Arrays, In, Out};
use super::sized::SizedOut;
use super::status::{Fault, stn_status};
use crate::error::{Error, finite, finite_number, reserve};
use crate::linalg::dot;
use crate::model::{Checked, Parts};
use crate::rigid::Scene;

impl SharedModel {
    /// The built-in bodies of the model.
    pub(super) fn scene(&self) -> Result<&Scene, Fault> {
        self.1.as_deref().ok_or_else(|| {
            let (got, must) = ("made of functions".into(), "made of built-in bodies");
            Error::Value { what: "model", got, must }.into()
        })
    }
}

fn zeros(n: usize) -> Result<Vec<f64>, Fault> {
    let mut x = reserve(n)?;
    x.resize(n, 0.0);
    Ok(x)
}

/// Writes numbers to a place the caller may not want.
///
/// # Safety
/// As [`Out::get`].
pub(super) unsafe fn put<T: Copy>(out: Option<Out<'_, T>>, values: &[T]) {
    if let Some(out) = out {
        // SAFETY: the promise of this function; both have the same length.
        unsafe { out.get() }.copy_from_slice(values);
    }
}

/// Kinetic energy v'Mv/2 from the mass that the model gives.
fn kinetic(m: &SharedModel, t: f64, q: &[f64], v: &[f64]) -> Result<f64, Fault> {
    let nv = v.len();
    let mut mass = zeros(nv.saturating_mul(nv))?;
    Checked::new(m.0.as_ref()).mass(t, q, &mut mass)?;
    let twice: f64 =
        mass.chunks_exact(nv.max(1)).zip(v).map(|(column, x)| dot(column, v) * x).sum();
    Ok(0.5 * twice)
}

/// Potential energy of what has one.
fn potential_energy(m: &SharedModel, t: f64, q: &[f64]) -> Result<f64, Fault> {
    let dims = m.0.dims();
    if m.1.is_some() || dims.n_element == 0 {
        return Ok(m.scene()?.potential_energy(q)?);
    }
    let mut elements = Parts::new(m.0.as_ref(), &m.0.bodies()?)?.elements(&dims)?;
    Checked::new(m.0.as_ref()).elements(t, q, &mut elements)?;
    Ok(elements.energy())
}

/// Reads the sizes of a model.
///
/// @param model  model; Nullable: no
/// @param out  receives the sizes; Nullable: no
/// @return STN_OK; STN_ERR_NULL, STN_ERR_ABI, STN_ERR_BUSY, STN_ERR_POISONED
/// @note Thread class: shared. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_model_get_dims(
    model: *const stn_model,
    out: *mut stn_dims,
) -> stn_status {
    let call = |m: &SharedModel| {
        if out.is_null() {
            return Err(Fault::Null { what: "out" });
        }
        // SAFETY: the caller's promise for the struct.
        unsafe { SizedOut::new(&mut Arrays::new(), "out", out)?.write(m.0.dims().into()) };
        Ok(stn_status::STN_OK)
    };
    // SAFETY: `shared` checks the pointer and holds the gate of the handle.
    unsafe { guard::shared(model, call) }
}

/// Reads the state that a stepper of this model starts from: zero, and for built-in bodies the
/// builder's poses and velocities.
///
/// @param model  model; Nullable: no
/// @param q  receives nq numbers; Nullable: yes
/// @param nq  as in the model
/// @param v  receives nv numbers; Nullable: yes
/// @param nv  as in the model
/// @return STN_OK; STN_ERR_NULL, STN_ERR_DIMENSION, STN_ERR_VALUE (overlap), STN_ERR_BUSY,
/// STN_ERR_POISONED, STN_ERR_MEMORY
/// @note Thread class: shared. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_model_get_initial(
    model: *const stn_model,
    q: *mut f64,
    nq: i32,
    v: *mut f64,
    nv: i32,
) -> stn_status {
    let call = |m: &SharedModel| {
        let dims = m.0.dims();
        let mut a = Arrays::new();
        let q = a.wanted("q", q, exactly("nq", nq, dims.nq)?)?;
        let v = a.wanted("v", v, exactly("nv", nv, dims.nv)?)?;
        a.disjoint()?;
        let (mut q0, mut v0) = (zeros(dims.nq)?, zeros(dims.nv)?);
        m.0.initial(&mut q0, &mut v0);
        // SAFETY: the caller's promise for the arrays, which are disjoint.
        unsafe {
            put(q, &q0);
            put(v, &v0);
        }
        Ok(stn_status::STN_OK)
    };
    // SAFETY: `shared` checks the pointer and holds the gate of the handle.
    unsafe { guard::shared(model, call) }
}

/// Energy at a state: kinetic v'Mv/2 of any model, potential of gravity (zero at the origin) and
/// springs of built-in bodies, of a model of functions that of its elements alone: stiffness phi^2/2.
/// Forces, torques, motors and drives given in time have no potential.
///
/// @param model  model; Nullable: no
/// @param t  time, s
/// @param q  nq numbers; Nullable: only if nq = 0
/// @param nq  as in the model
/// @param v  nv numbers; Nullable: only if nv = 0
/// @param nv  as in the model
/// @param kinetic  receives the kinetic energy, J; Nullable: yes
/// @param potential  receives the potential energy, J; Nullable: yes
/// @return STN_OK; STN_ERR_VALUE (potential of a model of functions without elements,
/// overlap), STN_REJECTED where the ends of a spring coincide; STN_REJECTED and STN_ERR_CALLBACK
/// from the model; STN_ERR_NULL, STN_ERR_DIMENSION, STN_ERR_NONFINITE, STN_ERR_BUSY,
/// STN_ERR_POISONED, STN_ERR_MEMORY
/// @note Thread class: shared. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_model_get_energy(
    model: *const stn_model,
    t: f64,
    q: *const f64,
    nq: i32,
    v: *const f64,
    nv: i32,
    kinetic: *mut f64,
    potential: *mut f64,
) -> stn_status {
    let call = |m: &SharedModel| {
        let mut a = Arrays::new();
        let (q, v) = state(m, &mut a, (q, nq), (v, nv))?;
        let (to_kinetic, to_potential) =
            (a.wanted("kinetic", kinetic, 1)?, a.wanted("potential", potential, 1)?);
        a.disjoint()?;
        // SAFETY: the caller's promise for the arrays, which are disjoint.
        let (q, v) = unsafe { (q.get(), v.get()) };
        finite_number("t", t)?;
        finite("q", q)?;
        finite("v", v)?;
        let mut energy = [0.0; 2];
        if to_kinetic.is_some() {
            energy[0] = self::kinetic(m, t, q, v)?;
        }
        if to_potential.is_some() {
            energy[1] = potential_energy(m, t, q)?;
        }
        finite("energy", &energy)?;
        // SAFETY: as above.
        unsafe {
            put(to_kinetic, &energy[..1]);
            put(to_potential, &energy[1..]);
        }
        Ok(stn_status::STN_OK)
    };
    // SAFETY: `shared` checks the pointer and holds the gate of the handle.
    unsafe { guard::shared(model, call) }
}

/// The arrays of a state.
fn state<'a>(
    m: &SharedModel,
    a: &mut Arrays,
    (q, nq): (*const f64, i32),
    (v, nv): (*const f64, i32),
) -> Result<(In<'a>, In<'a>), Fault> {
    let dims = m.0.dims();
    let q = a.input("q", q, exactly("nq", nq, dims.nq)?)?;
    let v = a.input("v", v, exactly("nv", nv, dims.nv)?)?;
    Ok((q, v))
}

/// Momentum of built-in bodies at a state, in world axes.
///
/// @param model  model made of built-in bodies; Nullable: no
/// @param q  nq numbers; Nullable: no
/// @param nq  as in the model
/// @param v  nv numbers; Nullable: no
/// @param nv  as in the model
/// @param linear  receives 3 numbers, N s; Nullable: yes
/// @param angular  receives 3 numbers, about the origin, N m s; Nullable: yes
/// @return STN_OK; STN_ERR_VALUE (not made of built-in bodies, overlap), STN_ERR_NULL,
/// STN_ERR_DIMENSION, STN_ERR_NONFINITE, STN_ERR_BUSY, STN_ERR_POISONED
/// @note Thread class: shared. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_model_get_momentum(
    model: *const stn_model,
    q: *const f64,
    nq: i32,
    v: *const f64,
    nv: i32,
    linear: *mut f64,
    angular: *mut f64,
) -> stn_status {
    let call = |m: &SharedModel| {
        let scene = m.scene()?;
        let mut a = Arrays::new();
        let (q, v) = state(m, &mut a, (q, nq), (v, nv))?;
        let linear = a.wanted("linear", linear, 3)?;
        let angular = a.wanted("angular", angular, 3)?;
        a.disjoint()?;
        // SAFETY: the caller's promise for the arrays, which are disjoint.
        let (q, v) = unsafe { (q.get(), v.get()) };
        finite("q", q)?;
        finite("v", v)?;
        let (p, l) = (scene.momentum(q, v)?, scene.angular_momentum(q, v)?);
        finite("momentum", &p)?;
        finite("angular momentum", &l)?;
        // SAFETY: as above.
        unsafe {
            put(linear, &p);
            put(angular, &l);
        }
        Ok(stn_status::STN_OK)
    };
    // SAFETY: `shared` checks the pointer and holds the gate of the handle.
    unsafe { guard::shared(model, call) }
}

/// Mass of all built-in bodies.
///
/// @param model  model made of built-in bodies; Nullable: no
/// @param mass  receives the mass, kg; Nullable: no
/// @return STN_OK; STN_ERR_VALUE (not made of built-in bodies), STN_ERR_NULL, STN_ERR_NONFINITE
/// (beyond the largest number), STN_ERR_BUSY, STN_ERR_POISONED
/// @note Thread class: shared. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_model_get_total_mass(
    model: *const stn_model,
    mass: *mut f64,
) -> stn_status {
    let call = |m: &SharedModel| {
        let total = m.scene()?.total_mass();
        let mass = Arrays::new().output("mass", mass, 1)?;
        finite_number("total mass", total)?;
        // SAFETY: the caller's promise for the number.
        unsafe { put(Some(mass), &[total]) };
        Ok(stn_status::STN_OK)
    };
    // SAFETY: `shared` checks the pointer and holds the gate of the handle.
    unsafe { guard::shared(model, call) }
}
