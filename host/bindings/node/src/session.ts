/**
 * One life of the controllers in a loop: from their first lists until they are lost, or the loop ends.
 *
 * Docs: `crates/component/wit/controllers.wit`, "What a host does". What the cluster shows comes from `reflector.ts`; plans are carried out in `execution.ts`.
 */
import type { Cluster } from './cluster.js';
import type { Controllers } from './controllers.js';
import { Malformed } from './errors.js';
import { Executor } from './execution.js';
import type { LoopOptions } from './loop.js';
import { Notices } from './notices.js';
import { reflect } from './reflector.js';
import { sleep } from './sleep.js';
import { date } from './timestamps.js';
import type { ApiResource, Event, Plan } from './types.js';

/** How many plans are carried out in parallel. */
const PLANS = 20;
/** How long requests that are under way are waited for in the end, in milliseconds. */
const FINISHING = 4000;

/** Drives controllers that have just been restarted. */
export class Session {
  private readonly controllers: Controllers;
  private readonly cluster: Cluster;
  private readonly options: Required<LoopOptions>;
  private readonly resources: ApiResource[];
  private readonly notices: Notices;
  private readonly executor: Executor;
  /** The plans that are being carried out, by number. */
  private readonly executing = new Map<bigint, Promise<void>>();
  /** Ends reflectors and requests. */
  private readonly over = new AbortController();
  /** Why it ends, unless that is asked for. */
  private failure: unknown;
  /** Ends the pause in which nothing is due. */
  private pause = new AbortController();
  /** Reports what is tried again. */
  private readonly report = (error: Error): void => this.attempt(() => this.options.onError(error));

  constructor(controllers: Controllers, cluster: Cluster, options: Required<LoopOptions>) {
    this.controllers = controllers;
    this.cluster = cluster;
    this.options = options;
    this.resources = controllers.resources();
    this.notices = new Notices(cluster, this.resources);
    this.executor = new Executor(cluster, this.report, this.over.signal);
  }

  /** Drives the controllers until the signal is aborted, or something goes wrong that cannot be tried again: that is thrown. */
  async run(signal: AbortSignal): Promise<void> {
    const end = (): void => this.end();
    signal.addEventListener('abort', end);
    try {
      void this.reflect();
      while (!this.over.signal.aborted) {
        this.pause = new AbortController();
        this.begin();
        await sleep(this.idle(), this.pause.signal);
        // Plans are made from the newest state: what arrives together is handled first.
        await sleep(0, this.over.signal);
      }
    } finally {
      signal.removeEventListener('abort', end);
      this.end();
      await this.finish();
    }
    if (this.failure) {
      throw this.failure;
    }
  }

  /** Begins to list and watch each resource when the one before has been listed. */
  private async reflect(): Promise<void> {
    const take = (event: Event): void => this.handle(event);
    for (const resource of this.resources) {
      await new Promise<void>((listed) => {
        void reflect(this.cluster, resource, { take, interrupted: this.report, listed }, this.over.signal);
      });
    }
  }

  /** Begins to carry out what is due. */
  private begin(): void {
    while (this.executing.size < PLANS) {
      const plan = this.controllers.nextPlan();
      if (!plan) {
        return;
      }
      this.options.onPlan(plan);
      this.notices.record(plan.notices);
      if (plan.batches.some((batch) => batch.length > 0)) {
        this.executing.set(plan.id, this.execute(plan));
      }
    }
  }

  private async execute(plan: Plan): Promise<void> {
    const outcomes = await this.executor.execute(plan);
    this.executing.delete(plan.id);
    this.attempt(() => this.controllers.finished(plan, outcomes));
  }

  /** How long nothing is due, in milliseconds: forever if the end of a plan has to be waited for. */
  private idle(): number {
    const wakeup = this.executing.size < PLANS ? this.controllers.wakeup() : undefined;
    return wakeup ? date(wakeup.at).getTime() + 1 - Date.now() : Infinity;
  }

  private handle(event: Event): void {
    this.attempt(() => {
      try {
        this.controllers.handle(event);
      } catch (error) {
        if (!(error instanceof Malformed)) {
          throw error;
        }
        this.options.onError(error);
      }
    });
  }

  /** Does something unless the session is over, which a failure causes; then plans are asked for again. */
  private attempt(action: () => void): void {
    if (this.over.signal.aborted) {
      return;
    }
    try {
      action();
    } catch (error) {
      this.failure = error;
      this.over.abort();
    }
    this.pause.abort();
  }

  private end(): void {
    this.over.abort();
    this.pause.abort();
  }

  private async finish(): Promise<void> {
    const timer = new AbortController();
    await Promise.race([Promise.all(this.executing.values()), sleep(FINISHING, timer.signal)]);
    timer.abort();
  }
}
