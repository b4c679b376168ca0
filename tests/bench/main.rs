//! Measures what the controllers cost, natively and in the component, and compares with the goals.
//!
//! Docs: `cargo xtask bench [ROW…]`, where a row is one of the names below. How a figure is printed is in `table.rs`; nothing here is a test.

mod bindings;
#[path = "../it/built.rs"]
mod built;
mod counted;
mod crowd;
#[path = "../it/dialogue.rs"]
#[expect(dead_code, reason = "the tests need all of it")]
mod dialogue;
#[path = "../it/differential/history.rs"]
mod history;
mod large_job;
#[path = "../it/native.rs"]
#[expect(dead_code, reason = "the tests need all of it")]
mod native;
#[path = "../it/oracle.rs"]
#[expect(dead_code, reason = "the tests need all of it")]
mod oracle;
mod pod_events;
mod reconcile;
mod replay;
mod schedules;
mod sessions;
mod simulations;
mod size;
#[path = "../it/summary.rs"]
#[expect(dead_code, reason = "the tests need all of it")]
mod summary;
mod table;

use std::process::ExitCode;

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
