/**
 * The controllers: what happened goes in, and what to do about it and why comes out.
 *
 * Docs: `crates/component/wit/controllers.wit`. What a caller has to keep to is checked in `rules.ts`; `loop.ts` does all that for a cluster.
 */
import { compile, type ComponentBytes } from './component.js';
import { ConfigError, ExplainError, Lost, Malformed, UsageError } from './errors.js';
import { Instance } from './instance.js';
import { elements, text, type KubernetesObject } from './json.js';
import { Rules } from './rules.js';
import { timestamp, type Time } from './timestamps.js';
import type * as types from './types.js';

/** A configuration: see `Manager.configure` for its members. */
export type Configuration = Readonly<Record<string, unknown>>;

/** What to make controllers of. */
export interface Options {
  /** A component with the same interface, or what `compile` made of one. The one in this package is taken unless it is given. */
  component?: ComponentBytes | WebAssembly.Module | undefined;
}

/** What `listed` takes beside the objects. */
export interface ListOptions {
  /** Which part of the list it is; `whole` unless it is given. */
  part?: types.Part;
  /** The time; the present unless it is given. */
  now?: Time;
}

/** A resource, as `resources()` names it, or its kind alone: `'Job'`. */
export type Resource = types.ApiResource | string;

/** The object that `explain` is asked about: without a UID, any object of this name. */
export type Explained = Omit<types.ObjectRef, 'uid'> & { uid?: string };

/**
 * A controller manager. All its methods are synchronous, and none calls back: there is nothing to lock.
 *
 * Controllers belong to the thread that made them: `postMessage` refuses them, and each worker makes its own. Every method throws {@link Lost} when
 * the component traps, and from then on until `restart`.
 */
export class Controllers {
  private readonly module: WebAssembly.Module;
  private configuration: string;
  // An ordinary member: structured clones refuse it, but would leave out one that is private to JavaScript without a word.
  private instance!: Instance;
  private rules!: Rules;
  private lost: Lost | undefined;
  private closed = false;

  private constructor(module: WebAssembly.Module, configuration: string) {
    this.module = module;
    this.configuration = configuration;
    this.restart();
  }

  /**
   * Makes controllers with a configuration, whose members may all be left out.
   *
   * @throws {@link ConfigError} if it is refused.
   */
  static async create(configuration: Configuration = {}, { component }: Options = {}): Promise<Controllers> {
    const module = component instanceof WebAssembly.Module ? component : await compile(component);
    return new Controllers(module, text(configuration));
  }

  /**
   * Forgets everything, and begins again with another configuration: hand over lists again.
   *
   * @throws {@link ConfigError} if it is refused; nothing has changed then.
   */
  configure(configuration: Configuration | string): void {
    const json = text(configuration);
    this.call(
      (manager) => manager.configure(json),
      (message) => new ConfigError(message as string),
    );
    this.configuration = json;
    this.rules = new Rules(this.resources());
  }

  /** What to list and watch, in the order in which to list it. */
  resources(): types.ApiResource[] {
    return this.call((manager) => manager.resources());
  }

  /**
   * Hands over all objects of a resource, or a part of them.
   *
   * @param resourceVersion - The `metadata.resourceVersion` of the list itself.
   * @throws {@link Malformed} if an object is malformed: all others are handled.
   */
  listed(resource: Resource, objects: Iterable<KubernetesObject>, resourceVersion: string, options: ListOptions = {}): void {
    const { part = 'whole', now = new Date() } = options;
    const kind = kindOf(resource);
    const texts = elements('objects', objects).map(text);
    this.handle({ tag: 'listed', val: { kind, part, resourceVersion, objects: texts } }, now);
  }

  /**
   * Hands over an object that was added or modified.
   *
   * @throws {@link Malformed} if it is malformed.
   */
  applied(resource: Resource, object: KubernetesObject, now: Time = new Date()): void {
    this.handle({ tag: 'changed', val: { tag: 'applied', val: { kind: kindOf(resource), json: text(object) } } }, now);
  }

  /**
   * Hands over the last state of an object that is gone.
   *
   * @throws {@link Malformed} if it is malformed.
   */
  deleted(resource: Resource, object: KubernetesObject, now: Time = new Date()): void {
    this.handle({ tag: 'changed', val: { tag: 'deleted', val: { kind: kindOf(resource), json: text(object) } } }, now);
  }

