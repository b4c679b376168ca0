/** The worker of this page; one for all callers. What the page opens with is answered before it is there. */
import first from 'virtual:first';
import opened from 'virtual:opened';

import { type Oracle, startWorker } from '../client.ts';
import { prepared } from './prepared.ts';

let started: Oracle | undefined;

export function oracle(): Oracle {
  started ??= prepared({ manifest: first.manifest, script: first.script, opened }, startWorker);
  return started;
}
