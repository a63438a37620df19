import type { Deps } from '../deps.ts';

/** Erases the sessions and links that have ended by themselves. They were refused before: this only makes room. */
export function prunePeople({ store, clock }: Pick<Deps, 'store' | 'clock'>): Promise<void> {
  return store.people.prune(clock.now());
}
