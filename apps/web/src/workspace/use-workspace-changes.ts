import { useEffect, useRef } from 'preact/hooks';
import { useWorkspace } from './workspace.ts';

export type WorkspaceTopic = 'keys' | 'people' | 'hubs' | 'workspace';

/** Calls `reload` when what concerns one of the topics may have changed: after a lost connection, and when one comes back. */
export function useWorkspaceChanges(_topics: readonly WorkspaceTopic[], reload: () => void): void {
  const { hubs } = useWorkspace();
  const latest = useRef(reload);
  latest.current = reload;
  const isLive = hubs.connection.value.status === 'live';
  const wasLive = useRef(isLive);
  useEffect(() => {
    if (isLive && !wasLive.current) latest.current();
    wasLive.current = isLive;
  }, [isLive]);
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === 'visible') latest.current();
    };
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
}
