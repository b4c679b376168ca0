/** Whether the page is a part of another, by `?embed` in its address: it then only shows, and keeps nothing in the browser. */

export const embedded = new URLSearchParams(globalThis.location?.search ?? '').has('embed');
