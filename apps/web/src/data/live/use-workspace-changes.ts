import type { WorkspaceTopic } from '@hub/contract';
import { useEffect, useRef } from 'preact/hooks';
import { JitteredDebounce } from '../../lib/jittered-debounce.ts';
import { useWorkspace } from './workspace.ts';

export type { WorkspaceTopic };

/** Changes in quick succession cause one reload. */
const SOON_MS = 60;

/**
 * Calls `reload` when the data of these topics has changed, and when a change may have been missed: after a lost
 * connection, and after the tab was hidden. `null`: never.
 */
export function useWorkspaceChanges(topics: readonly WorkspaceTopic[] | null, reload: () => void): void {
  const { hubs } = useWorkspace();
  const latest = useRef(reload);
  latest.current = reload;
  const key = topics?.join(' ');

  useEffect(() => {
    if (key === undefined) return;
    const soon = new JitteredDebounce(SOON_MS, () => latest.current());
    const stopTopics = hubs.onWorkspaceChanged((changed) => {
      if (changed.some((topic) => key.split(' ').includes(topic))) soon.schedule();
    });
    const stopLive = hubs.onLive(() => soon.schedule());
    const onVisibility = () => {
      if (document.visibilityState === 'visible') soon.schedule();
    };
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      soon.cancel();
      stopTopics();
      stopLive();
      document.removeEventListener('visibilitychange', onVisibility);
    };
  }, [hubs, key]);
}
