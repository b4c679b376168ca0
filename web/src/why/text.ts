/** The reasons of a step as a paragraph that can be put into an issue. */
import { clock } from '../model/time.ts';
import { line, MARKS, type Setting } from '../model/words.ts';
import type { Due, Step } from '../protocol.ts';

export function paragraph(step: Step, waits: Due | null, setting: Setting): string {
  const decisions = step.entries.filter((entry) => entry.type === 'decision');
  const main = decisions.filter((decision) => !decision.minor);
  const reasons = (main.length > 0 ? main : decisions).map((decision) => `${MARKS[decision.role]} ${line(decision, setting)} (${decision.rule})`);
  const happened = step.entries.filter((entry) => entry.type !== 'decision' && entry.type !== 'request').map((entry) => `- ${line(entry, setting)}`);
  const refused = step.entries.filter((entry) => entry.type === 'request' && entry.outcome !== 'done').map((entry) => `- ${line(entry, setting)}`);
  const due = waits ? [`Waits until ${clock(waits.at)}: ${waits.reason}`] : [];
  return [`At ${clock(step.at)}:`, ...reasons, ...happened, ...refused, ...due].join('\n');
}
