import type { UserCaller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { StoreUnavailable } from '../errors.ts';
import { revocationNotSaved } from '../keys/pending-revocations.ts';

/**
 * Ends one of the caller's sessions or access tokens with `write`, which returns `null` if the caller has none with
 * this id. On a full disk, this takes effect in memory immediately, and the error says so, as for keys.
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
    deps.revocations.add({ id, at: deps.clock.now(), save: write });
    deps.live.credentialEnded();
    deps.log.error(
      { err: error, id },
      'Failed to persist the end of a session or token; it is in effect and will be retried',
    );
    throw revocationNotSaved(`The ${kind === 'token' ? 'access token was revoked' : 'session has ended'}`);
  }
}
