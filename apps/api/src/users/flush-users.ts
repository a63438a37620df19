import type { Deps } from '../deps.ts';

/** Writes down which sessions and tokens were used, as `writeDownKeys` does for keys. */
export async function writeDownUsers({ store, credentialUse }: Pick<Deps, 'store' | 'credentialUse'>): Promise<void> {
  const uses = credentialUse.take();
  if (uses.length === 0) return;
  try {
    await store.users.noteUse(uses);
  } catch (error) {
    credentialUse.restore(uses);
    throw error;
  }
}
