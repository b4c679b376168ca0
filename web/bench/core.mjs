/**
 * Measures what runs below the page, in Node, with the files that the page loads: a step, a look back, and large Jobs from start to end.
 * `npm run bench` starts it; it fails where a goal is missed.
 */
import { readFile } from 'node:fs/promises';
import { performance } from 'node:perf_hooks';

const generated = new URL('../src/generated/', import.meta.url);
const load = (name) => import(new URL(name, generated).href);
const browser = await load('browser.js');
const { memory } = browser.initSync({ module: await readFile(new URL('browser_bg.wasm', generated)) });
const core = new WebAssembly.Module(await readFile(new URL('controllers.core.wasm', generated)));
const manager = () => new WebAssembly.Instance(core).exports;

const job = (name, spec) => `
apiVersion: batch/v1
kind: Job
metadata: {name: ${name}}
spec: {completionMode: Indexed, ${spec}, template: {spec: {restartPolicy: Never, containers: [{name: main, image: main}]}}}
`;

/** Plays a session to its end in portions, as the worker does; returns how long that took and what it holds. */
function play(manifest, script) {
  const begin = performance.now();
  const playing = browser.play(manager, manifest, script);
  let [steps, longest, bytes, progress] = [0, 0, 0, { ended: false }];
  while (!progress.ended) {
    const start = performance.now();
    const text = playing.run(1);
    progress = JSON.parse(text);
    longest = Math.max(longest, performance.now() - start);
    steps += progress.steps.length;
    bytes += text.length;
  }
  return { playing, steps, longest, bytes, took: performance.now() - begin };
}

let missed = 0;
function tell(what, figure, goal, met) {
  console.log(`${what}: ${figure} (goal ${goal})${met ? '' : '  MISSED'}`);
  missed += met ? 0 : 1;
}

{
  // A hundred pods at a time, each ending at its own time.
  const ends = Array.from({ length: 300 }, (_, index) => `index ${index}: succeed after ${1000 + index * 1370}ms`);
  const { playing, steps, took } = play(job('busy', 'completions: 300, parallelism: 100'), ends.join('\n'));
  const each = took / steps;
  tell(`a step, of ${steps} with 100 pods at a time`, `${each.toFixed(2)} ms`, '≤ 3 ms', each <= 3);
  const looks = 200;
  const begin = performance.now();
  for (let look = 0; look < looks; look++) {
    const step = Math.floor((steps * look) / looks);
    const objects = playing.objects(step);
    const { kind, namespace, name } = objects[objects.length - 1];
    browser.yaml(playing.object(step, kind, namespace, name));
  }
  const back = (performance.now() - begin) / looks;
  tell('the objects of an earlier step, one of them as YAML', `${back.toFixed(2)} ms`, '≤ 30 ms', back <= 30);
  playing.free();
}

for (const parallelism of [10000, 100]) {
  const { playing, steps, took, longest, bytes } = play(job('large', `completions: 10000, parallelism: ${parallelism}`), '');
  const figure = `${(took / 1000).toFixed(1)} s, ${steps} steps, longest moment ${Math.round(longest)} ms, ${Math.round(bytes / 1e6)} MB of JSON, ${Math.round(memory.buffer.byteLength / 1e6)} MB held`;
  tell(`10,000 indexes, ${parallelism} at a time, from start to end`, figure, '≤ 10 s', took <= 10000);
  playing.free();
}
{
  // What follows each change in the editor, for 500 lines: what is wrong, and what would be done, with advice.
  const container = (name) => `
      - name: c${name}
        image: registry.example/app:1.${name}
        command: [sh, -c, 'set -eu; ./run']
        env: [{name: A, value: "1"}, {name: B, valueFrom: {fieldRef: {fieldPath: metadata.name}}}]
        resources: {limits: {memory: 64Mi}, requests: {cpu: 100m}}`;
  const cronJob = (name) => `apiVersion: batch/v1
kind: CronJob
metadata: {name: job-${name}}
spec:
  schedule: 30 4 * * *
  timeZone: Europe/Berlin
  jobTemplate:
   spec:
    template:
     spec:
      restartPolicy: Never
      containers:${Array.from({ length: 7 }, (_, index) => container(index)).join('')}
---
`;
  const manifest = Array.from({ length: 11 }, (_, index) => cronJob(index)).join('');
  const lines = manifest.split('\n').length;
  const middle = (run) => {
    const times = Array.from({ length: 21 }, () => {
      const begin = performance.now();
      run();
      return performance.now() - begin;
    });
    return times.sort((a, b) => a - b)[10];
  };
  const check = middle(() => browser.check(manifest));
  tell(`checking ${lines} lines`, `${check.toFixed(1)} ms`, '≤ 10 ms', check <= 10);
  const forecast = middle(() => browser.forecast(manifest, 'Europe/Berlin', Date.now()));
  tell('their forecast', `${forecast.toFixed(1)} ms`, '≤ 50 ms', forecast <= 50);
}
process.exitCode = missed > 0 ? 1 : 0;
