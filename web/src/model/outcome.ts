/** The outcomes of a play in words, with their times by its clock. */
import type { Outcome } from '../protocol.ts';
import type { Clock } from './clock.ts';
import type { Named } from './names.ts';
import { rendered, timed } from './sentence.ts';
import type { Story } from './story.ts';

export interface ObjectOutcome extends Pick<Outcome, 'kind' | 'state'> {
  object: Named;
  facts: string[];
  decided: { question: string; step: number } | null;
}

/** An outcome of a session that begins at a moment. */
export function worded({ kind, namespace, name, state, facts, decided }: Outcome, clock: Clock, start: number): ObjectOutcome {
  const words = (parts: Outcome['facts'][number]): string => rendered(timed(parts, clock, start));
  return { kind, object: { namespace, name }, state, facts: facts.map(words), decided: decided && { question: words(decided.question), step: decided.step } };
}

/** The step that decided the first of the outcomes; if none did, the one in which most was decided. */
export function decisive(story: Story): number {
  return story.outcomes.find(({ decided }) => decided !== null)?.decided?.step ?? story.interesting();
}
