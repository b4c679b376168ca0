/** Where a second play stands when the page shows a step of the first: at the same time, and in the same place of the same moment. */
import type { Story } from './story.ts';

/** The step of the second play that belongs to a step of the first at the current time. */
export function aligned(first: Story, step: number, at: number, second: Story): number {
  const last = second.stepAt(at);
  return step === first.stepAt(at) ? last : Math.min(last, second.firstAt(at) + step - first.firstAt(at));
}
