//! Reads the parameters of the contract's functions.
//!
//! Docs: `crates/component/wit/controllers.wit`. Single values are read in `source.rs`.
//! Generated from it by `cargo xtask bindings`; do not edit.

use api::Timestamp;

use super::{AbiError, Parameters, lift, source};
use crate::{Change, Event, Listing, ObjectJson, ObjectRef, Part, Report};

/// Reads a value of the type `object-ref`.
///
/// # Errors
/// If the other side of the boundary wrote something else.
pub fn object_ref(from: &mut Parameters<'_>) -> Result<ObjectRef, AbiError> {
    Ok(ObjectRef { kind: from.text()?, namespace: from.text()?, name: from.text()?, uid: from.text()? })
}

/// Reads a value of the type `object`.
///
/// # Errors
/// If the other side of the boundary wrote something else.
pub fn object(from: &mut Parameters<'_>) -> Result<ObjectJson, AbiError> {
    Ok(ObjectJson { kind: from.text()?, json: from.text()? })
}

/// Reads a value of the type `change`.
///
/// # Errors
/// If the other side of the boundary wrote something else.
pub fn change(from: &mut Parameters<'_>) -> Result<Change, AbiError> {
    let from = &mut from.variant(5);
    Ok(match from.u32() {
        0 => Change::Applied(object(from)?),
        1 => Change::Deleted(object(from)?),
        case => return Err(AbiError::Case { name: "change", case }),
    })
}

/// Reads a value of the type `part`.
///
/// # Errors
/// If the other side of the boundary wrote something else.
pub fn part(from: &mut Parameters<'_>) -> Result<Part, AbiError> {
    Ok(match from.u32() {
        0 => Part::Whole,
        1 => Part::First,
        2 => Part::Middle,
        3 => Part::Last,
        case => return Err(AbiError::Case { name: "part", case }),
    })
}

/// Reads a value of the type `listing`.
///
/// # Errors
/// If the other side of the boundary wrote something else.
pub fn listing(from: &mut Parameters<'_>) -> Result<Listing, AbiError> {
    Ok(Listing { kind: from.text()?, part: part(from)?, resource_version: from.text()?, objects: from.list(8, 4, |from| from.text(0))? })
}

/// Reads a value of the type `report`.
///
/// # Errors
/// If the other side of the boundary wrote something else.
pub fn report(from: &mut Parameters<'_>) -> Result<Report, AbiError> {
    Ok(Report { plan: from.u64(), outcomes: from.list(32, 4, lift::outcome)? })
}

/// Reads a value of the type `event`.
///
/// # Errors
/// If the other side of the boundary wrote something else.
pub fn event(from: &mut Parameters<'_>) -> Result<Event, AbiError> {
    let from = &mut from.variant(8);
    Ok(match from.u32() {
        0 => Event::Changed(change(from)?),
        1 => Event::Listed(listing(from)?),
        2 => Event::Finished(report(from)?),
        case => return Err(AbiError::Case { name: "event", case }),
    })
}

/// Reads a value of the type `timestamp`.
///
/// # Errors
/// If the other side of the boundary wrote something else.
pub fn timestamp(from: &mut Parameters<'_>) -> Result<Timestamp, AbiError> {
    source::timestamp(from.s64(), from.u32())
}