  /**
   * Reports what came of a plan: one outcome for each of its commands, batch by batch. A plan without commands is over anyway.
   *
   * @param plan - The very plan that was handed out, not a copy.
   */
  finished(plan: types.Plan, outcomes: types.Outcome[], now: Time = new Date()): void {
    outcomes = elements('outcomes', outcomes);
    if (outcomes.length > 0 || plan.batches.some((batch) => batch.length > 0)) {
      this.call(() => this.rules.expect(plan));
      this.handle({ tag: 'finished', val: { plan: plan.id, outcomes } }, now);
    }
  }

  /**
   * Handles an event, in the component's own form.
   *
   * @throws {@link Malformed} if an object in it is malformed: everything else is handled.
   */
  handle(event: types.Event, now: Time = new Date()): void {
    const at = timestamp(now);
    this.call(
      (manager) => {
        this.rules.check(event);
        manager.handle(event, at);
        this.rules.record(event);
      },
      (malformed) => {
        // A list with a malformed object in it is a list, too.
        this.rules.record(event);
        return new Malformed(malformed as types.Malformed);
      },
    );
  }

  /** The next plan that is due; `undefined` if there is no more to do at this time. */
  nextPlan(now: Time = new Date()): types.Plan | undefined {
    const at = timestamp(now);
    const plan = this.call((manager) => manager.nextPlan(at));
    if (plan) {
      this.rules.handedOut(plan);
    }
    return plan;
  }

  /** All plans that are due, each made when it is asked for. */
  *plans(now: Time = new Date()): Generator<types.Plan, void, undefined> {
    for (let plan = this.nextPlan(now); plan; plan = this.nextPlan(now)) {
      yield plan;
    }
  }

  /** When to ask for plans again if nothing else happens, and why; `undefined`: never. */
  wakeup(): types.Wakeup | undefined {
    return this.call((manager) => manager.nextWakeup());
  }

  /**
   * What an object is stuck on, what is decided about it at this moment, and what comes next. It changes nothing.
   *
   * `warnings` are the Events of type `Warning` about it and about objects that belong to it, as JSON text, if you have read them.
   *
   * @throws {@link ExplainError} if no controller knows the object, or something is not listed yet.
   */
  explain(object: Explained, now: Time = new Date(), warnings: string[] = []): types.Explanation {
    const at = timestamp(now);
    return this.call(
      (manager) => manager.explain({ uid: '', ...object }, warnings, at),
      (message) => new ExplainError(message as string),
    );
  }

  /** All that was counted since the controllers were made, configured or restarted, sorted by name. */
  metrics(now: Time = new Date()): types.Family[] {
    const at = timestamp(now);
    return this.call((manager) => manager.metrics(at));
  }

  /** All kinds of decisions that there are, by code. */
  decisionKinds(): types.DecisionKind[] {
    return this.call((manager) => manager.decisionKinds());
  }

  /** What this component is, and what it follows. */
  about(): types.Versions {
    return this.call((manager) => manager.about());
  }

  /** Forgets everything, and begins again with another instance and the same configuration: hand over lists again. */
  restart(): void {
    this.refuseClosed();
    this.instance = new Instance(this.module);
    this.lost = undefined;
    this.configure(this.configuration);
  }

  /** Gives the instance and its memory up. */
  close(): void {
    this.closed = true;
    this.instance = undefined as never;
  }

  /** Calls the component; `refusal` makes an error of what a `result` has as its own. */
  private call<T>(question: (manager: types.Manager) => T, refusal?: (error: unknown) => Error): T {
    this.refuseClosed();
    if (this.lost) {
      throw this.lost;
    }
    try {
      return question(this.instance.manager);
    } catch (error) {
      if (!(error instanceof Error)) {
        throw refusal?.(error) ?? error;
      }
      // A value of the wrong type is refused with a TypeError before the component is entered.
      if (error instanceof UsageError || error instanceof TypeError) {
        throw error;
      }
      this.lost = new Lost(this.instance.panic(), error);
      throw this.lost;
    }
  }

  private refuseClosed(): void {
    if (this.closed) {
      throw new UsageError('the controllers are closed: create new ones with Controllers.create()');
    }
  }
}

function kindOf(resource: Resource): string {
  return typeof resource === 'string' ? resource : resource.kind;
}
