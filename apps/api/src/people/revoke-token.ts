import type { PersonalToken } from '@hub/contract';
import { auditRecord, type PersonCaller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { Refusal } from '../errors.ts';
import { thereIsNo } from '../printable.ts';
import { endCredential } from './end-credential.ts';
import { personalTokenView } from './session-view.ts';

/** No request that begins after the answer is accepted with it. */
export async function revokeToken(deps: Deps, caller: PersonCaller, tokenId: string): Promise<PersonalToken> {
  const audit = auditRecord(deps, caller, { action: 'token.revoked', targetId: tokenId, targetName: null });
  const write = () => deps.store.people.revokeToken({ personId: caller.person.id, tokenId, audit });
  const revoked = await endCredential(deps, caller, { id: tokenId, kind: 'token', write });
  if (!revoked) throw new Refusal('not_found', thereIsNo('personal access token', tokenId));
  return personalTokenView(revoked);
}
