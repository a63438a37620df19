import type { UserCaller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { StoreUnavailable } from '../errors.ts';
import { heldInMemory } from '../keys/pending-revocations.ts';

/**
 * Ends a session or an access token of the caller by `write`, which returns `null` if the caller has none with this id. On a full disk it
 * holds in memory at once, and the refusal says so, as for keys.
 */
export async function endCredential<T>(
  deps: Deps,
  caller: UserCaller,
  { id, kind, write }: { id: string; kind: 'session' | 'token'; write: () => Promise<T | null> },
): Promise<T | null> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    const found = await deps.store.users.findCredentialById(id, kind);
    if (found?.user.id !== caller.user.id) return null;
    deps.revocations.add({ id, at: deps.clock.now(), write });
    deps.live.credentialEnded();
    deps.log.error(
      { err: error, id },
      'The end of a session or token could not be written; it holds, and is tried again',
    );
    throw heldInMemory(`The ${kind === 'token' ? 'access token' : kind} has ended`);
  }
}
