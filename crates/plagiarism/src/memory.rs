//! Memory for the parser, which asks for hundreds of small blocks for each line of a
//! source and gives all of them back. The system's allocator took a tenth of all time.
//!
//! While [`with_arena`] runs, small blocks are cut from chunks of the thread; those
//! that are given back lie in a list for their size, and after the source everything
//! is free again. Larger blocks come from the system. All `unsafe` code of the library
//! is here.

#![allow(unsafe_code, reason = "the parser is C, and asks for memory as C does")]

use std::alloc::{Layout, alloc, dealloc, handle_alloc_error, realloc};
use std::cell::{Cell, RefCell};
use std::ffi::c_void;
use std::ptr;
use std::sync::Once;

use tree_sitter::Allocator;

/// Blocks are multiples of so many bytes, and begin at such places.
const UNIT: usize = 16;
/// Larger ones come from the system.
const MAX_SMALL: usize = 1024;
const CHUNK: usize = 256 << 10;
/// So many are kept for the next source; what a large one took besides is given back.
const KEPT_CHUNKS: usize = 8;

/// Stands before every block.
#[repr(C, align(16))]
struct Head {
    /// How many bytes there are behind it, a multiple of `UNIT`.
    room: usize,
    is_small: bool,
}

const HEAD: usize = size_of::<Head>();

struct Arena {
    chunks: Vec<*mut u8>,
    /// The chunk that blocks are cut from, and how much of it is used.
    chunk: usize,
    used: usize,
    /// For each size the block given back last, which holds the one before.
    free: [*mut u8; MAX_SMALL / UNIT + 1],
}

thread_local! {
    static ARENA: RefCell<Arena> = const { RefCell::new(Arena::new()) };
    /// The arena while `with_arena` runs on this thread, otherwise null.
    static CURRENT: Cell<*mut Arena> = const { Cell::new(ptr::null_mut()) };
}

/// Does something with a parser. All that it makes of one must be gone when it ends,
/// so this is called where nothing but numbers comes out of it.
pub(crate) fn with_arena<T>(work: impl FnOnce() -> T) -> T {
    static TOLD: Once = Once::new();
    // SAFETY: the four functions belong together, align as `malloc` does and never
    // return null. Parsers are made in here only, so nothing of them is alive.
    TOLD.call_once(|| unsafe { tree_sitter::set_allocator(Some(ALLOCATOR)) });
    /// Also where `work` panics.
    struct End<'a>(&'a mut Arena);
    impl Drop for End<'_> {
        fn drop(&mut self) {
            CURRENT.set(ptr::null_mut());
            self.0.clear();
        }
    }
    ARENA.with_borrow_mut(|arena| {
        let end = End(arena);
        CURRENT.set(&raw mut *end.0);
        work()
    })
}

const ALLOCATOR: Allocator = Allocator { malloc, calloc, realloc: resize, free };

/// Of a chunk.
const LAYOUT: Layout = match Layout::from_size_align(CHUNK, UNIT) {
    Ok(layout) => layout,
    Err(_) => panic!("a chunk is a multiple of a unit"),
};

/// Of a block that comes from the system, with its head.
fn layout(room: usize) -> Layout {
    Layout::from_size_align(HEAD + room, UNIT).expect("nobody asks for half of all memory")
}

impl Arena {
    const fn new() -> Arena {
        Arena { chunks: Vec::new(), chunk: 0, used: 0, free: [ptr::null_mut(); MAX_SMALL / UNIT + 1] }
    }

    /// A block without its head, which says how large it is.
    fn small(&mut self, room: usize) -> *mut u8 {
        let last = self.free[room / UNIT];
        if !last.is_null() {
            // SAFETY: a block in a list is nobody's, and holds the one before it.
            self.free[room / UNIT] = unsafe { last.cast::<*mut u8>().read() };
            return last;
        }
        let size = HEAD + room;
        if self.chunks.is_empty() || self.used + size > CHUNK {
            self.next_chunk();
        }
        // SAFETY: the chunk has room for the block after what is used of it.
        let head = unsafe { self.chunks[self.chunk].add(self.used) };
        self.used += size;
        with_head(head, Head { room, is_small: true })
    }

    fn next_chunk(&mut self) {
        if !self.chunks.is_empty() {
            self.chunk += 1;
        }
        self.used = 0;
        if self.chunk == self.chunks.len() {
            // SAFETY: the size is not zero.
            self.chunks.push(unsafe { alloc(LAYOUT) });
        }
        if self.chunks[self.chunk].is_null() {
            handle_alloc_error(LAYOUT);
        }
    }

    /// Takes back a block that `small` gave.
    fn take(&mut self, block: *mut u8, room: usize) {
        // SAFETY: a block has room for a pointer at least, and is not used any more.
        unsafe { block.cast::<*mut u8>().write(self.free[room / UNIT]) };
        self.free[room / UNIT] = block;
    }

    /// All blocks are gone.
    fn clear(&mut self) {
        (self.chunk, self.used) = (0, 0);
        self.free = [ptr::null_mut(); MAX_SMALL / UNIT + 1];
        self.give_back(KEPT_CHUNKS);
    }

