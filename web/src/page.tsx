/** Shows the page. */
import { render } from 'solid-js/web';

import { App } from './App.tsx';
import { Embedded } from './embed/Embedded.tsx';
import { embedded } from './state/embedded.ts';
import { startTheme } from './state/settings.ts';

export function show(): void {
  startTheme();
  const root = document.querySelector('#root');
  if (!root) throw new Error('the page has no place for the playground');
  root.replaceChildren();
  render(() => (embedded ? <Embedded /> : <App />), root);
}
