/** Starts the page: what it opens with is seen first, and then the worker is started, which has most to load; where something else is opened, it is the other way round. */
import { windows } from './state/keeping.ts';
import { oracle } from './state/oracle.ts';
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

/** Whether there is something to open that the controllers have to play first: what a link names, or tabs that were kept. */
function awaited(): boolean {
  try {
    return location.hash.length > 1 || windows(localStorage).length > 0;
  } catch {
    // A browser that keeps nothing has no tabs to open again.
    return false;
  }
}

// Until a worker has started, what it is sent waits for the page to be idle: it would not play while the page is drawn.
const ready = awaited() ? oracle().call('started', {}) : Promise.resolve();
// The page needs this file, too, for its worker: an `await` here would have both wait for each other.
void import('./page.tsx').then(({ show }) => ready.finally(show));
