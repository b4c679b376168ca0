/** One line of plain English for each thing that happened. */
import type { Entry, PodEntry, Step } from '../protocol.ts';
import { spoken } from './time.ts';

/** What an entry says, without its time. */
export function line(entry: Entry): string {
  switch (entry.type) {
    case 'decision':
      return entry.sentence;
    case 'job':
      return `Job ${entry.job}: ${entry.change}`;
    case 'pod':
      return pod(entry);
    case 'request':
      return `${entry.method} ${entry.path}: ${entry.outcome}`;
    case 'event':
      return `Event ${entry.reason}: ${entry.message}`;
    case 'complaint':
      return entry.message;
  }
}

function pod(entry: PodEntry): string {
  const after = entry.found ? '' : ` after ${spoken(Date.parse(entry.at) - Date.parse(entry.createdAt))}`;
  const code = entry.exitCode === undefined ? '' : ` with exit code ${entry.exitCode}`;
  switch (entry.state) {
    case 'Pending':
      return `Pod ${entry.pod} is created${entry.index === undefined ? '' : ` for index ${entry.index}, attempt ${entry.attempt}`}`;
    case 'Running':
      return `Pod ${entry.pod} runs`;
    case 'Ready':
      return `Pod ${entry.pod} runs and is ready`;
    case 'Restarted':
      return `Pod ${entry.pod}: ${(entry.starts ?? []).map((start) => `start ${start.number} of container ${start.container}`).join(', ')}`;
    case 'Terminating':
      return `Pod ${entry.pod} is being deleted`;
    case 'Succeeded':
      return `Pod ${entry.pod} succeeded${after}`;
    case 'Failed':
      return `Pod ${entry.pod} failed${code}${after}${entry.reason ? `: ${entry.reason}` : ''}`;
    case 'Gone':
      return `Pod ${entry.pod} is gone`;
  }
}

/** What a step is called where there is no room for all of it. */
export function headline(step: Step): string {
  const [first, ...others] = step.entries.filter((entry) => entry.type !== 'request' && !(entry.type === 'decision' && entry.minor));
  const entry = first ?? step.entries[0];
  if (!entry) return step.kind === 'plan' ? 'The controllers look, and leave everything as it is' : 'Nothing that can be seen';
  return others.length > 0 ? `${line(entry)}, and ${others.length} more` : line(entry);
}
