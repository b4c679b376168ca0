//! Measures what the controllers cost, natively and in the component, and compares with the goals.
//!
//! Docs: `cargo xtask bench [ROW…]`, where a row is one of the names below. How a figure is printed is in `table.rs`; nothing here is a test.

mod bindings;
mod counted;
mod crowd;
mod large_job;
#[path = "../host/loaded.rs"]
mod loaded;
mod pod_events;
mod reconcile;
mod replay;
mod schedules;
mod sessions;
mod simulations;
mod size;
mod table;

use std::process::ExitCode;

use core_tests::summary;
use table::{Row, Table};

/// As in the program `jobsmith`.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

type Measure = fn() -> Vec<Row>;

/// All that can be measured, by name.
const ROWS: [(&str, Measure); 11] = [
    ("size", size::rows),
    ("pod-events", pod_events::rows),
    ("memory", crowd::memory_rows),
    ("reconcile", reconcile::rows),
    ("counted", counted::rows),
    ("component", replay::rows),
    ("simulation", simulations::rows),
    ("schedule", schedules::rows),
    ("bindings", bindings::rows),
    ("oracle", sessions::rows),
    ("large-job", large_job::rows),
];

fn main() -> ExitCode {
    // Cargo adds `--bench`.
    let wanted: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    if let Some(unknown) = wanted.iter().find(|wanted| ROWS.iter().all(|(name, _)| name != wanted)) {
        let names: Vec<&str> = ROWS.iter().map(|(name, _)| *name).collect();
        summary::print(&format!("unknown row {unknown}: choose from {}", names.join(", ")));
        return ExitCode::FAILURE;
    }
    let mut table = Table::begin();
    for (name, measure) in ROWS {
        if wanted.is_empty() || wanted.iter().any(|wanted| wanted == name) {
            measure().into_iter().for_each(|row| table.print(&row));
        }
    }
    table.end()
}
