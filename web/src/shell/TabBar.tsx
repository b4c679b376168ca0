/** The open sessions, when there is more than one. */
import { createEffect, For, on, Show } from 'solid-js';

import type { Tab } from '../state/tab.ts';
import type { Workspace } from '../state/workspace.ts';

export function TabBar(props: { workspace: Workspace }) {
  const { workspace } = props;
  let bar: HTMLElement | undefined;
  /** The session that is shown next gets the focus, and not the button that closes another. */
  function close(tab: Tab): void {
    workspace.close(tab);
    bar?.querySelector<HTMLElement>('[aria-current="true"]')?.focus();
  }
  // With more tabs than fit, the one that is shown is seen.
  createEffect(on([() => workspace.current(), () => workspace.tabs().length], () => bar?.querySelector('.tab.current')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })));
  return (
    <Show when={workspace.tabs().length > 1}>
      <nav class="tabs" aria-label="Sessions" ref={bar}>
        <For each={workspace.tabs()}>
          {(tab) => (
            <span class="tab" classList={{ current: tab === workspace.current() }}>
              <button type="button" class="ellipsis" aria-current={tab === workspace.current() ? 'true' : undefined} title={tab.label()} onClick={() => workspace.setCurrent(tab)}>
                {tab.label()}
              </button>
              <button type="button" class="quiet" aria-label={`Close ${tab.label()}`} onClick={() => close(tab)}>✕</button>
            </span>
          )}
        </For>
      </nav>
    </Show>
  );
}
