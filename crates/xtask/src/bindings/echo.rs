//! The interface of the component that echoes what it is given: the types of the controllers', and a function for each of them.
//!
//! Docs: `tests/plugins/echo/`. The bindings' codecs are tried with it.

use std::fmt::Write as _;

use super::interface::Interface;

/// Where the functions of the controllers' interface begin and end.
const CALLS: [&str; 2] = ["    // ---- Calls\n", "    // ---- What to list and watch\n"];

/// The WIT of the component, from that of the controllers.
///
/// # Panics
/// If the WIT has no [`CALLS`].
pub(super) fn wit(interface: &Interface, controllers: &str) -> String {
    let [begin, end] = CALLS.map(|mark| controllers.find(mark).expect("the functions are where their comments say"));
    let mut calls = String::new();
    for named in &interface.types {
        let name = &named.name;
        writeln!(calls, "    echo-{name}: func(value: {name}) -> {name};").expect("a String takes all");
    }
    let types = without_docs(&controllers[end..]);
    let head = without_docs(&controllers[..begin]);
    format!(
        "// Written by `cargo xtask bindings`.\n\n{head}{calls}    echo-result: func(value: result<plan, malformed>) -> result<plan, malformed>;\n\n{types}"
    )
}

/// The text without its documentation.
fn without_docs(wit: &str) -> String {
    let kept = wit.lines().filter(|line| !line.trim_start().starts_with("///"));
    kept.fold(String::new(), |text, line| text + line + "\n")
}
