//! The message of a panic, kept where a host can read it once the instance has trapped.
//!
//! Docs: `wit/controllers.wit`, "Errors". No function of a trapped instance can be called, but its memory is still there.

use std::panic::{PanicHookInfo, set_hook};
use std::sync::atomic::{AtomicU8, AtomicU32, Ordering};

/// How many bytes of a message are kept.
const CAPACITY: usize = 1000;

#[repr(C)]
struct Message {
    length: AtomicU32,
    text: [AtomicU8; CAPACITY],
}

/// The last message; the module exports its address.
#[expect(unsafe_code, reason = "the name is part of the boundary")]
#[unsafe(no_mangle)]
static LAST_PANIC: Message = Message { length: AtomicU32::new(0), text: [const { AtomicU8::new(0) }; CAPACITY] };

/// From here on the message of a panic is kept.
pub(crate) fn keep_last_message() {
    set_hook(Box::new(|panic| LAST_PANIC.keep(panic)));
}

impl Message {
    fn keep(&self, panic: &PanicHookInfo<'_>) {
        let message = panic.to_string();
        let kept = message.floor_char_boundary(CAPACITY);
        for (cell, byte) in self.text.iter().zip(message[..kept].bytes()) {
            cell.store(byte, Ordering::Relaxed);
        }
        self.length.store(kept as u32, Ordering::Relaxed);
    }
}
