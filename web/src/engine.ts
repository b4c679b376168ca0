/** What the worker answers: the cluster in memory, the controllers' component, and the plays that are open. The build asks it, too, for what the page opens with. */
import * as browser from './generated/browser.js';
import type { Ahead, Diagnostic, Opened, Question, Questions, Source } from './protocol.ts';

const plays = new Map<number, browser.Playing>();
const aheads = new Map<number, browser.RunsAhead>();

export type Answers = { [Name in Exclude<Question, 'started'>]: (input: Questions[Name]['input']) => Questions[Name]['answer'] };

/** The engine, with the core module of the component that decides; the module of the crate `browser` must be there. */
export function answers(controllers: WebAssembly.Module): Answers {
  const manager = () => new WebAssembly.Instance(controllers).exports;
  return {
    ready: () => null,
    check: ({ manifest }) => browser.check(manifest),
    forecast: ({ manifest, zone, now }) => browser.forecast(manifest, zone, now),
    field: ({ kind, path }) => browser.field(kind, path),
    completions: ({ manifest, line, column }) => browser.completions(manifest, line, column),
    checkScript: ({ script }) => browser.checkScript(script),
    readScript: ({ script }) => browser.readScript(script),
    readScenarios: ({ text }) => browser.readScenarios(text),
    writeScenario: ({ title, manifest, script, until }) => claim(() => browser.writeScenario(manager, title, manifest, script, until)),
    variants: ({ manifest }) => browser.variants(manifest),
    policies: ({ manifest }) => browser.policies(manifest),
    tryPolicy: ({ manifest, policy, case: number }) => trial(() => browser.tryPolicy(manager, manifest, policy, number)),
    changes: ({ before, after }) => browser.changes(before, after),
    open: ({ play, size, runs, until, ...source }) => opened(play, size, { runs, until }, manager, source),
    run: ({ play, size }) => playing(play).run(size),
    playAhead: ({ play, runs, until }) => {
      playing(play).playAhead(runs, until);
      return null;
    },
    unmatched: ({ play }) => playing(play).unmatched(),
    refused: ({ play, step, script, manifest }) => playing(play).refused(step, script, manifest),
    objects: ({ play, step }) => playing(play).objects(step),
    yaml: ({ play, step, kind, namespace, name }) => written(playing(play).object(step, kind, namespace, name)),
    list: ({ play, step }) => written(playing(play).list(step)),
    trace: ({ play, all }) => playing(play).trace(all),
    close: ({ play }) => {
      plays.get(play)?.free();
      plays.delete(play);
      return null;
    },
    openAhead: ({ ahead, manifest, script }) => {
      aheads.set(ahead, browser.runsAhead(manager, manifest, script));
      return null;
    },
    runAhead: ({ ahead, runs, until }) => runsAhead(ahead).run(runs, until),
    scheduled: ({ ahead, namespace, name, from, until }) => runsAhead(ahead).scheduled(namespace, name, from, until),
    closeAhead: ({ ahead }) => {
      aheads.get(ahead)?.free();
      aheads.delete(ahead);
      return null;
    },
  };
}

function opened(play: number, size: number, { runs, until }: Ahead, manager: () => unknown, source: Source): Opened {
  const parts = browser.readScript('script' in source ? source.script : '');
  try {
    const made = 'recording' in source ? browser.open(manager, source.recording) : browser.play(manager, source.manifest, source.script);
    plays.set(play, made);
    made.readIn(Intl.DateTimeFormat().resolvedOptions().timeZone);
    made.playAhead(runs, until);
    return { parts, progress: made.run(size) };
  } catch (problems) {
    // What is wrong with the texts is thrown as a list; anything else is a bug and goes on.
    if (!Array.isArray(problems)) throw problems;
    return { parts, problems };
  }
}

/** What came of a case, or an error with what keeps it from being simulated. */
function trial(simulate: () => Questions['tryPolicy']['answer']): Questions['tryPolicy']['answer'] {
  try {
    return simulate();
  } catch (problems) {
    if (!Array.isArray(problems)) throw problems;
    const [first] = problems as Diagnostic[];
    throw new Error(`This case cannot be simulated: ${first?.message ?? 'the manifest is invalid'}.`);
  }
}

/** What was written, or an error with what a scenario file cannot have. */
function claim(write: () => string): string {
  try {
    return write();
  } catch (problems) {
    if (!Array.isArray(problems)) throw problems;
    const [first] = problems as Diagnostic[];
    throw new Error(`Cannot save this session as a scenario file: ${first?.message ?? 'it cannot be played'}. Save it as a .jobsmith file instead.`);
  }
}

/** The object in JSON as YAML; nothing stays nothing. */
function written(json: string): string {
  return json === '' ? '' : browser.yaml(json);
}

function runsAhead(ahead: number): browser.RunsAhead {
  const found = aheads.get(ahead);
  if (!found) throw new Error('these runs are closed');
  return found;
}

function playing(play: number): browser.Playing {
  const found = plays.get(play);
  if (!found) throw new Error('this play is closed');
  return found;
}
