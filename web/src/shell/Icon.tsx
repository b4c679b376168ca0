/** The few signs of the page that not every font has. */

const PATHS = {
  start: 'M3 3h2v10H3zM13 3v10L6 8z',
  back: 'M11 3v10L4 8z',
  run: 'M4 2.5v11L13.5 8z',
  pause: 'M4 3h3v10H4zM9 3h3v10H9z',
  step: 'M5 3v10l7-5z',
  end: 'M11 3h2v10h-2zM3 3v10l7-5z',
  undo: 'M6.2 2.8 2.5 6.5l3.7 3.7V7.5h3.3a2.5 2.5 0 0 1 0 5H6V14h3.5a4 4 0 0 0 0-8H6.2z',
  redo: 'M9.8 2.8l3.7 3.7-3.7 3.7V7.5H6.5a2.5 2.5 0 0 0 0 5H10V14H6.5a4 4 0 0 1 0-8h3.3z',
  timer: 'M8 4a5 5 0 1 0 0 10A5 5 0 0 0 8 4zm0 1.5a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7zM6.5 1.5h3V3h-3zM7.3 6.5h1.4v2.3l1.6 1-.7 1.2-2.3-1.5z',
  lock: 'M4 7h8v6H4zM5.2 7V5.8a2.8 2.8 0 0 1 5.6 0V7H9.4V5.8a1.4 1.4 0 0 0-2.8 0V7z',
};

export function Icon(props: { name: keyof typeof PATHS }) {
  return <svg class="sign" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><path d={PATHS[props.name]} fill="currentColor" fill-rule="evenodd" /></svg>;
}
