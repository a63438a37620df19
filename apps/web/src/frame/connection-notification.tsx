import CloudOff from 'icon:cloud-off';
import WifiOff from 'icon:wifi-off';
import { useEffect, useRef } from 'preact/hooks';
import { isOnline } from '../api/reachable.ts';
import { toast } from '../ui/toast.tsx';
import { useWorkspace } from '../workspace/workspace.ts';
import { useIsAway } from './away.ts';
import { backText } from './back-text.ts';

/** Says that the connection is away, over the page and without moving it; and what came when it is back. */
export function ConnectionNotification() {
  const { hubs } = useWorkspace();
  const isAway = useIsAway();
  const wasAway = useRef(false);
  // Kept while the next attempt is under way.
  const error = useRef<string | null>(null);
  const state = hubs.connection.value;
  if (state.status === 'live') error.current = null;
  else if (state.status === 'waiting' && state.isRefused) error.current = state.reason;
  const takeBack = useRef(() => {});
  // A network that was away for a moment has not always cut the connection.
  if (isAway && state.status !== 'live') wasAway.current = true;
  const caughtUp = hubs.caughtUp.value;
  useEffect(() => {
    if (!caughtUp || !wasAway.current) return;
    wasAway.current = false;
    takeBack.current = toast(backText(caughtUp.posts));
  }, [caughtUp]);
  useEffect(() => {
    if (isAway) takeBack.current();
  }, [isAway]);
  useEffect(() => {
    // The connection does not know yet that nothing comes through.
    if (!isOnline.value) hubs.reconnect();
  }, [isOnline.value]);
  return (
    <div class="connection-toast" role="status">
      {isAway && (isOnline.value ? <Reconnecting error={error.current} onNow={() => hubs.reconnect()} /> : <Offline />)}
    </div>
  );
}

/** `refusal`: why the server allows no connection for now. */
function Reconnecting({ error, onNow }: { error: string | null; onNow: () => void }) {
  return (
    <div class="banner is-warn">
      <CloudOff />
      <span class="grow">
        {error === null ? (
          <>
            <strong>Reconnecting.</strong>{' '}
            <span class="connection-detail">What arrives meanwhile will be here, in order.</span>
          </>
        ) : (
          <>
            <strong>No live updates.</strong> {error}
          </>
        )}
      </span>
      <button class="link" type="button" onClick={onNow}>
        Try now
      </button>
    </div>
  );
}

function Offline() {
  return (
    <div class="banner">
      <WifiOff />
      <span class="grow">
        <strong>You are offline.</strong>{' '}
        <span class="connection-detail">Your messages are saved and will be sent when you're back.</span>
      </span>
    </div>
  );
}
