/** The module that `plugins/gallery.ts` makes. */
declare module 'virtual:gallery' {
  import type { Example } from './model/scenario.ts';
  const gallery: Example[];
  export default gallery;
}
