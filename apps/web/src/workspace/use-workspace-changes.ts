import type { WorkspaceTopic } from '@hub/contract';
import { useEffect, useRef } from 'preact/hooks';
import { useWorkspace } from './workspace.ts';

export type { WorkspaceTopic };

/** Several changes at once, such as those of a script, are one reload; and not everybody asks in the same instant. */
const SOON_MS = 60;
const SPREAD_MS = 140;

/**
 * Calls `reload` when somebody has changed what lists of these topics show, and when something may have been missed: after a
 * connection was lost, and when the tab was out of sight.
 */
export function useWorkspaceChanges(topics: readonly WorkspaceTopic[], reload: () => void): void {
  const { hubs } = useWorkspace();
  const latest = useRef(reload);
  latest.current = reload;
  const key = topics.join(' ');

  useEffect(() => {
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
    const stopNews = hubs.onWorkspaceChanged((changed) => {
      if (changed.some((topic) => key.split(' ').includes(topic))) soon();
    });
    let wasCut = false;
    const stopConnection = hubs.connection.subscribe(({ status }) => {
      if (status === 'live' && wasCut) soon();
      wasCut = status !== 'live';
    });
    const onVisibility = () => {
      if (document.visibilityState === 'visible') soon();
    };
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      clearTimeout(timer);
      stopNews();
      stopConnection();
      document.removeEventListener('visibilitychange', onVisibility);
    };
  }, [hubs, key]);
}
