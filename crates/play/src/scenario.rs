//! Scenario files: Markdown in which each claim about Jobs has a manifest, what happens, and what is expected.
//!
//! Docs: `tests/scenarios/README.md` describes the format for people. Claims are played in `claim.rs`. Scripts are read by `script`; manifests by the caller.
//!
//! ````text
//! # Backoff limit                       the page
//! ## Failed pods are retried            a claim, with prose
//! ```yaml                               manifests
//! ```script                             what pods do and what happens; may be left out
//! ```trace                              what is to be seen
//! ```status                             how the Jobs end
//! ````

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
    /// The manifests.
    pub manifest: FencedBlock,
    /// What pods do and what happens.
    pub script: Option<FencedBlock>,
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

/// The claims of a scenario file, in order.
///
/// # Errors
/// If the file has no claim, a claim has no manifest, or a block is of no known kind or does not end.
pub fn read(source: &str) -> Result<Vec<Scenario>, Misshapen> {
    let (mut page, mut scenarios) = (String::new(), Vec::<UnfinishedClaim>::new());
    let mut open: Option<OpenBlock<'_>> = None;
    let mut offset = 0;
    for (at, line) in source.split_inclusive('\n').enumerate() {
        let (number, text) = (at + 1, line.trim_end());
        match open.take() {
            Some(block) if text == "```" => {
                let Some(scenario) = scenarios.last_mut() else {
                    return Err(misshapen(number, "a block before the first claim (`## …`)"));
                };
                scenario.close(block, source, offset)?;
            }
            Some(block) => open = Some(block),
            None if text.starts_with("```") => open = Some(OpenBlock { kind: &text[3..], line: number, start: offset + line.len() }),
            None if text.starts_with("## ") => scenarios.push(UnfinishedClaim::new(&text[3..], number)),
            None if text.starts_with("# ") => text[2..].clone_into(&mut page),
            None => {
                if let Some(scenario) = scenarios.last_mut() {
                    scenario.prose.push_str(text);
                    scenario.prose.push('\n');
                }
            }
        }
        offset += line.len();
    }
    if let Some(block) = open {
        return Err(misshapen(block.line, "the block does not end: put ``` on a line of its own"));
    }
    if scenarios.is_empty() {
        return Err(misshapen(1, "no claim: begin each with a heading `## …`, followed by a ```yaml block with a Job"));
    }
    scenarios.into_iter().map(|draft| draft.finish(&page)).collect()
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

/// A scenario file with one claim, whose trace and status are not written yet.
#[must_use]
pub fn write(claim: &str, manifest: &str, script: &str) -> String {
    let block = |kind: &str, text: &str| format!("\n```{kind}\n{}\n```\n", text.trim_end());
    let script = if script.trim().is_empty() { String::new() } else { block("script", script) };
    format!("# {claim}\n\n## {claim}\n{}{script}\n```trace\n```\n\n```status\n```\n", block("yaml", manifest))
}

/// A block whose end is not read yet.
struct OpenBlock<'a> {
    kind: &'a str,
    line: usize,
    start: usize,
}

/// A claim that is not complete yet.
struct UnfinishedClaim {
    claim: String,
    line: usize,
    prose: String,
    manifest: Option<FencedBlock>,
    script: Option<FencedBlock>,
    trace: Option<FencedBlock>,
    status: Option<FencedBlock>,
}

impl UnfinishedClaim {
    fn new(claim: &str, line: usize) -> Self {
        Self { claim: claim.to_owned(), line, prose: String::new(), manifest: None, script: None, trace: None, status: None }
    }

