import type { ApiKey } from '@hub/contract';
import { useEffect, useState } from 'preact/hooks';
import { ApiError, request } from '../data/request.ts';
import { useWorkspaceChanges } from '../workspace/use-workspace-changes.ts';
import { useWorkspace } from '../workspace/workspace.ts';
import { hasAttention } from './attention.ts';

/** Keys are polled: no event announces that a key was used or expired. */
const POLL_MS = 20_000;

/** Keeps a key up to date while it is shown; `null` until loaded, and for members who may see only its name. */
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
        if (isMember && !(await canMembersManageKeys(stop.signal))) return;
        show(await request('GET /keys/{keyId}', { keyId: id, signal: stop.signal }));
      } catch (error) {
        const isDenied = error instanceof ApiError && (error.statusCode === 403 || error.statusCode === 404);
        if (isDenied || stop.signal.aborted) return;
      }
      if (!stop.signal.aborted) timer = setTimeout(() => void ask(), POLL_MS);
    };
    void ask();
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [id, isWatched, changes, isMember]);
  return { key: key?.id === id ? key : null, show };
}

/** Avoids a request that the server would deny. */
async function canMembersManageKeys(signal: AbortSignal): Promise<boolean> {
  const { membersManageKeys } = await request('GET /workspace', { signal });
  return membersManageKeys;
}
