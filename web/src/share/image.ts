/** The timeline as a file: the picture of `picture.ts` as SVG, or drawn by the browser as PNG. */
import type { About } from '../protocol.ts';
import type { Tab } from '../state/tab.ts';
import { lightPalette } from '../timeline/palette.ts';
import { picture } from './picture.ts';

/** So many pixels are drawn for one of the picture, so that it is sharp on any screen. */
const DENSITY = 2;

/** A bare picture is without title and outcome, which stand beside it. */
export function svg(tab: Tab, about: About, bare = false): string {
  return picture({ bare, title: tab.title(), story: tab.story(), step: tab.cursor(), source: `Kubernetes ${about.kubernetes} · jobsmith ${about.jobsmith}` }, lightPalette());
}

export async function png(text: string): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = image.width * DENSITY;
  canvas.height = image.height * DENSITY;
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((drawn) => canvas.toBlob(drawn, 'image/png'));
  if (!blob) throw new Error('This browser cannot draw a picture of this size. Save the SVG instead.');
  return blob;
}
