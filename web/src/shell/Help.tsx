/** What this page is, and its keys. */
import { For } from 'solid-js';

import { Dialog } from './Dialog.tsx';
import { Icon } from './Icon.tsx';

/** What each key does. */
const KEYS: [string, string][] = [
  ['Space', 'run or pause'],
  ['→', 'one step on'],
  ['←', 'one step back'],
  ['Shift + →', 'to the next decision'],
  ['Home', 'to the start'],
  ['End', 'to the end'],
  ['F', 'fork: a second tab from here'],
  ['C', 'compare with another session'],
  ['/', 'examples'],
  ['S', 'copy the link'],
  ['?', 'this help'],
  ['Esc', 'close what is open'],
];

export function Help(props: { onClose: () => void; onTour: () => void }) {
  return (
    <Dialog title="Help" onClose={props.onClose}>
      <p>
        This page runs Kubernetes’ Job controller, and a cluster for it, in your browser. Paste a Job, say what its pods do, and watch what the controller decides and why.
        Time is virtual: an hour passes when you ask for it. Nothing is sent to a server.
      </p>
      <p>
        Paste what <code>kubectl get jobs,pods -o yaml</code> prints, and the session goes on from what your cluster has. Open a recording of <code>jobsmith controller --record</code>, by “Share” or by
        dropping it here, and look for the moment at which something went wrong.
      </p>
      <h3>The timeline</h3>
      <ul class="legend">
        <li><span class="swatch pending" /> Pending: waits for a node, or for its containers to start</li>
        <li><span class="swatch running" /> Running; with a dark top edge it is ready</li>
        <li><span class="swatch deleting" /> is being deleted</li>
        <li><span class="swatch succeeded">✓</span> succeeded</li>
        <li><span class="swatch failed">✗ 1</span> failed, with its exit code</li>
        <li><span class="swatch none">│</span> a container was started again in its pod</li>
        <li><span class="swatch none"><Icon name="timer" /></span> waits, with the time until when</li>
        <li><span class="swatch none">● ○</span> something was done; something was left alone, or waited for</li>
      </ul>
      <p>Click on a pod to make it exit, to delete it or to evict it at that moment. Acting in the past opens a second tab; what had happened stays in the first.</p>
      <h3>Keys</h3>
      <dl class="keys"><For each={KEYS}>{([key, does]) => <div><dt><kbd>{key}</kbd></dt><dd>{does}</dd></div>}</For></dl>
      <p><button type="button" onClick={() => props.onTour()}>Show me around</button></p>
    </Dialog>
  );
}
