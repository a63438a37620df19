import type { ApiKey, SucceedKeyBody, Workspace } from '@hub/contract';
import { request } from '../../api/request.ts';
import { successorExpiry } from '../issue-key/key-lifetime.ts';

/** How many days keys may last at most; `null`: as long as one likes. */
export async function maxLifetime(): Promise<number | null> {
  const { longestKeyLifetimeDays } = await request<Workspace>('GET', '/workspace');
  return longestKeyLifetimeDays;
}

/** The same lifetime as before, or the longest that the workspace allows by now: a leak must not wait for a choice. */
export async function successorBody(key: ApiKey): Promise<SucceedKeyBody> {
  return successorExpiry(key, await maxLifetime());
}
