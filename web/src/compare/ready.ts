/** Comparisons that are worth looking at: two manifests with one difference, and the same script. */

export interface Ready {
  question: string;
  /** The titles of both sides. */
  titles: [string, string];
  manifests: [string, string];
  script: string;
}

/** A Job with some lines of its spec, and some of its pods' spec. */
function job(spec: string[], pod: string[]): string {
  const lines = [
    'apiVersion: batch/v1', 'kind: Job', 'metadata:', '  name: work', 'spec:',
    ...spec.map((line) => `  ${line}`),
    '  template:', '    spec:',
    ...pod.map((line) => `      ${line}`),
    '      containers:', '      - name: main', '        image: busybox',
  ];
  return lines.map((line) => `${line}\n`).join('');
}

/** A CronJob each minute with some lines of its spec. */
function cronJob(spec: string[]): string {
  const lines = [
    'apiVersion: batch/v1', 'kind: CronJob', 'metadata:', '  name: work', 'spec:', '  schedule: "* * * * *"',
    ...spec.map((line) => `  ${line}`),
    '  jobTemplate:', '    spec:', '      template:', '        spec:', '          restartPolicy: Never', '          containers:', '          - name: main', '            image: busybox',
  ];
  return lines.map((line) => `${line}\n`).join('');
}

const NEVER = ['restartPolicy: Never'];
const POLICY = ['podFailurePolicy:', '  rules:', '  - action: Ignore', '    onPodConditions:', '    - type: DisruptionTarget', '      status: "True"'];

export const READY: Ready[] = [
  {
    question: 'Who retries: the kubelet or the Job controller?',
    titles: ['restartPolicy: OnFailure', 'restartPolicy: Never'],
    manifests: [job(['backoffLimit: 3'], ['restartPolicy: OnFailure']), job(['backoffLimit: 3'], NEVER)],
    script: 'pods: exit 1 after 5s\n',
  },
  {
    question: 'How many retries does backoffLimit allow?',
    titles: ['backoffLimit: 0', 'backoffLimit: 6'],
    manifests: [job(['backoffLimit: 0'], NEVER), job(['backoffLimit: 6'], NEVER)],
    script: 'attempt 1: exit 1 after 5s\nattempt 2: exit 1 after 5s\npods: succeed after 5s\n',
  },
  {
    question: 'When is a terminating pod replaced?',
    titles: ['podReplacementPolicy: TerminatingOrFailed', 'podReplacementPolicy: Failed'],
    manifests: [job(['podReplacementPolicy: TerminatingOrFailed'], NEVER), job(['podReplacementPolicy: Failed'], NEVER)],
    script: 'pods: succeed after 30s, ends 10s after TERM with 143\nat 8s: delete attempt 1\n',
  },
  {
    question: 'Does an eviction use up a retry?',
    titles: ['No pod failure policy', 'A rule that ignores disruptions'],
    manifests: [job(['backoffLimit: 0'], NEVER), job(['backoffLimit: 0', ...POLICY], NEVER)],
    script: 'pods: succeed after 20s\nat 8s: evict attempt 1\n',
  },
  {
    question: 'What does one bad index do to the others?',
    titles: ['backoffLimit: 2', 'backoffLimitPerIndex: 2'],
    manifests: [
      job(['completionMode: Indexed', 'completions: 4', 'parallelism: 4', 'backoffLimit: 2'], NEVER),
      job(['completionMode: Indexed', 'completions: 4', 'parallelism: 4', 'backoffLimitPerIndex: 2'], NEVER),
    ],
    script: 'index 1: exit 1 after 5s\npods: succeed after 60s\n',
  },
  {
    question: 'What if a run is due while the previous Job is still running?',
    titles: ['concurrencyPolicy: Allow', 'concurrencyPolicy: Forbid'],
    manifests: [cronJob(['concurrencyPolicy: Allow']), cronJob(['concurrencyPolicy: Forbid'])],
    script: 'pods: succeed after 90s\n',
  },
  {
    question: 'Which Job is kept when a run is due: the previous one or the new one?',
    titles: ['concurrencyPolicy: Forbid', 'concurrencyPolicy: Replace'],
    manifests: [cronJob(['concurrencyPolicy: Forbid']), cronJob(['concurrencyPolicy: Replace'])],
    script: 'pods: succeed after 90s\n',
  },
];
