/** Links: what is in them comes out of them, and what cannot be read is reported. */
import { describe, expect, test } from 'vitest';

import { decode, encode, read, type Session } from '../src/session.ts';

const session: Session = { version: 1, manifest: 'kind: Job # ünïcode ⏱\n', script: 'pods: exit 1 after 5s\n', cursor: 41, title: 'Two words' };

describe('a link', () => {
  test('holds the whole session', async () => {
    expect(await decode(await encode(session))).toEqual(session);
    expect(await decode(`#${await encode(session)}`)).toEqual(session);
  });

  test('holds both lanes', async () => {
    const both: Session = { ...session, beside: { lane: 'left', session: { ...session, title: 'The other' } } };
    expect(await decode(await encode(both))).toEqual(both);
  });

  test('is made of letters that a link may have', async () => {
    expect(await encode({ ...session, manifest: 'x'.repeat(5000) + session.manifest })).toMatch(/^1\.[\w-]+$/);
  });

  test('that was cut is refused with a reason', async () => {
    const whole = await encode(session);
    await expect(decode(whole.slice(0, -12))).rejects.toThrow('damaged');
    await expect(decode('nothing')).rejects.toThrow('incomplete');
  });

  test('of a later version is refused with a reason', async () => {
    await expect(decode('#2.abc')).rejects.toThrow('newer version');
  });
});

test('a file that is no session is refused', () => {
  expect(() => read('{"manifest": "kind: Job"}')).toThrow('is missing');
  expect(() => read(JSON.stringify({ ...session, beside: { lane: 'left' } }))).toThrow('not a playground session');
  expect(() => read('3')).toThrow('not a playground session');
});
