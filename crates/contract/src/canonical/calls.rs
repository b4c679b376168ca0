//! The functions of the interface, and their calls: parameters are written, and results are read.
//!
//! Docs: `crates/component/wit/controllers.wit`. How a call is made is up to the `CoreInstance`.
//! Generated from it by `cargo xtask bindings`; do not edit.

use api::{Text, Timestamp};

use super::CoreType::{I32, I64};
use super::{CoreInstance, CoreType, lift, lower_flat};
use crate::metrics::Family;
use crate::{ApiResource, DecisionKind, Event, Explanation, Malformed, ObjectRef, Plan, Versions, Wakeup};

/// A function of the interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportedFunction {
    /// `configure`
    Configure,
    /// `resources`
    Resources,
    /// `handle`
    Handle,
    /// `next-plan`
    NextPlan,
    /// `next-wakeup`
    NextWakeup,
    /// `explain`
    Explain,
    /// `metrics`
    Metrics,
    /// `decision-kinds`
    DecisionKinds,
    /// `about`
    About,
}

impl ExportedFunction {
    /// All of them, in the order of the WIT.
    pub const ALL: [Self; 9] = [
        Self::Configure,
        Self::Resources,
        Self::Handle,
        Self::NextPlan,
        Self::NextWakeup,
        Self::Explain,
        Self::Metrics,
        Self::DecisionKinds,
        Self::About,
    ];

    /// Its name in the WIT.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Configure => "configure",
            Self::Resources => "resources",
            Self::Handle => "handle",
            Self::NextPlan => "next-plan",
            Self::NextWakeup => "next-wakeup",
            Self::Explain => "explain",
            Self::Metrics => "metrics",
            Self::DecisionKinds => "decision-kinds",
            Self::About => "about",
        }
    }

    /// The types of its parameters, as a core module has them.
    #[must_use]
    pub fn parameters(self) -> &'static [CoreType] {
        match self {
            Self::Configure => &[I32, I32],
            Self::Resources => &[],
            Self::Handle => &[I32, I64, I32, I32, I32, I32, I32, I32, I64, I32],
            Self::NextPlan => &[I64, I32],
            Self::NextWakeup => &[],
            Self::Explain => &[I32, I32, I32, I32, I32, I32, I32, I32, I32, I32, I64, I32],
            Self::Metrics => &[I64, I32],
            Self::DecisionKinds => &[],
            Self::About => &[],
        }
    }
}

/// Calls `configure`.
///
/// # Errors
/// If the instance traps.
pub fn configure<I: CoreInstance>(instance: &mut I, config: &str) -> Result<Result<(), String>, I::Trap> {
    instance.call(ExportedFunction::Configure, |to| to.text(config), 12, |from| from.result(4, |_| Ok(()), |from| from.text(0)))
}

/// Calls `resources`.
///
/// # Errors
/// If the instance traps.
pub fn resources<I: CoreInstance>(instance: &mut I) -> Result<Vec<ApiResource>, I::Trap> {
    instance.call(ExportedFunction::Resources, |_| (), 8, |from| from.list(0, 36, 4, lift::api_resource))
}

/// Calls `handle`.
///
/// # Errors
/// If the instance traps.
pub fn handle<I: CoreInstance>(instance: &mut I, event: &Event, now: Timestamp) -> Result<Result<(), Malformed>, I::Trap> {
    instance.call(
        ExportedFunction::Handle,
        |to| {
            lower_flat::event(event, to);
            lower_flat::timestamp(&now, to);
        },
        28,
        |from| from.result(4, |_| Ok(()), lift::malformed),
    )
}

/// Calls `next-plan`.
///
/// # Errors
/// If the instance traps.
pub fn next_plan<I: CoreInstance>(instance: &mut I, now: Timestamp) -> Result<Option<Plan>, I::Trap> {
    instance.call(ExportedFunction::NextPlan, |to| lower_flat::timestamp(&now, to), 112, |from| from.option(0, 8, lift::plan))
}

/// Calls `next-wakeup`.
///
/// # Errors
/// If the instance traps.
pub fn next_wakeup<I: CoreInstance>(instance: &mut I) -> Result<Option<Wakeup>, I::Trap> {
    instance.call(ExportedFunction::NextWakeup, |_| (), 72, |from| from.option(0, 8, lift::wakeup))
}

/// Calls `explain`.
///
/// # Errors
/// If the instance traps.
pub fn explain<I: CoreInstance>(
    instance: &mut I,
    object: &ObjectRef,
    warnings: &[Text],
    now: Timestamp,
) -> Result<Result<Explanation, String>, I::Trap> {
    instance.call(
        ExportedFunction::Explain,
        |to| {
            lower_flat::object_ref(object, to);
            to.list(8, 4, warnings, |from, mut to| to.text(0, from));
            lower_flat::timestamp(&now, to);
        },
        112,
        |from| from.result(8, lift::explanation, |from| from.text(0)),
    )
}

/// Calls `metrics`.
///
/// # Errors
/// If the instance traps.
pub fn metrics<I: CoreInstance>(instance: &mut I, now: Timestamp) -> Result<Vec<Family>, I::Trap> {
    instance.call(ExportedFunction::Metrics, |to| lower_flat::timestamp(&now, to), 8, |from| from.list(0, 24, 4, lift::family))
}

/// Calls `decision-kinds`.
///
/// # Errors
/// If the instance traps.
pub fn decision_kinds<I: CoreInstance>(instance: &mut I) -> Result<Vec<DecisionKind>, I::Trap> {
    instance.call(ExportedFunction::DecisionKinds, |_| (), 8, |from| from.list(0, 48, 4, lift::decision_kind))
}

/// Calls `about`.
///
/// # Errors
/// If the instance traps.
pub fn about<I: CoreInstance>(instance: &mut I) -> Result<Versions, I::Trap> {
    instance.call(ExportedFunction::About, |_| (), 28, lift::versions)
}
