/** Examples are found by the words of questions, titles, fields and prose. */
import { describe, expect, test } from 'vitest';

import { marked, search, stems } from '../src/examples/search.ts';
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
    expect([stems('Why was it retried?'), stems('retries'), stems('why')]).toEqual([['retri'], ['retr'], ['why']]);
    expect(marked('How to retry', ['retr'])).toEqual(['How to ', 'retry', '']);
    expect(marked('a.b', ['.'])).toEqual(['a', '.b', '']);
  });
});
