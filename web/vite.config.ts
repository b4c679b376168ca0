/** How the page is built: Solid, the gallery read from the scenario files, and a service worker that knows every built file. */
import { defineConfig } from 'vite';
import solid from 'vite-plugin-solid';

import { gallery } from './plugins/gallery.ts';
import { offline } from './plugins/offline.ts';
import { policy } from './plugins/policy.ts';
import { prerender } from './plugins/prerender.ts';
import { preload } from './plugins/preload.ts';
import { rules } from './plugins/rules.ts';

export default defineConfig({
  base: './',
  plugins: [solid(), gallery(), rules(), policy(), prerender(), preload(), offline()],
  worker: { format: 'es' },
  // These browsers have `light-dark()`: put in other words, it would not follow the theme that a person has chosen.
  build: { target: 'es2023', cssTarget: ['chrome123', 'firefox120', 'safari17.5'], outDir: '../target/web', emptyOutDir: true, assetsInlineLimit: 0, chunkSizeWarningLimit: 700, modulePreload: false },
  server: { fs: { allow: ['..'] } },
});
