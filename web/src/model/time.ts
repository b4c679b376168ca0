/** Virtual time in words: clocks and lengths. */

/** `0:12`, `0:12.3`, `1:00:00`, `2d 1:00:00`: time since the start; `5:00 before the start`. */
export function clock(milliseconds: number): string {
  if (milliseconds < 0) return `${clock(-milliseconds)} before the start`;
  const tenths = Math.floor(milliseconds / 100) % 10;
  const seconds = Math.floor(milliseconds / 1000);
  const [days, hours, minutes] = [Math.floor(seconds / 86_400), Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60];
  const two = (number: number): string => String(number).padStart(2, '0');
  const text = days + hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
  return `${days > 0 ? `${days}d ` : ''}${text}${tenths > 0 ? `.${tenths}` : ''}`;
}

/** `4d 7:30:00 after the start`. */
export function since(milliseconds: number): string {
  return `${clock(milliseconds)} after the start`;
}

/** A length of time in the words of the script language: `1m30s`, `12.345s`, `500ms`. */
export function length(milliseconds: number): string {
  if (milliseconds > 0 && milliseconds < 1000) return `${milliseconds}ms`;
  const hours = Math.floor(milliseconds / 3_600_000);
  const minutes = Math.floor(milliseconds / 60_000) % 60;
  const seconds = (milliseconds % 60_000) / 1000;
  const parts = [hours > 0 ? `${hours}h` : '', minutes > 0 ? `${minutes}m` : '', seconds > 0 ? `${seconds}s` : ''];
  return parts.join('') || '0s';
}

const CLOCK = /^(?:(\d{1,6})d)?(?:(\d{1,6}):)?(\d{1,6}):(\d{2})(\.\d{1,3})?$/;
const LENGTH = /^(?:(\d{1,6})d)?(?:(\d{1,6})h)?(?:(\d{1,6})m)?(?:(\d{1,9}(?:\.\d{1,3})?)s)?(?:(\d{1,9})ms)?$/;

/** A typed time, as a clock or a script writes it, in milliseconds since the start: `0:12.5`, `1:00:00`, `2d 1:00:00`, `12s`, `1h30m`; null if it is not one. */
export function timeOf(text: string): number | null {
  const typed = text.replace(/\s/g, '');
  const of = (...units: [number | string | undefined, number][]): number => Math.round(units.reduce((sum, [count, unit]) => sum + Number(count ?? 0) * unit, 0));
  const [clocked, days, hours, minutes, seconds, rest] = CLOCK.exec(typed) ?? [];
  if (clocked !== undefined) {
    const possible = Number(seconds) < 60 && (hours === undefined || Number(minutes) < 60);
    return possible ? of([days, 86_400_000], [hours, 3_600_000], [minutes, 60_000], [seconds, 1000], [rest, 1000]) : null;
  }
  const [long, d, h, m, s, ms] = LENGTH.exec(typed) ?? [];
  return long ? of([d, 86_400_000], [h, 3_600_000], [m, 60_000], [s, 1000], [ms, 1]) : null;
}

/** A length of time for people: `2.5 s`, `10 s`, `10 min`, `10 min 5 s`, `3 h 20 min`, `6 days 2 h`. Nobody needs fractions of more than some seconds. */
export function spoken(milliseconds: number): string {
  const length = milliseconds < 10_000 ? Math.round(milliseconds / 100) * 100 : Math.round(milliseconds / 1000) * 1000;
  const two = (large: number, name: string, small: number, unit: string): string => [`${large} ${name}`, ...(small > 0 ? [`${small} ${unit}`] : [])].join(' ');
  const [seconds, minutes, hours] = [1000, 60_000, 3_600_000].map((unit) => Math.floor(length / unit)) as [number, number, number];
  if (hours >= 48) return two(Math.floor(hours / 24), 'days', hours % 24, 'h');
  if (hours >= 2) return two(hours, 'h', minutes % 60, 'min');
  if (length >= 60_000 && length % 60_000 === 0) return `${minutes} min`;
  if (minutes >= 10) return two(minutes, 'min', seconds % 60, 's');
  return `${length / 1000} s`;
}

const SECOND = 1000;
const INTERVALS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14_400, 43_200, 86_400, 604_800, 1_209_600, 2_592_000];

/** The shortest round interval that fits into a length no more than so many times. */
export function interval(length: number, most: number): number {
  return (INTERVALS.find((seconds) => length / (seconds * SECOND) <= most) ?? 31_536_000) * SECOND;
}

/** Where an axis has its marks: between two times, with no more than so many. */
export function ticks(from: number, to: number, most: number): number[] {
  // A clock shows tenths of a second.
  const apart = Math.max(SECOND / 10, interval(to - from, most));
  const first = Math.ceil(from / apart) * apart;
  return Array.from({ length: Math.max(0, Math.floor((to - first) / apart) + 1) }, (_, place) => first + place * apart);
}
