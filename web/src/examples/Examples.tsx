/** The examples: first the questions with which most people come, then every scenario by its topic. */
import { createMemo, createSignal, For, Show } from 'solid-js';

import { MISSING } from '../faults.ts';
import { byTopic, type Claim, loadGallery } from '../gallery.ts';
import { answering, QUESTIONS } from '../model/questions.ts';
import { Dialog } from '../shell/Dialog.tsx';
import type { Workspace } from '../state/workspace.ts';
import { openExample } from './opening.ts';
import { openOwn } from './own.ts';

export function Examples(props: { workspace: Workspace; onClose: () => void }) {
  const [gallery, setGallery] = createSignal<Claim[] | null>(null);
  const [words, setWords] = createSignal('');
  const found = createMemo(() => matching(gallery() ?? [], words()));
  loadGallery().then(setGallery, () => {
    props.workspace.setMessage(MISSING);
    props.onClose();
  });
  function choose(example: Claim): void {
    openExample(props.workspace, example);
    props.onClose();
  }
  return (
    <Dialog title="Examples" class="wide" onClose={props.onClose}>
      <input type="search" class="search" placeholder="Search: backoffLimit, suspend, schedule…" aria-label="Search the examples" autofocus value={words()} onInput={(event) => setWords(event.currentTarget.value)} />
      <Show when={words().trim() === '' && gallery()}>
        {(all) => (
          <>
            <p class="buttons"><button type="button" class="main" onClick={() => (openOwn(props.workspace, 'Job'), props.onClose())}>Start with your own Job</button> <button type="button" onClick={() => (openOwn(props.workspace, 'CronJob'), props.onClose())}>Start with your own CronJob</button></p>
            <h3>Questions</h3>
            <ul class="questions">
              <For each={QUESTIONS}>{(common) => <li><button type="button" onClick={() => choose(answering(common, all()))}>{common.question}</button></li>}</For>
            </ul>
          </>
        )}
      </Show>
      <For each={[...byTopic(found())]} fallback={<p class="muted">{gallery() ? 'No examples match.' : ''}</p>}>
        {([topic, examples]) => (
          <>
            <h3>{topic}</h3>
            <ul class="examples"><For each={examples}>{(example) => <li><button type="button" onClick={() => choose(example)}>{example.title}</button></li>}</For></ul>
          </>
        )}
      </For>
    </Dialog>
  );
}

/** The examples in which all words occur, wherever. */
function matching(gallery: Claim[], words: string): Claim[] {
  const wanted = words.toLowerCase().split(/\s+/).filter((word) => word !== '');
  return gallery.filter((example) => {
    const text = `${example.page} ${example.topic} ${example.title} ${example.prose} ${example.manifest} ${example.script}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}
