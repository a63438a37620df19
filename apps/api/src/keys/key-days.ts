import type { KeyAddresses, KeyDay, KeyUsageByDay } from '@hub/contract';
import type { Caller } from '../context/actor.ts';
import type { Deps } from '../context/deps.ts';
import { dayOf, isoDay, isoTime } from '../core/time.ts';
import { manageableKey } from './key-rights.ts';
import { addAddress } from './key-usage.ts';

/** Returns the usage of one key on each of the last days, including today (UTC). */
export async function showKeyUsage(deps: Deps, caller: Caller, keyId: string, days: number): Promise<KeyUsageByDay> {
  const key = await manageableKey(deps.store, caller, keyId);
  return { items: (await usageByDay(deps, [key.id], days)).get(key.id) ?? [] };
}

/** Returns the usage of each key by day. Days without usage are included. */
export async function usageByDay(
  { store, clock, usage }: Pick<Deps, 'store' | 'clock' | 'usage'>,
  keyIds: readonly string[],
  days: number,
): Promise<ReadonlyMap<string, KeyDay[]>> {
  const today = dayOf(clock.now());
  const from = today - days + 1;
  const saved = await store.keys.usageByDay(keyIds, from);
  return new Map(
    keyIds.map((keyId) => {
      const known = new Map(saved.get(keyId)?.map((each) => [each.day, each]));
      const pending = usage.pending(keyId);
      const pendingOn = (day: number) => (pending && dayOf(pending.lastUsedAt) === day ? pending.requestCount : 0);
      const list = Array.from({ length: days }, (_, index) => {
        const day = from + index;
        const { requests = 0, posts = 0, blocks = 0 } = known.get(day) ?? {};
        return { day: isoDay(day), requests: Math.max(requests + pendingOn(day), posts), posts, blocks };
      });
      return [keyId, list];
    }),
  );
}

/** Returns the addresses that a key was used from, latest first, including uses that are not saved yet. */
export async function showKeyAddresses(deps: Deps, caller: Caller, keyId: string): Promise<KeyAddresses> {
  const key = await manageableKey(deps.store, caller, keyId);
  const saved = await deps.store.keys.addresses(key.id);
  const pending = deps.usage.pending(key.id)?.addresses ?? [];
  const known = pending.toReversed().reduce(addAddress, saved);
  return {
    items: known.map(({ address, lastUsedAt, requests }) => ({ address, lastUsedAt: isoTime(lastUsedAt), requests })),
  };
}
