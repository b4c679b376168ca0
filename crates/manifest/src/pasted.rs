//! Texts as people copy them: manifests with something around them, manifests that are templates, and what kubectl prints for people.
//!
//! Docs: kubectl describe; Kustomize; Helm, "The Chart Template Developer's Guide". Outputs of kubectl that are cut off or tables are named in
//! `no_manifest.rs`; objects of other kinds in `jobs.rs`; lines that are almost YAML in `miswritten.rs`.

use std::ops::Range;

use crate::block_scalars::lines_outside;
use crate::lines::SourceLines;
use crate::{Diagnostic, Edit, Fix, RuleName, json_comments, miswritten};

/// Characters that look like a space, or like nothing, and that YAML takes for letters: what is called so, and what it is in a manifest.
const ODD_SPACES: [(char, &str, &str); 8] = [
    ('\u{a0}', "non-breaking", " "),
    ('\u{2002}', "en", " "),
    ('\u{2003}', "em", " "),
    ('\u{2009}', "thin", " "),
    ('\u{202f}', "narrow non-breaking", " "),
    ('\u{3000}', "ideographic", " "),
    ('\u{200b}', "zero-width", ""),
    (MARK, "zero-width no-break", ""),
];
/// At the start of a document, it is a byte order mark.
const MARK: char = '\u{feff}';
/// How templates begin what stands for a value or a step.
const BRACES: [&str; 2] = ["{{", "{%"];
/// Only Helm's templates have these.
const HELM: [&str; 8] = [".Values", ".Release", ".Chart", ".Capabilities", "include \"", "toYaml", "{{- if", "{{- with"];

/// Names what a text is that cannot be read as it was copied; `None` if nothing is known of it. `found` is what is wrong with it otherwise.
pub(crate) fn named(text: &str, found: &[Diagnostic]) -> Option<Diagnostic> {
    fenced(text)
        .or_else(|| described(text))
        .or_else(|| CommandLines::of(text).named(text))
        .or_else(|| with_odd_spaces(text))
        .or_else(|| miswritten::named(text, found))
        .or_else(|| json_comments::named(text, found))
        .or_else(|| template(text, found))
}

/// What to do where a template has yet to put a value: `{{ .Values.schedule }}`.
pub(crate) fn placeholder_remedy(written: &str) -> Option<String> {
    BRACES.iter().any(|braces| written.contains(braces)).then(|| {
        let (what, remedy) = kind_of_template(written);
        format!("{what}: {remedy}")
    })
}

/// What to do where something stands for a value: `...`, `<name>`, `${NAME}`.
pub(crate) fn stand_in_remedy(written: &str) -> Option<String> {
    let bracketed = written.len() > 2 && written.starts_with('<') && written.ends_with('>');
    if ["...", "…"].contains(&written) {
        Some(LEFT_OUT.to_owned())
    } else if bracketed {
        Some(format!("replace {written} with a value of your own"))
    } else {
        let (_, variable) = written.split_once("${")?;
        let (name, _) = variable.split_once('}')?;
        Some(format!("put a value in place of ${{{name}}}, as `envsubst` does"))
    }
}

/// What to do about the dots by which pages shorten manifests.
pub(crate) const LEFT_OUT: &str = "replace `...`: it stands for what a page leaves out";

/// What sort of template a text is, and what to do with it.
fn kind_of_template(text: &str) -> (&'static str, &'static str) {
    if text.contains("{{") && HELM.iter().any(|word| text.contains(word)) {
        ("this is a Helm template", "use what `helm template` prints")
    } else if text.contains("{%") {
        ("this is a Jinja template", "render it first, and use the result")
    } else {
        ("this is a template", "render it first, and use the result")
    }
}

/// A block of code in Markdown: the lines between its fences are the manifest.
fn fenced(text: &str) -> Option<Diagnostic> {
    let fence = |line: &str| ["```", "~~~"].iter().any(|fence| line.trim_start().starts_with(fence));
    let fences: Vec<Range<usize>> = lines(text).filter(|line| fence(&text[line.clone()])).collect();
    let first = fences.first()?;
    // Inside of a manifest, a fence is part of a text.
    if lines(&text[..first.start]).any(|line| text[line].starts_with("kind:")) {
        return None;
    }
    let end = fences.get(1).map_or(text.len(), |closing| closing.start);
    let around = [0..first.end, end..text.len()];
    let message = "this is a Markdown code block";
    Some(clean(text, first.clone(), message, "remove the lines with the fences", "Remove the Markdown around the manifest", around))
}

