/** What is not seen at first. It comes in three pieces, each of which is loaded when something of it is shown for the first time. */
import { type Component, createComponent, createSignal, Show } from 'solid-js';

import { MISSING } from './faults.ts';
import type { Opening } from './state/tab.ts';
import type { Workspace } from './state/workspace.ts';

const menus = () => import('./menus.ts');
const tour = () => import('./tour.ts');
const windows = () => import('./windows.ts');

export const ActList = later(menus, (piece) => piece.ActList);
export const BreakList = later(menus, (piece) => piece.BreakList);
export const OpenWindow = later(windows, (piece) => piece.OpenWindow);
export const Parting = later(windows, (piece) => piece.Parting);
export const PodMenu = later(menus, (piece) => piece.PodMenu);
export const RecordingPane = later(menus, (piece) => piece.RecordingPane);
export const RuleForm = later(menus, (piece) => piece.RuleForm);
export const ShareList = later(menus, (piece) => piece.ShareList);
export const Tour = later(tour, (piece) => piece.Tour);

/** What a file holds. */
export async function openings(name: string, text: string): Promise<Opening[]> {
  const piece = await menus().catch(() => {
    throw new Error(MISSING);
  });
  return piece.openings(name, text);
}

/** What is needed where something may be missing. */
interface Around {
  workspace: Workspace;
  onClose?: () => void;
}

/** Says that something cannot be loaded, and closes it, so that it can be opened again. */
export function missing({ workspace, onClose }: Around): void {
  workspace.setMessage(MISSING);
  onClose?.();
}

/** A component of a piece, to be used as if it were there already. */
function later<Piece, Props extends object>(load: () => Promise<Piece>, of: (piece: Piece) => Component<Props>): Component<Props & Around> {
  const [part, setPart] = createSignal<Component<Props> | null>(null);
  return (props) => {
    if (!part()) load().then((piece) => setPart(() => of(piece)), () => missing(props));
    return <Show when={part()} keyed>{(Part) => createComponent(Part, props)}</Show>;
  };
}
