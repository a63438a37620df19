import type { ApiKey } from '@hub/contract';
import { endOf } from '@hub/contract/key-state';
import { ROTATION_OVERLAP_SECONDS } from '@hub/contract/limits';
import { useEffect, useRef, useState } from 'preact/hooks';
import { path, request } from '../../api/request.ts';
import { isIdle } from './key-state.ts';
import { timeLeft } from './time-left.ts';

/** Clocks differ: rather one request too many. */
const SLACK_MS = 3_600_000;

/** The keys that came before this one, by rotation, and still work; the newest first. */
export async function olderWorkingKeys(key: ApiKey): Promise<ApiKey[]> {
  const older: ApiKey[] = [];
  let next = key;
  // What came before a key works for 24 hours after that was made, whatever became of those in between.
  while (next.predecessorId !== null && Date.now() < overlapEnd(next) + SLACK_MS) {
    next = await request<ApiKey>('GET', path`/keys/${next.predecessorId}`);
    older.push(next);
  }
  return older.filter((each) => !isIdle(each, Date.now()));
}

/** As the dialog that stops `key` needs them: none until they are known, or where they cannot be asked for. */
export function useOlderKeys(key: ApiKey) {
  const [shown, show] = useState<readonly ApiKey[]>([]);
  const loaded = useRef<Promise<readonly ApiKey[]>>(Promise.resolve([]));
  useEffect(() => {
    loaded.current = olderWorkingKeys(key).catch(() => []);
    void loaded.current.then(show);
  }, [key.id]);
  return { shown, loaded };
}

/** Ends them, and says which of them work all the same. */
export async function endKeys(keys: readonly ApiKey[]): Promise<ApiKey[]> {
  const left: ApiKey[] = [];
  for (const key of keys) {
    try {
      await request<ApiKey>('POST', path`/keys/${key.id}/revocation`);
    } catch {
      left.push(key);
    }
  }
  return left;
}

/** "The previous key hub_live_…66Hj works for 23 h 10 min more." */
export function stillWorks(key: ApiKey, verb: 'works' | 'still works'): string {
  const end = endOf(key);
  const left = end === null ? '' : ` for ${timeLeft(end - Date.now())} more`;
  return `The previous key ${key.hint} ${verb}${left}.`;
}

function overlapEnd({ createdAt }: ApiKey): number {
  return Date.parse(createdAt) + ROTATION_OVERLAP_SECONDS * 1_000;
}
