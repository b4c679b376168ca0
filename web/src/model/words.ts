/** One line of plain English for each thing that happened. */
import type { Entry, PodEntry, Step } from '../protocol.ts';
import type { Named, Names } from './names.ts';
import { rendered } from './sentence.ts';
import { spoken } from './time.ts';

/** What is to be known of a play to write of it: when it begins, in milliseconds of the epoch, and which Jobs there are. */
export interface Setting {
  start: number;
  names: Names;
}

/** By which mark a decision is known. */
export const MARKS = { action: '●', wait: '○', routine: '·' } as const;

/** What an entry says, without its time; with the object that it is about as soon as there is more than one Job. */
export function line(entry: Entry, { start, names }: Setting): string {
  const about = (kind: string, object: Named): string => (names.several ? `${kind} ${names.of(object)}: ` : '');
  switch (entry.type) {
    case 'decision':
      return `${about(entry.about.kind, entry.about)}${rendered(entry.parts, start)}`;
    case 'job':
      return `Job ${names.of({ namespace: entry.namespace, name: entry.job })}: ${entry.change}`;
    case 'pod':
      return entry.job === '' ? pod(entry, names.of({ namespace: entry.namespace, name: entry.pod })) : `${about('Job', { namespace: entry.namespace, name: entry.job })}${pod(entry, entry.pod)}`;
    case 'request':
      return `${about(entry.about.kind, entry.about)}${entry.method} ${entry.path}: ${entry.outcome}`;
    case 'event':
      return `${about(entry.regarding.kind, entry.regarding)}Event ${entry.reason}: ${entry.message}`;
    case 'complaint':
      return entry.message;
  }
}

function pod(entry: PodEntry, name: string): string {
  const after = entry.found ? '' : ` after ${spoken(Date.parse(entry.at) - Date.parse(entry.createdAt))}`;
  const code = entry.exitCode === undefined ? '' : ` with exit code ${entry.exitCode}`;
  switch (entry.state) {
    case 'Pending':
      return `Pod ${name} is created${entry.index === undefined ? '' : ` for index ${entry.index}, attempt ${entry.attempt}`}`;
    case 'Running':
      return `Pod ${name} runs`;
    case 'Ready':
      return `Pod ${name} runs and is ready`;
    case 'Restarted':
      return `Pod ${name}: ${(entry.starts ?? []).map((start) => `start ${start.number} of container ${start.container}`).join(', ')}`;
    case 'Terminating':
      return `Pod ${name} is being deleted`;
    case 'Succeeded':
      return `Pod ${name} succeeded${after}`;
    case 'Failed':
      return `Pod ${name} failed${code}${after}${entry.reason ? `: ${entry.reason}` : ''}`;
    case 'Gone':
      return `Pod ${name} is gone`;
  }
}

/** What a step is called where there is no room for all of it. */
export function headline(step: Step, setting: Setting): string {
  const [first, ...others] = step.entries.filter((entry) => entry.type !== 'request' && !(entry.type === 'decision' && entry.minor));
  const entry = first ?? step.entries[0];
  if (!entry) return step.kind === 'plan' ? 'The controllers look, and leave everything as it is' : 'Nothing that can be seen';
  return others.length > 0 ? `${line(entry, setting)}, and ${others.length} more` : line(entry, setting);
}

/** The stable word of a decision, `BacksOffIndex`, in words: `backs off index`. */
export function spelled(code: string): string {
  return code.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
}
