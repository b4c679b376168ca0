/** A worker for tests, which plays one step a second. */
import type { Oracle } from '../src/client.ts';
import type { Progress, Question, Questions, ScriptParts } from '../src/protocol.ts';
import { progress, step } from './steps.ts';

/** What its questions take. */
interface Input {
  play: number;
  manifest: string;
  script: string;
}

/** Plays ten seconds, and an action in the second in which the script has it. */
export class Clockwork implements Oracle {
  /** The questions that were asked. */
  readonly asked: Question[] = [];
  private readonly open = new Map<number, { at: number; parts: ScriptParts }>();

  async call<Name extends Question>(name: Name, input: Questions[Name]['input']): Promise<Questions[Name]['answer']> {
    this.asked.push(name);
    return this.answer(name, input as unknown as Input) as Questions[Name]['answer'];
  }

  private answer(name: Question, { play, manifest, script }: Input): unknown {
    switch (name) {
      case 'open':
        if (manifest === 'bad') return { problems: [{ severity: 'error', message: 'bad', path: '', line: 1, column: 1, length: 1, remedy: null }] };
        this.open.set(play, { at: 0, parts: parts(script) });
        return { parts: parts(script), progress: JSON.stringify(this.second(play)) };
      case 'readScript':
        return parts(script);
      case 'refused':
        return [];
      case 'run':
        return JSON.stringify(this.second(play));
      case 'list':
        return 'kind: List\n';
      default:
        return null;
    }
  }

  private second(play: number): Progress {
    const known = this.open.get(play) ?? { at: 0, parts: parts('') };
    const at = known.at++ * 1000;
    const actions = known.parts.actions.filter((action) => action.at === at).map(() => step(at, { kind: 'action' }));
    return progress([step(at), ...actions], { ended: at === 9000 });
  }
}

/** A clockwork that plays no further piece until `go` is called, and again none after `hold`. */
export function held() {
  const clockwork = new Clockwork();
  let go = () => {};
  let gate = new Promise<void>((open) => (go = open));
  const oracle: Oracle = { call: async (name, input) => (name === 'run' && (await gate), clockwork.call(name, input)) };
  return { clockwork, oracle, go: () => go(), hold: () => void (gate = new Promise<void>((open) => (go = open))) };
}

/** What the module would read of a script. */
export function parts(script: string): ScriptParts {
  return { rules: [], actions: [...script.matchAll(/^at (\d+)s: (.*)$/gm)].map(([, seconds, text = ''], place) => ({ line: place + 1, at: Number(seconds) * 1000, text })) };
}
