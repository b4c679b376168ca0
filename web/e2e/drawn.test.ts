/** The timeline shows what happened as it happened. */
import { expect, test } from 'vitest';

import { goTo, PI, usePage } from './browser.ts';

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
