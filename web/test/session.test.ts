/** Links: what is in them comes out of them, and what cannot be read is reported. */
import { deflateRawSync } from 'node:zlib';
import { afterEach, describe, expect, test, vi } from 'vitest';

import { decode, encode, read, type Session } from '../src/session.ts';

const session: Session = { version: 1, manifest: 'kind: Job # ünïcode ⏱\n', script: 'pods: exit 1 after 5s\n', cursor: 41, title: 'Two words' };

afterEach(() => vi.unstubAllGlobals());

/** How many bytes have been unpacked since this was called. */
function countUnpacked(): () => number {
  let count = 0;
  const Real = DecompressionStream;
  vi.stubGlobal('DecompressionStream', class {
    readonly writable: WritableStream<BufferSource>;
    readonly readable: ReadableStream<Uint8Array>;

    constructor(format: CompressionFormat) {
      const { writable, readable } = new Real(format);
      this.writable = writable;
      this.readable = readable.pipeThrough(new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          count += chunk.length;
          controller.enqueue(chunk);
        },
      }));
    }
  });
  return () => count;
}

describe('a link', () => {
  test('holds the whole session', async () => {
    expect(await decode(await encode(session))).toEqual(session);
    expect(await decode(`#${await encode(session)}`)).toEqual(session);
  });

  test('holds both lanes', async () => {
    const both: Session = { ...session, beside: { lane: 'left', session: { ...session, title: 'The other' } } };
    expect(await decode(await encode(both))).toEqual(both);
  });

  test('holds a draft that cannot be played, and the exact time', async () => {
    const both: Session = { ...session, draft: 'spec: [', at: 12_345, beside: { lane: 'right', session: { ...session, draft: 'kind: [', at: 12_345 } } };
    expect(await decode(await encode(both))).toEqual(both);
  });

  test('of an older version of the page, without a draft and a time, is read', async () => {
    const old = deflateRawSync('{"version":1,"manifest":"kind: Job","script":"","cursor":7}').toString('base64url');
    expect(await decode(`#1.${old}`)).toEqual({ version: 1, manifest: 'kind: Job', script: '', cursor: 7 });
  });

  test('that would unpack to far more than any session is given up early', async () => {
    const unpacked = countUnpacked();
    const packed = deflateRawSync(Buffer.alloc(60_000_000, 'x'));
    await expect(decode(`#1.${packed.toString('base64url')}`)).rejects.toThrow('more than 2 MB');
    expect(unpacked()).toBeGreaterThan(2_000_000);
    expect(unpacked()).toBeLessThan(3_000_000);
  });

  test('that is longer than any session is not unpacked', async () => {
    const unpacked = countUnpacked();
    await expect(decode(`#1.${'A'.repeat(10_000_000)}`)).rejects.toThrow('more than 2 MB');
    expect(unpacked()).toBe(0);
  });

  test('is not made of a session that it cannot hold', async () => {
    await expect(encode({ ...session, manifest: 'x'.repeat(3_000_000) })).rejects.toThrow('This session is 3.0 MB');
  });

  test('is made of letters that a link may have', async () => {
    expect(await encode({ ...session, manifest: 'x'.repeat(5000) + session.manifest })).toMatch(/^1\.[\w-]+$/);
  });

  test('that was cut is refused with a reason', async () => {
    const whole = await encode(session);
    await expect(decode(whole.slice(0, -12))).rejects.toThrow('damaged');
    await expect(decode('nothing')).rejects.toThrow('incomplete');
    await expect(decode(`1.${deflateRawSync('{"manifest').toString('base64url')}`)).rejects.toThrow('damaged');
  });

  test('of a later version is refused with a reason', async () => {
    await expect(decode('#2.abc')).rejects.toThrow('newer version');
    expect(() => read(JSON.stringify({ ...session, version: 2 }))).toThrow('newer version');
  });
});

test('a file that is no session is refused', () => {
  expect(() => read('{"manifest": "kind: Job"}')).toThrow('is missing');
  expect(() => read(JSON.stringify({ ...session, beside: { lane: 'left' } }))).toThrow('not a playground session');
  expect(() => read('3')).toThrow('not a playground session');
});
