//! Whose contact it is: from a key to two built-in bodies and their shapes.

use super::builder::stn_ground;
use super::guard;
use super::measure::put;
use super::model::{SharedModel, stn_model};
use super::ptr::Arrays;
use super::status::stn_status;
use crate::error::{Error, told};
use crate::rigid::Link;

/// Tells which bodies and shapes a contact between built-in bodies belongs to. Its key is that of
/// stn_event, stn_contact_state and stn_stepper_get_contact_key.
///
/// Which contacts have an index of their own below n_contact, open or closed, and which come and go: a
/// ball with a ball, a box or a capsule, and anything but hulls and meshes with a half-space have their
/// own, as long as there are at most 128 such pairs in the scene; limits and half-spaces that move always do. All
/// others come and go: solids with solids and with meshes, and everything in larger scenes. A key
/// stands for two shapes and a pair of their features (corner and face, edge and edge, triangle of a
/// mesh): as long as the features stay the same so does the key, whatever other contacts do. Keys of
/// one model mean nothing in another.
///
/// @param model  model made of built-in bodies; Nullable: no
/// @param key  key of a contact
/// @param body_a  receives the first body, STN_GROUND for the ground: the gap grows when it moves along
/// the normal; Nullable: yes
/// @param body_b  receives the second body; Nullable: yes
/// @param shape_a  receives the number of the shape of the first, -1 for a limit; Nullable: yes
/// @param shape_b  receives that of the second; Nullable: yes
/// @return STN_OK; STN_ERR_VALUE (not made of built-in bodies, a key that no contact of the model can
/// have, overlap), STN_ERR_NULL, STN_ERR_BUSY, STN_ERR_POISONED
/// @note Thread class: shared. Since 0.1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stn_model_get_contact_pair(
    model: *const stn_model,
    key: i64,
    body_a: *mut i32,
    body_b: *mut i32,
    shape_a: *mut i32,
    shape_b: *mut i32,
) -> stn_status {
    let call = |m: &SharedModel| {
        let mut a = Arrays::new();
        let bodies = [a.wanted("body_a", body_a, 1)?, a.wanted("body_b", body_b, 1)?];
        let shapes = [a.wanted("shape_a", shape_a, 1)?, a.wanted("shape_b", shape_b, 1)?];
        a.disjoint()?;
        let Some(pair) = m.scene()?.contact_pair(key) else {
            let got = told(key);
            return Err(
                Error::Value { what: "key", got, must: "of a contact of this model" }.into()
            );
        };
        let number = |n: usize| i32::try_from(n).unwrap_or(i32::MAX);
        let body = |link| match link {
            Link::Ground => stn_ground::STN_GROUND as i32,
            Link::Body(id) => number(id.index()),
        };
        let shape = |k: usize| pair.shapes.map_or(-1, |ids| number(ids[k].index()));
        // SAFETY: the caller's promise for the numbers, which are disjoint.
        unsafe {
            for (k, (to_body, to_shape)) in bodies.into_iter().zip(shapes).enumerate() {
                put(to_body, &[body(pair.bodies[k])]);
                put(to_shape, &[shape(k)]);
            }
        }
        Ok(stn_status::STN_OK)
    };
    // SAFETY: `shared` checks the pointer and holds the gate of the handle.
    unsafe { guard::shared(model, call) }
}
