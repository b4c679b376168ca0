/** A session with one change of its manifest, for the changes that suit it: each opens beside the session. */
import { createMemo, For, Show } from 'solid-js';

import type { Variant } from '../protocol.ts';
import { createAnswer } from '../state/answers.ts';
import type { Opening, Tab } from '../state/tab.ts';
import type { Workspace } from '../state/workspace.ts';

interface Props {
  workspace: Workspace;
  tab: Tab;
  onClose: () => void;
}

export function Variants(props: Props) {
  const { workspace } = props;
  const manifest = createMemo(() => props.tab.manifest());
  const variants = createAnswer(manifest, (text) => workspace.oracle.call('variants', { manifest: text }));
  /** Compares the session with the changed one. Without rules for its pods, both get those with which the change shows. */
  function change({ titles, base, manifest: text, script }: Variant): void {
    const { tab } = props;
    const ruled = script === '' || tab.parts().rules.length > 0;
    const both = { version: 1 as const, script: ruled ? tab.script() : script + tab.script(), cursor: 0 };
    const changed: Opening = { session: { ...both, manifest: text, title: titles[1] }, seek: { to: 'divergence' } };
    if (ruled && base === undefined) {
      workspace.open(changed);
      workspace.setOther(tab);
    } else {
      workspace.compare({ session: { ...both, manifest: base ?? tab.manifest(), title: titles[0] }, seek: { to: 'divergence' } }, changed, 'left');
      if (!ruled) workspace.setMessage(`So that the change shows, both sessions have a rule for pods: ${script.split('\n')[0]}.`);
    }
    props.onClose();
  }
  return (
    <Show when={variants()?.length}>
      <h3>This session with one change</h3>
      <ul class="examples two-columns">
        <For each={variants()}>{(variant) => <li><button type="button" onClick={() => change(variant)}>{variant.titles[1]} <span class="muted">now: {variant.titles[0]}</span></button></li>}</For>
      </ul>
    </Show>
  );
}
