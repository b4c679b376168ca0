/** Takes the pictures of the README, in the same way as the tests run. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

import { gallery } from '../plugins/gallery.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

export default defineConfig({
  plugins: [gallery()],
  test: { root: ROOT, include: ['e2e/screenshots.ts'], testTimeout: 60_000, hookTimeout: 60_000 },
});
