/** A list that shows only its beginning until the rest is requested. */
import { createSignal, For, type JSX, Show } from 'solid-js';

interface Props<Item> {
  class: string;
  items: Item[];
  /** So many are shown at first. */
  most: number;
  children: (item: Item) => JSX.Element;
}

export function Long<Item>(props: Props<Item>) {
  // Steps with thousands of entries are passed by in a drag: nothing is made of those that are not looked at.
  const [whole, setWhole] = createSignal<Item[] | null>(null);
  const shown = () => (whole() === props.items ? props.items : props.items.slice(0, props.most));
  return (
    <>
      <ul class={props.class}><For each={shown()}>{props.children}</For></ul>
      <Show when={shown().length < props.items.length}>
        <button type="button" class="link small" onClick={() => setWhole(props.items)}>Show {props.items.length - shown().length} more</button>
      </Show>
    </>
  );
}
