//! Names of images: the repository, the tag and the digest, as rules read them.
//!
//! Docs: Images, "Image names". Which images are known to serve forever is decided in `endless.rs`.

/// The name of an image.
pub(crate) struct ImageName<'w> {
    /// Where it is, with its last part: `registry.example/team/work`.
    pub(crate) repository: &'w str,
    /// Which version of it: `1.2`.
    pub(crate) tag: Option<&'w str>,
    /// What it is, whatever its tag names meanwhile: `sha256:…`.
    pub(crate) digest: Option<&'w str>,
}

impl<'w> ImageName<'w> {
    pub(crate) fn of(image: &'w str) -> Self {
        let (rest, digest) = image.split_once('@').map_or((image, None), |(rest, digest)| (rest, Some(digest)));
        // A colon before the last part is that of a port.
        let tagged = rest.rsplit_once(':').filter(|(_, tag)| !tag.contains('/'));
        let (repository, tag) = tagged.map_or((rest, None), |(repository, tag)| (repository, Some(tag)));
        Self { repository, tag, digest }
    }

    /// The last part of the repository: `work`.
    pub(crate) fn name(&self) -> &'w str {
        self.repository.rsplit('/').next().unwrap_or(self.repository)
    }

    /// Whether the repository is this one, or ends in it: `envoyproxy/envoy` in `envoy`.
    pub(crate) fn ends_in(&self, name: &str) -> bool {
        self.repository.strip_suffix(name).is_some_and(|before| before.is_empty() || before.ends_with('/'))
    }
}

#[cfg(test)]
mod tests {
    use super::ImageName;

    #[test]
    fn names_come_apart() {
        let parts = |image| {
            let ImageName { repository, tag, digest } = ImageName::of(image);
            (repository, tag, digest)
        };
        assert_eq!(parts("busybox"), ("busybox", None, None));
        assert_eq!(parts("localhost:5000/team/work"), ("localhost:5000/team/work", None, None));
        assert_eq!(parts("localhost:5000/work:1@sha256:0"), ("localhost:5000/work", Some("1"), Some("sha256:0")));
        assert!(ImageName::of("a.example/envoyproxy/envoy:1").ends_in("envoyproxy/envoy"));
        assert!(!ImageName::of("my-envoy").ends_in("envoy"));
    }
}
