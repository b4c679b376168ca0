/** What the objects of the manifest will do, and advice about them: below the editor, and up to date while it is written. */
import { createEffect, createSignal, For, on, onCleanup, Show } from 'solid-js';

import { fault } from '../faults.ts';
import type { Diagnostic, Forecast, Repair } from '../protocol.ts';
import { Prose } from '../shell/Prose.tsx';
import { oracle } from '../state/oracle.ts';
import type { Tab } from '../state/tab.ts';
import { plain } from './plain.ts';
import { ProblemItem } from './ProblemItem.tsx';

/** A forecast can wait until a person stops to think: a manifest that can be played is played first. */
const PAUSE = 500;

/** The forecast of a tab's draft, renewed whenever a person stops writing, or why there is none; null until then. */
export function createForecast(of: () => Tab | null): () => Forecast | Error | null {
  const [forecast, setForecast] = createSignal<Forecast | Error | null>(null);
  createEffect(on(of, () => setForecast(null)));
  createEffect(() => {
    const tab = of();
    if (!tab) return;
    const manifest = tab.draft();
    const later = setTimeout(() => void predict(tab, manifest), PAUSE);
    onCleanup(() => clearTimeout(later));
  });
  async function predict(tab: Tab, manifest: string): Promise<void> {
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const found = await oracle().call('forecast', { manifest: plain(manifest), zone, now: Date.now() }).catch((error: unknown) => new Error(fault(error)));
    if (tab === of() && manifest === tab.draft()) setForecast(found);
  }
  return forecast;
}

interface Props {
  /** Or why there is none. */
  forecast: Forecast | Error;
  onGo: (problem: Diagnostic) => void;
  onRepair: (repair: Repair) => void;
}

export function ForecastBox(props: Props) {
  const failed = () => (props.forecast instanceof Error ? props.forecast : null);
  const found = () => (props.forecast instanceof Error || props.forecast.objects.length === 0 ? null : props.forecast);
  return (
    <>
      <Show when={failed()}>{(error) => <section class="forecast" aria-label="Forecast"><p class="problem" role="alert">The forecast failed. {error().message}</p></section>}</Show>
      <Show when={found()}>
        {(forecast) => (
          <section class="forecast" aria-label="Forecast">
            <For each={forecast().objects}>
              {(object) => <><h3 class="mono">{object.name}</h3><ul><For each={object.lines}>{(line) => <li><Prose text={line} /></li>}</For></ul></>}
            </For>
            <Show when={forecast().advice.length}>
              <h3>Advice</h3>
              <ul class="problems" aria-label="Advice on the manifest">
                <For each={forecast().advice}>{(advice) => <ProblemItem problem={advice} onGo={props.onGo} onRepair={props.onRepair} />}</For>
              </ul>
            </Show>
          </section>
        )}
      </Show>
    </>
  );
}
