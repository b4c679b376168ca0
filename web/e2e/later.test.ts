/** What is loaded later: where it cannot be loaded, the page says so and goes on, and asks for it again. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { played, step, usePage } from './browser.ts';

const { open } = usePage();
const missing = 'This part of the page cannot be loaded';

async function drop(page: Page): Promise<void> {
  await page.evaluate(() => {
    const data = new DataTransfer();
    data.items.add(new File(['kind: Job'], 'dropped.yaml'));
    dispatchEvent(new DragEvent('drop', { dataTransfer: data, cancelable: true }));
  });
}

test('an object as YAML', async () => {
  const { page } = await open({ serviceWorkers: 'block', session: { script: 'pods: succeed after 5s\n', cursor: 2 } });
  await page.context().route('**/yaml_bg-*.wasm', (route) => route.abort());
  await page.locator('.objects > summary').click();
  await page.locator('.object > summary').first().click();
  await page.getByText(missing).waitFor();
  await page.context().unroute('**/yaml_bg-*.wasm');
  await page.keyboard.press('ArrowRight');
  await page.locator('.yaml').first().getByText('kind: Job').waitFor();
});

test.each([
  ['a menu', 'menus', (page: Page) => page.getByRole('button', { name: 'Act' }).click(), '.popup'],
  ['the menu of a pod', 'menus', (page: Page) => page.locator('.row-label').first().click(), '.popup'],
  ['the form of a rule', 'menus', (page: Page) => page.getByRole('button', { name: '+ Rule' }).click(), '.rule-form'],
  ['a file', 'menus', drop, '.example-button:has-text("dropped.yaml")'],
  ['a window', 'windows', (page: Page) => page.keyboard.press('?'), 'dialog'],
  ['the examples', '_virtual_gallery', (page: Page) => page.keyboard.press('/'), '.questions'],
] as const)('%s', async (_name, piece, ask, shows) => {
  const { page } = await open({ serviceWorkers: 'block', session: { script: 'pods: succeed after 5s\n', cursor: 2 } });
  await page.route(`**/${piece}-*.js`, (route) => route.abort());
  await page.reload();
  await played(page);
  await ask(page);
  await page.getByText(missing).waitFor();
  await expect.poll(() => page.locator(shows).count()).toBe(0);
  await expect.poll(() => step(page)).toBe(2);
  await page.keyboard.press('ArrowRight');
  expect(await step(page)).toBe(3);
  await page.unroute(`**/${piece}-*.js`);
  await ask(page);
  await page.locator(shows).waitFor();
});
