import type { Deps } from '../deps.ts';

/** Writes down which sessions and tokens were used, as `writeDownKeys` does for keys. */
export async function writeDownPeople({ store, credentialUse }: Pick<Deps, 'store' | 'credentialUse'>): Promise<void> {
  const uses = credentialUse.take();
  if (uses.length === 0) return;
  try {
    await store.people.noteUse(uses);
  } catch (error) {
    credentialUse.restore(uses);
    throw error;
  }
}
