/** The colours of the style sheet, as the canvas needs them. */

const NAMES = ['text', 'muted', 'line', 'surface', 'pending', 'running', 'succeeded', 'failed', 'deleting', 'waiting', 'band', 'chip', 'failed-chip', 'failed-sign', 'action', 'good', 'bad', 'outline'] as const;

export type Palette = Record<(typeof NAMES)[number], string> & { font: string };

/** Reads the colours where they hold. A custom property may depend on the theme, so each is tried on as a colour. */
export function palette(element: HTMLElement): Palette {
  const probes = NAMES.map((name) => {
    const probe = document.createElement('span');
    probe.style.color = `var(--${name})`;
    return probe;
  });
  element.append(...probes);
  const colours = probes.map((probe, place) => [NAMES[place], getComputedStyle(probe).color]);
  for (const probe of probes) probe.remove();
  return { ...(Object.fromEntries(colours) as Record<(typeof NAMES)[number], string>), font: getComputedStyle(element).fontFamily };
}

/** The colours of the light theme: pictures are shown on white pages. */
export function lightPalette(): Palette {
  const light = document.createElement('div');
  light.style.colorScheme = 'light';
  document.body.append(light);
  const colours = palette(light);
  light.remove();
  return colours;
}
