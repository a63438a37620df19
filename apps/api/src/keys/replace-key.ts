import type { IssuedKey } from '@hub/contract';
import type { Caller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import type { ExpiryChoice } from './key-expiry.ts';
import { succeedKey } from './succeed-key.ts';

/** For a leak: a new key, and the old one revoked in the same transaction. */
export function replaceKey(deps: Deps, caller: Caller, keyId: string, expiry: ExpiryChoice): Promise<IssuedKey> {
  return succeedKey(deps, caller, { keyId, expiry, overlapMs: 0, action: 'key.replaced' });
}
