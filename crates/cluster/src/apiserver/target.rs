//! What a request's path is about.
//!
//! Docs: API Concepts, "Resource URIs". Paths are made by `api::request::path`.

use api::Kind;

/// What a path names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Target<'a> {
    /// The kind of its objects.
    pub kind: Kind,
    /// Empty: all namespaces.
    pub namespace: &'a str,
    /// Empty: the collection.
    pub name: &'a str,
    /// Whether it is the object's status.
    pub status: bool,
}

impl<'a> Target<'a> {
    /// Reads a path; `None` if nothing is served there.
    #[must_use]
    pub fn read(path: &'a str) -> Option<Self> {
        let (group, rest) = match path.strip_prefix("/apis/batch/v1/") {
            Some(rest) => ("batch", rest),
            None => ("", path.strip_prefix("/api/v1/")?),
        };
        let mut parts = rest.split('/');
        let mut resource = parts.next()?;
        let mut namespace = "";
        if resource == "namespaces" {
            namespace = parts.next().filter(|part| !part.is_empty())?;
            resource = parts.next()?;
        }
        let kind = Kind::ALL.into_iter().find(|kind| kind.resource() == resource && kind.group() == group)?;
        let name = parts.next().unwrap_or_default();
        let status = match parts.next() {
            None => false,
            Some("status") => true,
            Some(_) => return None,
        };
        let complete = parts.next().is_none() && (name.is_empty() || !namespace.is_empty()) && !(name.is_empty() && status);
        complete.then_some(Self { kind, namespace, name, status })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_read_as_they_are_made() {
        for kind in Kind::ALL {
            for (namespace, name, subresource) in [("n", "", ""), ("n", "o", ""), ("n", "o", "status")] {
                let path = api::request::path(kind, namespace, name, subresource);
                let target = Target { kind, namespace, name, status: subresource == "status" };
                assert_eq!(Target::read(&path), Some(target), "{path}");
            }
        }
    }

    #[test]
    fn a_collection_may_be_of_all_namespaces() {
        let all = Target { kind: Kind::Pod, namespace: "", name: "", status: false };
        assert_eq!(Target::read("/api/v1/pods"), Some(all));
    }

    #[test]
    fn nothing_else_is_served() {
        for path in ["", "/", "/api/v1", "/api/v1/jobs", "/apis/batch/v1/pods", "/api/v1/namespaces", "/api/v1/namespaces//pods/x"] {
            assert_eq!(Target::read(path), None, "{path}");
        }
        for path in ["/api/v1/pods/x", "/api/v1/namespaces/n/pods/x/log", "/api/v1/namespaces/n/pods/x/status/y"] {
            assert_eq!(Target::read(path), None, "{path}");
        }
    }
}
