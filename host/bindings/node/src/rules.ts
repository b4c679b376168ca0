/**
 * What a caller has to keep to, checked before the component would trap or take a call for something else.
 *
 * Docs: `crates/component/wit/controllers.wit`, `event`, `part` and `report`.
 */
import { UsageError } from './errors.js';
import type { ApiResource, Event, Listing, Plan, Report } from './types.js';

/** What one instance watches, which lists have begun, and which plans are in flight. */
export class Rules {
  private readonly kinds: Set<string>;
  /** The kinds whose list has begun and not ended. */
  private readonly begun = new Set<string>();
  /** The plans whose outcomes are to be reported. */
  private readonly inFlight = new Map<bigint, Plan>();
  /** The largest number of a plan so far: plans are numbered in ascending order. */
  private last = -1n;

  constructor(resources: ApiResource[]) {
    this.kinds = new Set(resources.map(({ kind }) => kind));
  }

  /** Remembers a plan whose outcomes are to be reported: one without commands is over when it is handed out. */
  handedOut(plan: Plan): void {
    this.last = plan.id;
    if (commands(plan) > 0) {
      this.inFlight.set(plan.id, plan);
    }
  }

  /** Refuses a plan that does not wait for its outcomes: its number alone may be that of a plan from before a restart. */
  expect(plan: Plan): void {
    if (this.inFlight.get(plan.id) !== plan) {
      throw this.refusal(plan.id);
    }
  }

  /** Refuses an event that breaks a rule. */
  check(event: Event): void {
    switch (event.tag) {
      case 'changed':
        return this.checkKind(event.val.val.kind);
      case 'listed':
        return this.checkListing(event.val);
      case 'finished':
        return this.checkReport(event.val);
    }
  }

  /** Remembers an event that was handled. */
  record(event: Event): void {
    if (event.tag === 'finished') {
      this.inFlight.delete(event.val.plan);
    } else if (event.tag === 'listed' && event.val.part === 'first') {
      this.begun.add(event.val.kind);
    } else if (event.tag === 'listed' && event.val.part !== 'middle') {
      this.begun.delete(event.val.kind);
    }
  }

  private checkKind(kind: string): void {
    if (!this.kinds.has(kind)) {
      const kinds = [...this.kinds].join(', ');
      throw new UsageError(`the controllers do not watch the kind ${kind}: hand over only what resources() names: ${kinds}`);
    }
  }

  private checkListing({ kind, part }: Listing): void {
    this.checkKind(kind);
    if ((part === 'middle' || part === 'last') && !this.begun.has(kind)) {
      throw new UsageError(`the list of kind ${kind} has not begun: hand over its part 'first' before '${part}'`);
    }
  }

  private checkReport({ plan: id, outcomes }: Report): void {
    const plan = this.inFlight.get(id);
    if (!plan) {
      throw this.refusal(id);
    }
    const wanted = commands(plan);
    if (outcomes.length !== wanted) {
      const rule = 'report one for each, batch by batch, also for those that were skipped';
      throw new UsageError(`plan ${id} has ${wanted} commands, but ${outcomes.length} outcomes were reported: ${rule}`);
    }
  }

  /** Why a plan with this number cannot be reported. */
  private refusal(id: bigint): UsageError {
    const finished = id <= this.last && !this.inFlight.has(id);
    const reason = finished ? 'finished already: report each plan once' : 'not in flight: report only plans of this instance';
    return new UsageError(`plan ${id} is ${reason}`);
  }
}

function commands({ batches }: Plan): number {
  return batches.reduce((sum, batch) => sum + batch.length, 0);
}
