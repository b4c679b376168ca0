/** Finds examples by any words of their question, title, fields and prose, the best first. */
import type { Claim } from '../gallery.ts';
import { QUESTIONS } from '../model/questions.ts';

/** An example that was found, and what in it matched beside its title. */
export interface Found {
  example: Claim;
  /** The question that it answers; empty if none is known. */
  question: string;
  /** A line of the manifest or the script, and a sentence of the prose; empty if the words are elsewhere. */
  line: string;
  sentence: string;
}

/** What was found; `all` is whether the examples have all words, or only as many as any has. */
export interface Results {
  all: boolean;
  found: Found[];
}

/** Words that questions have and answers do not. */
const COMMON = new Set('a an and are can did do does for how i if in is it its my of on or the to was what when why will with'.split(' '));

/** The words that are searched for, without their endings, so that `retries` finds `retry`. */
export function stems(words: string): string[] {
  const all = words.toLowerCase().replaceAll(/[’'"“”?!,;]+/g, ' ').split(/\s+/).filter((word) => word !== '');
  const specific = all.filter((word) => !COMMON.has(word));
  return (specific.length > 0 ? specific : all).map((word) => (word.length > 4 ? word.replace(/(ies|y|ing|ed|es|s|e)$/, '') : word));
}

/** The examples with all words; if there are none, those with the most. Where the words are counts: in the question, the title, or elsewhere. */
export function search(gallery: Claim[], words: string): Results {
  const wanted = stems(words);
  const questions = new Map(QUESTIONS.map(({ topic, title, question }) => [`${topic}/${title}`, question]));
  const rated = gallery.map((example) => {
    const question = questions.get(`${example.topic}/${example.title}`) ?? '';
    const places: [string, number][] = [[question, 5], [example.title, 4], [`${example.page} ${example.topic}`, 3], [`${example.manifest} ${example.script}`, 2], [example.prose, 1]];
    const weights = wanted.map((stem) => places.find(([text]) => text.toLowerCase().includes(stem))?.[1] ?? 0);
    return { example, question, matched: weights.filter((weight) => weight > 0).length, weight: weights.reduce((sum, weight) => sum + weight, 0) };
  });
  const most = Math.max(0, ...rated.map(({ matched }) => matched));
  const best = most === 0 ? [] : rated.filter(({ matched }) => matched === most).sort((one, other) => other.weight - one.weight);
  return { all: most === wanted.length, found: best.map(({ example, question }) => shown(example, question, wanted)) };
}

/** What of an example shows the words that its title and its question do not have. */
function shown(example: Claim, question: string, wanted: string[]): Found {
  const has = (text: string, stem: string): boolean => text.toLowerCase().includes(stem);
  const hidden = wanted.filter((stem) => !has(example.title, stem) && !has(question, stem) && !has(example.topic, stem));
  const line = bestMatch(`${example.manifest}\n${example.script}`.split('\n'), hidden);
  const sentence = bestMatch(example.prose.split(/(?<=[.!?])\s+/), hidden.filter((stem) => !has(line, stem)));
  return { example, question, line, sentence };
}

/** The first of the texts that has the most of the words; empty if none has any. */
function bestMatch(texts: string[], wanted: string[]): string {
  const count = (text: string): number => wanted.filter((stem) => text.toLowerCase().includes(stem)).length;
  return texts.reduce((best, text) => (count(text) > count(best) ? text : best), '').trim();
}

/** A text in parts: every other part is a word of the text that begins with one of the search words. */
export function marked(text: string, wanted: string[]): string[] {
  if (wanted.length === 0) return [text];
  const pattern = wanted.map((stem) => stem.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  return text.split(new RegExp(`((?:${pattern})\\w*)`, 'i'));
}
