import type { ApiKey, Workspace } from '@hub/contract';
import { useEffect, useState } from 'preact/hooks';
import { ApiError, path, request } from '../api/request.ts';
import { useWorkspaceChanges } from '../workspace/use-workspace-changes.ts';
import { useWorkspace } from '../workspace/workspace.ts';
import { hasAttention } from './attention.ts';

/** No event tells that a key was used, or that something of it has ended by itself. */
const AGAIN_MS = 20_000;

/** A key as it is now, while it is shown; `null` until it is there, and for those who may not know more than its name. */
export function useKey(id: string | null): { key: ApiKey | null; show: (key: ApiKey) => void } {
  const { me } = useWorkspace();
  const isMember = me.value.role === 'member';
  const [key, show] = useState<ApiKey | null>(null);
  const isWatched = hasAttention.value;
  const [changes, setChanges] = useState(0);
  useWorkspaceChanges(['keys', 'workspace'], () => setChanges((last) => last + 1));
  useEffect(() => {
    if (id === null || !isWatched) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = new AbortController();
    const ask = async () => {
      try {
        if (isMember && !(await mayMembersKnow(stop.signal))) return;
        show(await request<ApiKey>('GET', path`/keys/${id}`, { signal: stop.signal }));
      } catch (error) {
        const mayNot = error instanceof ApiError && (error.statusCode === 403 || error.statusCode === 404);
        if (mayNot || stop.signal.aborted) return;
      }
      if (!stop.signal.aborted) timer = setTimeout(() => void ask(), AGAIN_MS);
    };
    void ask();
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [id, isWatched, changes, isMember]);
  return { key: key?.id === id ? key : null, show };
}

/** What would be refused is not asked for. */
async function mayMembersKnow(signal: AbortSignal): Promise<boolean> {
  const { membersManageKeys } = await request<Workspace>('GET', '/workspace', { signal });
  return membersManageKeys;
}
