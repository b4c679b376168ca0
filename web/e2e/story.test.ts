/** The story: all that happened as lines under the timeline, bound to the same cursor; and the room that it, the timeline and two lanes share. */
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';

import { cronJob, cursor, goTo, last, PI, step, usePage, why } from './browser.ts';

const { open } = usePage();
const script = 'index 1 attempt 1: exit 42 after 3s\npods: succeed after 5s\nat 20s: suspend\n';
const low = { viewport: { width: 1280, height: 720 } };

const line = (page: Page, text: string | RegExp): Locator => page.getByRole('option', { name: text }).first();

/** The lines of the step under the cursor. */
const marked = (page: Page): Promise<string[]> => page.locator('.story-line[aria-selected=true]').allInnerTexts().then((all) => all.map((text) => text.replace(/\s+/g, ' ').trim()));

const lines = (page: Page): Promise<string[]> => page.locator('.story-line').allInnerTexts().then((all) => all.map((text) => text.replace(/\s+/g, ' ').trim()));

/** Whether all of an element lies within another. */
async function within(page: Page, inner: string, outer: string): Promise<boolean[]> {
  return page.evaluate(([one, other]) => {
    const frames = [...document.querySelectorAll(other ?? '')].map((element) => element.getBoundingClientRect());
    return [...document.querySelectorAll(one ?? '')].map((element, place) => {
      const [box, frame] = [element.getBoundingClientRect(), frames[Math.min(place, frames.length - 1)]];
      return frame !== undefined && box.height > 0 && box.top >= frame.top - 1 && box.bottom <= frame.bottom + 1;
    });
  }, [inner, outer]);
}

test('a click on a line goes to exactly that step, and the cursor marks its lines', async () => {
  const { page, errors } = await open({ session: { script } });
  await line(page, /Retrying pod creation/).click();
  await expect.poll(() => why(page)).toContain('Retrying pod creation at 0:13');
  const there = await step(page);
  expect(await marked(page)).toEqual(expect.arrayContaining([expect.stringContaining('○ Retrying pod creation at 0:13')]));
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => step(page)).toBe(there + 1);
  await page.keyboard.press('ArrowLeft');
  await expect.poll(() => marked(page)).toEqual(expect.arrayContaining([expect.stringContaining('○ Retrying pod creation at 0:13')]));
  await page.keyboard.press('End');
  await expect.poll(() => step(page)).toBe(await last(page));
  expect((await page.locator('.story-line').last().boundingBox())?.height).toBeGreaterThan(0);
  expect(errors).toEqual([]);
});

