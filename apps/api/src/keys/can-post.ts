import { isValid } from '@hub/contract/key-state';
import type { Deps } from '../context/deps.ts';
import type { KeyListing } from '../storage/key-store.ts';

/** Whether the key is valid. This includes blocked keys, since a block ends by itself. */
export function canPost({ clock }: Pick<Deps, 'clock'>, key: KeyListing): boolean {
  return isValid(key, clock.now());
}
