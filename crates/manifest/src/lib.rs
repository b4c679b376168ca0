//! Manifests as kubectl reads them: YAML and JSON, with a position for each field, decoded strictly, with remedies for what is wrong.
//!
//! Docs: kubectl apply; Kubernetes API Concepts, "Field validation". Only CronJobs, Jobs and pods are known here; what
//! the API server makes of one is in `admission`.

mod block_scalars;
mod cause;
mod comments;
mod contents;
mod cursor;
mod diagnostic;
mod document;
mod edit;
mod events;
mod field;
mod fix;
mod given;
mod jobs;
mod json;
mod json_comments;
mod leaf;
mod lines;
mod locate;
mod misplaced;
mod missing;
mod miswritten;
mod no_manifest;
mod node;
mod other_kinds;
mod passed_over;
mod pasted;
mod path;
mod pod_remedies;
mod quantity;
mod read;
mod refusals;
mod render;
mod restart_policy;
mod rule_name;
mod scalar;
mod slips;
mod split;
mod strict;
mod write;
mod yaml;
mod yaml_error;

pub use comments::comments;
pub use contents::{Contents, OtherObject, contents};
pub use cursor::{Completion, Completions, completions};
pub use diagnostic::{Diagnostic, Severity};
pub use document::Document;
pub use edit::Edit;
pub use field::{FieldProblem, check_field, check_path};
pub use fix::{Fix, Repair, Repairs};
pub use given::given;
pub use jobs::{CronJobManifest, Manifest, ManifestObject, jobs, objects, objects_of, workloads, workloads_among_others};
pub use leaf::list_of;
pub use lines::Position;
pub use locate::locate;
pub use misplaced::nearest;
pub use missing::missing;
pub use miswritten::{REPLACE_MARKS, requoted};
pub use passed_over::{PodOfOthers, events, only_pods_of_others, passed_over, pods_of_others};
pub use read::{FileReading, read, read_part};
pub use refusals::refusals;
pub use render::{render, render_with_rules};
pub use rule_name::RuleName;
pub use write::write;