/// What `kubectl describe` prints.
fn described(text: &str) -> Option<Diagnostic> {
    let begins = |line: &str, field: &str| line.strip_prefix(field).is_some_and(|rest| rest.starts_with("  "));
    let has = |field: &str| text.lines().any(|line| begins(line, field));
    let first = lines(text).find(|line| begins(&text[line.clone()], "Name:"))?;
    let kind = if has("Schedule:") { "cronjobs,jobs,pods" } else { "jobs,pods" };
    let described = has("Namespace:") && (has("Labels:") || has("Annotations:"));
    let error = Diagnostic::error(SourceLines::of(text).position(first), "this is what `kubectl describe` prints for people");
    described.then(|| error.remedy(format!("use `kubectl get {kind} -o yaml` instead")))
}

/// Names a text that is nothing but what commands print for people, or the commands themselves.
pub(crate) fn printed(text: &str) -> Option<Diagnostic> {
    described(text).or_else(|| Some(CommandLines::of(text)).filter(|lines| !lines.manifest).and_then(|lines| lines.named(text)))
}

/// The lines of a text that are commands, or what these print when they have done something.
struct CommandLines {
    lines: Vec<Range<usize>>,
    /// Whether there is anything else.
    manifest: bool,
}

impl CommandLines {
    fn of(text: &str) -> Self {
        let mut found = Self { lines: Vec::new(), manifest: false };
        let (mut continues, mut document) = (false, None);
        for line in lines(text) {
            let words = &text[line.clone()];
            if document.is_some_and(|end| words.trim() == end) {
                document = None;
            } else if continues || command(words) {
                continues = words.trim_end().ends_with('\\');
                document = document.or(here_document(words));
            } else if !message(words) && !confirmation(words) {
                found.manifest |= !words.trim().is_empty();
                continue;
            }
            found.lines.push(line);
        }
        found
    }

    /// What is wrong with the text: it is a manifest with these lines, or there are only these.
    fn named(self, text: &str) -> Option<Diagnostic> {
        let first = self.lines.iter().find(|line| message(&text[(*line).clone()])).or(self.lines.first())?.clone();
        let words = text[first.clone()].trim();
        if !self.manifest {
            let error = |says: String| Diagnostic::error(SourceLines::of(text).position(first.clone()), says);
            return Some(if message(words) {
                error(format!("this is an error of kubectl: {}", words.trim_start_matches("error: "))).remedy(GET)
            } else {
                error("this is a command, not what it prints".to_owned()).remedy(instead_of_command(text))
            });
        }
        let what = if message(words) { "this line is a message of a command" } else { "this line is a command" };
        Some(clean(
            text,
            first,
            what,
            "remove the lines that are no part of the manifest",
            "Remove the lines that are no part of the manifest",
            self.lines,
        ))
    }
}

/// What to do with a command or an error instead of a manifest.
const GET: &str = "run `kubectl get jobs,pods -o yaml` in the right namespace, and use what it prints";

/// What to do instead of pasting these commands.
fn instead_of_command(text: &str) -> &'static str {
    let creates = ["create job ", "create cronjob ", "create cj "].iter().any(|command| text.contains(command));
    match (creates, text.contains("--dry-run")) {
        (true, false) => "add `--dry-run=client -o yaml` and paste what it prints",
        (true, true) => "run it, and paste what it prints",
        (false, _) if text.contains(" -f ") => "paste the contents of the file",
        (false, _) => GET,
    }
}

/// What people run to see a manifest, to apply it, or to create a Job.
const COMMANDS: [&str; 7] = ["kubectl ", "cat ", "helm ", "oc ", "k get ", "k create ", "k apply "];

