import type { Session } from '@hub/contract';
import { auditRecord, type PersonCaller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { Refusal } from '../errors.ts';
import { thereIsNo } from '../printable.ts';
import { endCredential } from './end-credential.ts';
import { sessionView } from './session-view.ts';

/** Ends one of the person's sessions; no request that begins after the answer is accepted with it. */
export async function endSession(deps: Deps, caller: PersonCaller, sessionId: string): Promise<Session> {
  const audit = auditRecord(deps, caller, { action: 'session.ended', targetId: sessionId, targetName: null });
  const write = () => deps.store.people.endSession({ personId: caller.person.id, sessionId, audit });
  const ended = await endCredential(deps, caller, { id: sessionId, kind: 'session', write });
  if (!ended) throw new Refusal('not_found', thereIsNo('session', sessionId));
  return sessionView(ended, caller);
}
