/** Finds examples by any words of their question, title, fields, prose and outcomes, the best first. */
import type { Claim } from '../gallery.ts';
import { QUESTIONS } from '../model/questions.ts';

/** An example that was found, and what in it matched beside its title. */
export interface Found {
  example: Claim;
  /** The question that it answers; empty if none is known. */
  question: string;
  /** A line of the manifest, the script or what happens, and a sentence of the prose; empty if the words are elsewhere. */
  line: string;
  sentence: string;
}

/** What was found; `all` is whether the examples have all words, or only as many as any has. */
export interface Results {
  all: boolean;
  found: Found[];
}

/** A word that is searched for: without its ending, so that `retries` finds `retry`, and what examples call the same. */
export interface Sought {
  word: string;
  ways: string[];
}

/** Words that questions have and answers do not. */
const COMMON = new Set('a an and are can did do does for how i if in is it its my of on or the to was what when why will with'.split(' '));

/** What people type, and what examples have instead. */
const SAME: Record<string, string[]> = {
  oom: ['exit 137', 'exit code 137'], oomkilled: ['exit 137', 'exit code 137'], sigkill: ['exit 137', 'exit code 137'], sigterm: ['143', 'TERM'],
  try: ['attempt'], tries: ['attempt'], rerun: ['retr'], preempt: ['evict'], preempted: ['evict'], preemption: ['evict'], timeout: ['activeDeadlineSeconds'], cleanup: ['ttlSecondsAfterFinished'], pause: ['suspend'], code: ['exit'],
};

/** The words that are searched for. */
export function sought(words: string): Sought[] {
  const all = words.toLowerCase().replaceAll(/[’'"“”?!,;]+/g, ' ').split(/\s+/).filter((word) => word !== '');
  const specific = all.filter((word) => !COMMON.has(word));
  return (specific.length > 0 ? specific : all).map((word) => ({ word, ways: [word.length > 4 ? word.replace(/(ies|y|ing|ed|es|s|e)$/, '') : word, ...(SAME[word] ?? [])] }));
}

/** The examples with all words; if there are none, those with the most. Whole words come first; then where the words are counts: in the question, the title, or elsewhere. */
export function search(gallery: Claim[], words: string): Results {
  const wanted = sought(words);
  const questions = new Map(QUESTIONS.map(({ topic, title, question }) => [`${topic}/${title}`, question]));
  const rated = gallery.map((example) => {
    const question = questions.get(`${example.topic}/${example.title}`) ?? '';
    const places: [string, number][] = [[question, 5], [example.title, 4], [`${example.page} ${example.topic}`, 3], [`${example.manifest} ${example.script} ${example.outcomes}`, 2], [example.prose, 1]];
    const found = wanted.map((one) => places.find(([text]) => has(text, one)));
    const whole = wanted.filter(({ word }) => places.some(([text]) => spans(text, [word]).some(({ whole }) => whole)));
    return { example, question, matched: found.filter((place) => place).length, whole: whole.length, weight: found.reduce((sum, place) => sum + (place?.[1] ?? 0), 0) };
  });
  const most = Math.max(0, ...rated.map(({ matched }) => matched));
  const best = most === 0 ? [] : rated.filter(({ matched }) => matched === most).sort((one, other) => other.whole - one.whole || other.weight - one.weight);
  return { all: most === wanted.length, found: best.map(({ example, question }) => shown(example, question, wanted)) };
}

/** What of an example shows the words that its title and its question do not have. */
function shown(example: Claim, question: string, wanted: Sought[]): Found {
  const hidden = wanted.filter((one) => !has(example.title, one) && !has(question, one) && !has(example.topic, one));
  const line = bestMatch(`${example.manifest}\n${example.script}\n${example.outcomes}`.split('\n'), hidden);
  const sentence = bestMatch(example.prose.split(/(?<=[.!?])\s+/), hidden.filter((one) => !has(line, one)));
  return { example, question, line, sentence };
}

/** The first of the texts that has the most of the words; empty if none has any. */
function bestMatch(texts: string[], wanted: Sought[]): string {
  const count = (text: string): number => wanted.filter((one) => has(text, one)).length;
  return texts.reduce((best, text) => (count(text) > count(best) ? text : best), '').trim();
}

function has(text: string, { ways }: Sought): boolean {
  return spans(text, ways).length > 0;
}

/** A place in a text where a word begins; `to` is where it ends, and `whole` whether no more of it is there than what was searched for. */
interface Place {
  from: number;
  to: number;
  whole: boolean;
}

/** Where words of a text begin with one of these; `backoffLimit` has two words. */
function spans(text: string, ways: string[]): Place[] {
  const pattern = new RegExp(`(?:${ways.map((way) => way.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})`, 'gi');
  return [...text.matchAll(pattern)].flatMap(({ 0: found, index: from }) => {
    const begins = !/\w/.test(text[from - 1] ?? ' ') || /[A-Z]/.test(text[from] ?? '') || /\W/.test(found[0] ?? '');
    const rest = /^\w*/.exec(text.slice(from + found.length))?.[0].length ?? 0;
    return begins ? [{ from, to: from + found.length + rest, whole: rest === 0 }] : [];
  });
}

/** A text in parts: every other part is a word of the text that begins with one of the search words. */
export function marked(text: string, wanted: Sought[]): string[] {
  const parts: string[] = [];
  let end = 0;
  for (const { from, to } of spans(text, wanted.flatMap(({ ways }) => ways))) {
    if (from < end) continue;
    parts.push(text.slice(end, from), text.slice(from, to));
    end = to;
  }
  return [...parts, text.slice(end)];
}
