/** Where something failed: a pod, or a container that restarts in its pod. */

export interface Failure {
  step: number;
  /** The key of the row in which it is. */
  row: string;
}

/** All failures of a play, the first of each step; they come in the order of their steps. */
export class Failures {
  private readonly all: Failure[] = [];

  add(failure: Failure): void {
    if (this.all.at(-1)?.step !== failure.step) this.all.push(failure);
  }

  get any(): boolean {
    return this.all.length > 0;
  }

  /** The first one after a step. */
  after(step: number): Failure | undefined {
    return this.all[this.upTo(step)];
  }

  /** The last one before a step. */
  before(step: number): Failure | undefined {
    return this.all[this.upTo(step - 1) - 1];
  }

  /** How many are not after a step. */
  private upTo(step: number): number {
    let [low, high] = [0, this.all.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.all[middle]?.step ?? 0) <= step) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
