import type { WorkspaceTopic } from '@hub/contract';
import { useEffect, useRef } from 'preact/hooks';
import { useWorkspace } from './workspace.ts';

export type { WorkspaceTopic };

/** Changes in quick succession cause one reload, and clients spread their requests over `SPREAD_MS`. */
const SOON_MS = 60;
const SPREAD_MS = 140;

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
    let timer: ReturnType<typeof setTimeout> | undefined;
    const soon = () => {
      timer ??= setTimeout(
        () => {
          timer = undefined;
          latest.current();
        },
        SOON_MS + Math.random() * SPREAD_MS,
      );
    };
    const stopTopics = hubs.onWorkspaceChanged((changed) => {
      if (changed.some((topic) => key.split(' ').includes(topic))) soon();
    });
    let wasDisconnected = false;
    const stopConnection = hubs.connection.subscribe(({ status }) => {
      if (status === 'live' && wasDisconnected) soon();
      wasDisconnected = status !== 'live';
    });
    const onVisibility = () => {
      if (document.visibilityState === 'visible') soon();
    };
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      clearTimeout(timer);
      stopTopics();
      stopConnection();
      document.removeEventListener('visibilitychange', onVisibility);
    };
  }, [hubs, key]);
}
