/** A month of a CronJob's runs at a glance: weeks and days of its own time zone. The runs are simulated beside the session, whose timeline stays as it is. */
import { createSignal, For, Index, onCleanup, onMount, Show } from 'solid-js';

import type { Oracle } from '../client.ts';
import { changed, dateName, dayFacts, type RunDay, spanName, timeOfDay } from '../model/calendar.ts';
import type { CronJob } from '../model/runs.ts';
import { DAY, dateOf, wall } from '../model/zone.ts';
import type { Zone } from '../protocol.ts';
import { Dialog } from '../shell/Dialog.tsx';
import type { Tab } from '../state/tab.ts';
import { CalendarDay } from './CalendarDay.tsx';
import { type Month, useMonth } from './useMonth.ts';

interface Props {
  oracle: Oracle;
  tab: Tab;
  cronJob: CronJob;
  /** Called before it looks at another moment. */
  onGo: () => void;
  onClose: () => void;
}

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

export function Calendar(props: Props) {
  const { tab, cronJob } = props;
  const shown = useMonth(props.oracle, tab, cronJob);
  const { days, chosen, choose, span } = shown;
  let table: HTMLTableElement | undefined;
  /** Whether the days are drawn: the window opens first, in a task of its own. */
  const [drawn, setDrawn] = createSignal(false);
  onMount(() => {
    const timer = setTimeout(() => (setDrawn(true), focusDay()));
    onCleanup(() => clearTimeout(timer));
  });

  function focusDay(): void {
    table?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  }
  const { going, short, go } = useGoing(props, shown, () => table?.isConnected === true);
  function pressed(event: KeyboardEvent): void {
    const moves: Record<string, () => void> = {
      ArrowLeft: () => choose(chosen() - DAY), ArrowRight: () => choose(chosen() + DAY), ArrowUp: () => choose(chosen() - 7 * DAY), ArrowDown: () => choose(chosen() + 7 * DAY),
      Home: () => choose(span()[0]), End: () => choose(span()[1] - DAY), PageUp: () => shown.turn(-1), PageDown: () => shown.turn(1),
    };
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    move();
    focusDay();
  }
  return (
    <Dialog title={`Runs of ${tab.story().names.of(cronJob)}`} class="calendar" onClose={props.onClose}>
      <p class="calendar-head">
        <button type="button" aria-label="Previous month" aria-disabled={shown.first()} onClick={() => shown.turn(-1)}>‹</button>
        <strong aria-live="polite">{spanName(span())}</strong>
        <button type="button" aria-label="Next month" onClick={() => shown.turn(1)}>›</button>
        <span class="muted"><span class="mono">{shown.view()?.schedule}</span> · {shown.zone().name}</span>
      </p>
      <table role="grid" aria-label={spanName(span())} ref={table} onKeyDown={pressed}>
        <thead><tr><For each={WEEKDAYS}>{(name) => <th scope="col" abbr={name}>{name.slice(0, 3)}</th>}</For></tr></thead>
        <tbody>
          <Index each={drawn() ? weekly(days()) : []}>
            {(week) => (
              <tr>
                <Index each={week()}>
                  {(one) => (
                    <td role="gridcell">
                      <Show when={one().date >= span()[0] && one().date < span()[1]}>
                        <CalendarDay day={one()} change={changed(one())} today={one().date === shown.today()} chosen={one().date === chosen()} onGo={() => void go(one().date)} onFocus={() => choose(one().date)} />
                      </Show>
                    </td>
                  )}
                </Index>
              </tr>
            )}
          </Index>
        </tbody>
      </table>
      <p class="calendar-day">{described(days(), chosen())}</p>
      <Simulated month={shown} going={going()} short={short()} tab={tab} />
    </Dialog>
  );
}

/** Goes to dates that are chosen, for as long as the calendar is open. */
function useGoing(props: Props, { days, choose, start }: Month, open: () => boolean) {
  const { tab, cronJob } = props;
  /** Whether the session is simulated further, to a date that was chosen; and until when it is where that took too many steps. */
  const [going, setGoing] = createSignal(false);
  const [short, setShort] = createSignal<number | null>(null);
  onCleanup(() => going() && tab.halt());
  /** Goes to the first run of a date, up to which the session is simulated; to the date itself if it has none. */
  async function go(date: number): Promise<void> {
    choose(date);
    const day = days().find((one) => one.date === date);
    const at = day?.runs[0]?.at ?? Math.max(0, (day?.from ?? start) - start);
    const run = () => cronJob.runs.find(({ scheduledAt }) => scheduledAt === at);
    if (!run() && tab.story().lastAt < at) {
      setGoing(true);
      // The controller acts some tenths of a second later.
      await tab.playUntil(at + 1000);
      setGoing(false);
    }
    // It was closed in the meantime, or it takes many more steps, which it says.
    if (!open()) return;
    if (day?.runs.length && !run()) return void setShort(tab.story().lastAt);
    props.onGo();
    const found = run();
    if (found) tab.goTo(found.job?.created.step ?? found.decided.step);
    else tab.goToTime(Math.min(at, tab.story().lastAt));
    props.onClose();
  }
  return { going, short, go };
}

/** How far the month is simulated, and a way to simulate the rest of it. */
function Simulated(props: { month: Month; going: boolean; short: number | null; tab: Tab }) {
  const { start, zone, known, until } = props.month;
  const name = (moment: number) => `${dateName(dateOf(zone(), moment))}, ${shownAt(zone(), moment)}`;
  const lastAt = () => (props.tab.version(), props.tab.story().lastAt);
  const words = (): string => {
    if (props.going) return `Simulating the session up to that day… ${name(start + lastAt())}`;
    if (props.short !== null) return `The session is simulated until ${name(start + props.short)}. Choose the day again to go on.`;
    if (props.month.busy()) return `Simulating… ${name(known())}`;
    return known() < until() ? `Simulated until ${name(known())}. Later runs are only scheduled.` : '';
  };
  return (
    <p class="calendar-played">
      <span role="status">{words()}</span>
      <Show when={!props.going && props.month.busy()}><progress aria-label="Simulated" max={until() - start} value={Math.min(known(), until()) - start} /></Show>
      <Show when={!props.going && !props.month.busy() && known() < until()}><button type="button" onClick={() => props.month.goOn()}>Simulate the rest</button></Show>
    </p>
  );
}

/** The time of day at a moment. */
function shownAt(zone: Zone, moment: number): string {
  return timeOfDay(wall(zone, moment) - dateOf(zone, moment));
}

/** A date in a sentence. */
function described(days: RunDay[], date: number): string {
  const day = days.find((one) => one.date === date);
  if (!day) return '';
  const clocks = day.change ? `. Clocks go ${day.change.after > day.change.before ? 'forward' : 'back'}: ${changed(day)}` : '';
  return `${dateName(day.date, true)}: ${dayFacts(day).join(', ')}${clocks}.`;
}

/** The dates in weeks from Monday to Sunday, with blank ones where a week has others. */
function weekly(days: RunDay[]): RunDay[][] {
  const first = days[0]?.date ?? 0;
  const before = (new Date(first).getUTCDay() + 6) % 7;
  const blank = (date: number): RunDay => ({ date, from: date, until: date, change: null, fact: '', runs: [], counts: {}, scheduled: 0, late: 0 });
  const cell = (place: number): RunDay => days[place - before] ?? blank(first + (place - before) * DAY);
  return Array.from({ length: Math.ceil((before + days.length) / 7) }, (_, week) => Array.from({ length: 7 }, (_, place) => cell(week * 7 + place)));
}
