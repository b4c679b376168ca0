/** Why: what was decided in the current step, what came of it, and what the objects are afterwards. */
import { createEffect, createMemo, createSignal, For, type JSX, onCleanup, Show } from 'solid-js';

import { outcomeWords } from '../model/lines.ts';
import { wentWell } from '../model/story.ts';
import { counted, headline, spelled } from '../model/words.ts';
import type { DecisionEntry, Entry, RequestEntry, Step } from '../protocol.ts';
import { Icon } from '../shell/Icon.tsx';
import type { Tab } from '../state/tab.ts';
import type { Workspace } from '../state/workspace.ts';
import { Changes } from './Changes.tsx';
import { Decision } from './Decision.tsx';
import { Objects } from './Objects.tsx';
import { comesNext, reasons } from './text.ts';

interface Props {
  workspace: Workspace;
  tab: Tab;
  /** Shows how the delays of the play grow. */
  onRetries: () => void;
}

export function Why(props: Props) {
  const step = createMemo(() => props.tab.step());
  /** The time comes first: where there is little room, the end is cut. */
  const place = () => `${props.tab.clock().show(step()?.at ?? 0)} · step ${props.tab.cursor() + 1} of ${(props.tab.version(), props.tab.story().steps.length)}`;
  return (
    <section class="why" classList={{ stale: props.tab.stale() !== '' }} aria-labelledby="why-title">
      <header class="pane-head">
        <h2 id="why-title">Why</h2>
        <span class="muted ellipsis" title={place()}>{place()}</span>
        <CopyButton workspace={props.workspace} tab={props.tab} />
      </header>
      <Show when={step()} fallback={<p class="muted pad">Nothing has been simulated yet.</p>}>
        {(known) => <Reasons step={known()} tab={props.tab} onRetries={props.onRetries} />}
      </Show>
      <Announced step={step()} tab={props.tab} />
    </section>
  );
}

/** So many of a kind are shown at first. */
const MOST = 12;

function Reasons(props: { step: Step; tab: Tab; onRetries: () => void }) {
  const decisions = createMemo(() => props.step.entries.filter((entry): entry is DecisionEntry => entry.type === 'decision'));
  const minor = createMemo(() => decisions().filter((decision) => decision.minor));
  const main = createMemo(() => (minor().length < decisions().length ? decisions().filter((decision) => !decision.minor) : decisions()));
  const happened = createMemo(() => props.step.entries.filter((entry): entry is Exclude<Entry, DecisionEntry | RequestEntry> => entry.type !== 'decision' && entry.type !== 'request'));
  const requests = createMemo(() => props.step.entries.filter((entry): entry is RequestEntry => entry.type === 'request'));
  const story = () => props.tab.story();
  const next = createMemo(() => comesNext(props.tab));
  return (
    <div class="reasons">
      <Show when={decisions().length > 0} fallback={<Outside step={props.step} tab={props.tab} />}>
        <Show when={story().names.several && props.step.object}>{(object) => <h3 class="mono">{object().kind.toLowerCase()}/{story().names.of(object())}</h3>}</Show>
        <Long class="decisions" items={main()} most={MOST}>{(decision) => <Decision tab={props.tab} decision={decision} onRetries={props.onRetries} />}</Long>
        <Show when={minor().length > 0 && minor().length < decisions().length}>
          <details>
            <summary>{counted(minor().length, 'routine decision')}</summary>
            <Long class="decisions" items={minor()} most={MOST}>{(decision) => <Decision tab={props.tab} decision={decision} onRetries={props.onRetries} />}</Long>
          </details>
        </Show>
      </Show>
      <Show when={decisions().length > 0}><Rules decisions={decisions()} /></Show>
      <Show when={next()}><p class="waits"><Icon name="timer" /> {next()}</p></Show>
      <Show when={happened().length > 0}>
        <h3>What happened</h3>
        <Long class="happened" items={happened()} most={MOST}>{(entry) => <li classList={{ bad: entry.type === 'complaint' }}>{outcomeWords(entry)}</li>}</Long>
      </Show>
      <Show when={requests().length > 0}><Requests requests={requests()} /></Show>
      <For each={props.step.cronJobs.filter((cronJob) => cronJob.changes.length > 0)}>{(cronJob) => <Changes kind="cronjob" changes={cronJob.changes} name={story().names.of(cronJob)} />}</For>
      <For each={props.step.jobs.filter((job) => job.changes.length > 0)}>{(job) => <Changes kind="job" changes={job.changes} name={story().names.of(job)} />}</For>
      <Objects tab={props.tab} />
    </div>
  );
}

