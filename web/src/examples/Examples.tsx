/** The examples: the most common questions first, then every scenario by topic; or the results of a search. */
import { createMemo, createSignal, For, Show } from 'solid-js';

import { MISSING } from '../faults.ts';
import { byTopic, type Claim, loadGallery } from '../gallery.ts';
import { answering, QUESTIONS } from '../model/questions.ts';
import { counted } from '../model/words.ts';
import { Dialog } from '../shell/Dialog.tsx';
import type { Workspace } from '../state/workspace.ts';
import { openExample } from './opening.ts';
import { type Found, marked, search, type Sought, sought } from './search.ts';

export function Examples(props: { workspace: Workspace; onClose: () => void }) {
  const [gallery, setGallery] = createSignal<Claim[] | null>(null);
  const [words, setWords] = createSignal('');
  let field: HTMLInputElement | undefined;
  let list: HTMLDivElement | undefined;
  loadGallery().then(setGallery, () => {
    props.workspace.setMessage(MISSING);
    props.onClose();
  });
  function choose(example: Claim): void {
    openExample(props.workspace, example);
    props.onClose();
  }
  /** Up and down lead through the examples, and from the field into them; Enter in the field opens the first that was found. */
  function pressed(event: KeyboardEvent): void {
    const buttons = [...(list?.querySelectorAll<HTMLElement>('li button') ?? [])];
    const place = buttons.findIndex((button) => button === document.activeElement);
    if (event.key === 'Enter' && event.target === field && words().trim() !== '') buttons[0]?.click();
    else if (event.key === 'ArrowDown' && (place >= 0 || event.target === field)) buttons[place + 1]?.focus();
    else if (event.key === 'ArrowUp' && place >= 0) (buttons[place - 1] ?? field)?.focus();
    else return;
    event.preventDefault();
  }
  function clear(): void {
    setWords('');
    field?.focus();
  }
  return (
    <Dialog title="Examples" class="wide" onClose={props.onClose}>
      <div onKeyDown={pressed}>
        <input ref={field} type="search" class="search" placeholder="Search: why did my Job fail, BackoffLimitExceeded, exit code 137…" aria-label="Search the examples" autofocus value={words()} onInput={(event) => setWords(event.currentTarget.value)} />
        <div ref={list}>
          <Show when={gallery()}>
            {(all) => (
              <Show when={words().trim() !== ''} fallback={<All workspace={props.workspace} gallery={all()} onChoose={choose} onClose={props.onClose} />}>
                <Matches gallery={all()} words={words()} onChoose={choose} onClear={clear} />
              </Show>
            )}
          </Show>
        </div>
      </div>
    </Dialog>
  );
}

/** All examples, by question and by topic. */
function All(props: { workspace: Workspace; gallery: Claim[]; onChoose: (example: Claim) => void; onClose: () => void }) {
  return (
    <>
      <p class="buttons"><button type="button" class="main" onClick={() => (openOwn(props.workspace, 'Job'), props.onClose())}>Start with your own Job</button> <button type="button" onClick={() => (openOwn(props.workspace, 'CronJob'), props.onClose())}>Start with your own CronJob</button></p>
      <h3>Questions</h3>
      <ul class="questions">
        <For each={QUESTIONS}>{(common) => <li><button type="button" onClick={() => props.onChoose(answering(common, props.gallery))}>{common.question}</button></li>}</For>
      </ul>
      <For each={[...byTopic(props.gallery)]}>
        {([topic, examples]) => (
          <>
            <h3>{topic}</h3>
            <ul class="examples"><For each={examples}>{(example) => <li><button type="button" onClick={() => props.onChoose(example)}>{example.title}</button></li>}</For></ul>
          </>
        )}
      </For>
    </>
  );
}

/** What is found by words, each with what matched. */
function Matches(props: { gallery: Claim[]; words: string; onChoose: (example: Claim) => void; onClear: () => void }) {
  const results = createMemo(() => search(props.gallery, props.words));
  const count = (): string => {
    const { all, found } = results();
    if (found.length === 0) return `No example mentions “${props.words.trim()}”.`;
    return all ? counted(found.length, 'example') : `No example has all these words. ${found.length === 1 ? 'This one comes' : 'These come'} closest.`;
  };
  return (
    <>
      <h3 role="status">{count()}</h3>
      <Show when={results().found.length > 0} fallback={<p class="muted">Try a field such as <code>backoffLimit</code>, a reason such as <code>DeadlineExceeded</code>, or a word such as “retry”, “suspend” or “schedule”. <button type="button" class="link" onClick={() => props.onClear()}>Show all examples</button></p>}>
        <ul class="examples"><For each={results().found}>{(found) => <li><Match found={found} wanted={sought(props.words)} onChoose={props.onChoose} /></li>}</For></ul>
      </Show>
    </>
  );
}

function Match(props: { found: Found; wanted: Sought[]; onChoose: (example: Claim) => void }) {
  const { example, question, line, sentence } = props.found;
  const Marked = (text: { of: string }) => <For each={marked(text.of, props.wanted)}>{(part, place) => (place() % 2 === 1 ? <mark>{part}</mark> : part)}</For>;
  return (
    <button type="button" onClick={() => props.onChoose(example)}>
      <Show when={question}><strong class="found-question"><Marked of={question} /></strong></Show>
      <Marked of={example.title} />
      <span class="muted"><Marked of={example.topic} /><Show when={line}> · <code><Marked of={line} /></code></Show><Show when={sentence}> · <Marked of={sentence} /></Show></span>
    </button>
  );
}

const JOB = ['template:', '  spec:', '    restartPolicy: Never', '    containers:', '    - name: main', '      image: busybox'];

const OWN = {
  Job: manifest('Job', 'my-job', JOB),
  CronJob: manifest('CronJob', 'my-cronjob', ['schedule: "*/5 * * * *"', 'jobTemplate:', '  spec:', ...JOB.map((line) => `    ${line}`)]),
};

function manifest(kind: string, name: string, spec: string[]): string {
  return ['apiVersion: batch/v1', `kind: ${kind}`, 'metadata:', `  name: ${name}`, 'spec:', ...spec.map((line) => `  ${line}`)].map((line) => `${line}\n`).join('');
}

/** Begins with a Job or a CronJob of one's own. */
function openOwn(workspace: Workspace, kind: keyof typeof OWN): void {
  workspace.openBeside({ session: { version: 1, manifest: OWN[kind], script: '', cursor: 0 }, seek: { to: 'step', step: 0 } });
  workspace.setMessage(`Paste your ${kind} over this one, then choose below what its pods do.`);
}
