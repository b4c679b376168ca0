/** Keeps the page in the browser, so that it opens without a network. */
import { createEffect, createMemo } from 'solid-js';

import { oracle } from '../state/oracle.ts';

/** Every file is loaded once more for it: that waits until something `played` and the controllers are there, so that it does not hold up the page. */
export function useOffline(played: () => boolean): void {
  const ready = createMemo(played);
  createEffect(() => {
    if (ready() && import.meta.env.PROD && 'serviceWorker' in navigator) void register();
  });
}

async function register(): Promise<void> {
  await oracle().call('ready', {});
  await navigator.serviceWorker.register('./service-worker.js');
}
