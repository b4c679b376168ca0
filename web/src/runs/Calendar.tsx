/** A month of a CronJob's runs at a glance: weeks and days of its own time zone, played to the end of the month. */
import { For, Index, onMount, Show } from 'solid-js';

import { changed, dateName, dayFacts, type RunDay, spanName, timeOfDay } from '../model/calendar.ts';
import type { CronJob } from '../model/runs.ts';
import { DAY, dateOf, wall } from '../model/zone.ts';
import type { Zone } from '../protocol.ts';
import { Dialog } from '../shell/Dialog.tsx';
import type { Tab } from '../state/tab.ts';
import { CalendarDay } from './CalendarDay.tsx';
import { type Month, useMonth } from './useMonth.ts';

interface Props {
  tab: Tab;
  cronJob: CronJob;
  /** Called before it looks at another moment. */
  onGo: () => void;
  onClose: () => void;
}

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

export function Calendar(props: Props) {
  const { tab, cronJob } = props;
  const shown = useMonth(tab, cronJob);
  const { days, chosen, choose, span } = shown;
  let table: HTMLTableElement | undefined;
  // The window that it is in takes the focus first.
  onMount(() => queueMicrotask(focusDay));

  function focusDay(): void {
    table?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  }
  /** Goes to the first run of a date, which is played if it was not yet; to the date itself if it has none. */
  async function go(date: number): Promise<void> {
    choose(date);
    const sought = () => days().find((one) => one.date === date);
    const until = sought()?.until ?? shown.start;
    if (until > shown.known()) await tab.playUntil(until - shown.start, true);
    const [first] = sought()?.runs ?? [];
    // It was closed in the meantime, or it takes many more steps, which it says.
    if (!table?.isConnected || (!first && until > shown.known())) return;
    props.onGo();
    if (first) tab.goTo(first.run.job?.created.step ?? first.run.decided.step);
    else tab.goToTime(Math.min(Math.max(0, (sought()?.from ?? shown.start) - shown.start), tab.story().lastAt));
    props.onClose();
  }
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
          <Index each={weekly(days())}>
            {(week) => (
              <tr>
                <Index each={week()}>
                  {(one) => (
                    <td role="gridcell">
                      <Show when={one().date >= span()[0] && one().date < span()[1]}>
                        <CalendarDay day={one()} change={changed(one(), days())} today={one().date === shown.today()} chosen={one().date === chosen()} played={one().from < shown.known()} onGo={() => void go(one().date)} onFocus={() => choose(one().date)} />
                      </Show>
                    </td>
                  )}
                </Index>
              </tr>
            )}
          </Index>
        </tbody>
      </table>
      <p class="calendar-day">{described(days(), chosen(), shown.zone(), shown.known())}</p>
      <Played tab={tab} month={shown} />
    </Dialog>
  );
}

/** How far the month has been played, and a way to play on where it takes very many steps. */
function Played(props: { tab: Tab; month: Month }) {
  const { start, zone, known, until } = props.month;
  const there = () => `${dateName(dateOf(zone(), known()))}, ${shownAt(zone(), known())}`;
  return (
    <p class="calendar-played">
      <Show
        when={!props.tab.complete()}
        fallback={<Show when={known() < until()}><span role="status">This CronJob runs often, so its runs are shown only until {there()}.</span> <button type="button" onClick={() => void props.tab.playUntil(until() - start, true)}>Continue</button></Show>}
      >
        Playing… {there()} <progress aria-label="Played" max={until() - start} value={Math.min(known(), until()) - start} />
      </Show>
    </p>
  );
}

/** The time of day at a moment. */
function shownAt(zone: Zone, moment: number): string {
  return timeOfDay(wall(zone, moment) - dateOf(zone, moment));
}

/** A date in a sentence. */
function described(days: RunDay[], date: number, zone: Zone, known: number): string {
  const day = days.find((one) => one.date === date);
  if (!day) return '';
  const change = changed(day, days);
  const clocks = day.change ? `. Clocks go ${day.change.after > day.change.before ? 'forward' : 'back'}: ${change}` : '';
  const facts = day.from < known ? dayFacts(day).join(', ') : 'not played yet';
  return `${dateName(day.date, true)}: ${facts}${day.from < known && known < day.until ? ` until ${shownAt(zone, known)}` : ''}${clocks}.`;
}

/** The dates in weeks from Monday to Sunday, with blank ones where a week has others. */
function weekly(days: RunDay[]): RunDay[][] {
  const first = days[0]?.date ?? 0;
  const before = (new Date(first).getUTCDay() + 6) % 7;
  const blank = (date: number): RunDay => ({ date, from: date, until: date, change: null, runs: [], counts: {}, late: 0 });
  const cell = (place: number): RunDay => days[place - before] ?? blank(first + (place - before) * DAY);
  return Array.from({ length: Math.ceil((before + days.length) / 7) }, (_, week) => Array.from({ length: 7 }, (_, place) => cell(week * 7 + place)));
}
