/** The timeline as a file: the picture of `picture.ts` as SVG, or drawn by the browser as PNG. */
import type { About } from '../protocol.ts';
import type { Tab } from '../state/tab.ts';
import { lightPalette } from '../timeline/palette.ts';
import { picture } from './picture.ts';

/** So many pixels are drawn for one of the picture, so that it is sharp on any screen. */
const DENSITY = 2;

/** The lanes one below the other. A bare picture is without titles and outcomes, which stand beside it. */
export function svg(lanes: Tab[], about: About, bare = false): string {
  const title = (tab: Tab, place: number): string => (lanes.length > 1 ? `${'AB'[place]}: ${tab.label()}` : tab.title());
  const pictured = lanes.map((tab, place) => ({ bare, title: title(tab, place), story: tab.story(), step: tab.cursor() }));
  return picture(pictured, `Kubernetes ${about.kubernetes} · jobsmith ${about.jobsmith}`, lightPalette());
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
