/** The current time. It can be typed: Enter goes there, playing on if necessary; Escape restores it. */
import { createEffect, createSignal, on } from 'solid-js';

import { starts } from '../model/clock.ts';
import { since } from '../model/time.ts';
import { toTime } from '../state/acts.ts';
import type { Tab } from '../state/tab.ts';
import type { Running } from './running.ts';

interface Props {
  tab: Tab;
  running: Running;
}

export function TimeField(props: Props) {
  let field: HTMLInputElement | undefined;
  const [answer, setAnswer] = createSignal('');
  const [wrong, setWrong] = createSignal(false);
  /** Whether a time is being typed: the field then does not follow the cursor. */
  let typing = false;
  const clock = () => props.tab.clock();
  const shown = () => clock().show(props.tab.at());
  /** The time in the other way: since the start where dates are shown, and when that was. */
  const explained = () => (clock().zone === null ? `The session starts on ${starts(props.tab.story())}.` : `${since(props.tab.at())}, ${starts(props.tab.story())}.`);

  function report(text: string, isWrong: boolean): void {
    setAnswer(text);
    setWrong(isWrong);
  }
  /** Shows the current time, not what was typed. */
  function restore(): void {
    typing = false;
    if (field) field.value = shown();
    report('', false);
  }
  function typed(): void {
    typing = true;
    report('', false);
  }
  async function go(): Promise<void> {
    const text = field?.value.trim() ?? '';
    const at = text === shown() ? props.tab.at() : clock().read(text, props.tab.at());
    const valid = `Enter a time such as ${clock().examples}.`;
    if (at === null) return report(text === '' ? valid : `“${text}” is not a time. ${valid}`, true);
    if (at < 0) return report(`The session starts on ${starts(props.tab.story())}.`, true);
    props.running.stop();
    const { tab } = props;
    const why = await toTime(tab, at);
    if (tab !== props.tab) return;
    restore();
    // Outside the field, the page's keyboard shortcuts work again.
    document.querySelector<HTMLElement>('.lane-box:not(.beside) [role="slider"]')?.focus({ preventScroll: true });
    report(why, false);
  }
  function pressed(event: KeyboardEvent): void {
    if (event.key !== 'Escape') return;
    restore();
    field?.select();
  }
  createEffect(on(shown, () => typing || restore()));
  return (
    <form class="digits mono" onSubmit={(event) => (event.preventDefault(), void go())}>
      <span class="unseen">Virtual time: {shown()}</span>
      <input
        class="mono" ref={field} aria-label="Go to time" title={`Type a time and press Enter to go there. ${explained()}`} autocomplete="off" spellcheck={false}
        aria-invalid={wrong()} aria-describedby="time-answer" onFocus={() => field?.select()} onClick={() => typing || field?.select()} onInput={typed} onBlur={restore} onKeyDown={pressed}
      />
      <p class="time-answer" id="time-answer" role="status">{answer()}</p>
    </form>
  );
}
