//! The component's own memory at the boundary: room for parameters, and results until the host has read them.
//!
//! Docs: Component Model, "Canonical ABI Explainer", `realloc` and `post-return`. How single values lie there is in `contract::canonical`. Texts of a
//! result are not copied: they are read from where they are.

#![cfg_attr(not(target_family = "wasm"), allow(clippy::cast_possible_truncation, reason = "only there addresses have 32 bits"))]

use std::alloc::{Layout, alloc, dealloc, handle_alloc_error, realloc};
use std::any::Any;
use std::borrow::Cow;
use std::cell::RefCell;

use contract::canonical::{AbiError, AbiMemory, AbiRoom, AbiTarget};

thread_local! {
    /// The result of the call in progress.
    static RESULT: RefCell<Option<Kept>> = const { RefCell::new(None) };
}

/// Allocates room for what the host writes, and frees it where `new` is 0.
///
/// # Safety
/// `old` is 0 and `at` anything, or `at` is what this function returned for `old` bytes at this alignment.
#[allow(unsafe_code, dead_code, reason = "the ABI is one of raw addresses; only WebAssembly has it")]
#[cfg_attr(target_family = "wasm", unsafe(export_name = "cabi_realloc"))]
unsafe extern "C" fn cabi_realloc(at: *mut u8, old: usize, align: usize, new: usize) -> *mut u8 {
    let layout = |size| Layout::from_size_align(size, align).expect("the host asks for what a memory may have");
    if new == 0 {
        if old > 0 {
            // SAFETY: the caller answers for it.
            unsafe { dealloc(at, layout(old)) };
        }
        return std::ptr::without_provenance_mut(align);
    }
    // SAFETY: neither size is 0, and the caller answers for the rest.
    let room = unsafe { if old == 0 { alloc(layout(new)) } else { realloc(at, layout(old), new) } };
    if room.is_null() {
        handle_alloc_error(layout(new));
    }
    room
}

/// Parameters as the host wrote them.
pub(crate) struct OwnMemory;

#[expect(unsafe_code, reason = "the ABI is one of raw addresses")]
impl AbiMemory for OwnMemory {
    fn bytes(&self, at: u32, length: usize) -> Option<Cow<'_, [u8]>> {
        if length == 0 {
            return Some(Cow::default());
        }
        // SAFETY: the host wrote these bytes into what it got from `cabi_realloc`; they are read before they are freed.
        Some(Cow::Borrowed(unsafe { std::slice::from_raw_parts(std::ptr::with_exposed_provenance(at as usize), length) }))
    }

    fn free(&self, at: u32, size: usize, align: usize) {
        if size > 0 {
            let layout = Layout::from_size_align(size, align).expect("it was allocated so");
            // SAFETY: `cabi_realloc` allocated it so, and each text or list is read once.
            unsafe { dealloc(std::ptr::with_exposed_provenance_mut(at as usize), layout) };
        }
    }
}

/// A parameter that the host sent.
///
/// # Panics
/// If the interface does not have such a value.
pub(crate) fn sent<T>(parameter: Result<T, AbiError>) -> T {
    parameter.unwrap_or_else(|error| panic!("the host sent {error}"))
}

/// A result, and the lists of it as the host reads them.
#[derive(Default)]
struct Kept {
    /// In words that are aligned for any element.
    lists: Vec<Vec<u64>>,
    /// Where texts lead to.
    result: Option<Box<dyn Any>>,
}

impl AbiRoom for Kept {
    fn text(&mut self, text: &str) -> u32 {
        text.as_ptr().expose_provenance() as u32
    }

    fn list(&mut self, elements: &[u8], _: usize) -> u32 {
        let mut list = vec![0; elements.len().div_ceil(8)];
        for (word, bytes) in list.iter_mut().zip(elements.chunks(8)) {
            let mut whole = [0; 8];
            whole[..bytes.len()].copy_from_slice(bytes);
            *word = u64::from_le_bytes(whole);
        }
        self.lists.push(list);
        self.lists.last().expect("it was pushed").as_ptr().expose_provenance() as u32
    }
}

/// Keeps a result of `size` bytes until [`release`]; returns its address.
pub(crate) fn keep<T: 'static>(result: T, size: usize, lower: impl FnOnce(&T, AbiTarget<'_>)) -> u32 {
    // Its texts may lie in it, so it moves no more.
    let result = Box::new(result);
    let (mut kept, mut bytes) = (Kept::default(), vec![0; size]);
    lower(&result, AbiTarget::new(&mut bytes, &mut kept));
    let at = kept.list(&bytes, 8);
    kept.result = Some(result);
    RESULT.set(Some(kept));
    at
}

/// Frees the result of a function that was kept. Each function has one of its own that calls this, and no two of them may be compiled into one: tools that
/// make a component's glue name a function by what is compiled.
///
/// # Panics
/// If there is no such result: the host frees each once.
pub(crate) fn release(function: &str) {
    assert!(RESULT.take().is_some(), "the host freed a result of {function} that it does not have");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_kept_byte_for_byte() {
        let mut kept = Kept::default();
        kept.list(&[1, 2, 3, 4, 5, 6, 7, 8, 9], 1);
        let bytes: Vec<u8> = kept.lists[0].iter().flat_map(|word| word.to_le_bytes()).collect();
        assert_eq!(bytes, [1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0, 0, 0, 0]);
    }

    #[test]
    #[expect(unsafe_code, reason = "the ABI is one of raw addresses")]
    fn room_grows_with_what_is_in_it() {
        // SAFETY: each address is what the call before it returned.
        unsafe {
            let room = cabi_realloc(std::ptr::null_mut(), 0, 1, 2);
            room.copy_from(b"ab".as_ptr(), 2);
            let room = cabi_realloc(room, 2, 1, 1000);
            assert_eq!(std::slice::from_raw_parts(room, 2), b"ab");
            dealloc(room, Layout::from_size_align(1000, 1).unwrap());
            assert_eq!(cabi_realloc(std::ptr::null_mut(), 0, 8, 0).addr(), 8);
        }
    }

    #[test]
    #[should_panic(expected = "the host sent a time that does not exist: 7 s")]
    fn a_parameter_that_the_interface_does_not_have_is_a_panic() {
        sent::<()>(Err(AbiError::Time(7)));
    }
}
