/** The timeline shows what happened as it happened. */
import { expect, test } from 'vitest';

import { cursor, goTo, PI, step, usePage } from './browser.ts';

const { open } = usePage();

test('a back-off that is cut short shows its end, and what was planned', async () => {
  const { page } = await open({ session: { script: 'index 1 attempt 1: exit 1 after 3s\nindex 1 attempt 2: exit 1 after 3s\npods: succeed after 30s\n', cursor: 0 } });
  const holds = page.getByRole('list', { name: 'What holds at this step' });
  await goTo(page, 18);
  await expect.poll(() => holds.innerText()).toMatch(/^backs off until 0:31, planned until 0:36$/m);
  const perIndex = PI.replace('backoffLimit: 3', 'backoffLimitPerIndex: 3\n  activeDeadlineSeconds: 8');
  const other = await open({ session: { manifest: perIndex, script: 'index 1: exit 1 after 3s\npods: succeed after 30s\n', cursor: 0 } });
  await goTo(other.page, 5);
  await expect.poll(() => other.page.getByRole('list', { name: 'Pods at this step' }).innerText()).toContain('index 1: waiting until 0:08, planned until 0:13');
});

test('the next failure is one key or click away, also among very many indexes', async () => {
  const manifest = PI.replace('completions: 2', 'completions: 500').replace('parallelism: 2', 'parallelism: 500').replace('backoffLimit: 3', 'backoffLimitPerIndex: 1');
  const { page } = await open({ session: { manifest, script: 'index 7 attempt 1: exit 1 after 3s\nindex 300: exit 42 after 4s\npods: succeed after 5s\n', cursor: 0 } });
  await page.getByText('500 rows').waitFor();
  const next = page.getByRole('button', { name: 'Next failure' });
  await page.keyboard.press('Home');
  await page.keyboard.press('x');
  await expect.poll(() => cursor(page).getAttribute('aria-valuetext')).toMatch(/0:03$/);
  expect(await page.locator('.reasons').innerText()).toContain('pi-7-');
  const first = await step(page);
  await next.click();
  await expect.poll(() => cursor(page).getAttribute('aria-valuetext')).toMatch(/0:04$/);
  await page.keyboard.press('Shift+X');
  await expect.poll(() => step(page)).toBe(first);
  for (let number = 0; number < 4; number++) await next.click({ force: true });
  expect(await next.getAttribute('aria-disabled')).toBe('true');
  expect(await next.evaluate((button) => button === document.activeElement)).toBe(true);
  const end = await step(page);
  await page.getByRole('button', { name: 'Show one by one' }).click();
  await page.keyboard.press('Home');
  await page.keyboard.press('x');
  await page.keyboard.press('x');
  await page.locator('.row-label', { hasText: 'index 300' }).waitFor();
  expect(end).toBeGreaterThan(await step(page));
});

test('a container that waits to be restarted is not shown as running', async () => {
  const script = 'index 1 start 1: exit 7 after 3s\nindex 1 start 2: exit 9 after 2s\npods: succeed after 5s\n';
  const { page } = await open({ session: { manifest: PI.replace('restartPolicy: Never', 'restartPolicy: OnFailure'), script, cursor: 0 } });
  await goTo(page, 6);
  const texts = page.getByRole('list', { name: 'Pods at this step' });
  await expect.poll(() => texts.innerText()).toMatch(/index 1: pod \S+ Running, waiting to restart \(CrashLoopBackOff\), container main ended at 0:03 with exit code 7, container main ended at 0:05 with exit code 9/);
  await page.keyboard.press('Home');
  const times = [];
  for (let number = 0; number < 2; number++) {
    await page.keyboard.press('x');
    times.push((await cursor(page).getAttribute('aria-valuetext'))?.split(', ')[1]);
  }
  expect(times).toEqual(['0:03', '0:05']);
});

test('faults that last are shown for as long as they do', async () => {
  const script = 'pods: succeed after 30s\nat 2s: pause controller for 10s\nat 3s: cut watch for 20s\nat 5s: delay watch by 4s\nat 15s: advance 1m\n';
  const { page } = await open({ session: { script, cursor: 0 } });
  const holds = page.getByRole('list', { name: 'What holds at this step' });
  await goTo(page, 3);
  await expect.poll(() => holds.innerText()).toContain('controller paused for 10 s until 0:12\nwatch disconnected for 20 s until 0:05, planned until 0:23');
  await goTo(page, 75);
  await expect.poll(() => holds.innerText()).toContain('clock jumps ahead by 1 min');
  expect(await page.locator('.bands .lane').allInnerTexts()).toEqual(expect.arrayContaining(['controller', 'watch', 'clock']));
});
