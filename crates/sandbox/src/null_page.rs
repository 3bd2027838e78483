//! The first page of a player's memory, which nobody may touch: whoever does goes
//! through a null pointer, and is stopped as any program would be.
//!
//! The page is taken away from the process while the module lives, so that no
//! access has to be checked: the runtime turns the signal into a trap that knows
//! the function and the line. What the host itself reads and writes for a module
//! is checked in [`within`], and what the runtime moves by code that the meter
//! adds. Only modules that export [`meter::GUARDED`](crate::meter::GUARDED) have
//! such a page: others may keep something there.
#![allow(unsafe_code)]

use std::ops::Range;

use wasmtime::{AsContext, Memory, Result, Store, bail};

use crate::imports::Host;

/// The bytes that are out of reach: a page of WebAssembly, which is a whole number
/// of pages on every machine, and what most systems keep free for the same reason.
pub const GUARD: usize = 1 << 16;

/// What belongs to one instance. The first page is given back before the store
/// goes, which clears the memory for the next.
pub struct Home {
    page: Option<NullPage>,
    pub store: Store<Host>,
}

impl Home {
    pub fn new(store: Store<Host>) -> Home {
        Home { page: None, store }
    }

    /// Puts the first page of the module's memory out of reach.
    pub fn guard(&mut self, memory: Memory) -> Result<()> {
        if self.page.is_none() {
            self.page = Some(NullPage::take(&self.store, memory)?);
            self.store.data_mut().guard = GUARD;
        }
        Ok(())
    }
}

struct NullPage(*mut u8);

// SAFETY: it is an address and nothing else; the page is that of one store, which
// goes where this goes.
unsafe impl Send for NullPage {}

impl NullPage {
    fn take(store: impl AsContext, memory: Memory) -> Result<NullPage> {
        // What lies beyond a smaller memory is out of reach already and must stay so.
        if memory.data_size(&store) < GUARD {
            bail!("its memory has no page to guard");
        }
        let page = NullPage(memory.data_ptr(&store));
        if !page.make_accessible(false) {
            bail!("the first page of the memory cannot be guarded");
        }
        Ok(page)
    }

    #[cfg(unix)]
    fn make_accessible(&self, is_accessible: bool) -> bool {
        let access = if is_accessible { libc::PROT_READ | libc::PROT_WRITE } else { libc::PROT_NONE };
        // SAFETY: the bytes are the first of a module's memory, which has that many,
        // starts at a page and does not move; nobody holds a reference to them, and
        // whoever asks for them asks `within` first.
        unsafe { libc::mprotect(self.0.cast(), GUARD, access) == 0 }
    }

    #[cfg(windows)]
    fn make_accessible(&self, is_accessible: bool) -> bool {
        #[link(name = "kernel32")]
        unsafe extern "system" {
            fn VirtualProtect(start: *mut u8, bytes: usize, access: u32, before: *mut u32) -> i32;
        }
        const NO_ACCESS: u32 = 1;
        const READ_WRITE: u32 = 4;
        let (access, mut before) = (if is_accessible { READ_WRITE } else { NO_ACCESS }, 0);
        // SAFETY: as above.
        unsafe { VirtualProtect(self.0, GUARD, access, &raw mut before) != 0 }
    }
}

impl Drop for NullPage {
    fn drop(&mut self) {
        assert!(self.make_accessible(true), "the first page of a memory cannot be given back");
    }
}

/// The bytes of a memory that the host may touch for a module: none of its first
/// `guard` bytes.
pub fn within(guard: usize, start: usize, len: usize) -> Option<Range<usize>> {
    let end = start.checked_add(len)?;
    (len == 0 || start >= guard).then_some(start..end)
}
