//! The path of a field: built on the way down, written only where a rule is broken.
//!
//! Docs: API conventions, "Error codes". What is wrong with the field is in `field_error.rs`.

use std::fmt;

/// A path, or where one starts. It lives on the stack: each step refers to the one before.
#[derive(Clone, Copy)]
pub(crate) struct Path<'a> {
    parent: Option<&'a Path<'a>>,
    step: Segment<'a>,
}

#[derive(Clone, Copy)]
enum Segment<'a> {
    Field(&'a str),
    Index(usize),
    Key(&'a str),
}

impl<'a> Path<'a> {
    /// A path of one or more fields: `spec.template`.
    pub(crate) const fn of(fields: &'a str) -> Self {
        Self { parent: None, step: Segment::Field(fields) }
    }

    /// A field, or more, below this one: `.metadata`.
    pub(crate) const fn field(&'a self, fields: &'a str) -> Self {
        Self { parent: Some(self), step: Segment::Field(fields) }
    }

    /// An item of this list: `[0]`.
    pub(crate) const fn index(&'a self, index: usize) -> Self {
        Self { parent: Some(self), step: Segment::Index(index) }
    }

    /// A value of this map: `[job-name]`.
    pub(crate) const fn key(&'a self, key: &'a str) -> Self {
        Self { parent: Some(self), step: Segment::Key(key) }
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(parent) = self.parent {
            parent.fmt(f)?;
        }
        match self.step {
            Segment::Field(field) if self.parent.is_some() => write!(f, ".{field}"),
            Segment::Field(field) => f.write_str(field),
            Segment::Index(index) => write!(f, "[{index}]"),
            Segment::Key(key) => write!(f, "[{key}]"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_written_as_the_api_server_writes_them() {
        let spec = Path::of("spec.template.spec");
        assert_eq!(spec.field("containers").index(0).field("resources.limits").key("cpu").to_string(), {
            "spec.template.spec.containers[0].resources.limits[cpu]"
        });
    }
}
