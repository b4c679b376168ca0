/** The modules that `plugins/gallery.ts` makes. */
declare module 'virtual:gallery' {
  import type { Example } from './protocol.ts';
  const gallery: Example[];
  export default gallery;
}

declare module 'virtual:first' {
  import type { Example } from './protocol.ts';
  const first: Example;
  export default first;
}
