/** Lets virtual time run at a speed, from the current step to the end; that of a CronJob never comes. */
import { createSignal } from 'solid-js';

import type { Tab } from '../state/tab.ts';

export const SPEEDS = [0.25, 1, 4, 10, 30, 60, 300, 3600];

export type Running = ReturnType<typeof createRunning>;

export function createRunning(tab: () => Tab | null) {
  const [speed, setSpeed] = createSignal(4);
  const [runs, setRuns] = createSignal(false);
  let before = 0;
  let at = 0;
  /** What it has shown last; null before it has shown anything. */
  let last: { tab: Tab; cursor: number; at: number } | null = null;

  function frame(time: number): void {
    const on = tab();
    if (!runs() || !on) return;
    // A page that was hidden for a while goes on where it was.
    const passed = Math.min(100, time - before) * speed();
    before = time;
    if (!on.starting() && !advance(on, passed)) return stop();
    requestAnimationFrame(frame);
  }

  /** Advances the time by some milliseconds; false at the end of the session. */
  function advance(on: Tab, passed: number): boolean {
    const elsewhere = on !== last?.tab || on.cursor() !== last.cursor || on.at() !== last.at;
    at = (elsewhere ? on.at() : at) + passed;
    const story = on.story();
    const step = story.stepAt(at);
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    if (!still) on.goTo(step, Math.min(Math.floor(at), story.lastAt));
    else if (step !== on.cursor()) on.goTo(step);
    last = { tab: on, cursor: on.cursor(), at: on.at() };
    return step < story.steps.length - 1 || goesOn(on);
  }

  /** Whether more is played than is known; a CronJob goes on for as long as time runs. */
  function goesOn(on: Tab): boolean {
    if (on.failure() || (on.complete() && !on.story().paused)) return false;
    at = Math.min(at, on.story().lastAt);
    if (on.story().paused) void on.more();
    return true;
  }

  function start(): void {
    const on = tab();
    if (!on) return;
    if (on.cursor() >= on.story().steps.length - 1 && !on.story().paused) on.goTo(0);
    last = null;
    before = performance.now();
    setRuns(true);
    requestAnimationFrame(frame);
  }

  function stop(): void {
    setRuns(false);
  }

  return { speed, setSpeed, runs, start, stop, toggle: () => (runs() ? stop() : start()) };
}
