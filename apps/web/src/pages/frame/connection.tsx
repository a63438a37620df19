import { CloudOff } from 'icons';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useWorkspace } from '../../data/live/workspace.ts';
import { isOnline } from '../../data/reachable.ts';
import { countText } from '../../lib/count-text.ts';
import { toast } from '../../ui/toast.tsx';

/** Shorter interruptions are not shown. */
const PATIENCE_MS = 2_000;

/** Returns whether there has been no connection for a while, or the browser is offline. */
function useIsDisconnected(): boolean {
  const isCut = useWorkspace().hubs.connection.value.status !== 'live';
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    if (!isCut) {
      setLong(false);
      return;
    }
    const timer = setTimeout(() => setLong(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, [isCut]);
  return !isOnline.value || (isCut && isLong);
}

/** Shows over the page that the connection is lost and, once it is back, how many posts have arrived. */
export function ConnectionToast() {
  const { hubs } = useWorkspace();
  const isDisconnected = useIsDisconnected();
  const wasDisconnected = useRef(false);
  // Kept while the next connection attempt is running.
  const error = useRef<string | null>(null);
  const state = hubs.connection.value;
  if (state.status === 'live') error.current = null;
  else if (state.status === 'waiting' && state.isRejected) error.current = state.reason;
  const removeToast = useRef(() => {});
  // A short network outage does not always close the connection.
  if (isDisconnected && state.status !== 'live') wasDisconnected.current = true;
  const caughtUp = hubs.caughtUp.value;
  useEffect(() => {
    if (!caughtUp || !wasDisconnected.current) return;
    wasDisconnected.current = false;
    removeToast.current = toast(backText(caughtUp.posts));
  }, [caughtUp]);
  useEffect(() => {
    if (isDisconnected) removeToast.current();
  }, [isDisconnected]);
  useEffect(() => {
    // The WebSocket may not have noticed yet that the network is gone.
    if (!isOnline.value) hubs.reconnect();
  }, [isOnline.value]);
  return (
    <div class="connection-toast" role="status">
      {isDisconnected &&
        (isOnline.value ? <Reconnecting error={error.current} onNow={() => hubs.reconnect()} /> : <Offline />)}
    </div>
  );
}

/** `error`: why the server currently rejects the connection. */
function Reconnecting({ error, onNow }: { error: string | null; onNow: () => void }) {
  return (
    <div class="banner is-warn">
      <CloudOff />
      <span class="grow">
        {error === null ? (
          <>
            <strong>Reconnecting.</strong>{' '}
            <span class="connection-detail">New posts will appear when the connection is back.</span>
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
      <CloudOff />
      <span class="grow">
        <strong>You’re offline.</strong>{' '}
        <span class="connection-detail">Your messages are saved and will be sent when you’re back.</span>
      </span>
    </div>
  );
}

function backText(posts: number): string {
  if (posts === 0) return 'Reconnected. You didn’t miss anything.';
  return `Reconnected. Caught up on ${countText(posts, 'post')}.`;
}

/** The connection status at the foot of the sidebar. The toast gives the details. */
export function ConnectionState() {
  const isDisconnected = useIsDisconnected();
  return (
    <span class={isDisconnected ? 'live is-off' : 'live'}>
      <span>{isDisconnected ? (isOnline.value ? 'Disconnected' : 'Offline') : 'Live'}</span>
    </span>
  );
}
