//! Scenario files: Markdown in which each claim about Jobs has a manifest, what happens, and what is expected.
//!
//! Docs: `tests/scenarios/README.md` describes the format for people. Claims are played in `claim.rs`. Scripts are read by `script`; manifests by the caller.
//!
//! ````text
//! # Backoff limit                       the page
//! ```files                              manifests in other files, a path a line: of all claims that have none of their own
//! ## Failed pods are retried            a claim, with prose
//! ```files                              manifests in other files
//! ```yaml                               manifests
//! ```script                             what pods do and what happens; may be left out
//! ```expect                             what is expected, a line each
//! ```trace                              what is to be seen
//! ```status                             how the Jobs end
//! ````

use std::collections::BTreeMap;
use std::ops::Range;

/// One claim of a scenario file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scenario {
    /// The heading of the file: a heading of the Kubernetes page.
    pub page: String,
    /// The claim.
    pub claim: String,
    /// The line of its heading, from 1.
    pub line: usize,
    /// The prose between the heading and the end of the claim, without the blocks.
    pub prose: String,
    /// The files with manifests, if there are any.
    pub files: Option<FencedBlock>,
    /// The manifests that are in the claim itself.
    pub manifest: Option<FencedBlock>,
    /// What pods do and what happens.
    pub script: Option<FencedBlock>,
    /// What is expected, a line each.
    pub expect: Option<FencedBlock>,
    /// What is expected to be seen.
    pub trace: Option<FencedBlock>,
    /// The status that is expected at the end.
    pub status: Option<FencedBlock>,
}

/// The content of a fenced block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FencedBlock {
    /// The text between the fences; its lines end with `\n`, however those of the file do.
    pub text: String,
    /// The line of the text's first line, from 1.
    pub line: usize,
    /// Where the text stands in the file, in bytes.
    pub place: Range<usize>,
    /// Whether the word `exact` is behind its kind: it states everything, and not only what matters.
    pub exact: bool,
}

/// A file that is not a scenario file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct Misshapen {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong, and what to do.
    pub message: String,
}

/// The kinds of blocks.
const KINDS: &str = "use files, yaml, script, expect, trace or status";
/// What a claim without a manifest lacks.
const NO_MANIFEST: &str = "the claim has no manifest: add a ```yaml block with a Job, or a ```files block with the paths of manifests";

impl Scenario {
    /// The paths of the files with manifests, as they are written, each with its line.
    pub fn paths(&self) -> impl Iterator<Item = (usize, &str)> {
        let lines = self.files.iter().flat_map(|block| (block.line..).zip(block.text.lines().map(str::trim)));
        lines.filter(|(_, line)| is_path(line))
    }

    /// The text of the manifests that are in the claim itself.
    #[must_use]
    pub fn own_manifest(&self) -> &str {
        self.manifest.as_ref().map_or("", |block| &block.text)
    }

    /// Whether nothing is expected of it.
    #[must_use]
    pub fn expects_nothing(&self) -> bool {
        self.expect.is_none() && self.trace.is_none() && self.status.is_none()
    }
}

/// Whether a line of a block of files is a path, and no comment.
fn is_path(line: &str) -> bool {
    !line.is_empty() && !line.starts_with('#')
}

/// Whether a Markdown text has claims: it has a block of a kind that other texts do not have.
#[must_use]
pub fn has_claims(source: &str) -> bool {
    let mut fence: Option<&str> = None;
    source.lines().any(|line| match (fence, backticks(line)) {
        (None, opening) if opening.len() >= 3 => {
            fence = Some(opening);
            let kind = line.trim_end()[opening.len()..].split(' ').next().unwrap_or_default();
            opening.len() == 3 && ["files", "script", "expect", "trace", "status"].contains(&kind)
        }
        (Some(open), closing) if closing.len() >= open.len() && line.trim_end() == closing => {
            fence = None;
            false
        }
        _ => false,
    })
}

/// The backticks with which a line begins.
fn backticks(line: &str) -> &str {
    &line[..line.len() - line.trim_start_matches('`').len()]
}

