/** One after another, in the order in which they come. */

/** Does each thing when those before it are done; `act` must not fail. */
export function inTurn<Item>(act: (item: Item) => Promise<void>): (item: Item) => void {
  let before: Promise<void> = Promise.resolve();
  return (item) => {
    before = before.then(() => act(item));
  };
}
