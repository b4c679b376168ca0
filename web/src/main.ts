/** Starts the page: first the worker, which has most to load, and meanwhile what is seen. */
import { oracle } from './state/oracle.ts';
import './styles/tokens.css';
import './styles/page.css';
import './styles/timeline.css';
import './styles/panes.css';

oracle();
const { show } = await import('./page.tsx');
show();
if (import.meta.env.PROD && 'serviceWorker' in navigator) void navigator.serviceWorker.register('./service-worker.js');
