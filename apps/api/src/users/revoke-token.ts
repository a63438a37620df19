import type { PersonalToken } from '@hub/contract';
import { auditRecord, type UserCaller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { AppError } from '../errors.ts';
import { notFound } from '../printable.ts';
import { endCredential } from './end-credential.ts';
import { personalTokenView } from './session-view.ts';

/** Revokes one of the caller's tokens. Requests that begin after the response can no longer use it. */
export async function revokeToken(deps: Deps, caller: UserCaller, tokenId: string): Promise<PersonalToken> {
  const audit = auditRecord(deps, caller, { action: 'token.revoked', targetId: tokenId, targetName: null });
  const write = () => deps.store.users.revokeToken({ personId: caller.user.id, tokenId, audit });
  const revoked = await endCredential(deps, caller, { id: tokenId, kind: 'token', write });
  if (!revoked) throw new AppError('not_found', notFound('personal access token', tokenId));
  return personalTokenView(revoked);
}
