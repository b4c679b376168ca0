/** Reports errors that nobody waits for. */
import { onCleanup } from 'solid-js';

import { fault } from '../faults.ts';

export function useFaults(report: (message: string) => void): void {
  const failed = ({ reason }: PromiseRejectionEvent): void => report(fault(reason));
  addEventListener('unhandledrejection', failed);
  onCleanup(() => removeEventListener('unhandledrejection', failed));
}
