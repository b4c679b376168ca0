/** The worker: loads the modules, and answers one question after another. */
import { type Answers, answers } from './engine.ts';
import { fault } from './faults.ts';
import initialize from './generated/browser.js';
import wasm from './generated/browser_bg.wasm?url';
import core from './generated/controllers.core.wasm?url';
import type { Call, Questions, Reply } from './protocol.ts';

const ready = Promise.all([WebAssembly.compileStreaming(fetch(core)), initialize({ module_or_path: wasm })]).then(([controllers]) => answers(controllers));

function answer<Name extends keyof Answers>(all: Answers, name: Name, input: Questions[Name]['input']): Questions[Name]['answer'] {
  return all[name](input);
}

self.onmessage = async ({ data }: MessageEvent<Call>): Promise<void> => {
  let reply: Reply;
  try {
    const answered = data.name === 'started' ? null : answer(await ready, data.name, data.input);
    reply = { id: data.id, answer: answered };
  } catch (error) {
    reply = { id: data.id, failed: fault(error) };
  }
  self.postMessage(reply);
};
