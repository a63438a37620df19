import type { Deps } from '../deps.ts';

/** Saves which sessions and tokens were used, as flush-keys.ts does for keys. */
export async function flushUsers({ store, credentialUse }: Pick<Deps, 'store' | 'credentialUse'>): Promise<void> {
  const uses = credentialUse.take();
  if (uses.length === 0) return;
  try {
    await store.users.saveUse(uses);
  } catch (error) {
    credentialUse.restore(uses);
    throw error;
  }
}
