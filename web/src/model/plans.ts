/** The steps with decisions, by object. */
import type { DecisionEntry } from '../protocol.ts';
import { key, type Named } from './names.ts';
import type { Story } from './story.ts';

export class Plans {
  private readonly byObject = new Map<string, number[]>();

  constructor(private readonly story: Story) {
    for (const [step, { kind, object }] of story.steps.entries()) {
      if (kind !== 'plan' || !object) continue;
      const id = `${object.kind} ${key(object)}`;
      const known = this.byObject.get(id);
      if (known) known.push(step);
      else this.byObject.set(id, [step]);
    }
  }

  /** All steps, in order. */
  of(kind: string, object: Named): number[] {
    return this.byObject.get(`${kind} ${key(object)}`) ?? [];
  }

  /** What was decided in a step. */
  decisions(step: number): DecisionEntry[] {
    return (this.story.steps[step]?.entries ?? []).filter((entry) => entry.type === 'decision');
  }
}
