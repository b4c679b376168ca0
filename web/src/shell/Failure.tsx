/** Why a play failed, with a way to play the session again. */
import type { Failed } from '../state/play.ts';
import type { Tab } from '../state/tab.ts';

export function Failure(props: { tab: Tab; failure: Failed }) {
  return (
    <div class="cannot" role="alert">
      <p><b>{props.failure.partial ? 'This session could not be played any further.' : 'This session could not be played.'}</b></p>
      <p>{props.failure.message}</p>
      <p><button type="button" onClick={() => void props.tab.replay(props.tab.whereabouts())}>Play again</button></p>
    </div>
  );
}
