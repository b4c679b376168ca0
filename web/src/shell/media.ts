/** What kind of screen the page is seen on. */
import { createSignal, onCleanup } from 'solid-js';
import { isServer } from 'solid-js/web';

/** Whether a media query holds; when the page is built, none does. */
export function matches(query: string): () => boolean {
  if (isServer) return () => false;
  const media = matchMedia(query);
  const [holds, setHolds] = createSignal(media.matches);
  const change = (): void => void setHolds(media.matches);
  media.addEventListener('change', change);
  onCleanup(() => media.removeEventListener('change', change));
  return holds;
}
