//! Which decisions leave the controllers with their plans: a host whose log has only actions need not pay for the rest.
//!
//! Docs: `crates/component/wit/controllers.wit`, `configure`. What a decision's role is, its topic says in `decision.rs`.

use api::json::{Read, ReadError};
use contract::decision::Role;

/// The decisions that plans report; an explanation has all of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Detail {
    /// Those by which something is done or found invalid.
    Actions,
    /// All of them.
    #[default]
    All,
}

impl Detail {
    /// Whether decisions of a role are reported.
    pub(crate) fn has(self, role: &Role) -> bool {
        match self {
            Self::Actions => matches!(role, Role::Action | Role::Invalid),
            Self::All => true,
        }
    }
}

impl Read for Detail {
    fn wanted(&self) -> &'static str {
        "all or actions"
    }

    fn text(&mut self, value: &str) -> Result<(), ReadError> {
        *self = match value {
            "actions" => Self::Actions,
            "all" => Self::All,
            _ => return Err(self.unfit(&format!("{value:?}"))),
        };
        Ok(())
    }
}
