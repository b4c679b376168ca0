/** Lets virtual time run at a speed, from the step that is looked at to the end; that of a CronJob never comes. */
import { createSignal } from 'solid-js';

import type { Tab } from '../state/tab.ts';

export const SPEEDS = [0.25, 1, 4, 10, 30, 60, 300, 3600];

export type Running = ReturnType<typeof createRunning>;

export function createRunning(tab: () => Tab | null) {
  const [speed, setSpeed] = createSignal(4);
  const [runs, setRuns] = createSignal(false);
  let before = 0;
  let at = 0;

  function frame(time: number): void {
    const on = tab();
    if (!runs() || !on) return;
    // A page that was hidden for a while goes on where it was.
    at += Math.min(100, time - before) * speed();
    before = time;
    const story = on.story();
    const step = story.stepAt(at);
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    if (!still) on.goTo(step, Math.min(Math.floor(at), story.lastAt));
    else if (step !== on.cursor()) on.goTo(step);
    if (step >= story.steps.length - 1 && !goesOn(on)) {
      stop();
      return;
    }
    requestAnimationFrame(frame);
  }

  /** Whether more is played than is known; a CronJob goes on for as long as time runs. */
  function goesOn(on: Tab): boolean {
    if (on.complete() && !on.story().paused) return false;
    at = Math.min(at, on.story().lastAt);
    if (on.story().paused) void on.more();
    return true;
  }

  function start(): void {
    const on = tab();
    if (!on) return;
    if (on.cursor() >= on.story().steps.length - 1 && !on.story().paused) on.goTo(0);
    at = on.at();
    before = performance.now();
    setRuns(true);
    requestAnimationFrame(frame);
  }

  function stop(): void {
    setRuns(false);
  }

  return { speed, setSpeed, runs, start, stop, toggle: () => (runs() ? stop() : start()) };
}
