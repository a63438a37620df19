import { useEffect, useRef } from 'preact/hooks';
import { useWorkspace } from './workspace.ts';

export type WorkspaceTopic = 'keys' | 'people' | 'hubs' | 'workspace';

/** Calls `reload` when something may have been missed: after a connection was lost, and when the tab was out of sight. */
export function useWorkspaceChanges(_topics: readonly WorkspaceTopic[], reload: () => void): void {
  const { hubs } = useWorkspace();
  const latest = useRef(reload);
  latest.current = reload;
  useEffect(() => {
    let wasCut = false;
    const stopConnection = hubs.connection.subscribe(({ status }) => {
      if (status === 'live' && wasCut) latest.current();
      wasCut = status !== 'live';
    });
    const onVisibility = () => {
      if (document.visibilityState === 'visible') latest.current();
    };
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      stopConnection();
      document.removeEventListener('visibilitychange', onVisibility);
    };
  }, [hubs]);
}
