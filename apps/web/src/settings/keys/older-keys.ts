import type { ApiKey } from '@hub/contract';
import { endOf } from '@hub/contract/key-state';
import { ROTATION_OVERLAP_SECONDS } from '@hub/contract/limits';
import { useEffect, useRef, useState } from 'preact/hooks';
import { request } from '../../data/request.ts';
import { isIdle } from './key-state.ts';
import { timeLeft } from './time-left.ts';

/** Allows for clock differences. At worst, it costs one extra request. */
const SLACK_MS = 3_600_000;

/** Returns the previous keys of this one that still work, newest first. */
export async function olderWorkingKeys(key: ApiKey): Promise<ApiKey[]> {
  const older: ApiKey[] = [];
  let next = key;
  // A key's predecessor works for 24 hours after the key was issued, whatever happened to the keys in between.
  while (next.predecessorId !== null && Date.now() < overlapEnd(next) + SLACK_MS) {
    next = await request('GET /keys/{keyId}', { keyId: next.predecessorId });
    older.push(next);
  }
  return older.filter((each) => !isIdle(each, Date.now()));
}

/** Loads the previous keys for the dialog that revokes `key`. The list is empty until loaded, and if loading fails. */
export function useOlderKeys(key: ApiKey) {
  const [shown, show] = useState<readonly ApiKey[]>([]);
  const loaded = useRef<Promise<readonly ApiKey[]>>(Promise.resolve([]));
  useEffect(() => {
    loaded.current = olderWorkingKeys(key).catch(() => []);
    void loaded.current.then(show);
  }, [key.id]);
  return { shown, loaded };
}

/** Revokes the keys and returns those that could not be revoked. */
export async function revokeKeys(keys: readonly ApiKey[]): Promise<ApiKey[]> {
  const left: ApiKey[] = [];
  for (const key of keys) {
    try {
      await request('POST /keys/{keyId}/revocation', { keyId: key.id });
    } catch {
      left.push(key);
    }
  }
  return left;
}

/** "The previous key hub_live_…66Hj works for another 23 h 10 min." */
export function stillWorks(key: ApiKey, verb: 'works' | 'still works'): string {
  const end = endOf(key);
  const left = end === null ? '' : ` for another ${timeLeft(end - Date.now())}`;
  return `The previous key ${key.hint} ${verb}${left}.`;
}

function overlapEnd({ createdAt }: ApiKey): number {
  return Date.parse(createdAt) + ROTATION_OVERLAP_SECONDS * 1_000;
}
