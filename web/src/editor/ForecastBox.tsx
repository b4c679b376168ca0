/** What the objects of the manifest will do, and advice about them: below the editor, and up to date while it is written. */
import { createEffect, createSignal, For, onCleanup, Show } from 'solid-js';

import type { Diagnostic, Forecast, Repair } from '../protocol.ts';
import { Prose } from '../shell/Prose.tsx';
import { oracle } from '../state/oracle.ts';
import { plain } from './plain.ts';
import { ProblemItem } from './ProblemItem.tsx';

interface Props {
  manifest: string;
  onGo: (problem: Diagnostic) => void;
  onRepair: (repair: Repair) => void;
}

/** Nothing is predicted while the manifest is being typed. */
const PAUSE = 250;

export function ForecastBox(props: Props) {
  const [forecast, setForecast] = createSignal<Forecast | null>(null);
  createEffect(() => {
    const { manifest } = props;
    const later = setTimeout(() => void predict(manifest), PAUSE);
    onCleanup(() => clearTimeout(later));
  });
  async function predict(manifest: string): Promise<void> {
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const found = await oracle().call('forecast', { manifest: plain(manifest), zone, now: Date.now() });
    if (manifest === props.manifest) setForecast(found);
  }

  return (
    <Show when={forecast()?.objects.length ? forecast() : null}>
      {(found) => (
        <section class="forecast" aria-label="Forecast">
          <For each={found().objects}>
            {(object) => <><h3 class="mono">{object.name}</h3><ul><For each={object.lines}>{(line) => <li><Prose text={line} /></li>}</For></ul></>}
          </For>
          <Show when={found().advice.length}>
            <h3>Advice</h3>
            <ul class="problems" aria-label="Advice on the manifest">
              <For each={found().advice}>{(advice) => <ProblemItem problem={advice} onGo={props.onGo} onRepair={props.onRepair} />}</For>
            </ul>
          </Show>
        </section>
      )}
    </Show>
  );
}
