import { useEffect, useState } from 'preact/hooks';
import { useWorkspace } from '../../data/live/workspace.ts';
import { isOnline } from '../../data/reachable.ts';

/** Shorter interruptions are not shown. */
const PATIENCE_MS = 2_000;

/** Returns whether there has been no connection for a while, or the browser is offline. */
export function useIsDisconnected(): boolean {
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
