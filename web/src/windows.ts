/** The piece of the page that holds its windows, and the comparison that one of them begins. */
// As in `menus.ts`.
import './page.tsx';

export { Parting } from './compare/Parting.tsx';
export { OpenWindow } from './shell/OpenWindow.tsx';
