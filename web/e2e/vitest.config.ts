/** How the tests in a real browser run: one file after another, against the built page. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

import { gallery } from '../plugins/gallery.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

export default defineConfig({
  plugins: [gallery()],
  test: { root: ROOT, include: ['e2e/**/*.test.ts'], fileParallelism: false, testTimeout: 60_000, hookTimeout: 60_000, expect: { poll: { timeout: 10_000 } } },
});