test('the first line in view is whole, wherever the cursor is', async () => {
  const { page } = await open({ session: { script } });
  const list = page.getByRole('listbox', { name: 'What happened' });
  for (const key of ['End', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft']) {
    await page.keyboard.press(key);
    await page.waitForTimeout(100);
    const { top, row } = await list.evaluate((area) => ({ top: area.scrollTop, row: area.querySelector('.story-line')?.clientHeight ?? 0 }));
    expect(top % row, key).toBe(0);
    expect(top).toBeGreaterThan(0);
  }
});

test('the arrow keys move between lines, and Enter goes', async () => {
  const { page } = await open({ session: { script } });
  await page.getByRole('listbox', { name: 'What happened' }).focus();
  for (let number = 0; number < 4; number++) await page.keyboard.press('ArrowDown');
  expect(await step(page)).toBe(0);
  const active = await page.locator('.story-line.active').innerText();
  await page.keyboard.press('Enter');
  await expect.poll(() => step(page)).toBeGreaterThan(0);
  expect(await marked(page)).toContain(active.replace(/\s+/g, ' ').trim());
  expect(await page.evaluate(() => document.activeElement?.className)).toContain('story-lines');
});

test('lines are searched and filtered, and stay so', async () => {
  const { page } = await open({ session: { script } });
  await line(page, /Running|Ready/).waitFor();
  await page.getByRole('button', { name: 'Pods', exact: true }).click();
  await expect.poll(async () => (await lines(page)).filter((text) => text.includes(' pod pi-') && !/[●○]/.test(text))).toEqual([]);
  await page.getByRole('searchbox', { name: 'Search the story' }).fill('retrying');
  await expect.poll(() => lines(page)).toEqual([expect.stringContaining('Retrying pod creation')]);
  await page.reload();
  await expect.poll(() => lines(page)).toEqual([expect.stringContaining('Retrying pod creation')]);
  await page.getByRole('searchbox', { name: 'Search the story' }).fill('nothing of the kind');
  await page.getByText('No lines match.').waitFor();
  await page.getByRole('button', { name: 'Show all lines' }).click();
  await line(page, /POST .*pods: done/).waitFor();
  await page.getByRole('button', { name: 'What you did', pressed: true }).waitFor();
});

test('what people did is a line, and few pods leave no empty room', async () => {
  const { page } = await open({ ...low, session: { script } });
  await page.getByRole('button', { name: 'Decisions', exact: true }).click();
  await page.getByRole('button', { name: 'Pods', exact: true }).click();
  await expect.poll(() => lines(page)).toEqual(['0:20 ◆ suspend']);
  const empty = await page.evaluate(() => {
    const bottom = (selector: string): number => document.querySelector(selector)?.getBoundingClientRect().bottom ?? 0;
    return bottom('.rows') - bottom('.rows-inside');
  });
  expect(empty).toBeLessThan(4);
});

test('the story is folded and resized, and is so after a reload', async () => {
  const { page } = await open({ session: { script } });
  await page.getByRole('separator', { name: 'Height of the Story pane' }).focus();
  const before = (await page.locator('.story').boundingBox())?.height ?? 0;
  for (let number = 0; number < 3; number++) await page.keyboard.press('ArrowDown');
  await expect.poll(async () => (await page.locator('.story').boundingBox())?.height ?? 0).toBeLessThan(before - 40);
  await page.getByRole('button', { name: 'Story', exact: true }).click();
  await page.getByRole('button', { name: 'Story', exact: true, expanded: false }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Story', exact: true, expanded: false }).waitFor();
  expect(await page.getByRole('listbox', { name: 'What happened' }).count()).toBe(0);
});

test('with very many pods it begins folded, and only the lines that are seen are in the page', { timeout: 120_000 }, async () => {
  const manifest = PI.replace('completions: 2', 'completions: 10000').replace('parallelism: 2', 'parallelism: 1000');
  const { page } = await open({ session: { manifest, script: 'pods: succeed after 5s\n' } });
  await page.getByText('10000 rows').waitFor({ timeout: 60_000 });
  await expect.poll(() => page.locator('.outcomes').innerText(), { timeout: 60_000 }).toContain('10000/10000 succeeded');
  await page.getByRole('button', { name: 'Story', exact: true, expanded: false }).click();
  await line(page, /job pi: created/).waitFor();
  expect(await page.locator('.story-line').count()).toBeLessThan(60);
  const there = await step(page);
  for (let number = 0; number < 40; number++) await page.keyboard.press('ArrowRight');
  await expect.poll(() => step(page)).toBe(there + 40);
  expect(await page.locator('.story-line').count()).toBeLessThan(60);
});

test.each([/Who retries/, /How many retries/, /bad index/, /What if a run is due/, /terminating pod replaced/])('two lanes on a low screen are whole: %s', async (question) => {
  const { page, errors } = await open(low);
  await page.keyboard.press('c');
  await page.getByRole('button', { name: question }).click();
  await page.getByRole('button', { name: 'Go there' }).waitFor();
  expect(await within(page, '.marks', '.lane-box')).toEqual([true, true]);
  expect(await within(page, '.rows', '.lane-box')).toEqual([true, true]);
  expect(await within(page, '.lane-box, .transport, .story', '.centre')).not.toContain(false);
  expect(await page.evaluate(() => [...document.querySelectorAll('.timeline')].every((one) => one.scrollHeight <= one.clientHeight + 1))).toBe(true);
  expect(errors).toEqual([]);
});

test('the story is that of the lane that is looked at', async () => {
  const { page } = await open({ viewport: { width: 1440, height: 1200 } });
  await page.keyboard.press('c');
  await page.getByRole('button', { name: /How many retries/ }).click();
  await page.getByRole('button', { name: 'Go there' }).waitFor();
  await page.getByRole('searchbox', { name: 'Search the story' }).fill('The Job');
  await line(page, 'The Job fails').waitFor();
  await page.getByRole('button', { name: 'B backoffLimit: 6' }).click();
  await line(page, 'The Job succeeds').click();
  await expect.poll(() => why(page)).toContain('The Job succeeds');
});

test('a CronJob does not move the story while time goes on', async () => {
  const { page } = await open({ session: { manifest: cronJob(), script: 'pods: succeed after 90s\n' } });
  await goTo(page, 130);
  const before = (await page.locator('.story').boundingBox())?.y;
  await page.keyboard.press('Home');
  await expect.poll(() => step(page)).toBe(0);
  expect((await page.locator('.story').boundingBox())?.y).toBe(before);
});

test.each([2, 12])('on a phone, the story fills what %i rows leave', async (rows) => {
  const manifest = PI.replace('completions: 2', `completions: ${rows}`);
  const { page } = await open({ viewport: { width: 390, height: 844 }, session: { manifest, script: 'pods: succeed after 5s\n' } });
  const [marks, reason] = [await page.locator('.marks').boundingBox(), await page.locator('.why-line').boundingBox()];
  const lines = page.getByRole('listbox', { name: 'What happened' });
  expect(await lines.isVisible()).toBe(rows === 2);
  const left = (reason?.y ?? 0) - (marks?.y ?? 0) - (marks?.height ?? 0);
  expect(left - (rows === 2 ? ((await lines.boundingBox())?.height ?? 0) : 0)).toBeLessThan(44);
});

test('on a phone, the story has a pane of its own, and one line of Why stands above the transport', async () => {
  const { page, errors } = await open({ viewport: { width: 390, height: 844 }, session: { script } });
  await page.getByRole('button', { name: 'Story', exact: true }).click();
  await line(page, /Retrying pod creation/).click();
  await page.getByRole('button', { name: 'Timeline', exact: true }).click();
  const reason = page.getByRole('button', { name: /^Why ○ Retrying pod creation at 0:13/ });
  const [above, below] = [await reason.boundingBox(), await page.locator('.transport').boundingBox()];
  expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual((below?.y ?? 0) + 1);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await reason.click();
  await expect.poll(() => page.locator('.reasons').isVisible()).toBe(true);
  expect(errors).toEqual([]);
});

test('what is opened stands at the step that decided its outcome, and nothing is veiled', async () => {
  const { page } = await open();
  const decided = async () => /: (\d+:\d\d(?:\.\d)?) →/.exec(await page.locator('.outcomes').innerText())?.[1];
  await page.getByRole('button', { name: 'Share' }).click();
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Open a file…' }).click();
  const manifest = `# A heading\n\n## A Job that fails\n\nIt fails.\n\n\`\`\`yaml\n${PI}\`\`\`\n\n\`\`\`script\nindex 1: exit 1 after 2s\nindex 0: runs forever\n\`\`\`\n`;
  await (await choosing).setFiles({ name: 'claims.md', mimeType: 'text/markdown', buffer: Buffer.from(manifest) });
  await expect.poll(() => page.locator('.outcomes').innerText()).toContain('Failed at');
  await expect.poll(() => why(page)).toContain('The Job fails: 4 pods failed');
  expect((await cursor(page).getAttribute('aria-valuetext'))?.split(', ')[1]).toBe(await decided());
  expect(await page.locator('.story-line.later').count()).toBeGreaterThan(0);
});

test('Why says what is waited for when nothing is decided', async () => {
  const { page } = await open({ session: { script: 'pods: runs forever\n' } });
  await page.keyboard.press('End');
  await expect.poll(() => why(page)).toContain('job/pi will not finish: pods pi-0-00001 and pi-1-00001 have been running since 0:00, and nothing will end them.');
  await page.keyboard.press('Home');
  await expect.poll(() => why(page)).toMatch(/The next step happens at the same time|Reconciles/);
});

test('long times are shown whole, and what stands beside them in one column', async () => {
  const { page } = await open({ session: { script: 'pods: succeed after 2065h\n' } });
  await page.keyboard.press('End');
  await line(page, 'The Job is Complete').waitFor();
  const marks = await page.locator('.story-line .story-text').evaluateAll((all) => all.map((text) => text.getBoundingClientRect().left));
  expect(new Set(marks).size).toBe(1);
  const field = page.getByRole('textbox', { name: 'Go to time' });
  await expect.poll(() => field.inputValue()).toMatch(/^86d /);
  expect(await field.evaluate((input) => input.scrollWidth - input.clientWidth)).toBeLessThanOrEqual(0);
});
