/** The worker of this page; one for all callers. */
import { type Oracle, startWorker } from '../client.ts';

let started: Oracle | undefined;

export function oracle(): Oracle {
  started ??= startWorker();
  return started;
}
