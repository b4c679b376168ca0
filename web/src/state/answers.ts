/** Answers that are fetched again whenever their question changes. */
import { createEffect, createSignal, onCleanup } from 'solid-js';

/** The newest answer; until it has come, the one before it. Nothing is fetched while the question is null. */
export function createAnswer<Input, Answer>(question: () => Input | null, fetch: (question: Input) => Promise<Answer>): () => Answer | undefined {
  const [answer, setAnswer] = createSignal<Answer>();
  createEffect(() => {
    const input = question();
    if (input === null) return;
    let newest = true;
    onCleanup(() => (newest = false));
    void fetch(input).then((given) => newest && setAnswer(() => given));
  });
  return answer;
}