/// The claims of a scenario file, in order.
///
/// # Errors
/// If the file has no claim, a claim has no manifest or is there twice, or a block is of no known kind or does not end.
pub fn read(source: &str) -> Result<Vec<Scenario>, Misshapen> {
    let (mut page, mut scenarios) = (String::new(), Vec::<UnfinishedClaim>::new());
    let mut shared = UnfinishedClaim::new("", 0);
    let (mut open, mut offset): (Option<OpenBlock<'_>>, usize) = (None, 0);
    for (at, line) in source.split_inclusive('\n').enumerate() {
        let number = at + 1;
        let text = if at == 0 { line.trim_start_matches('\u{feff}') } else { line }.trim_end();
        let current = scenarios.last_mut().unwrap_or(&mut shared);
        match open.take() {
            Some(block) if text == block.fence => current.close(block, source, offset)?,
            Some(block) => open = Some(block),
            None if text.starts_with("```") => {
                let fence = backticks(text);
                open = Some(OpenBlock { fence, kind: &text[fence.len()..], line: number, start: offset + line.len() });
            }
            None if text.starts_with("## ") => scenarios.push(UnfinishedClaim::new(&text[3..], number)),
            None if text.starts_with("# ") => text[2..].clone_into(&mut page),
            None => {
                current.prose.push_str(text);
                current.prose.push('\n');
            }
        }
        offset += line.len();
    }
    if let Some(block) = open {
        return Err(misshapen(block.line, &format!("the block does not end: put {} on a line of its own", block.fence)));
    }
    if scenarios.is_empty() {
        return Err(misshapen(1, "no claim: begin each with a heading `## …`, followed by a ```yaml block with a Job"));
    }
    shared.refuse_all_but_manifests()?;
    let mut lines = BTreeMap::new();
    for UnfinishedClaim { claim, line, .. } in &scenarios {
        if let Some(first) = lines.insert(claim.clone(), line) {
            return Err(misshapen(*line, &format!("the claim {claim:?} is already on line {first}: give it a heading of its own")));
        }
    }
    scenarios.into_iter().map(|draft| draft.finish(&page, &shared)).collect()
}

/// The file with other texts in some of its blocks; the places are those of the file as it was read.
#[must_use]
pub fn rewrite(source: &str, mut texts: Vec<(Range<usize>, String)>) -> String {
    texts.sort_by_key(|(place, _)| std::cmp::Reverse(place.start));
    let mut written = source.to_owned();
    for (place, text) in texts {
        written.replace_range(place, &if source.contains("\r\n") { text.replace('\n', "\r\n") } else { text });
    }
    written
}

/// A claim of a scenario file, of these blocks: the kind of each, and its text.
#[must_use]
pub fn write(claim: &str, blocks: &[(&str, &str)]) -> String {
    let block = |(kind, text): &(&str, &str)| match text.trim() {
        "" => format!("\n```{kind}\n```\n"),
        _ => format!("\n```{kind}\n{}\n```\n", text.trim_end()),
    };
    format!("## {claim}\n{}", blocks.iter().map(block).collect::<String>())
}

/// A block whose end is not read yet.
struct OpenBlock<'a> {
    /// What ends it.
    fence: &'a str,
    kind: &'a str,
    line: usize,
    start: usize,
}

/// A claim that is not complete yet.
#[derive(Default)]
struct UnfinishedClaim {
    claim: String,
    line: usize,
    prose: String,
    files: Option<FencedBlock>,
    manifest: Option<FencedBlock>,
    script: Option<FencedBlock>,
    expect: Option<FencedBlock>,
    trace: Option<FencedBlock>,
    status: Option<FencedBlock>,
}

impl UnfinishedClaim {
    fn new(claim: &str, line: usize) -> Self {
        Self { claim: claim.trim().to_owned(), line, ..Self::default() }
    }

