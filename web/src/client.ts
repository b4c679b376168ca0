/** Sends questions to the worker and waits for its answers. */
import type { Call, Question, Questions, Reply } from './protocol.ts';

/** What answers questions: the worker, or something that stands for it in a test. */
export interface Oracle {
  call<Name extends Question>(name: Name, input: Questions[Name]['input']): Promise<Questions[Name]['answer']>;
}

interface Waiting {
  answered: (answer: Questions[Question]['answer']) => void;
  failed: (error: Error) => void;
}

/** What a message channel to the worker must be able to do. */
export interface Channel {
  postMessage(message: Call): void;
  terminate(): void;
  onmessage: ((event: MessageEvent<Reply>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
}

/** A worker that runs. */
interface Running {
  channel: Channel;
  /** The plays that are open in it. */
  plays: Set<number>;
}

const LOST = 'The controllers no longer have this session. Change its manifest or pod behaviour to play it again, or reload the page.';

/** Numbers the questions, and gives each answer to its caller. A worker that stopped, or that could not load the controllers, is started again with the next question. */
export class Client implements Oracle {
  private calls = 0;
  private readonly waiting = new Map<number, Waiting>();
  private running: Running | null;

  constructor(private readonly start: () => Channel) {
    this.running = this.started();
  }

  call<Name extends Question>(name: Name, input: Questions[Name]['input']): Promise<Questions[Name]['answer']> {
    if ('play' in input && name !== 'open' && !this.running?.plays.has(input.play)) return Promise.reject(new Error(LOST));
    const id = ++this.calls;
    const running = (this.running ??= this.started());
    if ('play' in input) {
      if (name === 'open') running.plays.add(input.play);
      if (name === 'close') running.plays.delete(input.play);
    }
    return new Promise((answered, failed) => {
      // The answer has the type of its question: the worker answers each by its name.
      this.waiting.set(id, { answered: answered as Waiting['answered'], failed });
      running.channel.postMessage({ id, name, input } as Call);
    });
  }

  private started(): Running {
    const running: Running = { channel: this.start(), plays: new Set() };
    running.channel.onmessage = ({ data }) => this.answered(running, data);
    running.channel.onerror = ({ message }) => this.stopped(running, message || 'they could not be loaded');
    return running;
  }

  private answered(running: Running, message: Reply): void {
    if ('stopped' in message) return this.stopped(running, message.stopped);
    const waiting = this.waiting.get(message.id);
    if (!waiting) return;
    this.waiting.delete(message.id);
    if ('failed' in message) waiting.failed(new Error(message.failed));
    else waiting.answered(message.answer);
  }

  private stopped(running: Running, message: string): void {
    if (this.running !== running) return;
    this.running = null;
    running.channel.terminate();
    const error = new Error(`The controllers stopped: ${message.replace(/\.$/, '')}. They start again when a session is played: change the manifest or the pod behaviour, or reload the page.`);
    for (const waiting of this.waiting.values()) waiting.failed(error);
    this.waiting.clear();
  }
}

export function startWorker(): Client {
  return new Client(() => new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' }));
}