/// Whether a line is a command, after a prompt or without one: `$ kubectl get jobs`, `user@host:~$ vim job.yaml`; or a prompt alone.
fn command(line: &str) -> bool {
    let begins = |rest: &str| COMMANDS.iter().any(|command| rest.starts_with(command));
    let prompted = |end: &str| line.split_once(end).is_some_and(|(host, rest)| begins(rest) && (host.is_empty() || host.contains('@')));
    begins(line) || prompt(line) || ["% ", "> "].into_iter().any(prompted) || line.split_once("]# ").is_some_and(|(_, rest)| begins(rest))
}

/// Whether a line begins as the prompt of a shell does, whatever the command is: `$ `, `user@host:~$ `, `[root@host ~]# `.
fn prompt(line: &str) -> bool {
    let words = format!("{} ", line.trim_end());
    let user = |host: &str| host.is_empty() || host.contains('@') && !host.contains(' ');
    words.split_once("$ ").is_some_and(|(host, _)| user(host))
        || words.strip_prefix('[').and_then(|rest| rest.split_once("]# ")).is_some_and(|(host, _)| host.contains('@'))
}

/// The line that ends the here-document of a command: `EOF` of `cat <<'EOF' | kubectl apply -f -`.
fn here_document(command: &str) -> Option<&str> {
    let (_, rest) = command.split_once("<<")?;
    let rest = rest.trim_start_matches(['-', ' ', '\'', '"', '\\']);
    let end = rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(rest.len());
    Some(&rest[..end]).filter(|end| !end.is_empty())
}

/// Whether a line is what kubectl prints when it has done something: `job.batch/pi created`.
fn confirmation(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    matches!(words[..], [object, "created" | "configured" | "unchanged" | "replaced" | "patched", ..] if object.contains('/') && !line.starts_with(' '))
}

/// Whether a line is a message of kubectl.
fn message(line: &str) -> bool {
    ["Error from server", "error: ", "Warning: ", "The connection to the server"].iter().any(|start| line.starts_with(start))
}

/// A manifest in which spaces that YAML does not take for spaces indent a line, or stand behind a dash or a colon.
fn with_odd_spaces(text: &str) -> Option<Diagnostic> {
    let of_line = |line: Range<usize>| odd_in_place_of_spaces(&text[line.clone()]).into_iter().map(move |at| line.start + at);
    let marks = |at: &usize| text[*at..].starts_with(MARK) && (*at == 0 || text[..*at].trim_end().ends_with("---"));
    let all: Vec<usize> = lines_outside(text).flat_map(|(_, line)| of_line(line)).filter(|at| !marks(at)).collect();
    let kind = |at: usize| ODD_SPACES.into_iter().find(|(odd, ..)| text[at..].starts_with(*odd));
    let (letter, name, plain) = kind(*all.first()?)?;
    let edit = |at: usize| kind(at).map(|(odd, _, plain)| Edit { range: at..at + odd.len_utf8(), text: plain.to_owned() });
    let message = format!("YAML does not take the {name} space on this line (U+{:04X}) for a space", u32::from(letter));
    let error = Diagnostic::error(SourceLines::of(text).position(all[0]..all[0] + letter.len_utf8()), message);
    let (label, remedy) = if plain.is_empty() {
        (format!("Remove the {name} spaces"), format!("remove the {name} spaces"))
    } else {
        (format!("Replace the {name} spaces"), format!("replace the {name} spaces with spaces"))
    };
    Some(error.remedy(remedy).fix(Some(Fix::Clean { label, edits: all.into_iter().filter_map(edit).collect() })))
}

fn odd(letter: char) -> bool {
    ODD_SPACES.iter().any(|(odd, ..)| *odd == letter)
}

/// Where odd spaces stand in a line in place of spaces: they indent it, or follow a dash or the colon of a bare key. Others are part of a value.
fn odd_in_place_of_spaces(line: &str) -> Vec<usize> {
    let blank = |letter: char| letter == ' ' || odd(letter);
    let run = |start: usize| start..line.len() - line[start..].trim_start_matches(blank).len();
    let mut runs = vec![run(0)];
    let mut end = runs[0].end;
    while line[end..].strip_prefix('-').is_some_and(|item| item.starts_with(blank)) {
        runs.push(run(end + 1));
        end = runs[runs.len() - 1].end;
    }
    let key = line[end..].split_once(':').map(|(key, _)| key).filter(|key| bare(key));
    let (last, before_key) = (runs.len() - 1, key.is_some());
    let mut runs: Vec<Range<usize>> = runs
        .into_iter()
        .enumerate()
        .filter(|(at, run)| *at < last || before_key || line[run.start..].starts_with(odd))
        .map(|(_, run)| run)
        .collect();
    runs.extend(key.map(|key| run(end + key.len() + 1)).filter(|run| line[run.start..].starts_with(odd)));
    let within = |run: Range<usize>| line[run.clone()].char_indices().filter(|(_, letter)| odd(*letter)).map(move |(at, _)| run.start + at);
    runs.into_iter().flat_map(within).collect()
}

