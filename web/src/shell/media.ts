/** What kind of screen the page is seen on. */
import { createSignal, onCleanup } from 'solid-js';

/** Whether a media query holds. */
export function matches(query: string): () => boolean {
  const media = matchMedia(query);
  const [holds, setHolds] = createSignal(media.matches);
  const change = (): void => void setHolds(media.matches);
  media.addEventListener('change', change);
  onCleanup(() => media.removeEventListener('change', change));
  return holds;
}
