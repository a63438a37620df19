import { useEffect, useState } from 'preact/hooks';
import { isOnline } from '../api/reachable.ts';
import { useWorkspace } from '../workspace/workspace.ts';

/** A connection that is back sooner was hardly away. */
const PATIENCE_MS = 2_000;

/** Whether there has been no connection for a while, or there is no network. */
export function useIsAway(): boolean {
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
