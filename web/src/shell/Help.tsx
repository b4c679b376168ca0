/** What this page is, and its keys. */
import { For } from 'solid-js';

import about from '../generated/about.json';
import { keysOn, setKeysOn } from '../state/settings.ts';
import { Dialog } from './Dialog.tsx';
import { Icon } from './Icon.tsx';

/** What each key does. */
const KEYS: [string, string][] = [
  ['Space', 'play or pause'],
  ['→', 'go to the next step'],
  ['←', 'go to the previous step'],
  ['Shift + →', 'go to the next decision'],
  ['X', 'go to the next failure'],
  ['Shift + X', 'go to the previous failure'],
  ['N', 'go to the next CronJob run'],
  ['Shift + N', 'go to the previous CronJob run'],
  ['K', 'go to the next skipped CronJob run'],
  ['Shift + K', 'go to the previous skipped CronJob run'],
  ['Home', 'go to the first step'],
  ['End', 'go to the last step'],
  ['F', 'fork: continue from here in a new tab'],
  ['C', 'compare two sessions'],
  ['/', 'open the examples'],
  ['S', 'copy a link to everything on the screen'],
  ['Z', 'undo'],
  ['Shift + Z', 'redo'],
  ['?', 'show this help'],
  ['Ctrl + Enter', 'in the editor: play the manifest'],
  ['F8', 'in the editor: go to the next problem'],
  ['Ctrl + .', 'in the editor: fix the problem on this line'],
  ['Ctrl + F', 'in the editor: find and replace'],
  ['Esc', 'close the open window'],
];

/** Rules for pods, and what each means. */
const RULES: [string, string][] = [
  ['pods: succeed after 5s', 'every pod; this is also what pods without a rule do'],
  ['index 1: exit 42 twice', 'the first two attempts of index 1, or its first two starts in a pod; also once, 3 times'],
  ['index 1 attempts 1-2: exit 42 after 2s', 'the first two pods of index 1'],
  ['indexes 0-2,5: exit 1', 'the pods of several indexes; attempts, starts and runs are listed alike'],
  ['start 3: succeed after 1s', 'the third start in the same pod, with restartPolicy OnFailure'],
  ['container log: runs forever', 'every container named log'],
  ['cronjob nightly: succeed after 26h', 'the pods of every Job of that CronJob'],
  ['run 3: exit 1 after 5s', 'the pods of the third Job of its CronJob; also run 2026-01-03T02:00:00Z, by the scheduled time'],
  ['pods: evicted after 10s', 'also preempted, evicted by the kubelet, OOMKilled, message "retry-after 30", condition ConfigIssue after 2s, never scheduled, never starts, never ready, ignores TERM'],
];

export function Help(props: { onClose: () => void; onTour: () => void }) {
  return (
    <Dialog title="Help" onClose={props.onClose}>
      <p>
        This page runs the Job, CronJob and TTL-after-finished controllers and a simulated cluster in your browser. Paste a Job or a CronJob, choose what its pods do, and watch what the controllers decide
        and why. Time is virtual: an hour passes in an instant. Nothing is sent to a server.
      </p>
      <p>
        To see what happened to a Job of your own cluster, and to continue from its state, paste the output of <code>kubectl get cronjobs,jobs,pods -o yaml</code>. To find the moment when something went wrong on a cluster, record
        it with <code>jobsmith controller --record</code>, then choose “Share”, “Open a file…”, or drop the recording on the page.
      </p>
      <h3>The timeline</h3>
      <ul class="legend">
        <li><span class="swatch pending" /> Pending: waiting for a node, or for its containers to start</li>
        <li><span class="swatch running" /> Running; ready if it has a solid top edge</li>
        <li><span class="swatch deleting" /> Terminating: being deleted</li>
        <li><span class="swatch gone" /> Faint, with an outline: the pod was removed before it ended</li>
        <li><span class="swatch estimated" /> Hatched: estimated, because what was pasted has no record of it</li>
        <li><span class="swatch succeeded">✓</span> Succeeded</li>
        <li><span class="swatch failed">✗ 1</span> Failed, with its exit code</li>
        <li><span class="swatch failed">✗ 1│</span> A container failed and restarted in its pod, with its exit code</li>
        <li><span class="swatch waiting"><Icon name="timer" /></span> Waiting to restart a container in its pod (CrashLoopBackOff)</li>
        <li><span class="swatch none"><Icon name="timer" /></span> Waiting, and when the wait ends</li>
        <li><span class="swatch none"><Icon name="lock" /></span> The pod has ended; it is kept until the Job’s status counts it</li>
        <li><span class="swatch wait-band" /> Back-off, or another wait: it ends early if something else comes first</li>
        <li><span class="swatch state-band" /> A condition of the Job holds, such as SuccessCriteriaMet: it has succeeded, and its remaining pods are being removed; FailureTarget: it has failed, and its pods are being removed</li>
        <li><span class="swatch late-run" /> In the row of a CronJob: from the scheduled time of a run to its late start</li>
        <li><span class="swatch none">⊘</span> In the row of a CronJob: a scheduled run that started no Job; click it to see why</li>
        <li><span class="swatch none"><Icon name="timer" /></span> In the row of a CronJob: the clock is set forward or back, so that a scheduled time does not exist or occurs twice</li>
        <li><span class="swatch none">✕</span> The Job was deleted</li>
        <li><span class="swatch none">● ○</span> A decision to act; a decision to wait or to leave something alone</li>
        <li><span class="swatch none">| ✗</span> A write to the API server; a write that failed</li>
        <li><span class="swatch none">◆</span> What you did</li>
        <li><span class="swatch none">≠</span> What was pasted has a gap, or differs from what the controllers decide</li>
      </ul>
      <p>The line above the timeline is the outcome: what became of each Job in the end, with a link to the step that decided it. The story below lists everything that happened: click a line to go to its step, or select it with ↑ and ↓ and press Enter.</p>
      <p>Click a pod to make it exit, delete it or evict it; click the name of a CronJob or of one of its Jobs to act on it. If you act in the past, a new tab opens, and the original tab stays as it was.</p>
      <h3>What pods do</h3>
      <dl class="help-rules"><For each={RULES}>{([rule, means]) => <><dt><code>{rule}</code></dt><dd>{means}</dd></>}</For></dl>
      <p>The first rule that matches wins. The fields suggest more rules; <code>jobsmith simulate --help</code> lists all of them.</p>
      <h3>Keyboard shortcuts</h3>
      <label class="check"><input type="checkbox" checked={keysOn()} onChange={(event) => setKeysOn(event.currentTarget.checked)} /> Use keyboard shortcuts. Without them, Esc still closes windows, and the arrow keys move the timeline’s cursor while it has the focus.</label>
      <dl class="keys"><For each={KEYS}>{([key, does]) => <div><dt><kbd>{key}</kbd></dt><dd>{does}</dd></div>}</For></dl>
      <details>
        <summary>Versions</summary>
        <dl class="facts">
          <dt>Kubernetes</dt><dd>{about.kubernetes}</dd>
          <dt>jobsmith</dt><dd>{about.jobsmith}</dd>
          <dt>Controllers</dt><dd class="mono">{about.component}, SHA-256 {about.sha256}</dd>
        </dl>
      </details>
      <p><button type="button" onClick={() => props.onTour()}>Take the tour</button></p>
    </Dialog>
  );
}
