import { type IssuedPersonalToken, LIMITS, PERSONAL_TOKEN_PREFIX } from '@hub/contract';
import { auditRecord, type UserCaller } from '../context/actor.ts';
import type { Deps } from '../context/deps.ts';
import { AppError } from '../core/errors.ts';
import { isoTimeOrNull } from '../core/time.ts';
import { changeAs } from '../credentials/authenticate-user.ts';
import { generateToken } from '../credentials/generate-token.ts';
import { hashToken } from '../credentials/hash-token.ts';
import { chosenExpiry, type ExpiryChoice } from '../keys/issue-key.ts';
import type { PersonalTokenRecord } from '../storage/users-store.ts';
import { requireConfirmed } from './confirm-session.ts';
import { personalTokenView } from './list-sessions.ts';

/** Creates a personal access token with the rights of its user. Only the response contains the token. */
export function createToken(
  deps: Deps,
  sender: UserCaller,
  input: ExpiryChoice & { name: string },
): Promise<IssuedPersonalToken> {
  return changeAs(deps, sender, async (tx, caller) => {
    const now = deps.clock.now();
    await requireConfirmed(tx, caller, now);
    const secret = generateToken(PERSONAL_TOKEN_PREFIX, deps.random);
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
    if ((await tx.tokens.countValid(caller.user.id, now)) >= LIMITS.accessTokens) {
      const limit = `You have ${LIMITS.accessTokens} access tokens, the maximum per user.`;
      throw new AppError('conflict', `${limit} Revoke one that you no longer use.`);
    }
    await tx.tokens.insert(token, hashToken(secret));
    await tx.audit.insert(
      auditRecord(deps, caller, {
        action: 'token.created',
        targetId: token.id,
        targetName: token.name,
        details: { expiresAt: isoTimeOrNull(token.expiresAt) },
      }),
    );
    return { ...personalTokenView(token), token: secret };
  });
}
