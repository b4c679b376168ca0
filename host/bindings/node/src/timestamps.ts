/** Points in time: JavaScript's `Date` has milliseconds, a `Timestamp` has nanoseconds. */
import { UsageError } from './errors.js';
import { shown } from './json.js';
import type { Timestamp } from './types.js';

/** A point in time, in either form. */
export type Time = Date | Timestamp;

/** The first and last seconds that a component takes. */
const FIRST = -377_705_023_201n;
const LAST = 253_402_207_200n;

/**
 * A point in time as a component takes it.
 *
 * @throws {@link UsageError} if it is not valid, or outside the years that a component knows.
 * @throws A `TypeError` if it is neither a `Date` nor a `Timestamp`.
 */
export function timestamp(time: Time): Timestamp {
  const at = time instanceof Date ? fromDate(time) : time;
  if (at?.seconds === undefined) {
    throw new TypeError(`expected a Date or a Timestamp, received ${shown(time)}`);
  }
  const { seconds, nanoseconds } = at;
  const inRange = typeof seconds === 'bigint' && seconds >= FIRST && seconds <= LAST;
  if (!inRange || !Number.isInteger(nanoseconds) || nanoseconds < 0 || nanoseconds >= 1e9) {
    throw new UsageError(
      `${seconds} s and ${nanoseconds} ns is no time: pass one from -9999-01-02T01:59:59Z to 9999-12-30T22:00:00.999999999Z`,
    );
  }
  return at;
}

/** A point in time as a `Date`, in whole milliseconds, rounded down. */
export function date({ seconds, nanoseconds }: Timestamp): Date {
  return new Date(Number(seconds) * 1000 + Math.floor(nanoseconds / 1e6));
}

/** A point in time as RFC 3339 writes it, in UTC, exactly. */
export function rfc3339(time: Timestamp): string {
  const seconds = date({ seconds: time.seconds, nanoseconds: 0 }).toISOString().slice(0, -'.000Z'.length);
  const digits = String(time.nanoseconds).padStart(9, '0').replace(/0+$/, '');
  return `${seconds}${digits && `.${digits}`}Z`;
}

function fromDate(date: Date): Timestamp {
  const milliseconds = date.getTime();
  if (Number.isNaN(milliseconds)) {
    throw new UsageError('an invalid Date was passed: pass a valid one, or a Timestamp');
  }
  const seconds = Math.floor(milliseconds / 1000);
  return { seconds: BigInt(seconds), nanoseconds: (milliseconds - seconds * 1000) * 1e6 };
}
