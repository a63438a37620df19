import type { ApiKey, SucceedKeyBody, Workspace } from '@hub/contract';
import { request } from '../../api/request.ts';
import { successorExpiry } from '../issue-key/key-lifetime.ts';

/** Returns the maximum lifetime of keys in days; `null` for no limit. */
export async function maxLifetime(): Promise<number | null> {
  const { longestKeyLifetimeDays } = await request<Workspace>('GET', '/workspace');
  return longestKeyLifetimeDays;
}

/**
 * Returns the same lifetime as before, or the maximum now allowed: replacing a leaked key must not wait for the user to
 * choose one.
 */
export async function successorBody(key: ApiKey): Promise<SucceedKeyBody> {
  return successorExpiry(key, await maxLifetime());
}
