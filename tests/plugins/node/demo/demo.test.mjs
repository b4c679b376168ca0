/** The demo, bundled by Vite as a page's code is: in Node, and in Chromium. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { build, preview } from 'vite';

const ROOT = fileURLToPath(new URL('.', import.meta.url));
// Beside the packages that the code for Node imports.
const folder = mkdtempSync(join(ROOT, '../node_modules/.demo-'));

after(() => rmSync(folder, { recursive: true }));

test('in Node', async () => {
  const outDir = join(folder, 'node');
  const ssr = { external: ['@jobsmith/controllers'], noExternal: ['@ngrok/webernetes'] };
  await build({ root: ROOT, logLevel: 'error', ssr, build: { outDir, ssr: 'jobs.mjs' } });
  const { demo } = await import(pathToFileURL(join(outDir, 'jobs.js')));
  check(await demo((line) => console.log(line)));
});

test('in Chromium', async () => {
  const outDir = join(folder, 'page');
  await build({ root: ROOT, logLevel: 'error', build: { outDir } });
  const served = await preview({ root: ROOT, logLevel: 'error', build: { outDir }, preview: { port: 0, host: '127.0.0.1' } });
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage();
    const errors = [];
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    page.on('pageerror', (error) => errors.push(error.message));
    const { port } = served.httpServer.address();
    await page.goto(`http://127.0.0.1:${port}`);
    const results = await page.evaluate(() => window.ended);
    console.log(await page.textContent('pre'));
    check(results);
    assert.deepEqual(errors, []);
  } finally {
    await browser.close();
    await served.close();
  }
});

function check({ complete, failed, backOff, run, errors }) {
  assert.deepEqual(complete, { name: 'works', condition: 'Complete', reason: 'CompletionsReached', succeeded: 3, failed: 0 });
  assert.deepEqual(failed, { name: 'fails', condition: 'Failed', reason: 'BackoffLimitExceeded', succeeded: 0, failed: 3 });
  assert.ok(backOff >= 3000, `pods were made again after 1 s and 2 s, not within ${backOff} ms`);
  assert.match(run.name, /^minutely-\d+$/);
  assert.deepEqual([run.condition, run.succeeded], ['Complete', 1]);
  assert.deepEqual(errors, []);
}
