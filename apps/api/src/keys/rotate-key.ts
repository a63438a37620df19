import { type IssuedKey, ROTATION_OVERLAP_SECONDS } from '@hub/contract';
import type { Caller } from '../context/actor.ts';
import type { Deps } from '../context/deps.ts';
import type { ExpiryChoice } from './key-expiry.ts';
import { succeedKey } from './succeed-key.ts';

/** Issues a successor. The old key works for exactly 24 more hours, or until its own expiry if that is earlier. */
export function rotateKey(deps: Deps, caller: Caller, keyId: string, expiry: ExpiryChoice): Promise<IssuedKey> {
  return succeedKey(deps, caller, {
    keyId,
    expiry,
    overlapMs: ROTATION_OVERLAP_SECONDS * 1000,
    action: 'key.rotated',
  });
}
