/** The page of a rule over the playground: why it reports what it does, with examples that can be played. */
import { createSignal, For, Match, Show, Switch } from 'solid-js';

import { openExample } from '../examples/opening.ts';
import { MISSING } from '../faults.ts';
import { Dialog } from '../shell/Dialog.tsx';
import { type FoundBy, showRule } from '../state/shownRule.ts';
import type { Workspace } from '../state/workspace.ts';
import { type Block, type Section, sections, spans } from './markdown.ts';

export function RulePage(props: { workspace: Workspace; found: FoundBy }) {
  const [page, setPage] = createSignal<Section[]>([]);
  const close = (): void => void showRule(null);
  function failed(): void {
    props.workspace.setMessage(MISSING);
    close();
  }
  // The pages of all rules are one file, which is requested when the first is read.
  import('virtual:rules').then(({ default: pages }) => setPage(sections(pages[props.found.rule] ?? '')), failed);
  function play({ title, blocks }: Section): void {
    const text = (wanted: string) => blocks.flatMap((block) => (block.type === 'code' && block.language === wanted ? [block.text] : [])).join('---\n');
    openExample(props.workspace, { topic: props.found.rule, title, prose: '', manifest: text('yaml'), script: text('script') });
    close();
  }
  return (
    <Dialog title={props.found.rule} class="wide" onClose={close}>
      <div class="rule-page">
        <For each={page()[0]?.blocks}>{(block) => <BlockView block={block} />}</For>
        <For each={page().slice(1)}>
          {(section) => (
            <section>
              <header>
                <h3><Spans text={section.title} /></h3>
                <Show when={props.found.severity !== 'error'}><button type="button" class="end" title="Play this example in a tab of its own" onClick={() => play(section)}>Play</button></Show>
              </header>
              <For each={section.blocks}>{(block) => <BlockView block={block} />}</For>
            </section>
          )}
        </For>
        <Show when={props.found.severity !== 'error'}>
          <p class="muted small">To keep it, add <code>{`# jobsmith: ignore[${props.found.rule}]`}</code> and a reason at the end of the line; in a script, at the end of the line with the <code>|</code>.</p>
        </Show>
      </div>
    </Dialog>
  );
}

/** What the blocks show that are not a manifest. */
const SUMMARIES: Record<string, string> = { script: 'What its pods do', trace: 'What happens', status: 'The status of the Job at the end' };

function BlockView(props: { block: Block }) {
  const is = <Type extends Block['type']>(type: Type) => (props.block.type === type ? (props.block as Extract<Block, { type: Type }>) : null);
  const Code = (shown: { text: string }) => <pre class="yaml" tabindex="0">{shown.text}</pre>;
  return (
    <Switch>
      <Match when={is('text')}>{(block) => <p><Spans text={block().text} /></p>}</Match>
      <Match when={is('list')}>{(block) => <ul><For each={block().items}>{(item) => <li><Spans text={item} /></li>}</For></ul>}</Match>
      <Match when={is('code')}>
        {(block) => (
          <Show when={SUMMARIES[block().language]} fallback={<Code text={block().text} />}>
            {(summary) => <details><summary>{summary()}</summary><Code text={block().text} /></details>}
          </Show>
        )}
      </Match>
    </Switch>
  );
}

function Spans(props: { text: string }) {
  return <For each={spans(props.text)}>{({ style, text }) => (style === 'code' ? <code>{text}</code> : style === 'bold' ? <b>{text}</b> : text)}</For>;
}
