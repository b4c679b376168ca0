/** Keeps the page in the browser, so that it opens without a network, and knows when another version of it is there. */
import { createEffect, createMemo, createSignal } from 'solid-js';

import { oracle } from '../state/oracle.ts';

export type Offline = ReturnType<typeof useOffline>;

/** Every file is loaded once more for it: that waits until something `played` and the controllers are there, so that it does not hold up the page. */
export function useOffline(played: () => boolean) {
  const [outdated, setOutdated] = createSignal(false);
  const ready = createMemo<boolean>((before) => before || played(), false);
  let waiting: ServiceWorker | null = null;

  async function register(): Promise<void> {
    await oracle().call('ready', {});
    const { serviceWorker: container } = navigator;
    // The first version to be kept is the one that is shown.
    if (container.controller) container.addEventListener('controllerchange', () => setOutdated(true));
    await container.register('./service-worker.js');
    const registration = await container.getRegistration();
    if (!registration) return;
    const look = (): void => {
      waiting = registration.waiting;
      if (waiting && container.controller) setOutdated(true);
    };
    look();
    registration.addEventListener('updatefound', () => registration.installing?.addEventListener('statechange', look));
    // A page that stays open for days checks when its tab is shown again; without a network there is nothing to learn.
    const returned = (): void => void (document.visibilityState === 'visible' && registration.update().catch(() => {}));
    document.addEventListener('visibilitychange', returned);
  }
  createEffect(() => {
    if (ready() && import.meta.env.PROD && 'serviceWorker' in navigator) void register();
  });

  return {
    /** Whether a later version of the page than this one is there. */
    outdated,
    /** Loads the page again in its latest version. */
    reload(): void {
      if (waiting?.state !== 'installed') return location.reload();
      navigator.serviceWorker.addEventListener('controllerchange', () => location.reload());
      waiting.postMessage('activate');
    },
  };
}
