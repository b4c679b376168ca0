/** The page of a rule in parts: as much of Markdown as `crates/advice/src/rules` has. */

/** A paragraph, a list, or a block of text as it is: a manifest, a script, a status or a trace. */
export type Block = { type: 'text'; text: string } | { type: 'list'; items: string[] } | { type: 'code'; language: string; text: string };

/** What stands below a heading. */
export interface Section {
  title: string;
  blocks: Block[];
}

/** The sections of a page; the first is about the rule, and its title is the name of it. */
export function sections(page: string): Section[] {
  const found: Section[] = [];
  for (const [, title, fence, language = '', code = '', plain = ''] of page.matchAll(PART)) {
    if (title !== undefined) found.push({ title, blocks: [] });
    else found.at(-1)?.blocks.push(fence === undefined ? paragraph(plain) : { type: 'code', language, text: code });
  }
  return found;
}

/** A heading, a fenced block, or lines until the next empty one. */
const PART = /^#+ (.+)$|^(`{3,})(\w*)\n([^]*?)^\2$|^((?:.+\n?)+)/gm;

function paragraph(lines: string): Block {
  const joined = (text: string): string => text.trim().replaceAll(/\s*\n\s*/g, ' ');
  if (!lines.startsWith('- ')) return { type: 'text', text: joined(lines) };
  return { type: 'list', items: lines.split(/^- /m).slice(1).map(joined) };
}

/** A text in parts: plain, code between backticks, and bold between double asterisks. */
export function spans(text: string): { style: 'plain' | 'code' | 'bold'; text: string }[] {
  const found = [...text.matchAll(/`([^`]+)`|\*\*([^*]+)\*\*|((?:(?!`[^`]+`|\*\*[^*]+\*\*)[^])+)/g)];
  return found.map(([, code, bold, plain = '']) => (code !== undefined ? { style: 'code', text: code } : bold !== undefined ? { style: 'bold', text: bold } : { style: 'plain', text: plain }));
}
