//! Writes the parameters of the contract's functions.
//!
//! Docs: `crates/component/wit/controllers.wit`. Single values are written in `target.rs`.
//! Generated from it by `cargo xtask bindings`; do not edit.

use api::{Timestamp, time};

use super::{Slots, lower};
use crate::{Change, Event, Listing, ObjectJson, ObjectRef, Part, Report};

/// Writes a value of the type `object-ref`.
pub fn object_ref(from: &ObjectRef, to: &mut Slots<'_>) {
    to.text(&from.kind);
    to.text(&from.namespace);
    to.text(&from.name);
    to.text(&from.uid);
}

/// Writes a value of the type `object`.
pub fn object(from: &ObjectJson, to: &mut Slots<'_>) {
    to.text(&from.kind);
    to.text(&from.json);
}

/// Writes a value of the type `change`.
pub fn change(from: &Change, to: &mut Slots<'_>) {
    to.variant(5, |to| match from {
        Change::Applied(carried) => {
            to.u32(0);
            object(carried, to);
        }
        Change::Deleted(carried) => {
            to.u32(1);
            object(carried, to);
        }
    });
}

/// Writes a value of the type `part`.
pub fn part(from: &Part, to: &mut Slots<'_>) {
    to.u32(match from {
        Part::Whole => 0,
        Part::First => 1,
        Part::Middle => 2,
        Part::Last => 3,
    });
}

/// Writes a value of the type `listing`.
pub fn listing(from: &Listing, to: &mut Slots<'_>) {
    to.text(&from.kind);
    part(&from.part, to);
    to.text(&from.resource_version);
    to.list(8, 4, &from.objects, |from, mut to| to.text(0, from));
}

/// Writes a value of the type `report`.
pub fn report(from: &Report, to: &mut Slots<'_>) {
    to.u64(from.plan);
    to.list(32, 4, &from.outcomes, lower::outcome);
}

/// Writes a value of the type `event`.
pub fn event(from: &Event, to: &mut Slots<'_>) {
    to.variant(8, |to| match from {
        Event::Changed(carried) => {
            to.u32(0);
            change(carried, to);
        }
        Event::Listed(carried) => {
            to.u32(1);
            listing(carried, to);
        }
        Event::Finished(carried) => {
            to.u32(2);
            report(carried, to);
        }
    });
}

/// Writes a value of the type `timestamp`.
pub fn timestamp(from: &Timestamp, to: &mut Slots<'_>) {
    let (seconds, nanoseconds) = time::parts(*from);
    to.s64(seconds);
    to.u32(nanoseconds);
}
