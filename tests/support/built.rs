//! A builder and its models as C programs hold them. For tests of the C face.
#![allow(dead_code, unsafe_code)] // each test takes what it needs

use std::ptr::{null, null_mut};
use stiction::ffi::stn_freedom::*;
use stiction::ffi::stn_joint_kind::*;
use stiction::ffi::stn_status::*;
use stiction::ffi::*;

pub const NAN: f64 = f64::NAN;
pub const INF: f64 = f64::INFINITY;
pub const GROUND: i32 = stn_ground::STN_GROUND as i32;
pub const ANGLE: i32 = STN_FREEDOM_ANGLE as i32;
pub const SLIDE: i32 = STN_FREEDOM_SLIDE as i32;
pub const REVOLUTE: i32 = STN_JOINT_REVOLUTE as i32;
pub const O: [f64; 3] = [0.0; 3];
pub const Z: [f64; 3] = [0.0, 0.0, 1.0];
pub const X: [f64; 3] = [1.0, 0.0, 0.0];
pub const ROUND: [f64; 9] = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
pub const LEVEL: [f64; 7] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
pub const UNTOUCHED: i32 = -77;

pub fn last_error() -> String {
    let mut buf = [0u8; 2048];
    // SAFETY: the buffer is ours and has the size stated.
    let n = unsafe { stn_last_error(buf.as_mut_ptr().cast(), buf.len() as i32) };
    String::from_utf8(buf[..n as usize].to_vec()).unwrap()
}

#[track_caller]
pub fn fails(status: stn_status, expected: stn_status, text: &str) {
    assert_eq!(status, expected, "{}", last_error());
    assert!(last_error().contains(text), "{:?} should say {text:?}", last_error());
}

#[track_caller]
pub fn works(status: stn_status) {
    assert_eq!(status, STN_OK, "{}", last_error());
}

/// A builder that goes away by itself.
pub struct Build(pub *mut stn_builder);

impl Drop for Build {
    fn drop(&mut self) {
        // SAFETY: ours, once.
        unsafe { stn_builder_destroy(self.0) }
    }
}

/// A model that goes away by itself.
pub struct Made(pub *mut stn_model);

impl Drop for Made {
    fn drop(&mut self) {
        // SAFETY: ours, once.
        unsafe { stn_model_destroy(self.0) }
    }
}

impl Build {
    pub fn empty() -> Self {
        let mut b = null_mut();
        // SAFETY: `b` can be written.
        works(unsafe { stn_builder_create(&mut b) });
        Self(b)
    }

    /// Two spatial bodies 0 and 1 with a hinge 0 between them, a planar body 2, a point 3 in space, a ball 0 on the first.
    pub fn new() -> Self {
        let b = Self::empty();
        let (mut id, mut other) = (UNTOUCHED, LEVEL);
        other[0] = 1.0;
        // SAFETY: every array has its length.
        unsafe {
            works(stn_builder_add_spatial(b.0, 1.0, ROUND.as_ptr(), LEVEL.as_ptr(), &mut id));
            assert_eq!(id, 0);
            works(stn_builder_add_spatial(b.0, 1.0, ROUND.as_ptr(), other.as_ptr(), &mut id));
            works(stn_builder_add_planar(b.0, 1.0, 1.0, O.as_ptr(), 0.0, &mut id));
            works(stn_builder_add_point3(b.0, 1.0, [2.0, 0.0, 0.0].as_ptr(), &mut id));
            assert_eq!(id, 3);
            let (at, axis) = ([0.5, 0.0, 0.0], Z.as_ptr());
            let joint = stn_builder_add_joint;
            works(joint(b.0, REVOLUTE, 0, 1, at.as_ptr(), axis, null(), &mut id));
            assert_eq!(id, 0);
            works(stn_builder_add_ball(b.0, 0, 0.1, null(), 0, &mut id));
            assert_eq!(id, 0);
        }
        b
    }

    pub fn build(&self) -> Made {
        let mut model = null_mut();
        // SAFETY: a live handle, and `model` can be written.
        works(unsafe { stn_builder_build(self.0, &mut model) });
        Made(model)
    }

    /// Nothing of all that was refused is in it: 18 velocities, 5 joint equations, no contact.
    pub fn is_as_it_was(&self) {
        assert_eq!(self.build().dims(), [20, 18, 5, 0, 0]);
    }
}

impl Made {
    pub fn dims(&self) -> [i32; 5] {
        let mut d = blank_dims();
        // SAFETY: a live handle and a struct of ours.
        works(unsafe { stn_model_get_dims(self.0, &mut d) });
        [d.nq, d.nv, d.n_joint, d.n_contact, d.n_dir]
    }
}

pub fn blank_dims() -> stn_dims {
    let struct_size = size_of::<stn_dims>();
    stn_dims { struct_size, ..stn_dims::default() }
}

pub fn blank_consistency() -> stn_consistency {
    stn_consistency {
        struct_size: size_of::<stn_consistency>(),
        joint: -7.0,
        joint_speed: -7.0,
        depth: -7.0,
        at_joint: UNTOUCHED,
        at_joint_speed: UNTOUCHED,
        at_depth: UNTOUCHED,
        depth_key: -7,
        reserved0: 0,
    }
}
