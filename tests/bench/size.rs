//! How large the component is.
//!
//! Docs: `crates/xtask/src/component.rs`, which refuses to build one that is too large.

use std::io::Write as _;

use core_tests::built::component_path;
use core_tests::summary::grouped;
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::table::Row;

/// How many bytes there may be after gzip.
const MOST: usize = 510_000;

/// All figures.
pub(crate) fn rows() -> Vec<Row> {
    let component = std::fs::read(component_path()).expect("`cargo xtask build` made the component");
    let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
    gzip.write_all(&component).expect("memory takes all");
    let size = gzip.finish().expect("memory takes all").len();
    let bytes = |size: usize| format!("{} bytes", grouped(size as u64));
    vec![
        Row::plain("the component", bytes(component.len())),
        Row {
            what: "the component after gzip".to_owned(),
            figure: bytes(size),
            goal: format!("≤ {}", grouped(MOST as u64)),
            met: size <= MOST,
        },
    ]
}
