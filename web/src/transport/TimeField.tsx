/** The time that is looked at. It can be typed: Enter goes there, and plays on as far as that takes; Escape takes it back. */
import { createEffect, createSignal, on } from 'solid-js';

import { clock, timeOf } from '../model/time.ts';
import { toTime } from '../state/acts.ts';
import type { Tab } from '../state/tab.ts';
import type { Running } from './running.ts';

interface Props {
  tab: Tab;
  running: Running;
}

const VALID = 'Enter a time such as 0:12, 0:12.5, 1:30:00, 12s or 1h30m.';

export function TimeField(props: Props) {
  let field: HTMLInputElement | undefined;
  const [answer, setAnswer] = createSignal('');
  const [wrong, setWrong] = createSignal(false);
  /** Whether a time is being typed: the field then does not follow the cursor. */
  let typing = false;
  const shown = () => clock(props.tab.at());

  function report(text: string, isWrong: boolean): void {
    setAnswer(text);
    setWrong(isWrong);
  }
  /** Shows the time that is looked at, not what was typed. */
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
    const at = timeOf(text);
    if (at === null) {
      report(text === '' ? VALID : `“${text}” is not a time. ${VALID}`, true);
      return;
    }
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
        class="mono" ref={field} aria-label="Go to time" title="Type a time and press Enter to go there" autocomplete="off" spellcheck={false}
        aria-invalid={wrong()} aria-describedby="time-answer" onFocus={() => field?.select()} onClick={() => typing || field?.select()} onInput={typed} onBlur={restore} onKeyDown={pressed}
      />
      <p class="time-answer" id="time-answer" role="status">{answer()}</p>
    </form>
  );
}