    fn give_back(&mut self, kept: usize) {
        for chunk in self.chunks.drain(kept.min(self.chunks.len())..) {
            // SAFETY: it was allocated with this layout, and no block of it is left.
            unsafe { dealloc(chunk, LAYOUT) };
        }
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        self.give_back(0);
    }
}

/// Writes the head of a block; what is behind it.
fn with_head(at: *mut u8, head: Head) -> *mut u8 {
    if at.is_null() {
        handle_alloc_error(layout(head.room));
    }
    // SAFETY: callers have allocated a head and what is behind it, aligned.
    unsafe {
        at.cast::<Head>().write(head);
        at.add(HEAD)
    }
}

unsafe extern "C" fn malloc(size: usize) -> *mut c_void {
    let room = size.max(1).checked_next_multiple_of(UNIT).expect("nobody asks for all memory");
    let arena = CURRENT.get();
    if room <= MAX_SMALL && !arena.is_null() {
        // SAFETY: `with_arena` lends it to this thread only, and nobody else uses it meanwhile.
        return unsafe { &mut *arena }.small(room).cast();
    }
    // SAFETY: the size is not zero.
    with_head(unsafe { alloc(layout(room)) }, Head { room, is_small: false }).cast()
}

unsafe extern "C" fn calloc(count: usize, size: usize) -> *mut c_void {
    let size = count.checked_mul(size).expect("nobody asks for all memory");
    // SAFETY: what `malloc` gives has that many bytes.
    unsafe {
        let block = malloc(size);
        block.cast::<u8>().write_bytes(0, size);
        block
    }
}

unsafe extern "C" fn resize(block: *mut c_void, size: usize) -> *mut c_void {
    if block.is_null() {
        // SAFETY: as for any other.
        return unsafe { malloc(size) };
    }
    let block = block.cast::<u8>();
    // SAFETY: every block has its head before it; the new one has room for all of the
    // old one, and is another.
    unsafe {
        let head = block.sub(HEAD).cast::<Head>();
        let Head { room, is_small } = head.read();
        if size <= room {
            return block.cast();
        }
        if !is_small {
            let wanted = size.checked_next_multiple_of(UNIT).expect("nobody asks for all memory");
            let moved = realloc(head.cast(), layout(room), layout(wanted).size());
            return with_head(moved, Head { room: wanted, is_small }).cast();
        }
        let new = malloc(size);
        ptr::copy_nonoverlapping(block, new.cast(), room);
        free(block.cast());
        new
    }
}

unsafe extern "C" fn free(block: *mut c_void) {
    if block.is_null() {
        return;
    }
    let block = block.cast::<u8>();
    // SAFETY: every block has its head before it, and is given back once. Small ones
    // are given back while their arena is there, on the thread that it belongs to.
    unsafe {
        let head = block.sub(HEAD).cast::<Head>();
        let Head { room, is_small } = head.read();
        if is_small {
            (*CURRENT.get()).take(block, room);
        } else {
            dealloc(head.cast(), layout(room));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Blocks of all sizes, resized and given back in another order, hold what was
    /// written into them; afterwards the arena has no more than it may keep.
    #[test]
    fn blocks_keep_what_is_in_them() {
        let fill = |block: *mut c_void, size: usize, byte: u8| {
            // SAFETY: the block has that many bytes.
            unsafe { block.cast::<u8>().write_bytes(byte, size) };
        };
        let holds = |block: *mut c_void, size: usize, byte: u8| {
            // SAFETY: the block has that many bytes, all of them written.
            let bytes = unsafe { std::slice::from_raw_parts(block.cast::<u8>(), size) };
            bytes.iter().all(|&one| one == byte)
        };
        let round = || {
            let mut blocks = Vec::new();
            for number in 0..4000usize {
                let size = number * 37 % 1500;
                // SAFETY: sizes are small.
                let block = unsafe { if number % 3 == 0 { calloc(1, size) } else { malloc(size) } };
                assert_eq!(block as usize % UNIT, 0);
                assert!(number % 3 != 0 || holds(block, size, 0));
                fill(block, size, number as u8);
                blocks.push((block, size, number as u8));
                if number % 2 == 0 {
                    let (block, size, byte) = blocks.swap_remove(number * 7 % blocks.len());
                    let larger = size * 2 + 1;
                    // SAFETY: the block is one of ours.
                    let block = unsafe { resize(block, larger) };
                    assert!(holds(block, size, byte));
                    fill(block, larger, byte);
                    blocks.push((block, larger, byte));
                }
                if number % 5 == 0 {
                    let (block, size, byte) = blocks.swap_remove(number * 11 % blocks.len());
                    assert!(holds(block, size, byte));
                    // SAFETY: the block is one of ours, and gone from the list.
                    unsafe { free(block) };
                }
            }
            for (block, size, byte) in blocks {
                assert!(holds(block, size, byte));
                // SAFETY: each is given back once.
                unsafe { free(block) };
            }
        };
        with_arena(round);
        with_arena(round);
        ARENA.with_borrow(|arena| assert!((1..=KEPT_CHUNKS).contains(&arena.chunks.len())));
        // Without an arena all of them come from the system.
        round();
    }
}
