//! Memory of the instance: what is small comes from lists of free pieces of its size, what is large from the standard library.
//!
//! Docs: `std::alloc::GlobalAlloc`. The controllers live on short texts and small nodes; with the standard library's allocator alone a
//! call takes a quarter longer, and with talc even more.
#![expect(unsafe_code, reason = "an allocator hands out raw memory")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::UnsafeCell;
use std::ptr::null_mut;

/// Sizes of pieces are multiples of this, in bytes; a piece is aligned to it.
const GRAIN: usize = 8;
/// What is larger is not small, in bytes.
const SMALL: usize = 512;
/// How much memory is cut into pieces at a time, in bytes.
const BLOCK: usize = 32 * 1024;

#[global_allocator]
static MEMORY: Memory = Memory(UnsafeCell::new(Pieces { free: [null_mut(); SMALL / GRAIN + 1], rest: null_mut(), left: 0 }));

struct Memory(UnsafeCell<Pieces>);

struct Pieces {
    /// The first free piece of each size, in grains; each piece begins with the address of the next.
    free: [*mut u8; SMALL / GRAIN + 1],
    /// What is not cut yet.
    rest: *mut u8,
    /// How many bytes that is.
    left: usize,
}

// SAFETY: an instance has one thread.
unsafe impl Sync for Memory {}

/// The size of the piece in grains, if a piece does.
fn grains(layout: Layout) -> Option<usize> {
    (layout.size() <= SMALL && layout.align() <= GRAIN).then(|| layout.size().div_ceil(GRAIN))
}

impl Pieces {
    /// A piece of memory of so many grains; null if there is no more.
    fn take(&mut self, grains: usize) -> *mut u8 {
        let piece = self.free[grains];
        if piece.is_null() {
            return self.cut(grains * GRAIN);
        }
        // SAFETY: a free piece has at least one grain, is aligned, belongs to nobody, and begins with the address of the next.
        self.free[grains] = unsafe { *piece.cast() };
        piece
    }

    /// Cuts off a piece that was in nobody's hands before. What is left of a block that is too short is given up.
    fn cut(&mut self, size: usize) -> *mut u8 {
        if self.left < size {
            // SAFETY: the block has a size.
            self.rest = unsafe { System.alloc(Layout::new::<[u64; BLOCK / GRAIN]>()) };
            if self.rest.is_null() {
                self.left = 0;
                return null_mut();
            }
            self.left = BLOCK;
        }
        let piece = self.rest;
        // SAFETY: so much is left of the block.
        self.rest = unsafe { piece.add(size) };
        self.left -= size;
        piece
    }
}

// SAFETY: pieces are as large and aligned as asked for, are in one hand at a time, and go back into the list that they came from.
unsafe impl GlobalAlloc for Memory {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        match grains(layout) {
            // SAFETY: an instance has one thread, and nothing is called that allocates in turn.
            Some(grains) => unsafe { &mut *self.0.get() }.take(grains),
            // SAFETY: the caller's promises are the same.
            None => unsafe { System.alloc(layout) },
        }
    }

    unsafe fn dealloc(&self, piece: *mut u8, layout: Layout) {
        let Some(grains) = grains(layout) else {
            // SAFETY: the caller's promises are the same, and no piece is that large.
            return unsafe { System.dealloc(piece, layout) };
        };
        // SAFETY: an instance has one thread; the piece has at least one grain and is in nobody's hands any more.
        unsafe {
            let first = &mut (*self.0.get()).free[grains];
            *piece.cast() = *first;
            *first = piece;
        }
    }

    unsafe fn realloc(&self, piece: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller promises that the alignment is one, and that the size is not too large.
        let wanted = unsafe { Layout::from_size_align_unchecked(size, layout.align()) };
        match (grains(layout), grains(wanted)) {
            (Some(before), Some(after)) if before == after => piece,
            // SAFETY: the caller's promises are the same.
            (None, None) => unsafe { System.realloc(piece, layout, size) },
            // SAFETY: both are as large as said, and the one is in nobody else's hands.
            (Some(_), _) | (_, Some(_)) => unsafe {
                let moved = self.alloc(wanted);
                if !moved.is_null() {
                    moved.copy_from_nonoverlapping(piece, size.min(layout.size()));
                    self.dealloc(piece, layout);
                }
                moved
            },
        }
    }
}
