/** The reasons of a step as a paragraph that can be put into an issue. */
import type { Clock } from '../model/clock.ts';
import { upcoming } from '../model/upcoming.ts';
import type { Step } from '../protocol.ts';
import type { Tab } from '../state/tab.ts';

/** What comes next after the current step, in one sentence; empty if that is not known. */
export function comesNext(tab: Tab): string {
  tab.version();
  return upcoming(tab.story(), tab.cursor(), tab.at());
}

/** The reasons of the current step. */
export function reasons(tab: Tab): string {
  const step = tab.step();
  return step ? paragraph(step, comesNext(tab), tab.clock()) : '';
}

function paragraph(step: Step, next: string, clock: Clock): string {
  const decisions = step.entries.filter((entry) => entry.type === 'decision');
  const main = decisions.filter((decision) => !decision.minor);
  const sentences = (main.length > 0 ? main : decisions).map((decision) => decision.text);
  const others = step.entries.filter((entry) => entry.type !== 'decision' && !(entry.type === 'request' && entry.outcome === 'done')).map((entry) => `- ${entry.text}`);
  return [`At ${clock.show(step.at)}:`, ...sentences, ...others, ...(next === '' ? [] : [next])].join('\n');
}
