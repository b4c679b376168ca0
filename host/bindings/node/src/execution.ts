/**
 * Carries out plans: batches one after the other, the commands of a batch side by side, and not too many requests at once.
 *
 * Docs: `crates/component/wit/controllers.wit`, `plan`.
 */
import { unanswered, type Cluster } from './cluster.js';
import type { Command, Outcome, Plan } from './types.js';

/** How many requests are under way at once. */
const REQUESTS = 50;

/** What carries out the plans of a loop. */
export class Executor {
  private readonly cluster: Cluster;
  private readonly signal: AbortSignal;
  private places = REQUESTS;
  /** Those who wait for a place. */
  private readonly waiting: (() => void)[] = [];

  /** Commands that have not been sent when the signal is aborted are skipped. */
  constructor(cluster: Cluster, signal: AbortSignal) {
    this.cluster = cluster;
    this.signal = signal;
  }

  /** Carries out a plan, and answers with one outcome for each command, batch by batch. */
  async execute({ batches }: Plan): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    let held = false;
    for (const batch of batches) {
      const sent = await Promise.all(batch.map((command) => (held ? SKIPPED : this.send(command))));
      held ||= sent.some((outcome, index) => outcome.tag === 'failed' && !batch[index]?.tolerates.includes(outcome.val.code));
      outcomes.push(...sent);
    }
    return outcomes;
  }

  private async send(command: Command): Promise<Outcome> {
    await this.place();
    try {
      return this.signal.aborted ? SKIPPED : await this.cluster.send(command);
    } catch (error) {
      return unanswered(error);
    } finally {
      this.places += 1;
      this.waiting.shift()?.();
    }
  }

  /** Takes a place as soon as one is free. */
  private async place(): Promise<void> {
    while (this.places === 0) {
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
    this.places -= 1;
  }
}

const SKIPPED: Outcome = { tag: 'skipped' };