    /// Keeps a block, unless its fence is longer than three backticks: that is an example in the prose.
    fn close(&mut self, open: OpenBlock<'_>, source: &str, end: usize) -> Result<(), Misshapen> {
        if open.fence.len() > 3 {
            return Ok(());
        }
        let (kind, more) = open.kind.split_once(' ').unwrap_or((open.kind, ""));
        let exact = match (kind, more.trim()) {
            (_, "") => false,
            ("trace" | "status", "exact") => true,
            (_, more) => {
                let remedy = "only the word \"exact\" may follow, behind trace or status";
                return Err(misshapen(open.line, &format!("unknown word {more:?} behind {kind:?}: {remedy}")));
            }
        };
        let block = FencedBlock { text: source[open.start..end].replace("\r\n", "\n"), line: open.line + 1, place: open.start..end, exact };
        let slot = match kind {
            "files" => &mut self.files,
            "yaml" => &mut self.manifest,
            "script" => &mut self.script,
            "expect" => &mut self.expect,
            "trace" => &mut self.trace,
            "status" => &mut self.status,
            kind => return Err(misshapen(open.line, &format!("unknown block {kind:?}: {KINDS}"))),
        };
        match slot.replace(block) {
            Some(_) => Err(misshapen(open.line, &format!("a second ```{kind} block in the same claim: begin another claim for it"))),
            None => Ok(()),
        }
    }

    /// Refuses what belongs to a claim and stands before the first one.
    fn refuse_all_but_manifests(&self) -> Result<(), Misshapen> {
        match [&self.script, &self.expect, &self.trace, &self.status].into_iter().flatten().map(|block| block.line).min() {
            Some(line) => Err(misshapen(line - 1, "a block before the first claim (`## …`): only files and yaml are for all claims")),
            None => Ok(()),
        }
    }

    /// The claim; if it has no manifest, with those that are `shared` by all claims.
    fn finish(self, page: &str, shared: &Self) -> Result<Scenario, Misshapen> {
        let Self { claim, line, prose, files, manifest, script, expect, trace, status } = self;
        let own = files.is_some() || manifest.is_some();
        let (files, manifest) = if own { (files, manifest) } else { (shared.files.clone(), shared.manifest.clone()) };
        let named = files.as_ref().is_some_and(|block| block.text.lines().any(|line| is_path(line.trim())));
        if !named && manifest.is_none() {
            return Err(misshapen(line, NO_MANIFEST));
        }
        Ok(Scenario { page: page.to_owned(), claim, line, prose: prose.trim().to_owned(), files, manifest, script, expect, trace, status })
    }
}

