/**
 * Carries out plans: batches one after the other, the commands of a batch in parallel, and not too many requests at once.
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
  private readonly failed: (error: Error) => void;
  private readonly signal: AbortSignal;
  private places = REQUESTS;
  /** Those who wait for a place. */
  private readonly waiting: (() => void)[] = [];

  /**
   * @param failed - Takes why a command has no answer.
   * @param signal - Commands that have not been sent when it is aborted are skipped.
   */
  constructor(cluster: Cluster, failed: (error: Error) => void, signal: AbortSignal) {
    this.cluster = cluster;
    this.failed = failed;
    this.signal = signal;
  }

  /** Carries out a plan, and returns one outcome for each command, batch by batch. */
  async execute({ batches }: Plan): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    const before: boolean[] = [];
    for (const batch of batches) {
      const sent = await Promise.all(batch.map((command) => (mayRun(command, before) ? this.send(command) : SKIPPED)));
      before.push(...batch.map((command, index) => succeeded(command, sent[index])));
      outcomes.push(...sent);
    }
    return outcomes;
  }

  private async send(command: Command): Promise<Outcome> {
    await this.place();
    try {
      return this.signal.aborted ? SKIPPED : checked(await this.cluster.send(command));
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      this.failed(new Error(`${command.method} ${command.path}: ${reason}`, { cause }));
      return unanswered(cause);
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
const TAGS: unknown[] = ['done', 'failed', 'skipped'] satisfies Outcome['tag'][];

/** Whether all that a command depends on succeeded; `before` has whether each command of the batches before its own did. */
function mayRun({ after }: Command, before: boolean[]): boolean {
  return after === undefined ? before.every(Boolean) : before[after] === true;
}

/** Whether the outcome of a command lets those that depend on it run. */
function succeeded({ tolerates }: Command, outcome: Outcome | undefined): boolean {
  return outcome?.tag === 'done' || (outcome?.tag === 'failed' && tolerates.includes(outcome.val.code));
}

/** The answer, if it is an outcome: no compiler checks clusters that are written in JavaScript. */
function checked(answer: Outcome): Outcome {
  if (!TAGS.includes(answer?.tag)) {
    throw new TypeError('send() did not answer with an outcome: return outcome(status, body)');
  }
  return answer;
}
