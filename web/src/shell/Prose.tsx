/** Text with code between backticks. */
import { For } from 'solid-js';

export function Prose(props: { text: string }) {
  return <For each={props.text.split('`')}>{(part, place) => (place() % 2 === 1 ? <code>{part}</code> : part)}</For>;
}
