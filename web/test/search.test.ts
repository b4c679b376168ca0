/** Examples are found by the words of questions, titles, fields and prose. */
import { describe, expect, test } from 'vitest';

import { marked, search, sought } from '../src/examples/search.ts';
import { loadGallery } from '../src/gallery.ts';
import { QUESTIONS } from '../src/model/questions.ts';

describe('the search', async () => {
  const gallery = await loadGallery();
  const first = (words: string) => search(gallery, words).found[0];

  test('finds the answer of each question by the whole question', () => {
    for (const { question, title } of QUESTIONS) expect(search(gallery, question).found.slice(0, 3).map(({ example }) => example.title), question).toContain(title);
  });

  test('finds by a single word of a question, and shows the question first', () => {
    expect(first('pointless')?.question).toBe('How do I fail fast when retrying is pointless?');
    expect(first('evictions retries')?.question).toBe('How do I keep evictions from using up retries?');
  });

  test('shows the line of the manifest, or the sentence of the prose, that has the word', () => {
    expect(first('restartPolicy OnFailure')?.line).toContain('restartPolicy: OnFailure');
    const prose = gallery.find((example) => example.prose.includes('The first three starts run to their end'));
    expect(search(gallery, 'three starts run').found.find(({ example }) => example === prose)?.sentence).toContain('first three starts');
  });

  test('shows what comes closest, or nothing', () => {
    expect(search(gallery, 'backoffLimit zebra')).toMatchObject({ all: false });
    expect(search(gallery, 'backoffLimit zebra').found.length).toBeGreaterThan(3);
    expect(search(gallery, 'zebra').found).toEqual([]);
  });

  test('looks for words without their endings, and for common words only if there are no others', () => {
    expect(['Why was it retried?', 'retries', 'why'].map((words) => sought(words).map(({ ways }) => ways))).toEqual([[['retri']], [['retr']], [['why']]]);
    expect(marked('How to retry', sought('retries'))).toEqual(['How to ', 'retry', '']);
    expect(marked('a.b', sought('.'))).toEqual(['a', '.b', '']);
    expect(marked('There is room in backoffLimit', sought('oom limit'))).toEqual(['There is room in backoff', 'Limit', '']);
  });

  test('finds reasons of conditions, exit codes and what people call things, and shows where', () => {
    expect(first('BackoffLimitExceeded')).toMatchObject({ line: expect.stringMatching(/: BackoffLimitExceeded$/) as string });
    expect(first('DeadlineExceeded')?.line).toMatch(/DeadlineExceeded/);
    expect(first('exit code 42')?.line).toMatch(/42/);
    expect(first('OOM')?.example.title).toMatch(/killed for its memory/);
    expect(search(gallery, 'OOM').found[1]?.line).toMatch(/exit (code )?137/);
    expect(first('last try')?.question).toBe('Why was my Job’s last attempt cut short?');
    expect(first('preempted')?.example.title).toMatch(/preempts/);
    expect(search(gallery, 'preempted').found[1]?.question).toMatch(/evict/i);
    for (const words of ['BackoffLimitExceeded', 'OOM', 'exit code 143', 'preempt']) {
      const { all, found } = search(gallery, words);
      expect([words, all, found.length > 0]).toEqual([words, true, true]);
      for (const { example, question, line, sentence } of found) {
        const seen = [question, example.title, example.topic, line, sentence];
        for (const one of sought(words)) expect(seen.some((text) => marked(text, [one]).length > 1), `${words}: ${example.title}`).toBe(true);
      }
    }
  });

  test('has whole words before words that only begin so', () => {
    const { found } = search(gallery, 'index');
    const whole = ({ example: { manifest, script, outcomes, prose, title, topic }, question }: (typeof found)[number]) => /\bindex\b/i.test([manifest, script, outcomes, prose, title, topic, question].join(' '));
    const places = found.map(whole);
    expect(places.indexOf(false) === -1 || places.lastIndexOf(true) < places.indexOf(false)).toBe(true);
  });
});
