/** How the unit tests run: in Node, without a browser. */
import { defineConfig } from 'vitest/config';

import { gallery } from './plugins/gallery.ts';

export default defineConfig({
  plugins: [gallery()],
  test: { include: ['test/**/*.test.ts'] },
});
