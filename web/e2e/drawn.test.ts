/** The timeline shows what happened as it happened. */
import { expect, test } from 'vitest';

import { cursor, goTo, last, PI, step, usePage, write, xOf } from './browser.ts';

const { open } = usePage();

test('a back-off that is cut short shows its end, and what was planned', async () => {
  const { page } = await open({ session: { script: 'index 1 attempt 1: exit 1 after 3s\nindex 1 attempt 2: exit 1 after 3s\npods: succeed after 30s\n', cursor: 0 } });
  const holds = page.getByRole('list', { name: 'What holds at this step' });
  await goTo(page, 18);
  await expect.poll(() => holds.innerText()).toMatch(/^backs off until 0:31 \(planned until 0:36\)$/m);
  const perIndex = PI.replace('backoffLimit: 3', 'backoffLimitPerIndex: 3\n  activeDeadlineSeconds: 8');
  const other = await open({ session: { manifest: perIndex, script: 'index 1: exit 1 after 3s\npods: succeed after 30s\n', cursor: 0 } });
  await goTo(other.page, 5);
  await expect.poll(() => other.page.getByRole('list', { name: 'Pods at this step' }).innerText()).toContain('index 1: waiting until 0:08 (planned until 0:13)');
});

test('the next failure is one key or click away, also among very many indexes', async () => {
  const manifest = PI.replace('completions: 2', 'completions: 500').replace('parallelism: 2', 'parallelism: 500').replace('backoffLimit: 3', 'backoffLimitPerIndex: 1');
  const { page } = await open({ session: { manifest, script: 'index 7 attempt 1: exit 1 after 3s\nindex 300: exit 42 after 4s\npods: succeed after 5s\n', cursor: 0 } });
  await page.getByText('500 rows').waitFor();
  expect(await page.getByRole('list', { name: 'Legend of the map' }).innerText()).toContain('One line for each index');
  await page.getByRole('img', { name: 'Map of 500 rows, one for each index: 1 failed. To read them, choose “Show one by one”.' }).waitFor();
  const map = await page.locator('.rows canvas').boundingBox();
  await page.mouse.move(await xOf(page, 4.5), (map?.y ?? 0) + ((map?.height ?? 0) * 300.5) / 500);
  await expect.poll(() => page.locator('.hint-line').innerText()).toMatch(/^index 300: \S+: attempt 1, .*exit code 42/);
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
  await page.keyboard.press('End');
  const end = await step(page);
  await next.click();
  await expect.poll(() => step(page)).toBe(first);
  await page.keyboard.press('Shift+X');
  await expect.poll(() => step(page)).toBeGreaterThan(first);
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
  await expect.poll(() => holds.innerText()).toContain('controller paused for 10 s until 0:12\nwatch disconnected for 20 s until 0:05 (planned until 0:23)');
  await goTo(page, 75);
  await expect.poll(() => holds.innerText()).toContain('clock advanced by 1 min');
  expect(await page.locator('.bands .lane').allInnerTexts()).toEqual(expect.arrayContaining(['controller', 'watch', 'clock']));
});

test('each of several Jobs is named in its rows, to its very end', async () => {
  const named = (name: string) => PI.replace('name: pi', `name: ${name}`);
  const { page } = await open({ session: { manifest: `${named('nightly-report-of-europe')}---\n${named('nightly-report-of-asia')}`, script: 'pods: succeed after 5s\n' } });
  const label = page.locator('.row-label', { hasText: 'index 0' }).filter({ hasText: 'europe' });
  const [end, index] = [await label.getByText('-europe').boundingBox(), await label.getByText('index 0').boundingBox()];
  const [edge, plot] = [await page.locator('.axis .gutter').boundingBox(), await page.locator('.axis .plot').boundingBox()];
  for (const text of [end, index]) {
    expect(text?.x).toBeGreaterThan(edge?.x ?? Infinity);
    expect((text?.x ?? Infinity) + (text?.width ?? 0)).toBeLessThan(plot?.x ?? 0);
  }
  const lane = page.locator('.bands .lane').filter({ hasText: 'of-asia' }).filter({ hasText: /Complete$/ });
  expect(await lane.getAttribute('title')).toBe('nightly-report-of-asia Complete');
});

