/** Measures in the same way as the tests run. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

export default defineConfig({
  test: { root: ROOT, include: ['e2e/measure.ts'], testTimeout: 120_000, hookTimeout: 60_000 },
});
