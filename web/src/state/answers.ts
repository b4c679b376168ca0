/** Answers that are fetched again whenever their question changes. */
import { createEffect, createSignal, onCleanup } from 'solid-js';

/** The newest answer; until it has come, the one before it. Nothing is asked while the question is null. */
export function createAnswer<Asked, Answer>(question: () => Asked | null, ask: (question: Asked) => Promise<Answer>): () => Answer | undefined {
  const [answer, setAnswer] = createSignal<Answer>();
  createEffect(() => {
    const asked = question();
    if (asked === null) return;
    let newest = true;
    onCleanup(() => (newest = false));
    void ask(asked).then((given) => newest && setAnswer(() => given));
  });
  return answer;
}
