/** The README's cluster over HTTP, against a server that answers as `kubectl proxy` does. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { text } from 'node:stream/consumers';
import { MemoryCluster, job } from '../memory.mjs';

const README = readFileSync(new URL('../../../../host/bindings/node/README.md', import.meta.url), 'utf8');

test("the README's loop completes a Job over HTTP", async () => {
  const cluster = new MemoryCluster();
  const server = createServer((request, response) => void answer(cluster, request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const [, code] = README.split('## Drive a cluster\n')[1].match(/```js\n(.*?)```/s);
  const address = `http://127.0.0.1:${server.address().port}`;
  const program = code.replace('http://127.0.0.1:8001', address);
  assert.notEqual(program, code);
  const looping = spawn(process.execPath, ['--input-type=module', '--eval', program], { cwd: new URL('.', import.meta.url) });
  const output = text(looping.stdout);
  const errors = text(looping.stderr);
  const ended = await cluster.run(job('pi', { managedBy: 'acme.example/jobs', completions: 2 }), AbortSignal.timeout(20_000));
  looping.kill();
  server.close().closeAllConnections();
  assert.equal(ended.type, 'Complete');
  assert.match(await output, /^pi Creating 1 pod: 0 active, 1 wanted$/m);
  assert.equal(await errors, '');
});

async function answer(cluster, request, response) {
  const { pathname, searchParams } = new URL(request.url, 'http://server');
  const plural = pathname.split('/').at(-1);
  if (searchParams.get('watch')) {
    const end = new AbortController();
    response.on('close', () => end.abort());
    response.flushHeaders();
    for await (const event of cluster.watch({ plural }, searchParams.get('resourceVersion'), end.signal)) {
      response.write(`${JSON.stringify(event)}\n`);
    }
  } else if (searchParams.get('limit')) {
    response.end(JSON.stringify(await cluster.list({ plural })));
  } else {
    const outcome = await cluster.send({ method: request.method.toLowerCase(), path: pathname, body: await text(request) });
    const { code, reason } = outcome.val;
    response.statusCode = code ?? 200;
    response.end(JSON.stringify(outcome.tag === 'done' ? { metadata: outcome.val } : { kind: 'Status', reason }));
  }
}
