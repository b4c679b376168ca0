/** How the page is built: Solid, the gallery read from the scenario files, and a service worker that knows every built file. */
import { defineConfig } from 'vite';
import solid from 'vite-plugin-solid';

import { gallery } from './plugins/gallery.ts';
import { offline } from './plugins/offline.ts';
import { policy } from './plugins/policy.ts';

export default defineConfig({
  base: './',
  plugins: [solid(), gallery(), policy(), offline()],
  worker: { format: 'es' },
  build: { target: 'es2023', outDir: '../target/web', emptyOutDir: true, assetsInlineLimit: 0, chunkSizeWarningLimit: 700 },
  server: { fs: { allow: ['..'] } },
});
