import type { PersonalToken, Session } from '@hub/contract';
import { auditRecord, type UserCaller } from '../context/actor.ts';
import type { Deps } from '../context/deps.ts';
import { AppError, StoreUnavailable } from '../core/errors.ts';
import { notFound } from '../core/printable.ts';
import { changeAs } from '../credentials/authenticate-user.ts';
import { revocationNotSaved } from '../credentials/pending-revocations.ts';
import type { Repositories } from '../storage/repositories.ts';
import { personalTokenView, sessionView } from './list-sessions.ts';

/** Ends one of the caller's sessions. Requests that begin after the response can no longer use it. */
export async function endSession(deps: Deps, caller: UserCaller, sessionId: string): Promise<Session> {
  const ended = await endCredential(deps, caller, { id: sessionId, kind: 'session', among: (tx) => tx.sessions });
  if (!ended) throw new AppError('not_found', notFound('session', sessionId));
  return sessionView(ended, caller);
}

/** Revokes one of the caller's tokens. Requests that begin after the response can no longer use it. */
export async function revokeToken(deps: Deps, caller: UserCaller, tokenId: string): Promise<PersonalToken> {
  const revoked = await endCredential(deps, caller, { id: tokenId, kind: 'token', among: (tx) => tx.tokens });
  if (!revoked) throw new AppError('not_found', notFound('personal access token', tokenId));
  return personalTokenView(revoked);
}

interface Credentials<T> {
  find(id: string): Promise<T | null>;
  delete(id: string): Promise<void>;
}

interface Ended<T> {
  id: string;
  kind: 'session' | 'token';
  among: (tx: Repositories) => Credentials<T>;
}

/**
 * Ends one of the caller's sessions or access tokens, and returns it, or `null` if the caller has none with this id. On
 * a full disk, this takes effect in memory immediately, and the error says so, as for keys.
 */
async function endCredential<T extends { personId: string }>(
  deps: Deps,
  caller: UserCaller,
  { id, kind, among }: Ended<T>,
): Promise<T | null> {
  const action = kind === 'session' ? 'session.ended' : 'token.revoked';
  const audit = auditRecord(deps, caller, { action, targetId: id, targetName: null });
  const end = async (tx: Repositories): Promise<T | null> => {
    const found = await among(tx).find(id);
    if (found?.personId !== caller.user.id) return null;
    await among(tx).delete(id);
    await tx.audit.insert(audit);
    return found;
  };
  try {
    return await changeAs(deps, caller, end);
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    const found = await deps.store.users.findCredentialById(id, kind);
    if (found?.user.id !== caller.user.id) return null;
    // Not as the caller, whose own session this may be.
    const save = () => deps.store.transaction(end);
    deps.revocations.add({ id, at: deps.clock.now(), save });
    deps.live.credentialEnded();
    deps.log.error(
      { err: error, id },
      'Failed to persist the end of a session or token; it is in effect and will be retried',
    );
    throw revocationNotSaved(`The ${kind === 'token' ? 'access token was revoked' : 'session has ended'}`);
  }
}
