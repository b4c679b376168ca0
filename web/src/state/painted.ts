/** What can wait until something is seen, so that it does not hold it up. */

/** Ends once what the page shows by now has been painted; at once where nobody sees the page. */
export function painted(): Promise<void> {
  return new Promise((done) => {
    if (document.hidden) done();
    else requestAnimationFrame(() => setTimeout(done));
  });
}
