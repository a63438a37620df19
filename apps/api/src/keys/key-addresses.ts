import type { KeyAddresses } from '@hub/contract';
import type { Caller } from '../context/actor.ts';
import type { Deps } from '../context/deps.ts';
import { isoTime } from '../core/time.ts';
import { manageableKey } from './key-rights.ts';
import { addAddress } from './key-usage.ts';

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
