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
interface Channel {
  postMessage(message: Call): void;
  onmessage: ((event: MessageEvent<Reply>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
}

/** Numbers the questions, and gives each answer to its caller. */
export class Client implements Oracle {
  private calls = 0;
  private readonly waiting = new Map<number, Waiting>();

  constructor(private readonly channel: Channel) {
    channel.onmessage = ({ data }) => this.answered(data);
    channel.onerror = (event) => this.broken(event.message);
  }

  call<Name extends Question>(name: Name, input: Questions[Name]['input']): Promise<Questions[Name]['answer']> {
    const id = ++this.calls;
    return new Promise((answered, failed) => {
      // The answer has the type of its question: the worker answers each by its name.
      this.waiting.set(id, { answered: answered as Waiting['answered'], failed });
      this.channel.postMessage({ id, name, input } as Call);
    });
  }

  private answered(message: Reply): void {
    const waiting = this.waiting.get(message.id);
    if (!waiting) return;
    this.waiting.delete(message.id);
    if ('failed' in message) waiting.failed(new Error(message.failed));
    else waiting.answered(message.answer);
  }

  private broken(message: string): void {
    const error = new Error(`The worker stopped: ${message}. Reload the page.`);
    for (const waiting of this.waiting.values()) waiting.failed(error);
    this.waiting.clear();
  }
}

export function startWorker(): Client {
  return new Client(new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' }));
}
