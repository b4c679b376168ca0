/** Which tabs keep what was played of them: those that were looked at last. */
import type { Tab } from './tab.ts';

/** So many tabs stay played at most: each needs an instance of the controllers, and browsers allow only about a hundred. */
const AWAKE = 16;

export function createAwake() {
  /** The one that was looked at last comes first. */
  let awake: Tab[] = [];
  return {
    /** Plays the tabs that are shown, in place of those that were looked at longest ago if there are many. */
    wake(shown: Tab[]): void {
      awake = [...shown, ...awake.filter((tab) => !shown.includes(tab))];
      for (const tab of awake.splice(AWAKE)) tab.close();
      for (const tab of shown) tab.wake();
    },
    /** Ends the play of a tab that is closed. */
    close(tab: Tab): void {
      awake = awake.filter((one) => one !== tab);
      tab.close();
    },
  };
}
