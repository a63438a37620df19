import { type IssuedPersonalToken, PERSONAL_TOKEN_PREFIX } from '@hub/contract';
import { actingUserOf, auditRecord, type UserCaller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { generateToken } from '../keys/generate-token.ts';
import { hashToken } from '../keys/hash-token.ts';
import { chosenExpiry, type ExpiryChoice } from '../keys/key-expiry.ts';
import type { PersonalTokenRecord } from '../storage/users-store.ts';
import { isoTimeOrNull } from '../time.ts';
import { requireConfirmed } from './confirm-session.ts';
import { personalTokenView } from './session-view.ts';

/** Creates a personal access token with the rights of its user. Only the response contains the token. */
export async function createToken(
  deps: Deps,
  caller: UserCaller,
  input: ExpiryChoice & { name: string },
): Promise<IssuedPersonalToken> {
  await requireConfirmed(deps, caller);
  const secret = generateToken(PERSONAL_TOKEN_PREFIX, deps.random);
  const now = deps.clock.now();
  const token: PersonalTokenRecord = {
    id: deps.newId('pat'),
    personId: caller.user.id,
    name: input.name.trim(),
    lastFour: secret.slice(-4),
    createdAt: now,
    expiresAt: chosenExpiry(input, now, null),
    lastUsedAt: null,
    lastUsedAddress: null,
  };
  const audit = auditRecord(deps, caller, {
    action: 'token.created',
    targetId: token.id,
    targetName: token.name,
    details: { expiresAt: isoTimeOrNull(token.expiresAt) },
  });
  await deps.store.users.createToken({ token, tokenHash: hashToken(secret), audit, actingUser: actingUserOf(caller) });
  return { ...personalTokenView(token), token: secret };
}