/** The rules of the specification that the controllers follow, by their codes, as transcripts and scenario files have them. */
function Rules(props: { decisions: DecisionEntry[] }) {
  const rules = createMemo(() => new Map(props.decisions.map(({ rule, code }) => [rule, spelled(code)])));
  return (
    <details>
      <summary>Rule codes</summary>
      <ul class="rules-followed"><For each={[...rules()].slice(0, MOST)}>{([rule, meaning]) => <li><span class="mono">{rule}</span> {meaning}</li>}</For></ul>
    </details>
  );
}

const OUTSIDE: Record<Exclude<Step['kind'], 'action'>, string> = {
  applied: 'The session begins with this object of the manifest. The controllers have not seen it yet.',
  plan: 'The controllers made no decision in this step.',
  change: 'The cluster changed. The controllers made no decision in this step.',
  clockChange: 'The clock of the CronJob’s time zone changed. The controllers made no decision in this step.',
  found: 'The session starts with these objects as they were on another cluster.',
  answers: 'The API server responded to earlier requests.',
  difference: 'This is a note about the record of the cluster. The controllers made no decision in this step.',
  complaint: 'The controllers made no decision in this step.',
};

/** The text for a step in which the controllers decided nothing. */
function Outside(props: { step: Step; tab: Tab }) {
  const last = () => props.tab.story().lastPlan(props.tab.cursor());
  const next = () => (props.tab.version(), props.tab.story().nextPlan(props.tab.cursor()));
  return (
    <p class="outside">
      {props.step.kind === 'action' ? `You did this, not the controllers: ${props.step.action}.` : OUTSIDE[props.step.kind]}{' '}
      <Show when={last() >= 0}>
        <button type="button" class="link" onClick={() => props.tab.goTo(last())}>Go to the previous decisions</button>
      </Show>
      <Show when={next() > props.tab.cursor()}>
        {' '}<button type="button" class="link" onClick={() => props.tab.goTo(next())}>Go to the next decisions</button>
      </Show>
    </p>
  );
}

function CopyButton(props: { workspace: Workspace; tab: Tab }) {
  async function copy(): Promise<void> {
    await navigator.clipboard.writeText(reasons(props.tab));
    props.workspace.setMessage('Copied the reasons.');
  }
  return <button type="button" class="quiet end" onClick={() => void copy()}>Copy as text</button>;
}

/** Announces what was decided to screen readers; not while one step chases the other. */
function Announced(props: { step: Step | undefined; tab: Tab }) {
  const [announced, setAnnounced] = createSignal('');
  createEffect(() => {
    const text = props.step ? `${props.tab.clock().show(props.step.at)}: ${headline(props.step)}` : '';
    const later = setTimeout(() => setAnnounced(text), 350);
    onCleanup(() => clearTimeout(later));
  });
  return <p class="unseen" role="status" aria-live="polite">{announced()}</p>;
}

/** More are shown on request. */
const MOST_REQUESTS = 8;

/** The requests that followed from the decisions, and the outcome of each. */
function Requests(props: { requests: RequestEntry[] }) {
  return (
    <>
      <h3>Requests to the API server</h3>
      <Long class="requests" items={props.requests} most={MOST_REQUESTS}>
        {(request) => (
          <li classList={{ bad: !wentWell(request.outcome) }}>
            <span class="mono"><b>{request.method}</b> {short(request.path)}</span> <span class="outcome">{request.outcome}</span>
          </li>
        )}
      </Long>
    </>
  );
}

/** The path without what all paths of the playground begin with. */
function short(path: string): string {
  return path.replace(/^\/apis?\/(batch\/)?v1\/namespaces\//, '');
}

interface LongProps<Item> {
  class: string;
  items: Item[];
  /** So many are shown at first. */
  most: number;
  children: (item: Item) => JSX.Element;
}

/** A list that shows only its beginning until the rest is requested. */
function Long<Item>(props: LongProps<Item>) {
  // Steps with thousands of entries are passed by in a drag: nothing is made of those that are not looked at.
  const [whole, setWhole] = createSignal<Item[] | null>(null);
  const shown = () => (whole() === props.items ? props.items : props.items.slice(0, props.most));
  return (
    <>
      <ul class={props.class}><For each={shown()}>{props.children}</For></ul>
      <Show when={shown().length < props.items.length}>
        <button type="button" class="link small" onClick={() => setWhole(props.items)}>Show {props.items.length - shown().length} more</button>
      </Show>
    </>
  );
}
