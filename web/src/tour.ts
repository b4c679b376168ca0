/** The piece of the page that only those need who see it for the first time. */
// As in `menus.ts`.
import './page.tsx';

export { Tour } from './shell/Tour.tsx';
