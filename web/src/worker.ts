/** The worker: the cluster in memory, the controllers' component, and the plays that are open; it answers one question after another. */
import { fault, MISSING } from './faults.ts';
import about from './generated/about.json';
import initialize, * as cluster from './generated/cluster.js';
import wasm from './generated/cluster_bg.wasm?url';
import core from './generated/controllers.core.wasm?url';
import { instantiate } from './generated/controllers.js';
import type { Playing as Recorded } from './generated/recording.js';
import recordings from './generated/recording_bg.wasm?url';
import yaml from './generated/yaml_bg.wasm?url';
import type { Call, Diagnostic, Question, Questions, Reply, Source } from './protocol.ts';
import { inTurn } from './turns.ts';

const plays = new Map<number, cluster.Playing | Recorded>();

const ready = Promise.all([initialize({ module_or_path: wasm }), WebAssembly.compileStreaming(fetch(core))]);

type Answer<Name extends Question> = Questions[Name]['answer'] | Promise<Questions[Name]['answer']>;
type Answers = { [Name in Question]: (ask: Questions[Name]['ask']) => Answer<Name> };

function answers(controllers: WebAssembly.Module): Answers {
  const manager = () => instantiate(() => controllers, {}).manager;
  return {
    about: () => about,
    check: ({ manifest }) => JSON.parse(cluster.check(manifest)),
    checkScript: ({ script }) => JSON.parse(cluster.checkScript(script)),
    readScript: ({ script }) => JSON.parse(cluster.readScript(script)),
    changes: ({ before, after }) => JSON.parse(cluster.changes(before, after)),
    open: (ask) => opened(ask.play, manager, ask),
    run: ({ play, moments }) => playing(play).run(moments),
    objects: ({ play, step }) => JSON.parse(playing(play).objects(step)),
    yaml: ({ play, step, kind, namespace, name }) => written(playing(play).object(step, kind, namespace, name)),
    list: ({ play, step }) => written(playing(play).list(step)),
    trace: ({ play, all }) => playing(play).trace(all),
    close: ({ play }) => {
      plays.get(play)?.free();
      plays.delete(play);
      return null;
    },
  };
}

async function opened(play: number, manager: () => unknown, source: Source): Promise<Diagnostic[]> {
  try {
    plays.set(play, 'recording' in source ? await recorded(manager, source.recording) : cluster.play(manager, source.manifest, source.script));
    return [];
  } catch (problems) {
    // What is wrong with the texts is thrown as JSON; anything else is a bug and goes on.
    if (typeof problems !== 'string') throw problems;
    return JSON.parse(problems);
  }
}

/** A recording; what opens it is loaded when there is one. */
async function recorded(manager: () => unknown, recording: string): Promise<Recorded> {
  const { open } = await loaded(import('./generated/recording.js'), recordings);
  return open(manager, recording);
}

/** The object in JSON as YAML; nothing stays nothing. */
async function written(json: string): Promise<string> {
  if (json === '') return '';
  const { write } = await loaded(import('./generated/yaml.js'), yaml);
  return write(json);
}

/** What is wanted later, with its module. */
async function loaded<Piece extends { default: (from: { module_or_path: string }) => Promise<unknown> }>(piece: Promise<Piece>, module: string): Promise<Piece> {
  try {
    const there = await piece;
    await there.default({ module_or_path: module });
    return there;
  } catch {
    throw new Error(MISSING);
  }
}

function playing(play: number): cluster.Playing | Recorded {
  const found = plays.get(play);
  if (!found) throw new Error('this play is closed');
  return found;
}

function answer<Name extends Question>(all: Answers, name: Name, ask: Questions[Name]['ask']): Answer<Name> {
  return all[name](ask);
}

/** Answers a question. In turn: a play that is closed while its module is being loaded is there by then. */
const tell = inTurn(async (data: Call): Promise<void> => {
  let reply: Reply;
  try {
    const [, controllers] = await ready;
    reply = { id: data.id, answer: await answer(answers(controllers), data.name, data.ask) };
  } catch (error) {
    reply = { id: data.id, failed: fault(error) };
  }
  self.postMessage(reply);
});

self.onmessage = ({ data }: MessageEvent<Call>): void => tell(data);
