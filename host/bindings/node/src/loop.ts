/**
 * The loop: what a cluster shows goes to the controllers, and what they plan is carried out.
 *
 * Docs: Controllers, "Controller pattern"; `crates/component/wit/controllers.wit`, "What a host does". One life of the controllers is in `session.ts`.
 */
import type { Cluster } from './cluster.js';
import type { Controllers } from './controllers.js';
import { Lost, UsageError } from './errors.js';
import { Session } from './session.js';
import { sleep } from './sleep.js';
import type { Plan } from './types.js';

/** How long to wait before lost controllers begin again, in milliseconds. */
const PAUSE = 1000;

/** What a loop reports. What these functions throw ends the loop. */
export interface LoopOptions {
  /** Takes each plan when it begins to be carried out: its decisions say why. */
  onPlan?: (plan: Plan) => void;
  /** Takes what went wrong and is tried again, or ignored until it changes; `console.error` unless it is given. */
  onError?: (error: Error) => void;
}

/** Drives controllers on a cluster. While it runs, nothing else should hand events to the controllers. */
export class Loop {
  private readonly controllers: Controllers;
  private readonly cluster: Cluster;
  private readonly options: Required<LoopOptions>;
  private running = false;

  /** @throws A `TypeError` if the cluster lacks a method. */
  constructor(controllers: Controllers, cluster: Cluster, { onPlan = () => {}, onError = console.error }: LoopOptions = {}) {
    for (const method of ['list', 'watch', 'send'] as const) {
      if (typeof cluster?.[method] !== 'function') {
        throw new TypeError(`the cluster has no method ${method}: implement list, watch and send`);
      }
    }
    this.controllers = controllers;
    this.cluster = cluster;
    this.options = { onPlan, onError };
  }

  /**
   * Runs until the signal is aborted. The controllers begin with a restart; requests that are under way in the end are waited for, up to 4 s.
   *
   * @throws {@link UsageError} if the loop runs already, or the controllers are closed.
   */
  async run(signal: AbortSignal = new AbortController().signal): Promise<void> {
    if (this.running) {
      throw new UsageError('the loop runs already: make another one, with controllers of its own');
    }
    this.running = true;
    try {
      while (!signal.aborted) {
        await this.live(signal);
      }
    } finally {
      this.running = false;
    }
  }

  /** Drives controllers that know nothing yet, until they are lost or the signal is aborted. */
  private async live(signal: AbortSignal): Promise<void> {
    try {
      this.controllers.restart();
      await new Session(this.controllers, this.cluster, this.options).run(signal);
    } catch (error) {
      if (!(error instanceof Lost)) {
        throw error;
      }
      this.options.onError(error);
      await sleep(PAUSE, signal);
    }
  }
}
