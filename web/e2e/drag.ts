/** Drags the cursor over a whole session, as a hand does it, and measures the frames. */
import type { Page } from 'playwright-core';

/** How long each of 120 frames takes, in milliseconds. */
export async function dragged(page: Page): Promise<number[]> {
  return page.evaluate(async () => {
    const lengths: number[] = [];
    const plot = document.querySelector('.lane-group.marks .plot')?.getBoundingClientRect();
    if (!plot) return lengths;
    const send = (type: string, share: number): void => {
      const place = { clientX: plot.left + plot.width * share, clientY: plot.top + 5, bubbles: true, button: 0 };
      (document.querySelector('.lane-group.marks .plot') ?? document.body).dispatchEvent(new PointerEvent(type, place));
    };
    let before = performance.now();
    send('pointerdown', 0);
    for (let number = 0; number < 120; number++) {
      send('pointermove', number / 120);
      await new Promise((drawn) => requestAnimationFrame(drawn));
      lengths.push(performance.now() - before);
      before = performance.now();
    }
    send('pointerup', 1);
    return lengths;
  });
}
