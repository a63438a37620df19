import type { Session } from '@hub/contract';
import { auditRecord, type UserCaller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import { notFound } from '../printable.ts';
import { endCredential } from './end-credential.ts';
import { sessionView } from './session-view.ts';

/** Ends one of the caller's sessions. Requests that begin after the response can no longer use it. */
export async function endSession(deps: Deps, caller: UserCaller, sessionId: string): Promise<Session> {
  const audit = auditRecord(deps, caller, { action: 'session.ended', targetId: sessionId, targetName: null });
  const write = () => deps.store.users.endSession({ personId: caller.user.id, sessionId, audit });
  const ended = await endCredential(deps, caller, { id: sessionId, kind: 'session', write });
  if (!ended) throw new AppError('not_found', notFound('session', sessionId));
  return sessionView(ended, caller);
}
