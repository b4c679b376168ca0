/** Tells of what goes wrong where nobody waits for it. */
import { onCleanup } from 'solid-js';

import { fault } from '../faults.ts';

export function useFaults(tell: (message: string) => void): void {
  const failed = ({ reason }: PromiseRejectionEvent): void => tell(fault(reason));
  addEventListener('unhandledrejection', failed);
  onCleanup(() => removeEventListener('unhandledrejection', failed));
}
