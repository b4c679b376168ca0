/** Starts the page: first the worker, which has most to load, and then what is seen. */
import { oracle } from './state/oracle.ts';
import './styles/tokens.css';
import './styles/page.css';
import './styles/timeline.css';
import './styles/story.css';
import './styles/panes.css';
import './styles/embed.css';
import './styles/calendar.css';

// Until a worker has started, what it is sent waits for the page to be idle: it would not play while the page is drawn.
const started = oracle().call('about', {});
// The page needs this file, too, for its worker: an `await` here would have both wait for each other.
void import('./page.tsx').then(({ show }) => started.finally(show));
