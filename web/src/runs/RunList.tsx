/** The runs of a CronJob one by one: when each was scheduled and started, what came of it, and why; and the clock changes among them. */
import { createMemo, createSignal, For, Show } from 'solid-js';

import { type CronJob, cronJobAt, type MetChange, type Run, skipped } from '../model/runs.ts';
import { RUN_SIGNS } from '../model/runSigns.ts';
import { RUNS } from '../state/play.ts';
import { Dialog } from '../shell/Dialog.tsx';
import { Icon } from '../shell/Icon.tsx';
import type { Tab } from '../state/tab.ts';

interface Props {
  tab: Tab;
  cronJob: CronJob;
  /** Called before it looks at another moment. */
  onGo: () => void;
  onClose: () => void;
}

type Row = { at: number; run: Run } | { at: number; change: MetChange };

/** So many are listed, the latest first. */
const MOST = 500;

export function RunList(props: Props) {
  const { tab } = props;
  const [few, setFew] = createSignal(false);
  const all = createMemo<Row[]>(() => {
    tab.version();
    const { runs, clockChanges } = props.cronJob;
    const rows: Row[] = [...runs.map((run) => ({ at: run.scheduledAt, run })), ...clockChanges.map((change) => ({ at: change.at, change }))];
    return rows.sort((one, other) => other.at - one.at);
  });
  const odd = (row: Row): boolean => 'change' in row || skipped(row.run) || row.run.late !== null;
  const shown = createMemo(() => (few() ? all().filter(odd) : all()).slice(0, MOST));
  const coming = () => cronJobAt(props.cronJob, tab.cursor())?.clockChanges.filter(({ at }) => at > tab.story().lastAt) ?? [];
  const go = (step: number): void => {
    props.onGo();
    tab.goTo(step);
    props.onClose();
  };
  const time = (row: Row): string => tab.clock().show(row.at);
  return (
    <Dialog title={`List of runs of ${tab.story().names.of(props.cronJob)}`} class="run-list" onClose={props.onClose}>
      <p class="run-list-head">
        <label><input type="checkbox" checked={few()} onChange={(event) => setFew(event.currentTarget.checked)} /> Only skipped and late runs, and clock changes ({all().filter(odd).length})</label>
        <Show when={!tab.story().ended}><button type="button" onClick={() => void tab.more(RUNS)}>Simulate {RUNS} more runs</button></Show>
      </p>
      <div class="run-rows">
        <table aria-label="Runs">
          <thead><tr><th scope="col">Scheduled</th><th scope="col">Started</th><th scope="col">Outcome</th><th scope="col">Why</th></tr></thead>
          <tbody>
            <For each={shown()}>
              {(row) => 'change' in row
                ? <tr><td><button type="button" class="link" onClick={() => go(row.change.step)}>{time(row)}</button></td><td colspan="3"><Icon name="timer" /> {row.change.text}</td></tr>
                : <RunRow tab={tab} run={row.run} time={time(row)} onGo={go} />}
            </For>
          </tbody>
        </table>
        <Show when={coming().length > 0}>
          <h3>Coming clock changes</h3>
          <ul class="happened"><For each={coming()}>{({ at, words }) => <li><Icon name="timer" /> {tab.clock().show(at)}: {words}</li>}</For></ul>
        </Show>
        <Show when={shown().length === 0}><p class="muted">{few() ? 'No run was skipped or started late so far.' : 'No run was due so far.'}</p></Show>
      </div>
    </Dialog>
  );
}

function RunRow(props: { tab: Tab; run: Run; time: string; onGo: (step: number) => void }) {
  const started = (): string => {
    const { job, late, started } = props.run;
    return job ? `${props.tab.clock().show(job.created.at)}${late === null ? '' : `, ${started}`}` : '–';
  };
  return (
    <tr>
      <td><button type="button" class="link" onClick={() => props.onGo(props.run.job?.created.step ?? props.run.decided.step)}>{props.time}</button></td>
      <td>{started()}</td>
      <td><span class={`run-sign ${props.run.outcome}`}><b aria-hidden="true">{RUN_SIGNS[props.run.outcome]}</b> {props.run.outcome}</span></td>
      <td>{why(props.run)}</td>
    </tr>
  );
}

/** Why a run was skipped, started late, or did not succeed; nothing if nothing is to be explained. */
function why({ reason, waited, late, job }: Run): string {
  if (!job) return reason;
  const failed = job.finished && !job.finished.succeeded ? job.finished.words : '';
  return [late === null ? '' : waited, failed].filter((part) => part !== '').join('. ');
}
