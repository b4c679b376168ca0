/** The reasons of a step as a paragraph that can be put into an issue. */
import { clock } from '../model/time.ts';
import { line } from '../model/words.ts';
import type { Due, Step } from '../protocol.ts';

export function paragraph(step: Step, waits: Due | null): string {
  const decisions = step.entries.filter((entry) => entry.type === 'decision');
  const told = decisions.filter((decision) => !decision.minor);
  const said = (told.length > 0 ? told : decisions).map((decision) => `${decision.acts ? '●' : '○'} ${line(decision)} (${decision.rule})`);
  const happened = step.entries.filter((entry) => entry.type !== 'decision' && entry.type !== 'request').map((entry) => `- ${line(entry)}`);
  const refused = step.entries.filter((entry) => entry.type === 'request' && entry.outcome !== 'done').map((entry) => `- ${line(entry)}`);
  const due = waits ? [`Waits until ${clock(waits.at)}: ${waits.because}`] : [];
  return [`At ${clock(step.at)}:`, ...said, ...happened, ...refused, ...due].join('\n');
}
