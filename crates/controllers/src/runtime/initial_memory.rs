//! What controllers know of what was done before they began: nothing, or what the objects show of it.
//!
//! Docs: `crates/component/wit/controllers.wit`, `configure`. What a controller remembers is in its folder.

use api::json::{Read, ReadError};

/// The memory that controllers begin with.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum InitialMemory {
    /// None, like that of Kubernetes' controllers after a restart.
    #[default]
    Empty,
    /// What can be rebuilt from the objects.
    Rebuilt,
}

impl Read for InitialMemory {
    fn wanted(&self) -> &'static str {
        "empty or rebuilt"
    }

    fn text(&mut self, value: &str) -> Result<(), ReadError> {
        *self = match value {
            "empty" => Self::Empty,
            "rebuilt" => Self::Rebuilt,
            _ => return Err(self.unfit(&format!("{value:?}"))),
        };
        Ok(())
    }
}
