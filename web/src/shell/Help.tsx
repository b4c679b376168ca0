/** What this page is, and its keys. */
import { For } from 'solid-js';

import { Dialog } from './Dialog.tsx';
import { Icon } from './Icon.tsx';

/** What each key does. */
const KEYS: [string, string][] = [
  ['Space', 'run or pause'],
  ['→', 'one step forward'],
  ['←', 'one step back'],
  ['Shift + →', 'to the next decision'],
  ['N', 'to the next run of a CronJob'],
  ['Home', 'to the start'],
  ['End', 'to the end'],
  ['F', 'fork: a second tab from here'],
  ['C', 'compare with another session'],
  ['/', 'examples'],
  ['S', 'copy the link'],
  ['?', 'this help'],
  ['Esc', 'close the open window'],
];

export function Help(props: { onClose: () => void; onTour: () => void }) {
  return (
    <Dialog title="Help" onClose={props.onClose}>
      <p>
        This page runs Kubernetes’ controllers for Jobs, CronJobs and TTL-after-finished and a simulated cluster in your browser. Paste a Job or a CronJob, choose what its pods do, and watch what the
        controllers decide and why. Time is virtual: an hour passes in no time. Nothing is sent to a server.
      </p>
      <p>
        Paste the output of <code>kubectl get cronjobs,jobs,pods -o yaml</code>, and the session continues from the state of your cluster. Open a recording of <code>jobsmith controller --record</code> with “Share” or by
        dropping it here, and look for the moment at which something went wrong.
      </p>
      <h3>The timeline</h3>
      <ul class="legend">
        <li><span class="swatch pending" /> Pending: waiting for a node, or for its containers to start</li>
        <li><span class="swatch running" /> Running; ready if it has a dark top edge</li>
        <li><span class="swatch deleting" /> is being deleted</li>
        <li><span class="swatch succeeded">✓</span> succeeded</li>
        <li><span class="swatch failed">✗ 1</span> failed, with its exit code</li>
        <li><span class="swatch none">│</span> a container restarted in its pod</li>
        <li><span class="swatch none"><Icon name="timer" /></span> waiting, and until when</li>
        <li><span class="swatch none">⊘</span> in the row of a CronJob: a scheduled time that started no Job; click it for the reason</li>
        <li><span class="swatch none">✕</span> the Job was deleted</li>
        <li><span class="swatch none">● ○</span> a decision to act; a decision to wait or to leave something alone</li>
      </ul>
      <p>Click a pod to make it exit, delete it or evict it at that moment; click the name of a CronJob or of one of its Jobs to act on it. Acting in the past opens a second tab; the first keeps what happened.</p>
      <h3>Keys</h3>
      <dl class="keys"><For each={KEYS}>{([key, does]) => <div><dt><kbd>{key}</kbd></dt><dd>{does}</dd></div>}</For></dl>
      <p><button type="button" onClick={() => props.onTour()}>Show me around</button></p>
    </Dialog>
  );
}
