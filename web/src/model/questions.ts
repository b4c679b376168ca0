/** The most common questions, and the claims that answer them. */
import type { Example } from '../views.ts';

/** A question, and the claim that answers it. */
export interface CommonQuestion {
  question: string;
  topic: string;
  title: string;
}

export const QUESTIONS: CommonQuestion[] = [
  {
    question: 'Why was my Job’s last attempt cut short?',
    topic: 'Handling Pod and container failures',
    title: 'With OnFailure and a backoffLimit of 3, the container is started four times',
  },
  {
    question: 'How long does a Job wait before it retries?',
    topic: 'Pod backoff failure policy',
    title: 'Each further failure doubles the delay before the next pod',
  },
  {
    question: 'How do I keep evictions from using up retries?',
    topic: 'Pod failure policy',
    title: 'The action Ignore leaves a failure uncounted',
  },
  {
    question: 'How do I fail fast when retrying is pointless?',
    topic: 'Pod failure policy',
    title: 'The action FailJob ends the other pods too',
  },
  {
    question: 'How do I keep one bad index from stopping the others?',
    topic: 'Backoff limit per index',
    title: 'An index that fails too often does not stop the others',
  },
  {
    question: 'Can a Job be complete before all its indexes have succeeded?',
    topic: 'Success policy',
    title: 'A Job is complete when the indexes that its rule names have succeeded',
  },
  {
    question: 'What happens to running pods when a Job is suspended?',
    topic: 'Suspending a Job',
    title: 'A Job that is suspended deletes its active pods, which do not count as failed',
  },
  {
    question: 'Why does one index have two pods at the same time?',
    topic: 'Delayed creation of replacement pods',
    title: 'By default, a pod is replaced as soon as its deletion starts',
  },
  {
    question: 'What happens when a node is lost?',
    topic: 'Handling Pod and container failures',
    title: 'A pod whose node is lost is replaced once the cluster gives up on it',
  },
  {
    question: 'What if the controller restarts halfway through?',
    topic: 'Job tracking with finalizers',
    title: 'Restarted controllers do not count a pod twice',
  },
  {
    question: 'What if a run is due while the previous Job is still running?',
    topic: 'Concurrency policy',
    title: 'Forbid: a run waits until the Job before it has finished',
  },
  {
    question: 'Which finished Jobs does a CronJob keep?',
    topic: 'Jobs history limits',
    title: 'The oldest of more than three successful Jobs is deleted',
  },
  {
    question: 'What happens to missed runs?',
    topic: 'Deadline for delayed Job start',
    title: 'Only the last of several missed runs is started',
  },
  {
    question: 'When is a finished Job deleted?',
    topic: 'Cleanup for finished Jobs',
    title: 'A Job is deleted when its TTL expires',
  },
];

/** The example that the page opens with. */
export const FIRST: CommonQuestion = {
  question: 'What does a Job do when some of its pods fail?',
  topic: 'Completion mode',
  title: 'A failed pod is replaced by one of the same index',
};

export function answering<Claim extends Example>(common: CommonQuestion, gallery: Claim[]): Claim {
  const found = gallery.find((example) => example.topic === common.topic && example.title === common.title);
  if (!found) throw new Error(`no scenario answers "${common.question}"`);
  return found;
}
