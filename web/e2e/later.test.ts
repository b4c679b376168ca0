/** What is loaded later: where it cannot be loaded, the page shows that, goes on, and tries again. */
import { expect, test } from 'vitest';

import { played, step, usePage } from './browser.ts';

const { open } = usePage();
const missing = 'This part of the page could not be loaded';

test('the examples', async () => {
  const { page } = await open({ serviceWorkers: 'block', session: { script: 'pods: succeed after 5s\n', cursor: 2 } });
  await page.route('**/_virtual_gallery-*.js', (route) => route.abort());
  await page.reload();
  await played(page);
  await page.keyboard.press('/');
  await page.getByText(missing).waitFor();
  await expect.poll(() => page.locator('.questions').count()).toBe(0);
  await expect.poll(() => step(page)).toBe(2);
  await page.keyboard.press('ArrowRight');
  expect(await step(page)).toBe(3);
  await page.unroute('**/_virtual_gallery-*.js');
  await page.keyboard.press('/');
  await page.locator('.questions').waitFor();
});
