/** The requests that followed from the decisions, and the outcome of each. */
import { wentWell } from '../model/story.ts';
import type { RequestEntry } from '../protocol.ts';
import { Long } from './Long.tsx';

/** More are shown on request. */
const MOST = 8;

export function Requests(props: { requests: RequestEntry[] }) {
  return (
    <>
      <h3>Requests to the API server</h3>
      <Long class="requests" items={props.requests} most={MOST}>
        {(request) => (
          <li classList={{ bad: !wentWell(request.outcome) }}>
            <span class="mono"><b>{request.method}</b> {short(request.path)}</span> <span class="outcome">{request.outcome}</span>
          </li>
        )}
      </Long>
    </>
  );
}

/** The path without what all paths of the playground begin with. */
function short(path: string): string {
  return path.replace(/^\/apis?\/(batch\/)?v1\/namespaces\//, '');
}