test('the outcome and timeline of an invalid manifest say that they are those of the last valid one', async () => {
  const { page } = await open({ session: { script: 'pods: succeed after 5s\n' } });
  const line = page.getByText('The outcome and timeline are those of the last valid manifest.');
  expect(await line.count()).toBe(0);
  await write(page, PI.replace('completions: 2', 'completions: two'));
  await line.waitFor();
  const shown = () => Promise.all([page.locator('.rows canvas').evaluate((element) => getComputedStyle(element).opacity), page.locator('.outcome-line strong').evaluate((element) => getComputedStyle(element).color)]);
  expect(await shown()).toEqual(['0.4', 'rgb(82, 96, 109)']);
  expect(await last(page)).toBeGreaterThan(0);
  await write(page, PI);
  await line.waitFor({ state: 'detached' });
  expect(await shown()).toEqual(['1', 'rgb(0, 105, 76)']);
});

test('text of the editor goes under its line numbers', async () => {
  const { page } = await open({ session: { manifest: PI.replace('image: busybox', `image: registry.example/${'long/'.repeat(30)}busybox`) } });
  const gutters = page.locator('.cm-gutters');
  await gutters.waitFor();
  await page.locator('.cm-scroller').evaluate((scroller) => (scroller.scrollLeft = 200));
  const seen = await gutters.evaluate((element) => {
    const { left, top, width } = element.getBoundingClientRect();
    const found = document.elementFromPoint(left + width / 2, top + 300);
    return { above: found !== null && element.contains(found), background: getComputedStyle(element).backgroundColor };
  });
  expect(seen).toEqual({ above: true, background: 'rgb(255, 255, 255)' });
});

test('with colours of the system, signs stand out from bars, and bars from the page', async () => {
  const manifest = PI.replace('completions: 2', 'completions: 3').replace('parallelism: 2', 'parallelism: 3').replace('backoffLimit: 3', 'backoffLimitPerIndex: 0');
  const { page } = await open({ forcedColors: 'active', session: { manifest, script: 'index 1: exit 42 after 5s\nindex 2: scheduled after 8s, succeed after 5s\npods: succeed after 5s\n' } });
  /** Of the system's colours, those that a row has: of its bars, of the ground of its signs, and of the signs themselves. */
  const colours = (row: number) => page.locator('.rows canvas').evaluate((canvas: HTMLCanvasElement, top) => {
    const { data } = canvas.getContext('2d')?.getImageData(0, top, canvas.width, 28) ?? { data: new Uint8ClampedArray() };
    return ['Highlight', 'CanvasText', 'Canvas'].filter((name) => {
      const probe = document.body.appendChild(document.createElement('span'));
      probe.style.cssText = `forced-color-adjust: none; color: ${name}`;
      const [red = 0, green = 0, blue = 0] = getComputedStyle(probe).color.match(/\d+/g)?.map(Number) ?? [];
      probe.remove();
      // Where a letter lies between pixels, none of them has all of its colour.
      const near = (place: number) => Math.abs((data[place] ?? 0) - red) + Math.abs((data[place + 1] ?? 0) - green) + Math.abs((data[place + 2] ?? 0) - blue) < 120;
      return data.some((_, place) => place % 4 === 0 && data[place + 3] === 255 && near(place));
    });
  }, row * 28);
  for (const row of [0, 1]) await expect.poll(() => colours(row)).toEqual(['Highlight', 'CanvasText', 'Canvas']);
  const [line, behind] = await page.locator('.cursor').evaluate((element) => [getComputedStyle(element).backgroundColor, getComputedStyle(document.body).backgroundColor]);
  expect(line).not.toBe(behind);
});
