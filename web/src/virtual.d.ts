/** The modules that `plugins/gallery.ts` and `plugins/rules.ts` make. */
declare module 'virtual:gallery' {
  import type { Claim } from './gallery.ts';
  const gallery: Claim[];
  export default gallery;
}

declare module 'virtual:first' {
  import type { Example } from './protocol.ts';
  const first: Example;
  export default first;
}

declare module 'virtual:opened' {
  import type { Opened } from './protocol.ts';
  const opened: Opened;
  export default opened;
}

declare module 'virtual:rules' {
  const pages: Record<string, string>;
  export default pages;
}
