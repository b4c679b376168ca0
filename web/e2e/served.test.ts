/** What `jobsmith playground` serves is the page as it is elsewhere. */
import { spawn } from 'node:child_process';
import { expect } from 'vitest';

import { fragment, played, usePage, watched } from './browser.ts';
import { built, JOBSMITH } from './program.ts';

const { browser } = usePage();

built('the page from the program opens a link, and no policy forbids what it does', async () => {
  const program = spawn(JOBSMITH, ['playground', '--no-open'], { stdio: ['ignore', 'pipe', 'pipe'] });
  try {
    const address = await new Promise<string>((found, failed) => {
      const read = (text: Buffer): void => {
        const [printed] = /http:\S+/.exec(text.toString()) ?? [];
        if (printed) found(printed);
      };
      program.stdout.on('data', read);
      program.stderr.on('data', read);
      program.on('exit', () => failed(new Error('the program ended')));
    });
    const context = await browser().newContext({ viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    const errors = watched(page);
    await page.goto(address + (await fragment({ title: 'Mine' })));
    await played(page);
    await page.locator('.cm-content').waitFor();
    expect(await page.locator('.example-button').innerText()).toContain('Mine');
    expect(errors).toEqual([]);
    await context.close();
  } finally {
    program.kill('SIGINT');
  }
});
