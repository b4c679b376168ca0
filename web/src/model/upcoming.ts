/** What comes next after a step: a time, or else an event. */
import type { Due } from '../protocol.ts';
import type { Clock } from './clock.ts';
import { rendered } from './sentence.ts';
import type { Story } from './story.ts';
import { spoken } from './time.ts';

/** When the controllers reconcile again if nothing happens before, and why. */
function reconciles({ at, reason }: Due, now: number, clock: Clock): string {
  return at > now ? `Reconciles again at ${clock.show(at)}, in ${spoken(at - now)}: ${reason}` : `Reconciles immediately: ${reason}`;
}

/** What comes next after a step, if known: a time, another step of the same moment, or what has to happen first. */
export function upcoming(story: Story, step: number, now: number): string {
  const due = story.waitsAfter(step);
  if (due) return reconciles(due, now, story.clock);
  const [here, next] = [story.steps[step], story.steps[step + 1]];
  if (here?.waits === null) return rendered(here.awaits ?? []);
  return here && here.at === next?.at ? 'The next step happens at the same time.' : '';
}
