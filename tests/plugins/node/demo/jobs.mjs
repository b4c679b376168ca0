/**
 * Jobs in webernetes: one completes, one fails after back-off, and a CronJob runs.
 *
 * Docs: Jobs, "Pod backoff failure policy"; CronJob, "Writing a CronJob spec". It runs in Node and in browsers alike.
 */
import { BaseImage, Cluster } from '@ngrok/webernetes';
import { Controllers, Loop, sentence } from '@jobsmith/controllers';
import { job } from '../memory.mjs';
import { WebernetesCluster } from './webernetes.mjs';

/** An image whose containers work for a moment, and end with an exit code. */
function image(name, exitCode) {
  return class extends BaseImage {
    static imageName = name;
    static imageVersion = '1.0';
    defaultCommand = ['work'];

    async exec(context, argv) {
      return argv[0] === 'work' ? exitCode : super.exec(context, argv);
    }
  };
}

const CONFIGURATION = { job: { limits: { podFailureBackOff: '1s' } } };

/** Plays all three, logs what is decided, and returns their outcomes. */
export async function demo(log) {
  const webernetes = new Cluster({ nodes: 1 });
  webernetes.registerImage(image('works', 0));
  webernetes.registerImage(image('fails', 3));
  const end = new AbortController();
  try {
    await webernetes.init();
    const cluster = new WebernetesCluster(webernetes);
    const errors = [];
    const onPlan = (plan) => logged(plan, log);
    const loop = new Loop(await Controllers.create(CONFIGURATION), cluster, { onPlan, onError: (error) => errors.push(String(error)) });
    const running = loop.run(end.signal);
    const results = await play(cluster);
    end.abort();
    await running;
    return { ...results, errors };
  } finally {
    end.abort();
    await webernetes.close();
  }
}

async function play(cluster) {
  const complete = await finished(cluster, cluster.jobs.create(of('works', { completions: 3, parallelism: 2 })).val.uid);
  const begin = Date.now();
  const failed = await finished(cluster, cluster.jobs.create(of('fails', { backoffLimit: 2 })).val.uid);
  const backOff = Date.now() - begin;
  cluster.cronjobs.create(everyMinute());
  const run = await finished(cluster, undefined, 'minutely-');
  return { complete, failed, backOff, run };
}

function logged({ object, decisions }, log) {
  for (const { role, sentence: parts } of decisions) {
    if (role.tag !== 'routine') {
      log(`${object.kind} ${object.name}: ${sentence(parts)}`);
    }
  }
}

function of(name, spec) {
  const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: `${name}:1.0` }] } };
  return job(name, { template, ...spec });
}

/** A CronJob that was created some minutes ago, so that a run is due at once. */
function everyMinute() {
  const metadata = { name: 'minutely', namespace: 'default' };
  const status = { lastScheduleTime: new Date(Date.now() - 150_000).toISOString() };
  const spec = { schedule: '* * * * *', concurrencyPolicy: 'Allow', suspend: false, jobTemplate: { spec: of('works').spec } };
  return { apiVersion: 'batch/v1', kind: 'CronJob', metadata, spec, status };
}

/** The end of a Job, by its UID or the beginning of its name. */
async function finished(cluster, uid, prefix) {
  for await (const { object } of cluster.jobs.watch('0', AbortSignal.timeout(60_000))) {
    const { metadata, status } = object;
    const condition = status?.conditions?.find(({ type }) => type === 'Complete' || type === 'Failed');
    if (condition && (metadata.uid === uid || (prefix && metadata.name.startsWith(prefix)))) {
      const { succeeded = 0, failed = 0 } = status;
      return { name: metadata.name, condition: condition.type, reason: condition.reason, succeeded, failed };
    }
  }
  throw new Error('no Job has finished in time');
}
