//! Small blocks come from lists of free blocks of the same size; large ones
//! are left to the standard library. Memory that is not there ends the player.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ptr;

use super::{Ending, end};

/// Sizes of small blocks are multiples of this, and they are aligned to it.
const STEP: usize = 16;
const LARGEST: usize = 512;
const CLASSES: usize = LARGEST / STEP;

/// Blocks are cut, when they are first needed, from pieces of this size.
const PIECE: usize = 16 << 10;

struct Free {
    next: *mut Free,
}

struct Allocator {
    free: [Cell<*mut Free>; CLASSES],
    /// What is left of the last piece.
    rest: Cell<*mut u8>,
    rest_len: Cell<usize>,
}

// SAFETY: a player has no threads; the host refuses modules that could.
unsafe impl Sync for Allocator {}

#[global_allocator]
static ALLOCATOR: Allocator = Allocator {
    free: [const { Cell::new(ptr::null_mut()) }; CLASSES],
    rest: Cell::new(ptr::null_mut()),
    rest_len: Cell::new(0),
};

/// The list for a block, unless it is large.
#[inline]
fn class_of(layout: Layout) -> Option<usize> {
    (layout.size() <= LARGEST && layout.align() <= STEP).then(|| layout.size().saturating_sub(1) / STEP)
}

#[inline]
fn found(block: *mut u8) -> *mut u8 {
    if block.is_null() {
        end(Ending::OutOfMemory);
    }
    block
}

impl Allocator {
    /// A block that was never used. Cutting a whole piece into a list would
    /// touch memory that a player may never need.
    #[inline(never)]
    fn cut(&self, class: usize) -> *mut u8 {
        let size = (class + 1) * STEP;
        if self.rest_len.get() < size {
            let layout = Layout::from_size_align(PIECE, STEP).expect("a power of two");
            // SAFETY: the size is not zero.
            self.rest.set(found(unsafe { System.alloc(layout) }));
            self.rest_len.set(PIECE);
        }
        let block = self.rest.get();
        // SAFETY: the rest is at least as long, and stays aligned to `STEP`.
        self.rest.set(unsafe { block.add(size) });
        self.rest_len.set(self.rest_len.get() - size);
        block
    }
}

// SAFETY: a block is in at most one list, and in none while it is in use; its
// class follows from its layout, which is the same when it is given back.
unsafe impl GlobalAlloc for Allocator {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let Some(class) = class_of(layout) else {
            // SAFETY: as the caller promises.
            return found(unsafe { System.alloc(layout) });
        };
        let block = self.free[class].get();
        if block.is_null() {
            return self.cut(class);
        }
        // SAFETY: what is in a list is a `Free`.
        self.free[class].set(unsafe { (*block).next });
        block.cast()
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        let Some(class) = class_of(layout) else {
            // SAFETY: it is large, so it came from there.
            return unsafe { System.dealloc(block, layout) };
        };
        let freed: *mut Free = block.cast();
        // SAFETY: the block is nobody's now, and large enough for a `Free`.
        unsafe { freed.write(Free { next: self.free[class].get() }) };
        self.free[class].set(freed);
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if class_of(layout).is_none() {
            // SAFETY: as the caller promises.
            return found(unsafe { System.alloc_zeroed(layout) });
        }
        // SAFETY: as the caller promises; the block has the size of the layout.
        unsafe {
            let block = self.alloc(layout);
            block.write_bytes(0, layout.size());
            block
        }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller promises a size that is not zero and not too large.
        let wanted = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
        match (class_of(layout), class_of(wanted)) {
            // SAFETY: both are large, so it came from there.
            (None, None) => found(unsafe { System.realloc(block, layout, size) }),
            (old, new) if old == new => block,
            // SAFETY: the two blocks are different and both at least as long as what is copied.
            _ => unsafe {
                let moved = self.alloc(wanted);
                ptr::copy_nonoverlapping(block, moved, layout.size().min(size));
                self.dealloc(block, layout);
                moved
            },
        }
    }
}
