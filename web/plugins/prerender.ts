/** Puts what the page opens with into the built page, as HTML that Solid renders without a browser. */
import { createServer, type Plugin } from 'vite';
import solid from 'vite-plugin-solid';

import { gallery } from './gallery.ts';

const ROOT = '<div id="root">';

async function rendered(): Promise<string> {
  const server = await createServer({
    configFile: false,
    plugins: [solid({ ssr: true, solid: { generate: 'ssr', hydratable: false } }), gallery()],
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
    appType: 'custom',
    logLevel: 'warn',
  });
  try {
    const { prerendered } = (await server.ssrLoadModule('/src/prerendered.tsx')) as typeof import('../src/prerendered.tsx');
    return await prerendered();
  } finally {
    await server.close();
  }
}

export function prerender(): Plugin {
  return {
    name: 'prerender',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: async (html) => {
        if (!html.includes(ROOT)) throw new Error(`the page has no ${ROOT}`);
        // Nothing in it does anything until the script has taken over.
        return html.replace(ROOT, `${ROOT}<div class="prerendered" inert>${(await rendered()).replaceAll('$', '$$$$')}</div>`);
      },
    },
  };
}
