//! Fields that an older version of Kubernetes does not have.
//!
//! Docs: Kubernetes API reference of each version. Since when there is a field is in the crate `schema`.

use manifest::{Diagnostic, ManifestObject, RuleName, Severity};
use schema::{FieldType, SchemaType};
use serde_json::Value;

/// What Kubernetes v1.36 refuses of objects as fields that it does not know.
pub(super) fn unknown_to_1_36(objects: &[ManifestObject]) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for object in objects {
        let Some((kind, _)) = object.workload() else { continue };
        let mut newer = Vec::new();
        collect(&FieldType::Fields(schema::of(kind.name())), object.document().value(), "", &mut newer);
        found.extend(newer.into_iter().map(|(path, name, since)| {
            let message = format!("unknown field {name:?}: it is new in Kubernetes v{since}");
            let remedy = "remove it, or leave it to clusters of that version";
            let located = Diagnostic::warning(RuleName::UNKNOWN_FIELD, object.document(), &path, &message, remedy);
            Diagnostic { severity: Severity::Error, ..located }
        }));
    }
    found
}

/// The outermost fields with a version that they came with.
fn collect(kind: &FieldType, value: &Value, path: &str, into: &mut Vec<(String, &'static str, &'static str)>) {
    match (kind, value) {
        (FieldType::Fields(of), Value::Object(fields)) => {
            for (name, value) in fields {
                of_field(of, name, value, path, into);
            }
        }
        (FieldType::List(kind), Value::Array(items)) => {
            items.iter().enumerate().for_each(|(place, item)| collect(kind, item, &format!("{path}[{place}]"), into));
        }
        _ => {}
    }
}

fn of_field(of: &SchemaType, name: &str, value: &Value, path: &str, into: &mut Vec<(String, &'static str, &'static str)>) {
    let Some(field) = of.field(name) else { return };
    let path = if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    match field.since {
        Some(since) => into.push((path, field.name, since)),
        None => collect(&field.kind, value, &path, into),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;
    use crate::{CheckDepth, check};

    #[test]
    fn fields_that_came_later_are_unknown() {
        let job = "apiVersion: batch/v1\nkind: Job\nmetadata: {name: a}\nspec:\n  scheduling: {schedulingPolicy: {gang: {minCount: 1}}}\n  template:\n    spec:\n      \
                   restartPolicy: Never\n      containers: [{name: main, image: i, volumeMounts: [{name: v, mountPath: /v, bindMountOptions: [ro]}]}]\n      volumes: [{name: v}]\n";
        let objects = check(job, CheckDepth::Mistakes, api::Timestamp::UNIX_EPOCH).objects;
        let found: String = unknown_to_1_36(&objects).iter().map(|found| format!("{found}\n")).collect();
        expect![[r#"
            5:3: spec.scheduling: unknown field "scheduling": it is new in Kubernetes v1.37; remove it, or leave it to clusters of that version
            9:83: spec.template.spec.containers[0].volumeMounts[0].bindMountOptions: unknown field "bindMountOptions": it is new in Kubernetes v1.37; remove it, or leave it to clusters of that version
        "#]].assert_eq(&found);
    }
}
