/** Starts the page: first the worker, which has most to load, and meanwhile what is seen. */
import { oracle } from './state/oracle.ts';
import './styles/tokens.css';
import './styles/page.css';
import './styles/timeline.css';
import './styles/panes.css';

oracle();
// The page needs this file, too, for its worker: an `await` here would have both wait for each other.
void import('./page.tsx').then(({ show }) => {
  show();
  if (import.meta.env.PROD && 'serviceWorker' in navigator) void navigator.serviceWorker.register('./service-worker.js');
});
