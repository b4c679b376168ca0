/** Has browsers load what is seen first while they still read the page, and not only when its start requests it. Nothing else is loaded ahead. */
import type { Plugin } from 'vite';

export function preload(): Plugin {
  return {
    name: 'preload',
    apply: 'build',
    // What is loaded later has no styles and needs no other file: of Vite's way to load it, nothing is left but the loading.
    load: (id) => (id === '\0vite/preload-helper.js' ? 'export const __vitePreload = (load) => load();' : null),
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) => {
        const chunks = Object.values(bundle ?? {}).filter((file) => file.type === 'chunk');
        const page = chunks.find((chunk) => chunk.facadeModuleId?.endsWith('/src/page.tsx'));
        if (!page) throw new Error('there is no chunk of src/page.tsx');
        const needed = chunks.filter((chunk) => chunk === page || (!chunk.isEntry && page.imports.includes(chunk.fileName)));
        return needed.map(({ fileName }) => ({ tag: 'link', attrs: { rel: 'modulepreload', href: `./${fileName}` }, injectTo: 'head' }));
      },
    },
  };
}
