//! What the reasons in the states of containers mean.
//!
//! Docs: Images, "Image pull"; Debug Pods. They are those of kubelets and container runtimes; the obstacles are in `pods.rs`.

/// Whether a container waits for its image.
pub(super) fn of_image(reason: &str) -> bool {
    matches!(
        reason,
        "ErrImagePull"
            | "ImagePullBackOff"
            | "InvalidImageName"
            | "ErrImageNeverPull"
            | "ImageInspectError"
            | "RegistryUnavailable"
            | "SignatureValidationFailed"
    )
}

/// Whether a container that ended for this reason never ran: its message says why.
pub(super) fn never_started(reason: &str) -> bool {
    ["StartError", "ContainerCannotRun"].iter().any(|known| reason.starts_with(known))
}
