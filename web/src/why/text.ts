/** The reasons of a step as a paragraph that can be put into an issue. */
import { reconciles } from '../model/awaited.ts';
import { clock } from '../model/time.ts';
import type { Due, Step } from '../protocol.ts';

export function paragraph(step: Step, waits: Due | null): string {
  const decisions = step.entries.filter((entry) => entry.type === 'decision');
  const main = decisions.filter((decision) => !decision.minor);
  const reasons = (main.length > 0 ? main : decisions).map((decision) => decision.text);
  const others = step.entries.filter((entry) => entry.type !== 'decision' && !(entry.type === 'request' && entry.outcome === 'done')).map((entry) => `- ${entry.text}`);
  const due = waits ? [reconciles(waits, step.at)] : [];
  return [`At ${clock(step.at)}:`, ...reasons, ...others, ...due].join('\n');
}
