import type { HubCounts } from '@hub/contract';
import { signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { request } from '../data/request.ts';
import { useWorkspaceChanges } from '../workspace/use-workspace-changes.ts';
import { useWorkspace } from '../workspace/workspace.ts';

/** Several events in quick succession cause one request. */
const SOON_MS = 400;
const COUNTED = /^(?:todo|note|member|items)\./;

/** Returns the counts of a Hub, or null until they are loaded. Reloads them after events that change them. */
export function useHubCounts(hubId: string): HubCounts | null {
  const { hubs } = useWorkspace();
  const counts = useMemo(() => signal<HubCounts | null>(null), [hubId]);
  const ask = () => {
    // The header works without the counts.
    request('GET /hubs/{hubId}/counts', { hubId }).then(
      (response) => {
        counts.value = response;
      },
      () => {},
    );
  };
  useWorkspaceChanges(['keys'], ask);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const askSoon = () => {
      timer = undefined;
      ask();
    };
    ask();
    const stop = hubs.onEvent((event) => {
      if (event.hubId === hubId && COUNTED.test(event.event)) timer ??= setTimeout(askSoon, SOON_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [hubId]);
  return counts.value;
}
