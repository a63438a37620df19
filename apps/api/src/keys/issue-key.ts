import { ALL_SCOPES, type IssuedKey, KEY_PREFIX, type Scope } from '@hub/contract';
import { auditRecord, type Caller } from '../context/actor.ts';
import type { Deps } from '../context/deps.ts';
import { AppError } from '../core/errors.ts';
import { isoTimeOrNull } from '../core/time.ts';
import { changeAs } from '../credentials/authenticate-user.ts';
import { generateToken, hashToken } from '../credentials/tokens.ts';
import { findHub } from '../hubs/hub-rights.ts';
import type { HubListing } from '../storage/hub-store.ts';
import type { KeyListing, KeyRecord } from '../storage/key-store.ts';
import type { Repositories } from '../storage/repositories.ts';
import { chosenExpiry, type ExpiryChoice, requireWithinMaxLifetime } from './key-expiry.ts';
import { requireKeyManagerOf } from './key-rights.ts';
import { keyView } from './key-view.ts';

export interface IssueKeyInput extends ExpiryChoice {
  hubId: string;
  name: string;
  scopes: Scope[];
}

/** Issues a key for one Hub. Only the response contains the key; it cannot be retrieved again. */
export function issueKey(deps: Deps, sender: Caller, input: IssueKeyInput): Promise<IssuedKey> {
  return changeAs(deps, sender, async (tx, caller) => {
    await requireKeyManagerOf(tx, caller, input.hubId);
    const now = deps.clock.now();
    const expiresAt = chosenExpiry(input, now, null);
    requireWithinMaxLifetime(expiresAt, now, (await tx.workspace.find()).longestKeyLifetimeDays);
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
    // The limit does not apply to the local admin, who sets it.
    if (caller.user !== null) await requireRoom(tx, key, deps.limits.maxKeysPerHub);
    const hub = await liveHub(tx, key.hubId);
    await tx.keys.insert(key, hashToken(token));
    await tx.audit.insert(
      auditRecord(deps, caller, {
        action: 'key.issued',
        hubId: key.hubId,
        targetId: key.id,
        targetName: key.name,
        details: { scopes: key.scopes, expiresAt: isoTimeOrNull(key.expiresAt) },
      }),
    );
    return { ...keyView(deps, newListing(key, hub)), key: token };
  });
}

/**
 * Throws if the Hub has too many keys. Keys with a successor do not count; otherwise, a rotation would be rejected in a
 * Hub with the maximum number of keys.
 */
async function requireRoom(tx: Repositories, { hubId, createdAt }: KeyRecord, max: number): Promise<void> {
  if ((await tx.keys.countActive(hubId, createdAt)) < max) return;
  const limit = `This Hub has ${max.toLocaleString('en')} active keys, the maximum for a Hub.`;
  const raise = 'ask the server admin to raise HUB_MAX_KEYS_PER_HUB';
  throw new AppError('conflict', `${limit} Revoke one that is no longer used, or ${raise}.`);
}

/** Returns the Hub for which a key is issued. */
export async function liveHub(tx: Repositories, hubId: string): Promise<HubListing> {
  const hub = await findHub(tx, hubId);
  if (hub.deletedAt === null) return hub;
  throw new AppError('not_found', `The Hub ${hubId} was deleted. Restore it before you issue a key for it.`);
}

/** Returns a key as lists show it right after it was issued. */
export function newListing(key: KeyRecord, hub: HubListing): KeyListing {
  return { ...key, hubName: hub.name, isHubDeleted: false, isIssuerGone: false, usedScopes: [] };
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
