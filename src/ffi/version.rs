//! Which library this is. The numbers come from Cargo.toml.

use std::ffi::CStr;

/// Number of the binary interface; moves exactly when the SONAME does.
const ABI_VERSION: i32 = 1;

const fn number(text: &str) -> i32 {
    let bytes = text.as_bytes();
    let (mut n, mut i) = (0, 0);
    while i < bytes.len() {
        n = 10 * n + (bytes[i] - b'0') as i32;
        i += 1;
    }
    n
}

const VERSION: i32 = 1_000_000 * number(env!("CARGO_PKG_VERSION_MAJOR"))
    + 1000 * number(env!("CARGO_PKG_VERSION_MINOR"))
    + number(env!("CARGO_PKG_VERSION_PATCH"));

const TEXT: &CStr =
    match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
        Ok(text) => text,
        Err(_) => c"",
    };

/// Version of the library at run time; compare with STN_VERSION_NUMBER of the header.
///
/// @return 1000000*major + 1000*minor + patch
/// @note Thread class: any. Since 0.1.
#[unsafe(no_mangle)]
pub extern "C" fn stn_version_number() -> i32 {
    VERSION
}

/// Number of the binary interface at run time; a program works while it equals STN_ABI_VERSION of
/// the header it was compiled with.
///
/// @return the number
/// @note Thread class: any. Since 0.1.
#[unsafe(no_mangle)]
pub extern "C" fn stn_abi_version() -> i32 {
    ABI_VERSION
}

/// Version of the library at run time as text, such as "0.1.0".
///
/// @return static text, never NULL
/// @note Thread class: any. Since 0.1.
#[unsafe(no_mangle)]
pub extern "C" fn stn_version_string() -> *const libc::c_char {
    TEXT.as_ptr()
}
