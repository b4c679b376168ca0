/** Starts the page. What it opens with is seen already, and stays until the script takes over: the worker, which has most to load, comes last. Where something else is opened, it comes first. */
import { oracle } from './state/oracle.ts';
import { painted } from './state/painted.ts';
import './styles/tokens.css';
import './styles/page.css';
import './styles/timeline.css';
import './styles/story.css';
import './styles/panes.css';
import './styles/embed.css';
import './styles/calendar.css';
import './styles/low.css';
import './styles/touch.css';
import './styles/print.css';

async function start(): Promise<void> {
  // See the script in `index.html`.
  if (document.documentElement.classList.contains('opens-other')) {
    const started = oracle().call('started', {});
    const { show } = await import('./page.tsx');
    // Until a worker has started, what it is sent waits for the page to be idle: it would not play while the page is drawn.
    await started.catch(() => {});
    return show();
  }
  await painted();
  const page = import('./page.tsx');
  // A manifest can be pasted long before the controllers are there. If the editor cannot be loaded, the page reports it.
  import('./editor/yaml.ts').catch(() => {});
  const { show } = await page;
  // A worker that cannot start is reported with the first play.
  oracle().call('started', {}).catch(() => {});
  show();
}

// The page needs this file, too, for its worker: an `await` here would have both wait for each other.
start().catch((error: unknown) => {
  document.body.insertAdjacentHTML('beforeend', '<div class="toast-place" role="alert"><p class="toast">The page could not be loaded. Reload it to try again.</p></div>');
  throw error;
});
