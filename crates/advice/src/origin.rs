//! Origin: where a manifest comes from, if its text or its folder shows that.
//!
//! Docs: Helm, "helm template"; Kustomize, "kustomization". What follows from it is decided in `rules/cannot_reapply.rs`; who finds it out are the callers.

/// Where a manifest comes from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Origin {
    /// A plain file: nothing says which tool applies it.
    #[default]
    File,
    /// A template of a Helm chart, rendered: a line `# Source: chart/templates/job.yaml` stands above it.
    Chart,
    /// A file that the kustomization beside it lists among its resources.
    Kustomization,
}
