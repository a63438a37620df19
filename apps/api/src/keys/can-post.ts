import { isValid } from '@hub/contract/key-state';
import type { Deps } from '../deps.ts';
import type { KeyListing } from '../store/store.ts';

/** Whether the key can post now. A blocked one can: it is let in again by itself. */
export function canPost({ clock }: Pick<Deps, 'clock'>, key: KeyListing): boolean {
  return isValid(key, clock.now());
}