    fn close(&mut self, open: OpenBlock<'_>, source: &str, end: usize) -> Result<(), Misshapen> {
        let block = FencedBlock { text: source[open.start..end].replace("\r\n", "\n"), line: open.line + 1, place: open.start..end };
        let slot = match open.kind {
            "yaml" => &mut self.manifest,
            "script" => &mut self.script,
            "trace" => &mut self.trace,
            "status" => &mut self.status,
            kind => return Err(misshapen(open.line, &format!("unknown block {kind:?}: use yaml, script, trace or status"))),
        };
        match slot.replace(block) {
            Some(_) => Err(misshapen(open.line, &format!("a second ```{} block in the same claim: begin another claim for it", open.kind))),
            None => Ok(()),
        }
    }

    fn finish(self, page: &str) -> Result<Scenario, Misshapen> {
        let Self { claim, line, prose, manifest, script, trace, status } = self;
        let Some(manifest) = manifest else { return Err(misshapen(line, "the claim has no ```yaml block with a Job")) };
        Ok(Scenario { page: page.to_owned(), claim, line, prose: prose.trim().to_owned(), manifest, script, trace, status })
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
        assert_eq!((&*scenarios[0].manifest.text, scenarios[0].manifest.line), ("a: 1\nb: 2\n", 6));
        assert_eq!(scenarios[0].prose, "Prose.\nMore.");
        let place = scenarios[0].trace.as_ref().unwrap().place.clone();
        assert_eq!(rewrite(FILE, vec![(place, "new\n".to_owned())]), FILE.replace("old", "new"));
    }

    #[test]
    fn headings_in_blocks_are_text() {
        let file = "## One\n```yaml\ndata: |\n## no claim\n# no page\n```\n";
        let scenarios = read(file).unwrap();
        assert_eq!((scenarios.len(), &*scenarios[0].manifest.text), (1, "data: |\n## no claim\n# no page\n"));
    }

    #[test]
    fn lines_may_end_as_windows_ends_them() {
        let file = FILE.replace('\n', "\r\n");
        let scenarios = read(&file).unwrap();
        let texts = |scenario: &Scenario| (scenario.claim.clone(), scenario.prose.clone(), scenario.manifest.text.clone());
        assert_eq!(scenarios.iter().map(texts).collect::<Vec<_>>(), read(FILE).unwrap().iter().map(texts).collect::<Vec<_>>());
        let trace = scenarios[0].trace.as_ref().unwrap();
        assert_eq!(trace.text, "old\n");
        assert_eq!(rewrite(&file, vec![(trace.place.clone(), "new\n".to_owned())]), file.replace("old", "new"));
    }

    #[test]
    fn what_is_written_is_read() {
        let check = |manifest: &str, script: &str, read_as: Option<&str>| {
            let scenarios = read(&write("A claim", manifest, script)).unwrap();
            let scenario = &scenarios[0];
            assert_eq!((&*scenario.page, &*scenario.claim, &*scenario.manifest.text), ("A claim", "A claim", "kind: Job\n"));
            assert_eq!(scenario.script.as_ref().map(|block| &*block.text), read_as);
            assert_eq!(
                scenario.trace.as_ref().zip(scenario.status.as_ref()).map(|(trace, status)| (&*trace.text, &*status.text)),
                Some(("", ""))
            );
        };
        check("kind: Job\n", "pods: exit 1 after 5s\n", Some("pods: exit 1 after 5s\n"));
        check("kind: Job", " \n", None);
    }

    #[test]
    fn what_is_no_scenario_is_refused_with_its_line() {
        let check = |source: &str, expected: &str| assert_eq!(read(source).unwrap_err().to_string(), expected);
        check("", "line 1: no claim: begin each with a heading `## …`, followed by a ```yaml block with a Job");
        check("## One\n", "line 1: the claim has no ```yaml block with a Job");
        check("## One\n```json\n```\n", "line 2: unknown block \"json\": use yaml, script, trace or status");
        check("## One\n```yaml\n", "line 2: the block does not end: put ``` on a line of its own");
        check("## One\n```yaml\n```\n```yaml\n```\n", "line 4: a second ```yaml block in the same claim: begin another claim for it");
    }
}
