/** What a person has chosen about the page itself, kept in this browser. */
import { createSignal } from 'solid-js';

import { embedded } from './embedded.ts';

export type Theme = 'auto' | 'light' | 'dark';

/** A value that is kept in this browser, and is there again next time. */
export function kept<Value>(name: string, first: Value, fits: (value: unknown) => value is Value): [() => Value, (value: Value) => void] {
  const [value, setValue] = createSignal<Value>(stored(name, first, fits), { equals: false });
  return [value, (next) => {
    setValue(() => next);
    if (embedded) return;
    try {
      localStorage.setItem(`playground.${name}`, JSON.stringify(next));
    } catch {
      // A browser that keeps nothing shows the same page, as if for the first time.
    }
  }];
}

function stored<Value>(name: string, first: Value, fits: (value: unknown) => value is Value): Value {
  if (embedded) return first;
  try {
    const value: unknown = JSON.parse(localStorage.getItem(`playground.${name}`) ?? 'null');
    return fits(value) ? value : first;
  } catch {
    return first;
  }
}

export const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
export const isFlag = (value: unknown): value is boolean => typeof value === 'boolean';

/** Whether the keys of the page do something. */
export const [keysOn, setKeysOn] = kept('keys', true, isFlag);

const [theme, keepTheme] = kept<Theme>('theme', 'auto', (value): value is Theme => value === 'auto' || value === 'light' || value === 'dark');
const [dark, setDark] = createSignal(false);
const [forced, setForced] = createSignal(false);

export { theme };

/** Called again with each change of colours. */
export const themed = (): string => `${theme()} ${dark()} ${forced()}`;

export function setTheme(next: Theme): void {
  document.documentElement.style.colorScheme = next === 'auto' ? 'light dark' : next;
  keepTheme(next);
}

/** Puts the chosen theme on, and follows the system where none was chosen. */
export function startTheme(): void {
  const system = matchMedia('(prefers-color-scheme: dark)');
  setDark(system.matches);
  system.addEventListener('change', () => setDark(system.matches));
  const chosen = matchMedia('(forced-colors: active)');
  setForced(chosen.matches);
  chosen.addEventListener('change', () => setForced(chosen.matches));
  setTheme(theme());
}
