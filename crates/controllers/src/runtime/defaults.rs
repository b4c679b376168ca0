//! Which annotations that decisions name an object does not carry: they are configured for all objects that do not have them.
//!
//! Docs: README, "Beyond Kubernetes". Which annotations can have a default is in `api::annotation`.

use api::meta::Labels;
use contract::decision::{Decision, TextPart, Value};

/// Says of annotations that decisions name that they hold by default, where the object does not have them itself.
pub(crate) fn name_defaults<'d>(decisions: impl Iterator<Item = &'d mut Decision>, defaults: &Labels, own: &Labels) {
    for decision in decisions {
        let Some(Value::Text(annotation)) = decision.value("annotation").cloned() else { continue };
        if own.contains_key(&annotation) || !defaults.contains_key(&annotation) {
            continue;
        }
        let named = format!("{annotation} (by default)");
        for part in &mut decision.sentence.0 {
            if let TextPart::Text(text) = part {
                *text = text.replacen(&*annotation, &named, 1).into();
            }
        }
    }
}
