/** Starts the page. */
import { render } from 'solid-js/web';

import { App } from './App.tsx';
import { startTheme } from './state/settings.ts';
import './styles/tokens.css';
import './styles/page.css';
import './styles/timeline.css';
import './styles/panes.css';

startTheme();
const root = document.querySelector('#root');
if (!root) throw new Error('the page has no place for the playground');
render(() => <App />, root);
if (import.meta.env.PROD && 'serviceWorker' in navigator) void navigator.serviceWorker.register('./service-worker.js');
