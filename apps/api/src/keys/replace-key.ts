import type { IssuedKey } from '@hub/contract';
import type { Caller } from '../context/actor.ts';
import type { Deps } from '../context/deps.ts';
import type { ExpiryChoice } from './key-expiry.ts';
import { succeedKey } from './succeed-key.ts';

/** Replaces a leaked key: issues a successor and revokes the old key in the same transaction. */
export function replaceKey(deps: Deps, caller: Caller, keyId: string, expiry: ExpiryChoice): Promise<IssuedKey> {
  return succeedKey(deps, caller, { keyId, expiry, overlapMs: 0, action: 'key.replaced' });
}
