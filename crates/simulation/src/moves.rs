//! What may happen next in a simulation, as one enum.
//!
//! Docs: Kubernetes API Concepts, "Efficient detection of changes". What is drawn when is in `scheduler.rs`; what a move does, in `stage.rs`.

use api::{Duration, Kind};

use crate::faults::RequestFault;
use crate::interventions::Intervention;

/// One thing that happens. Each can be left out of a history: what it is about may then be another plan or another change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Move {
    /// The watch of a kind shows its next change.
    Show(Kind),
    /// The watch of a kind is opened again, a little in the past: it is going to show this many of its last changes once more.
    Repeat(Kind, usize),
    /// The manager lists a kind again; its watch goes on from there.
    List(Kind),
    /// The manager begins to list a kind again, in this many parts, and gets the first; its watch continues from there once it has the last.
    ListInParts(Kind, usize),
    /// The manager gets the next part of a list that was begun, if one was.
    Part(Kind),
    /// The manager makes its next plan.
    Plan,
    /// The next command of a plan in flight is carried out.
    Send {
        /// Which plan, counted from the oldest one and round again.
        place: usize,
        /// What goes wrong.
        fault: Option<RequestFault>,
    },
    /// The manager gets the outcomes of a plan in flight, if all of its commands are done or skipped.
    Report {
        /// Which plan, counted from the oldest one and round again.
        place: usize,
    },
    /// Nodes do what is due.
    Nodes,
    /// Time moves on to the next thing that is due.
    Wait,
    /// Time moves on by this much.
    Linger(Duration),
    /// The manager is lost with all plans in flight, and another one is started, which knows nothing yet.
    Restart,
    /// A person does something to the cluster.
    Act(Intervention),
}