fn misshapen(line: usize, message: &str) -> Misshapen {
    Misshapen { line, message: message.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str =
        "# Page\nIntroduction\n## One\nProse.\n```yaml\na: 1\nb: 2\n```\nMore.\n```trace\nold\n```\n## Two\n```yaml\nc: 3\n```\n";

    #[test]
    fn claims_have_blocks_with_their_places() {
        let scenarios = read(FILE).unwrap();
        let names: Vec<_> = scenarios.iter().map(|scenario| (&*scenario.page, &*scenario.claim, scenario.line)).collect();
        assert_eq!(names, [("Page", "One", 3), ("Page", "Two", 13)]);
        let manifest = scenarios[0].manifest.as_ref().unwrap();
        assert_eq!((&*manifest.text, manifest.line), ("a: 1\nb: 2\n", 6));
        assert_eq!(scenarios[0].prose, "Prose.\nMore.");
        let place = scenarios[0].trace.as_ref().unwrap().place.clone();
        assert_eq!(rewrite(FILE, vec![(place, "new\n".to_owned())]), FILE.replace("old", "new"));
    }

    #[test]
    fn headings_in_blocks_are_text() {
        let file = "## One\n```yaml\ndata: |\n## no claim\n# no page\n```\n";
        let scenarios = read(file).unwrap();
        assert_eq!((scenarios.len(), scenarios[0].own_manifest()), (1, "data: |\n## no claim\n# no page\n"));
    }

    #[test]
    fn lines_may_end_as_windows_ends_them() {
        let file = FILE.replace('\n', "\r\n");
        let scenarios = read(&file).unwrap();
        let texts = |scenario: &Scenario| (scenario.claim.clone(), scenario.prose.clone(), scenario.own_manifest().to_owned());
        assert_eq!(scenarios.iter().map(texts).collect::<Vec<_>>(), read(FILE).unwrap().iter().map(texts).collect::<Vec<_>>());
        let trace = scenarios[0].trace.as_ref().unwrap();
        assert_eq!(trace.text, "old\n");
        assert_eq!(rewrite(&file, vec![(trace.place.clone(), "new\n".to_owned())]), file.replace("old", "new"));
    }

    #[test]
    fn manifests_may_be_in_other_files_and_for_all_claims() {
        let file = "\u{feff}# Page\n```files\n# the chart\n../a.yaml\n\n  b.yaml \n```\n## One\n```expect\nComplete\n```\n## Two\n```yaml\nc: 3\n```\n";
        let scenarios = read(file).unwrap();
        let of = |scenario: &Scenario| {
            let paths: Vec<(usize, String)> = scenario.paths().map(|(line, path)| (line, path.to_owned())).collect();
            (scenario.page.clone(), paths, scenario.own_manifest().to_owned())
        };
        let paths = vec![(4, "../a.yaml".to_owned()), (6, "b.yaml".to_owned())];
        assert_eq!(of(&scenarios[0]), ("Page".to_owned(), paths, String::new()));
        assert_eq!(of(&scenarios[1]), ("Page".to_owned(), Vec::new(), "c: 3\n".to_owned()));
        assert!(!scenarios[0].expects_nothing() && scenarios[1].expects_nothing());
    }

    #[test]
    fn a_block_may_state_everything_and_a_longer_fence_is_an_example() {
        let file = "## One\n````text\n```sh\n```expect\n````\n```yaml\n```\n```trace exact\n```\n```status\n```\n";
        let scenario = &read(file).unwrap()[0];
        assert_eq!([&scenario.trace, &scenario.status].map(|block| block.as_ref().map(|block| block.exact)), [Some(true), Some(false)]);
        assert!(has_claims(file));
        for other in ["", "```sh\n```\n", "````\n```expect\n```\n````\n", "```yaml\n```expected\n```\n"] {
            assert!(!has_claims(other), "{other}");
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let written = write("A claim", &[("yaml", "kind: Job\n"), ("script", "pods: exit 1\n\n"), ("trace exact", "")]);
        assert_eq!(written, "## A claim\n\n```yaml\nkind: Job\n```\n\n```script\npods: exit 1\n```\n\n```trace exact\n```\n");
        let scenario = &read(&written).unwrap()[0];
        let texts = [&scenario.script, &scenario.trace].map(|block| block.as_ref().map(|block| &*block.text));
        assert_eq!((&*scenario.claim, scenario.own_manifest(), texts), ("A claim", "kind: Job\n", [Some("pods: exit 1\n"), Some("")]));
    }

    #[test]
    fn what_is_no_scenario_is_refused_with_its_line() {
        let check = |source: &str, expected: &str| assert_eq!(read(source).unwrap_err().to_string(), expected);
        check("", "line 1: no claim: begin each with a heading `## …`, followed by a ```yaml block with a Job");
        check(
            "## One\n",
            "line 1: the claim has no manifest: add a ```yaml block with a Job, or a ```files block with the paths of manifests",
        );
        check(
            "## One\n```files\n# none\n```\n",
            "line 1: the claim has no manifest: add a ```yaml block with a Job, or a ```files block with the paths of manifests",
        );
        check("## One\n```json\n```\n", "line 2: unknown block \"json\": use files, yaml, script, expect, trace or status");
        check(
            "## One\n```trace all\n```\n",
            "line 2: unknown word \"all\" behind \"trace\": only the word \"exact\" may follow, behind trace or status",
        );
        check("## One\n```yaml\n", "line 2: the block does not end: put ``` on a line of its own");
        check("## One\n```yaml\n```\n```yaml\n```\n", "line 4: a second ```yaml block in the same claim: begin another claim for it");
        check(
            "```script\n```\n## One\n```yaml\n```\n",
            "line 1: a block before the first claim (`## …`): only files and yaml are for all claims",
        );
        check(
            "## One\n```yaml\n```\n## One \n```yaml\n```\n",
            "line 4: the claim \"One\" is already on line 1: give it a heading of its own",
        );
    }
}
