/** The names of the lines that are in view: each opens what can be done, and what is folded can be unfolded. */
import { createMemo, For, Match, Show, Switch } from 'solid-js';

import { jobOf } from '../model/bars.ts';
import type { Tab } from '../state/tab.ts';
import { ROW } from './rows.ts';
import { Shortened } from './Shortened.tsx';
import { FEW_JOBS, FEW_ROWS, label, type Line } from './tree.ts';

export interface Placed {
  line: Line;
  y: number;
}

interface Props {
  tab: Tab;
  lines: Placed[];
  onPick: (line: Line, event: MouseEvent) => void;
  onFold: (key: string) => void;
}

type Of<Kind extends Line['kind']> = Extract<Line, { kind: Kind }>;

/** A line that is drawn once more keeps its buttons, and with them the focus. */
export function Labels(props: Props) {
  const byKey = createMemo(() => new Map(props.lines.map((placed) => [placed.line.key, placed])));
  return <For each={[...byKey().keys()]}>{(key) => <Show when={byKey().get(key)}>{(placed) => <Label {...props} placed={placed()} />}</Show>}</For>;
}

function Label(props: Props & { placed: Placed }) {
  const line = () => props.placed.line;
  const of = <Kind extends Line['kind']>(kind: Kind) => (line().kind === kind ? (line() as Of<Kind>) : null);
  return (
    <div class={`row-place ${line().kind}`} classList={{ nested: of('pods')?.nested ?? false }} style={{ top: `${props.placed.y}px`, height: `${ROW}px` }}>
      <Switch>
        <Match when={of('cronJob')}>{(known) => <CronJobLabel {...props} line={known()} />}</Match>
        <Match when={of('job')}>{(known) => <JobLabel {...props} line={known()} />}</Match>
        <Match when={of('pods')}>{(known) => <PodsLabel {...props} line={known()} />}</Match>
      </Switch>
    </div>
  );
}

function CronJobLabel(props: Props & { line: Of<'cronJob'> }) {
  const name = () => props.tab.story().names.of(props.line.cronJob);
  const all = () => props.line.cronJob.jobs.length;
  return (
    <>
      <button type="button" class="row-label" title={`CronJob ${name()}`} onClick={(event) => props.onPick(props.line, event)}>{name()}</button>
      <Show when={all() > FEW_JOBS}>
        <Fold line={props.line} label={`Show all ${all()} Jobs of ${name()}`} title={props.line.open ? 'Show only the Jobs that exist at this step' : `Show all ${all()} Jobs, including those that do not exist at this step`} onFold={props.onFold} />
      </Show>
    </>
  );
}

function JobLabel(props: Props & { line: Of<'job'> }) {
  const job = () => props.line.job;
  return (
    <>
      <button type="button" class="row-label" title={`Job ${job().name}`} onClick={(event) => props.onPick(props.line, event)}>
        <span class="unseen">Job {job().name}, </span>{label(props.line, props.tab.story())}
      </button>
      <Show when={props.line.rows > FEW_ROWS}>
        <Fold line={props.line} label={`Show the ${props.line.rows} pod rows of ${job().name}`} title={props.line.open ? 'Hide its pods' : 'Show its pods'} onFold={props.onFold} />
      </Show>
    </>
  );
}

function PodsLabel(props: Props & { line: Of<'pods'> }) {
  const row = () => props.line.row;
  return (
    <button type="button" class="row-label" title={`${row().job} ${row().label}`} onClick={(event) => props.onPick(props.line, event)}>
      <Show when={!props.line.nested && jobOf(row(), props.tab.story().names)}>{(job) => <><Shortened name={job()} />{' '}</>}</Show>
      <span>{row().label}</span>
    </button>
  );
}

function Fold(props: { line: Of<'cronJob' | 'job'>; label: string; title: string; onFold: (key: string) => void }) {
  return (
    <button type="button" class="unfold" aria-label={props.label} title={props.title} aria-expanded={props.line.open} onClick={() => props.onFold(props.line.key)}>
      {props.line.open ? '▾' : '▸'}
    </button>
  );
}
