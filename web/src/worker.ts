/** The worker: loads the modules, and answers one question after another. */
import { type Answers, answers } from './engine.ts';
import { CRASHED, fault } from './faults.ts';
import initialize from './generated/browser.js';
import wasm from './generated/browser_bg.wasm?url';
import core from './generated/controllers.core.wasm?url';
import type { Call, Questions, Reply } from './protocol.ts';

const ready = Promise.all([WebAssembly.compileStreaming(fetch(core)), initialize({ module_or_path: wasm })]).then(([controllers]) => answers(controllers));

function answer<Name extends keyof Answers>(all: Answers, name: Name, input: Questions[Name]['input']): Questions[Name]['answer'] {
  return all[name](input);
}

async function reply(call: Call): Promise<Reply> {
  if (call.name === 'started') return { id: call.id, answer: null };
  let loaded: Answers;
  try {
    loaded = await ready;
  } catch (error) {
    return { stopped: fault(error) };
  }
  try {
    return { id: call.id, answer: answer(loaded, call.name, call.input) };
  } catch (error) {
    // After a trap, the memory of a module cannot be relied on.
    return error instanceof WebAssembly.RuntimeError ? { stopped: CRASHED } : { id: call.id, failed: fault(error) };
  }
}

self.onmessage = async ({ data }: MessageEvent<Call>): Promise<void> => {
  self.postMessage(await reply(data));
};