/// Whether a key has neither quotes nor spaces and is in no brackets.
fn bare(key: &str) -> bool {
    !key.is_empty() && !key.contains(|letter: char| letter.is_whitespace() || odd(letter) || "\"'#[]{},".contains(letter))
}

/// The value without the odd spaces at its ends, and what to do about them, if it has any.
pub(crate) fn without_odd_spaces(value: &str) -> Option<(String, String)> {
    let (at, letter) = value.char_indices().find(|(_, letter)| odd(*letter))?;
    let (_, name, _) = ODD_SPACES.into_iter().find(|(odd, ..)| *odd == letter)?;
    let place = match (at, at + letter.len_utf8()) {
        (0, _) => " at the start",
        (_, end) if end == value.len() => " at the end",
        _ => "",
    };
    let remedy = format!("remove the {name} space{place} (U+{:04X})", u32::from(letter));
    Some((value.trim_matches(odd).to_owned(), remedy))
}

/// A template that has yet to be rendered: something in braces stands on a line of its own, or on one that cannot be read.
fn template(text: &str, found: &[Diagnostic]) -> Option<Diagnostic> {
    let all = SourceLines::of(text);
    let holds = |line: &str| BRACES.iter().find_map(|braces| line.find(braces));
    let wrong = |number: usize| found.iter().any(|problem| problem.position.line == number + 1);
    let first = lines_outside(text).find_map(|(number, line)| {
        let at = holds(&text[line.clone()])?;
        (text[line.clone()][..at].trim().is_empty() || wrong(number)).then_some(line.start + at..line.end)
    })?;
    let (what, remedy) = kind_of_template(text);
    Some(Diagnostic::error(all.position(first), what).rule(RuleName::NOT_RENDERED).remedy(remedy))
}

/// An error that goes when these bytes are taken out of the text.
fn clean(text: &str, at: Range<usize>, what: &str, remedy: &str, label: &str, gone: impl IntoIterator<Item = Range<usize>>) -> Diagnostic {
    let edits = gone.into_iter().filter(|range| !range.is_empty()).map(|range| Edit { range, text: String::new() }).collect();
    let error = Diagnostic::error(SourceLines::of(text).position(at), what).remedy(remedy);
    error.fix(Some(Fix::Clean { label: label.to_owned(), edits }))
}

