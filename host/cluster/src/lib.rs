//! The controllers on a real cluster: lists, watches and requests, which of several controllers acts, and what is asked about objects.
//!
//! Docs: `crates/component/wit/controllers.wit`; Kubernetes API Concepts. The loop is in `driver.rs`, the connection in `cluster/`. The component itself is loaded and driven by `host/embed/`.

mod backoff;
pub mod cluster;
pub mod controller;
pub mod driver;
pub mod execution;
pub mod explain;
pub mod explainers;
pub mod health;
pub mod journal;
pub mod leader;
pub mod notices;
pub mod shared;
pub mod survey;

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::LazyLock;

    use host_embed::Component;

    const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/component/controllers.wasm");

    /// The component that `cargo xtask build` made.
    pub(crate) fn component() -> Component {
        static COMPONENT: LazyLock<Component> =
            LazyLock::new(|| Component::from_file(Path::new(PATH)).unwrap_or_else(|refused| panic!("{refused}; run `cargo xtask build`")));
        COMPONENT.clone()
    }
}
