/** The open sessions, when there is more than one. */
import { For, Show } from 'solid-js';

import type { Workspace } from '../state/workspace.ts';

export function TabBar(props: { workspace: Workspace }) {
  const { workspace } = props;
  return (
    <Show when={workspace.tabs().length > 1}>
      <nav class="tabs" aria-label="Sessions">
        <For each={workspace.tabs()}>
          {(tab) => (
            <span class="tab" classList={{ current: tab === workspace.current() }}>
              <button type="button" class="ellipsis" aria-current={tab === workspace.current() ? 'true' : undefined} title={tab.title()} onClick={() => workspace.setCurrent(tab)}>
                {tab.title() || 'Session'}
              </button>
              <button type="button" class="quiet" aria-label={`Close ${tab.title() || 'the session'}`} onClick={() => workspace.close(tab)}>✕</button>
            </span>
          )}
        </For>
      </nav>
    </Show>
  );
}
