import { ALL_SCOPES, type IssuedKey, KEY_PREFIX, type Scope } from '@hub/contract';
import { actingUserOf, auditRecord, type Caller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import type { KeyRecord } from '../storage/store.ts';
import { isoTimeOrNull } from '../time.ts';
import { generateToken } from './generate-token.ts';
import { hashToken } from './hash-token.ts';
import { chosenExpiry, type ExpiryChoice, requireWithinMaxLifetime } from './key-expiry.ts';
import { requireKeyManagerOf } from './key-rights.ts';
import { keyView } from './key-view.ts';

export interface IssueKeyInput extends ExpiryChoice {
  hubId: string;
  name: string;
  scopes: Scope[];
}

/** Issues a key for one Hub. Only the response contains the key; it cannot be retrieved again. */
export async function issueKey(deps: Deps, caller: Caller, input: IssueKeyInput): Promise<IssuedKey> {
  await requireKeyManagerOf(deps, caller, input.hubId);
  const now = deps.clock.now();
  const expiresAt = chosenExpiry(input, now, null);
  requireWithinMaxLifetime(expiresAt, now, (await deps.store.workspace()).longestKeyLifetimeDays);
  const { token, key } = newKeyRecord(deps, caller, {
    hubId: input.hubId,
    name: input.name.trim(),
    // Scopes are a set: they are stored in a fixed order, so that every list shows them in the same order.
    scopes: ALL_SCOPES.filter((scope) => input.scopes.includes(scope)),
    createdAt: now,
    expiresAt,
    generation: 1,
    predecessorId: null,
  });
  const audit = auditRecord(deps, caller, {
    action: 'key.issued',
    hubId: key.hubId,
    targetId: key.id,
    targetName: key.name,
    details: { scopes: key.scopes, expiresAt: isoTimeOrNull(key.expiresAt) },
  });
  const stored = await deps.store.keys.issue({
    key,
    tokenHash: hashToken(token),
    audit,
    actingUser: actingUserOf(caller),
    // The limit does not apply to the local admin, who sets it.
    maxActive: caller.user === null ? undefined : deps.limits.maxKeysPerHub,
  });
  return { ...keyView(deps, stored), key: token };
}

type GivenFields = Pick<
  KeyRecord,
  'hubId' | 'name' | 'scopes' | 'createdAt' | 'expiresAt' | 'generation' | 'predecessorId'
>;

/** Returns a new secret and its key record, for a first key or for a successor. */
export function newKeyRecord(
  { random, newId }: Pick<Deps, 'random' | 'newId'>,
  caller: Caller,
  given: GivenFields,
): { token: string; key: KeyRecord } {
  const token = generateToken(KEY_PREFIX, random);
  const key: KeyRecord = {
    ...given,
    id: newId('key'),
    lastFour: token.slice(-4),
    successorId: null,
    createdBy: caller.actor,
    overlapEndsAt: null,
    revokedAt: null,
    blockedUntil: null,
    lastUsedAt: null,
    lastUsedAddress: null,
    requestCount: 0,
    postCount: 0,
  };
  return { token, key };
}
