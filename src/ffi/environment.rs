//! The floating-point environment that the library is compiled for, whatever the host has set: to nearest, subnormal
//! numbers kept, nothing trapped. Infinities and comparisons with NaN are everyday work here (ratio tests, bounds,
//! overflow that becomes a status), and would end a host that traps them; other roundings would give other bits.

/// Puts the host's environment back when it goes.
pub(super) struct Environment {
    /// What the host had, where it was another.
    host: Option<u32>,
}

impl Environment {
    pub(super) fn enter() -> Self {
        let host = arch::get();
        if arch::is_ours(host) {
            return Self { host: None };
        }
        arch::set(arch::OURS);
        Self { host: Some(host) }
    }
}

impl Drop for Environment {
    fn drop(&mut self) {
        if let Some(host) = self.host {
            arch::set(host);
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod arch {
    use std::arch::asm;

    /// All exceptions masked, to nearest, subnormal numbers kept, no flag raised.
    pub(super) const OURS: u32 = 0x1f80;
    /// Flags of what has happened: they bind nobody.
    const FLAGS: u32 = 0x3f;

    pub(super) fn is_ours(csr: u32) -> bool {
        csr & !FLAGS == OURS
    }

    pub(super) fn get() -> u32 {
        let mut csr = 0_u32;
        // SAFETY: writes four bytes to `csr`, which lives; changes nothing else.
        unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut csr, options(nostack, preserves_flags)) };
        csr
    }

    pub(super) fn set(csr: u32) {
        // SAFETY: reads four bytes; the value is `OURS`, or one that was read from this register. No number is being
        // computed here, and what the compiler takes for granted holds with `OURS`.
        unsafe { asm!("ldmxcsr [{}]", in(reg) &raw const csr, options(nostack, preserves_flags)) };
    }
}

/// Elsewhere the host's environment is taken as it is.
#[cfg(not(target_arch = "x86_64"))]
mod arch {
    pub(super) const OURS: u32 = 0;

    pub(super) fn is_ours(_: u32) -> bool {
        true
    }

    pub(super) fn get() -> u32 {
        OURS
    }

    pub(super) fn set(_: u32) {}
}