/// The bytes of each line, with its end.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = Range<usize>> {
    text.split_inclusive('\n').scan(0, |start, line| {
        let range = *start..*start + line.len();
        *start = range.end;
        Some(range)
    })
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use crate::{Repairs, objects};

    const JOB: &str = "apiVersion: batch/v1\nkind: Job\nmetadata: {name: pi}\n";

    /// What is wrong with each text, and what its fix is called; after it, the text is a manifest.
    fn check(texts: &[&str], expected: Expect) {
        let shown = |text: &&str| {
            let found = &objects(text).unwrap_err()[0];
            let Some(repair) = Repairs::of(text).repair(found) else { return format!("{found}\n") };
            let changed = repair.apply(text).unwrap();
            assert_eq!(objects(&changed).map(|objects| objects.len()).ok(), Some(1), "{changed}");
            format!("{found}\n    {}\n", repair.label)
        };
        expected.assert_eq(&texts.iter().map(shown).collect::<String>());
    }

    #[test]
    fn what_stands_around_a_manifest_is_named_and_taken_off() {
        let texts = [
            format!("```yaml\n{JOB}```\n"),
            format!("Here is my Job:\n\n```\n{JOB}```\nWhy does it fail?\n"),
            format!("$ kubectl get job pi -o yaml\n{JOB}"),
            format!("me@host:~$ cat job.yaml\n{JOB}"),
            format!("Warning: v1 ComponentStatus is deprecated in v1.19+\n{JOB}"),
            JOB.replace(": {name: pi}", ":\n\u{a0}\u{a0}name: pi"),
            JOB.replace(": {name: pi}", ":\n\u{3000}\u{3000}name: pi"),
            JOB.replace("kind: ", "kind:\u{a0}"),
            JOB.replace("kind: ", "\u{200b}kind: "),
            format!("cat <<'EOF' | kubectl apply -f -\n{JOB}EOF\n"),
            format!("kubectl apply -f - <<EOF\n{JOB}EOF\njob.batch/pi created\n"),
            format!("me@host:~/jobs$ cat job.yaml\n{JOB}me@host:~/jobs$ vim job.yaml\nme@host:~/jobs$\n"),
            JOB.replace("metadata", "$ sed -n 3p job.yaml\nmetadata"),
        ];
        check(
            &texts.iter().map(String::as_str).collect::<Vec<_>>(),
            expect![[r#"
                1:1: this is a Markdown code block; remove the lines with the fences
                    Remove the Markdown around the manifest
                3:1: this is a Markdown code block; remove the lines with the fences
                    Remove the Markdown around the manifest
                1:1: this line is a command; remove the lines that are no part of the manifest
                    Remove the lines that are no part of the manifest
                1:1: this line is a command; remove the lines that are no part of the manifest
                    Remove the lines that are no part of the manifest
                1:1: this line is a message of a command; remove the lines that are no part of the manifest
                    Remove the lines that are no part of the manifest
                4:1: YAML does not take the non-breaking space on this line (U+00A0) for a space; replace the non-breaking spaces with spaces
                    Replace the non-breaking spaces
                4:1: YAML does not take the ideographic space on this line (U+3000) for a space; replace the ideographic spaces with spaces
                    Replace the ideographic spaces
                2:6: YAML does not take the non-breaking space on this line (U+00A0) for a space; replace the non-breaking spaces with spaces
                    Replace the non-breaking spaces
                2:1: YAML does not take the zero-width space on this line (U+200B) for a space; remove the zero-width spaces
                    Remove the zero-width spaces
                1:1: this line is a command; remove the lines that are no part of the manifest
                    Remove the lines that are no part of the manifest
                1:1: this line is a command; remove the lines that are no part of the manifest
                    Remove the lines that are no part of the manifest
                1:1: this line is a command; remove the lines that are no part of the manifest
                    Remove the lines that are no part of the manifest
                3:1: this line is a command; remove the lines that are no part of the manifest
                    Remove the lines that are no part of the manifest
            "#]],
        );
    }

    #[test]
    fn what_is_no_manifest_is_named() {
        let described = "Name:             pi\nNamespace:        default\nSelector:         batch.kubernetes.io/controller-uid=u\nLabels:           app=pi\nParallelism:      1\n";
        let texts = [
            described,
            "Error from server (NotFound): jobs.batch \"pi\" not found\n",
            "$ kubectl get job pi -o yaml\n",
            "kubectl create job pi --image=perl -- perl -e 'print 3'\n",
            "$ kubectl create cronjob pi --image=perl \\\n    --schedule='@daily'\n",
            "kubectl create job pi --image=perl --dry-run=client -o yaml > job.yaml\n",
            "kubectl apply -f job.yaml\njob.batch/pi created\n",
            "error: the server doesn't have a resource type \"jbos\"\n",
        ];
        check(
            &texts,
            expect![[r#"
                1:1: this is what `kubectl describe` prints for people; use `kubectl get jobs,pods -o yaml` instead
                1:1: this is an error of kubectl: Error from server (NotFound): jobs.batch "pi" not found; run `kubectl get jobs,pods -o yaml` in the right namespace, and use what it prints
                1:1: this is a command, not what it prints; run `kubectl get jobs,pods -o yaml` in the right namespace, and use what it prints
                1:1: this is a command, not what it prints; add `--dry-run=client -o yaml` and paste what it prints
                1:1: this is a command, not what it prints; add `--dry-run=client -o yaml` and paste what it prints
                1:1: this is a command, not what it prints; run it, and paste what it prints
                1:1: this is a command, not what it prints; paste the contents of the file
                1:1: this is an error of kubectl: the server doesn't have a resource type "jbos"; run `kubectl get jobs,pods -o yaml` in the right namespace, and use what it prints
            "#]],
        );
    }

    #[test]
    fn templates_are_named() {
        let texts = [
            "apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: {{ .Release.Name }}-migrate\n",
            "{{- if .Values.enabled }}\napiVersion: batch/v1\nkind: Job\nmetadata:\n  name: pi\n{{- end }}\n",
            "apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: {{ name }}\n",
            "{% for name in names %}\napiVersion: batch/v1\nkind: Job\nmetadata: {name: pi}\n{% endfor %}\n",
            "apiVersion: batch/v1\nkind: Job\nmetadata: {name: pi}\nspec:\n  backoffLimit: \"{{ .Values.limit }}\"\n",
            "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [job.yaml]\n",
            "- op: replace\n  path: /spec/suspend\n  value: true\n",
            "apiVersion: template.openshift.io/v1\nkind: Template\nobjects: []\n",
            "apiVersion: jobset.x-k8s.io/v1alpha2\nkind: JobSet\nspec: {}\n",
            "apiVersion: argoproj.io/v1alpha1\nkind: Workflow\nspec: {}\n",
        ];
        check(
            &texts,
            expect![[r#"
            4:9: this is a Helm template; use what `helm template` prints
            1:1: this is a Helm template; use what `helm template` prints
            4:9: this is a template; render it first, and use the result
            1:1: this is a Jinja template; render it first, and use the result
            5:18: this is a Helm template; use what `helm template` prints
            2:7: kind: jobsmith runs Jobs and CronJobs: it cannot run a Kustomization; use what `kubectl kustomize DIRECTORY` prints
            1:1: this is a JSON patch, not an object; apply it to its Job first, and use what `kubectl kustomize` prints
            2:7: kind: jobsmith runs Jobs and CronJobs: it cannot run a Template; process the template first: `oc process --local -f FILE -o yaml`
            2:7: kind: jobsmith runs Jobs and CronJobs: it cannot run a JobSet; write its Jobs one by one: each spec.replicatedJobs[].template is a Job without apiVersion and kind
            2:7: kind: jobsmith runs Jobs and CronJobs: it cannot run a Workflow; Argo Workflows creates its pods without Jobs; simulate a Job that does the same
        "#]],
        );
    }

    #[test]
    fn what_only_looks_like_it_is_left_alone() {
        let template = "spec: {template: {spec: {containers: [{name: a, args: ['{{ .Values.x }}']}]}}}\nspek: 1\n";
        check(
            &[
                &format!("{JOB}{template}"),
                &format!("{JOB}x: |\n  ```\n  $ kubectl get\n"),
                &format!("{JOB}x:\n- |\n  {{{{ .Values.x }}}}\n  \u{a0}\u{a0}echo\n"),
            ],
            expect![[r#"
                5:1: spek: unknown field "spek"; keep one of the two: spec is already set
                4:1: x: unknown field "x"; the fields here are apiVersion, kind, metadata, spec, status
                4:1: x: unknown field "x"; the fields here are apiVersion, kind, metadata, spec, status
            "#]],
        );
    }

    /// Each text with one thing wrong, and the text after its fix.
    fn check_fixed(texts: &[&str], expected: Expect) {
        let shown = |text: &&str| {
            let found = objects(text).unwrap_err();
            let lines: String = found.iter().map(|found| format!("{found}\n")).collect();
            let repair = Repairs::of(text).repair(&found[0]);
            let fixed = repair.map(|repair| format!("    {}\n{}", repair.label, repair.apply(text).unwrap()));
            let visible = |text: String, (odd, ..): &(char, &str, &str)| text.replace(*odd, &odd.escape_unicode().to_string());
            super::ODD_SPACES.iter().fold(lines + &fixed.unwrap_or_default(), visible)
        };
        expected.assert_eq(&texts.iter().map(shown).collect::<String>());
    }

    /// A manifest in whose values odd spaces stand, with this metadata and this end.
    fn with_odd_values(metadata: &str, end: &str) -> String {
        let values = "  annotations:\n    a: \"10\u{a0}000 : \u{2003}x\"\n    b: c\u{200b}d\n    e: \u{a0}f\n    g: Note:\u{a0}h\n";
        format!("apiVersion: batch/v1\nkind: Job\nmetadata:\n{metadata}{values}{end}")
    }

    #[test]
    fn where_odd_spaces_are_replaced_those_in_values_stay() {
        check_fixed(
            &[
                &with_odd_values("  name:\u{a0}a\n", ""),
                &with_odd_values("\u{200b}  name: a\n", ""),
                &with_odd_values("  name:\u{2003}a\n", ""),
                &with_odd_values("  name:\u{feff} a\n", ""),
            ],
            expect![[r#"
                4:8: YAML does not take the non-breaking space on this line (U+00A0) for a space; replace the non-breaking spaces with spaces
                    Replace the non-breaking spaces
                apiVersion: batch/v1
                kind: Job
                metadata:
                  name: a
                  annotations:
                    a: "10\u{a0}000 : \u{2003}x"
                    b: c\u{200b}d
                    e: \u{a0}f
                    g: Note:\u{a0}h
                4:1: YAML does not take the zero-width space on this line (U+200B) for a space; remove the zero-width spaces
                    Remove the zero-width spaces
                apiVersion: batch/v1
                kind: Job
                metadata:
                  name: a
                  annotations:
                    a: "10\u{a0}000 : \u{2003}x"
                    b: c\u{200b}d
                    e: \u{a0}f
                    g: Note:\u{a0}h
                4:8: YAML does not take the em space on this line (U+2003) for a space; replace the em spaces with spaces
                    Replace the em spaces
                apiVersion: batch/v1
                kind: Job
                metadata:
                  name: a
                  annotations:
                    a: "10\u{a0}000 : \u{2003}x"
                    b: c\u{200b}d
                    e: \u{a0}f
                    g: Note:\u{a0}h
                4:8: YAML does not take the zero-width no-break space on this line (U+FEFF) for a space; remove the zero-width no-break spaces
                    Remove the zero-width no-break spaces
                apiVersion: batch/v1
                kind: Job
                metadata:
                  name: a
                  annotations:
                    a: "10\u{a0}000 : \u{2003}x"
                    b: c\u{200b}d
                    e: \u{a0}f
                    g: Note:\u{a0}h
            "#]],
        );
    }

    #[test]
    fn odd_spaces_in_values_hide_nothing_else() {
        check_fixed(
            &[
                &with_odd_values("  name: a\n  finalizers:\n  -\u{2009}a\u{a0}b\n  - \u{a0}c\n", "spek: 1\n"),
                &with_odd_values("  name: a\n", "spek: 1\n"),
                &format!("\u{feff}{}", with_odd_values("  name: a\n", "spek: 1\n")),
            ],
            expect![[r#"
                6:4: YAML does not take the thin space on this line (U+2009) for a space; replace the thin spaces with spaces
                    Replace the thin spaces
                apiVersion: batch/v1
                kind: Job
                metadata:
                  name: a
                  finalizers:
                  - a\u{a0}b
                  - \u{a0}c
                  annotations:
                    a: "10\u{a0}000 : \u{2003}x"
                    b: c\u{200b}d
                    e: \u{a0}f
                    g: Note:\u{a0}h
                spek: 1
                10:1: spek: unknown field "spek"; did you mean spec?
                    Change to spec
                apiVersion: batch/v1
                kind: Job
                metadata:
                  name: a
                  annotations:
                    a: "10\u{a0}000 : \u{2003}x"
                    b: c\u{200b}d
                    e: \u{a0}f
                    g: Note:\u{a0}h
                spec: 1
                10:1: spek: unknown field "spek"; did you mean spec?
                    Change to spec
                \u{feff}apiVersion: batch/v1
                kind: Job
                metadata:
                  name: a
                  annotations:
                    a: "10\u{a0}000 : \u{2003}x"
                    b: c\u{200b}d
                    e: \u{a0}f
                    g: Note:\u{a0}h
                spec: 1
            "#]],
        );
    }
}
