//! The functions that the component exports: parameters are read, and results are written.
//!
//! Docs: `crates/component/wit/controllers.wit`. The functions that are called are in `lib.rs`.
//! Generated from it by `cargo xtask bindings`; do not edit.

use contract::canonical::{Parameters, lift_flat, lower};

use crate::memory::{OwnMemory, keep, release, sent};

#[cfg_attr(target_family = "wasm", unsafe(export_name = "jobsmith:controllers/manager@0.3.0#configure"))]
extern "C" fn configure(p0: u32, p1: u32) -> u32 {
    let slots = [p0.into(), p1.into()];
    let from = &mut Parameters::new(&slots, &OwnMemory);
    let config = sent(from.text());
    keep(crate::configure(config), 12, |from, mut to| to.result(4, from, |_, _| (), |from, mut to| to.text(0, from)))
}

#[cfg_attr(target_family = "wasm", unsafe(export_name = "cabi_post_jobsmith:controllers/manager@0.3.0#configure"))]
extern "C" fn post_configure(_: u32) {
    release("jobsmith:controllers/manager@0.3.0#configure");
}

#[cfg_attr(target_family = "wasm", unsafe(export_name = "jobsmith:controllers/manager@0.3.0#resources"))]
extern "C" fn resources() -> u32 {
    keep(crate::resources(), 8, |from, mut to| to.list(0, 36, 4, from, lower::api_resource))
}

#[cfg_attr(target_family = "wasm", unsafe(export_name = "cabi_post_jobsmith:controllers/manager@0.3.0#resources"))]
extern "C" fn post_resources(_: u32) {
    release("jobsmith:controllers/manager@0.3.0#resources");
}

#[cfg_attr(target_family = "wasm", unsafe(export_name = "jobsmith:controllers/manager@0.3.0#handle"))]
extern "C" fn handle(p0: u32, p1: u64, p2: u32, p3: u32, p4: u32, p5: u32, p6: u32, p7: u32, p8: u64, p9: u32) -> u32 {
    let slots = [p0.into(), p1, p2.into(), p3.into(), p4.into(), p5.into(), p6.into(), p7.into(), p8, p9.into()];
    let from = &mut Parameters::new(&slots, &OwnMemory);
    let event = sent(lift_flat::event(from));
    let now = sent(lift_flat::timestamp(from));
    keep(crate::handle(event, now), 28, |from, mut to| to.result(4, from, |_, _| (), lower::malformed))
}

#[cfg_attr(target_family = "wasm", unsafe(export_name = "cabi_post_jobsmith:controllers/manager@0.3.0#handle"))]
extern "C" fn post_handle(_: u32) {
    release("jobsmith:controllers/manager@0.3.0#handle");
}

#[cfg_attr(target_family = "wasm", unsafe(export_name = "jobsmith:controllers/manager@0.3.0#next-plan"))]
extern "C" fn next_plan(p0: u64, p1: u32) -> u32 {
    let slots = [p0, p1.into()];
    let from = &mut Parameters::new(&slots, &OwnMemory);
    let now = sent(lift_flat::timestamp(from));
    keep(crate::next_plan(now), 112, |from, mut to| to.option(0, 8, from.as_ref(), lower::plan))
}

#[cfg_attr(target_family = "wasm", unsafe(export_name = "cabi_post_jobsmith:controllers/manager@0.3.0#next-plan"))]
extern "C" fn post_next_plan(_: u32) {
    release("jobsmith:controllers/manager@0.3.0#next-plan");
}

#[cfg_attr(target_family = "wasm", unsafe(export_name = "jobsmith:controllers/manager@0.3.0#next-wakeup"))]
extern "C" fn next_wakeup() -> u32 {
    keep(crate::next_wakeup(), 72, |from, mut to| to.option(0, 8, from.as_ref(), lower::wakeup))
}

#[cfg_attr(target_family = "wasm", unsafe(export_name = "cabi_post_jobsmith:controllers/manager@0.3.0#next-wakeup"))]
extern "C" fn post_next_wakeup(_: u32) {
    release("jobsmith:controllers/manager@0.3.0#next-wakeup");
}

#[cfg_attr(target_family = "wasm", unsafe(export_name = "jobsmith:controllers/manager@0.3.0#explain"))]
extern "C" fn explain(p0: u32, p1: u32, p2: u32, p3: u32, p4: u32, p5: u32, p6: u32, p7: u32, p8: u32, p9: u32, p10: u64, p11: u32) -> u32 {
    let slots =
        [p0.into(), p1.into(), p2.into(), p3.into(), p4.into(), p5.into(), p6.into(), p7.into(), p8.into(), p9.into(), p10, p11.into()];
    let from = &mut Parameters::new(&slots, &OwnMemory);
    let object = sent(lift_flat::object_ref(from));
    let warnings = sent(from.list(8, 4, |from| from.text(0)));
    let now = sent(lift_flat::timestamp(from));
    keep(crate::explain(object, warnings, now), 112, |from, mut to| to.result(8, from, lower::explanation, |from, mut to| to.text(0, from)))
}

#[cfg_attr(target_family = "wasm", unsafe(export_name = "cabi_post_jobsmith:controllers/manager@0.3.0#explain"))]
extern "C" fn post_explain(_: u32) {
    release("jobsmith:controllers/manager@0.3.0#explain");
}

#[cfg_attr(target_family = "wasm", unsafe(export_name = "jobsmith:controllers/manager@0.3.0#metrics"))]
extern "C" fn metrics(p0: u64, p1: u32) -> u32 {
    let slots = [p0, p1.into()];
    let from = &mut Parameters::new(&slots, &OwnMemory);
    let now = sent(lift_flat::timestamp(from));
    keep(crate::metrics(now), 8, |from, mut to| to.list(0, 24, 4, from, lower::family))
}

#[cfg_attr(target_family = "wasm", unsafe(export_name = "cabi_post_jobsmith:controllers/manager@0.3.0#metrics"))]
extern "C" fn post_metrics(_: u32) {
    release("jobsmith:controllers/manager@0.3.0#metrics");
}

#[cfg_attr(target_family = "wasm", unsafe(export_name = "jobsmith:controllers/manager@0.3.0#decision-kinds"))]
extern "C" fn decision_kinds() -> u32 {
    keep(crate::decision_kinds(), 8, |from, mut to| to.list(0, 48, 4, from, lower::decision_kind))
}

#[cfg_attr(target_family = "wasm", unsafe(export_name = "cabi_post_jobsmith:controllers/manager@0.3.0#decision-kinds"))]
extern "C" fn post_decision_kinds(_: u32) {
    release("jobsmith:controllers/manager@0.3.0#decision-kinds");
}

#[cfg_attr(target_family = "wasm", unsafe(export_name = "jobsmith:controllers/manager@0.3.0#about"))]
extern "C" fn about() -> u32 {
    keep(crate::about(), 28, lower::versions)
}

#[cfg_attr(target_family = "wasm", unsafe(export_name = "cabi_post_jobsmith:controllers/manager@0.3.0#about"))]
extern "C" fn post_about(_: u32) {
    release("jobsmith:controllers/manager@0.3.0#about");
}
