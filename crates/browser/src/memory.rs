//! Room for what a play will need.
//!
//! Docs: WebAssembly core specification, `memory.grow`. After each growth, a browser hands JavaScript a new buffer, and its garbage collector counts the
//! whole memory again. An allocator grows it by a page or two at a time: thousands of times in a long play, which was a quarter of its time.

/// Grows the memory by a quarter at once, unless that much is free in one piece.
#[cfg(target_family = "wasm")]
pub(crate) fn reserve() {
    const PAGE: usize = 65_536;
    let mut room = Vec::<u8>::new();
    // If the browser refuses, the play may still get by with what it has.
    let _ = room.try_reserve_exact(core::arch::wasm32::memory_size(0) * PAGE / 4);
    drop(std::hint::black_box(room));
}

/// Other platforms grow it by themselves.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn reserve() {}
