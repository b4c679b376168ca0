/** One date of the calendar: its runs one by one if they are few, else the number of each outcome. */
import { For, Show } from 'solid-js';

import { dateName, dayFacts, outcomeCounts, type RunDay, timeOfDay } from '../model/calendar.ts';
import { RUN_SIGNS } from '../model/runSigns.ts';
import { grouped } from '../model/words.ts';
import type { RunOutcome } from '../protocol.ts';
import { Icon } from '../shell/Icon.tsx';

interface Props {
  day: RunDay;
  /** What its clock change means; empty if there is none. */
  change: string;
  /** Whether the cursor is on it. */
  today: boolean;
  chosen: boolean;
  onGo: () => void;
  onFocus: () => void;
}

/** So many runs have a line each. */
const FEW = 3;

export function CalendarDay(props: Props) {
  const label = () => [dateName(props.day.date, true), props.today ? 'the cursor is here' : '', ...dayFacts(props.day), props.change].filter((part) => part !== '').join(', ');
  return (
    <button
      type="button" classList={{ day: true, unplayed: props.day.scheduled > 0 && props.day.scheduled === props.day.runs.length }} tabindex={props.chosen ? 0 : -1} aria-current={props.today ? 'date' : undefined} title={label()}
      onClick={() => props.onGo()} onFocus={() => props.onFocus()}
    >
      <span class="unseen">{label()}</span>
      <span class="day-inside" aria-hidden="true">
        <span class="day-number">{new Date(props.day.date).getUTCDate()}</span>
        <Show when={props.change}><span class="day-change"><Icon name="timer" /> <span class="words">{props.change}</span></span></Show>
        <Show when={props.day.runs.length <= FEW} fallback={<Counts day={props.day} />}>
          <For each={props.day.runs}>{({ outcome, time, late }) => <Sign outcome={outcome} text={timeOfDay(time)} late={late} />}</For>
        </Show>
      </span>
    </button>
  );
}

function Counts(props: { day: RunDay }) {
  return (
    <>
      <For each={outcomeCounts(props.day)}>{([outcome, count]) => <Sign outcome={outcome} text={grouped(count)} late={false} />}</For>
      <Show when={props.day.scheduled > 0}><span class="run-sign scheduled">{grouped(props.day.scheduled)} <span class="words">scheduled</span></span></Show>
      <Show when={props.day.late > 0}><span class="run-sign late">{grouped(props.day.late)} late</span></Show>
    </>
  );
}

/** A run; one that is only scheduled has no sign. */
function Sign(props: { outcome: RunOutcome | null; text: string; late: boolean }) {
  return <span class={`run-sign ${props.outcome ?? 'scheduled'}`}><Show when={props.outcome}>{(outcome) => <><b>{RUN_SIGNS[outcome()]}</b> </>}</Show>{props.text}<Show when={props.late}> late</Show></span>;
}
