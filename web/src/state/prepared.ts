/** Serves the first view from the build, so that it is seen before the controllers are loaded. They play the same afterwards, and serve everything else. */
import type { Oracle } from '../client.ts';
import type { Opened, Questions } from '../protocol.ts';

/** A session, and with what its play begins. */
export interface Prepared {
  manifest: string;
  script: string;
  opened: Opened;
}

/** `start` starts the worker, when it is asked for the first time. */
export function prepared({ manifest, script, opened }: Prepared, start: () => Oracle): Oracle {
  let worker: Oracle | undefined;
  const ask: Oracle['call'] = (name, input) => (worker ??= start()).call(name, input);
  return {
    async call(name, input) {
      const known = name === 'open' && 'script' in input && 'manifest' in input && input.manifest === manifest && input.script === script;
      if (!known) return ask(name, input);
      // The worker has the same play under the same number, for all that is asked about it later. Where that fails, `useFaults` reports it.
      void ask(name, input);
      return opened as Questions[typeof name]['answer'];
    },
  };
}
