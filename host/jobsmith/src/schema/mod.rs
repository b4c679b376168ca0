//! `jobsmith schema`: the fields of Jobs and CronJobs, as a JSON Schema for editors, or one of them for people.
//!
//! Docs: Kubernetes API reference, "CronJob" and "Job". The facts are in the crate `schema`; the JSON Schema is written in `json_schema.rs`, and which
//! rules are about a field is found in `rules.rs`.

mod json_schema;
mod rules;

use ::schema::{FieldPath, SchemaType};
use api::Kind;
use api::annotation::KnownAnnotation;

use self::rules::AdvisedFields;
use super::{CommandEnd, output};

/// The arguments of `jobsmith schema`.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// The kind of object
    #[arg(value_name = "KIND", ignore_case = true)]
    kind: SchemaKind,

    /// A field, by its path or the end of it; without it, a JSON Schema of the kind is printed
    #[arg(value_name = "FIELD")]
    field: Option<String>,
}

/// A kind that has a schema.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum SchemaKind {
    #[value(aliases = ["jobs", "job.batch", "jobs.batch"])]
    Job,
    #[value(aliases = ["cj", "cronjobs", "cronjob.batch", "cronjobs.batch"])]
    Cronjob,
}

const HELP: &str = "\
The fields are those of Kubernetes v1.37. For each field, it prints its meaning, its default, the values that it may have, when an update may change it, and which rules
of `jobsmith check` are about it.

Examples:

  jobsmith schema job backoffLimit
  jobsmith schema job spec.template.spec.containers.image
  jobsmith schema cronjob spec                        # all that is in it
  jobsmith schema job > job.schema.json               # for editors; in the manifest: # yaml-language-server: $schema=job.schema.json

Exit status:
  0  the field or the schema is printed
  2  there is no such field";

/// How many fields are described in full where several have the name.
const SHOWN: usize = 4;

/// Prints the schema of a kind, or what is known of a field.
pub(crate) fn run(arguments: &Arguments) -> CommandEnd {
    let kind = match arguments.kind {
        SchemaKind::Job => Kind::Job,
        SchemaKind::Cronjob => Kind::CronJob,
    };
    let of = ::schema::of(kind.name());
    let Some(field) = &arguments.field else {
        output::text(&format!("{:#}\n", json_schema::of(of)));
        return CommandEnd::Reached;
    };
    let found = ::schema::resolve(of, field).map_or_else(|| ::schema::find(of, field), |found| vec![found]);
    if found.is_empty() {
        output::complain(&format!("error: {}\n", unknown(of, field)));
        return CommandEnd::BadInput;
    }
    if found.len() > SHOWN {
        let paths: String = found.iter().map(|known| format!("{}\n", known.path)).collect();
        output::text(&format!("{} fields of a {} end in {field}; name one of them for more:\n\n{paths}", found.len(), of.name));
    } else {
        let advised = AdvisedFields::read();
        let described = found.iter().map(|known| described(kind, known, &advised.rules(kind, &known.path)));
        output::text(&described.collect::<Vec<_>>().join("\n"));
    }
    CommandEnd::Reached
}

/// That there is no such field, and the one that may be meant.
fn unknown(of: &'static SchemaType, field: &str) -> String {
    let end = field.rsplit('.').next().unwrap_or(field);
    let names = ::schema::paths(of).into_iter().map(|known| known.field.name);
    let meant = manifest::nearest(end, names).map(|meant| format!("; did you mean {meant}?")).unwrap_or_default();
    format!("a {} has no field {field}{meant}", of.name)
}

/// The field with annotations.
const ANNOTATIONS: (&str, &str) = ("ObjectMeta", "annotations");

/// The annotations of jobsmith at a path, a line each.
fn annotations(kind: Kind, path: &str) -> String {
    let Some(width) = KnownAnnotation::at(kind, path).map(|known| known.key.len()).max() else { return String::new() };
    let line = |KnownAnnotation { key, example, meaning, .. }: &KnownAnnotation| format!("    {key:width$}  {meaning}, as in {example}\n");
    KnownAnnotation::at(kind, path).map(line).fold("  Annotations of jobsmith:\n".to_owned(), |text, line| text + &line)
}

/// What is known of a field of a kind, in paragraphs; `rules` are about it.
fn described(kind: Kind, known: &FieldPath, rules: &[&str]) -> String {
    let FieldPath { path, owner, field, .. } = known;
    let meaning = ::schema::text(owner.name, field.name).map(str::to_owned);
    let meaning = meaning.unwrap_or_else(|| format!("See {} in the Kubernetes API reference.", owner.name));
    let mut text = format!("{path}: {}\n  {meaning}\n", field.kind);
    known.facts().iter().for_each(|fact| text += &format!("  {fact}\n"));
    if !rules.is_empty() {
        text += &format!("  Rules about it (see `jobsmith lint RULE`): {}.\n", rules.join(", "));
    }
    if (owner.name, field.name) == ANNOTATIONS {
        text += &annotations(kind, path);
    }
    let Some(inner) = field.kind.object() else { return text };
    text += "  Fields:\n";
    let width = inner.names().map(str::len).max().unwrap_or_default();
    inner.fields.iter().for_each(|field| text += &format!("    {:width$}  {}\n", field.name, field.kind));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn annotations_of_jobsmith_are_listed_where_they_are_read() {
        let listed = |path: &str| {
            let known = ::schema::resolve(::schema::of("CronJob"), path).unwrap();
            let text = described(Kind::CronJob, &known, &[]);
            ["dst", "hold", "ignore"].map(|name| text.contains(&format!("\n    jobsmith.dev/{name} ")))
        };
        assert_eq!(listed("metadata.annotations"), [true, false, true]);
        assert_eq!(listed("spec.jobTemplate.metadata.annotations"), [false, true, true]);
        assert_eq!(listed("spec.jobTemplate.spec.template.metadata.annotations"), [false, false, true]);
        assert_eq!(listed("metadata.labels"), [false; 3]);
    }
}
