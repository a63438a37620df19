import {
  ALL_SCOPES,
  type ApiKey,
  type ChangeKeyBody,
  type IssuedKey,
  KEY_PREFIX,
  LIMITS,
  ROTATION_OVERLAP_SECONDS,
  type Scope,
} from '@hub/contract';
import { isValid } from '@hub/contract/key-state';
import { auditRecord, type Caller, changeAs, isAdmin } from '../../access/caller.ts';
import { generateToken, hashToken, revocationNotSaved } from '../../access/credentials.ts';
import { AppError, StoreUnavailable } from '../../platform/errors.ts';
import { DAY_MS, isoTime } from '../../platform/time.ts';
import type { AuditRecord } from '../../storage/audit.ts';
import type { KeyListing, KeyRecord } from '../../storage/keys.ts';
import type { Repositories } from '../../storage/repositories.ts';
import { findHub, readableHub } from '../hubs/hub-rights.ts';
import type { KeyDeps } from './key-usage.ts';
import { findKey, keyView, manageableKey, requireKeyManager } from './show-keys.ts';

const MAX_LIFETIME_MS = LIMITS.lifetimeSeconds * 1000;

/** The requested expiry: a time, a lifetime, or neither for the default. */
export interface ExpiryChoice {
  /** Milliseconds since 1970. */
  expiresAt?: number | undefined;
  lifetimeSeconds?: number | undefined;
}

/** The fields with which users describe a key. */
type KeyNotes = { [Name in keyof ChangeKeyBody]?: ChangeKeyBody[Name] | undefined };

interface IssueKeyInput extends ExpiryChoice, KeyNotes {
  hubId: string;
  name: string;
  scopes: Scope[];
}

/** Issues a key for one Hub. Only the response contains the key; it cannot be retrieved again. */
export function issueKey(deps: KeyDeps, caller: Caller, input: IssueKeyInput): Promise<IssuedKey> {
  return changeAs(deps, caller, async (tx, current) => {
    const { hubId } = input;
    // An admin learns below that the Hub does not exist or was deleted.
    if (!isAdmin(current)) await readableHub(tx, current, hubId);
    await requireKeyManager(tx, current);
    const createdAt = deps.clock.now();
    const expiresAt = await allowedExpiry(tx, input, createdAt, null);
    // The limit does not apply to the local admin, who sets it.
    if (current.user !== null) await requireRoom(tx, hubId, createdAt, deps.limits.maxKeysPerHub);
    const key = await insertKey(deps, tx, current, {
      hubId,
      name: input.name.trim(),
      ...{ description: null, link: null, ...notesOf(input) },
      // Scopes are a set: they are stored in a fixed order, so that every list shows them in the same order.
      scopes: ALL_SCOPES.filter((scope) => input.scopes.includes(scope)),
      createdAt,
      expiresAt,
      generation: 1,
      predecessorId: null,
    });
    const details = { scopes: key.scopes, expiresAt: key.expiresAt };
    await tx.audit.insert(keyAudit(deps, current, 'key.issued', key, details));
    return key;
  });
}

/** Returns the given fields without surrounding white space; `null` for empty ones. Throws `invalid` for other links. */
export function notesOf({ description, link }: KeyNotes): ChangeKeyBody {
  const address = link?.trim() || null;
  const { protocol = '' } = (address !== null && URL.parse(address)) || {};
  if (address !== null && !/^https?:$/.test(protocol))
    throw new AppError(
      'invalid',
      'link is not an http or https address: send one such as https://example.org/runbook.',
    );
  return {
    ...(description === undefined ? {} : { description: description?.trim() || null }),
    ...(link === undefined ? {} : { link: address }),
  };
}

/** Throws if the Hub has too many keys, without those that have a successor, which would stop rotations. */
async function requireRoom(tx: Repositories, hubId: string, now: number, max: number): Promise<void> {
  if ((await tx.keys.countActive(hubId, now)) < max) return;
  const limit = `This Hub has ${max.toLocaleString('en')} active keys, the maximum for a Hub.`;
  const raise = 'ask the server admin to raise HUB_MAX_KEYS_PER_HUB';
  throw new AppError('conflict', `${limit} Revoke one that is no longer used, or ${raise}.`);
}

/** Returns the expiry of a new key: the chosen one, or `fallback`. Throws `invalid` if the workspace forbids it. */
export async function allowedExpiry(
  tx: Repositories,
  choice: ExpiryChoice,
  now: number,
  fallback: number | null,
): Promise<number | null> {
  const expiresAt = chosenExpiry(choice, now, fallback);
  const { longestKeyLifetimeDays: maxDays } = await tx.workspace.find();
  if (maxDays === null) return expiresAt;
  const latest = now + maxDays * DAY_MS;
  if (expiresAt !== null && expiresAt <= latest) return expiresAt;
  const end = expiresAt === null ? 'never expire' : `work until ${isoTime(expiresAt)}`;
  const days = maxDays === 1 ? 'one day' : `${maxDays} days`;
  throw new AppError(
    'invalid',
    `This key would ${end}, but keys in this workspace can last at most ${days}: set expiresAt to ${isoTime(latest)} or earlier, or lifetimeSeconds to ${days} or less.`,
  );
}

/** Returns the chosen expiry, or `fallback`. Throws `invalid` for both fields, the past, or more than 100 years. */
export function chosenExpiry(choice: ExpiryChoice, now: number, fallback: number | null): number | null {
  const { expiresAt, lifetimeSeconds } = choice;
  if (expiresAt !== undefined && lifetimeSeconds !== undefined) {
    throw new AppError('invalid', 'expiresAt and lifetimeSeconds cannot be combined: send one of them.');
  }
  if (lifetimeSeconds !== undefined) return now + lifetimeSeconds * 1000;
  if (expiresAt === undefined) return fallback;
  if (expiresAt <= now) throw new AppError('invalid', 'expiresAt is in the past: send a time in the future.');
  if (expiresAt > now + MAX_LIFETIME_MS) {
    throw new AppError('invalid', 'expiresAt is more than 100 years away: omit it for a key that never expires.');
  }
  return expiresAt;
}

type GivenFields = Pick<
  KeyRecord,
  'hubId' | 'name' | 'description' | 'link' | 'scopes' | 'createdAt' | 'expiresAt' | 'generation' | 'predecessorId'
>;

/** Writes a new key, the first one or a successor, and returns it with its secret. Its Hub must not be deleted. */
export async function insertKey(
  deps: KeyDeps,
  tx: Repositories,
  caller: Caller,
  fields: GivenFields,
): Promise<IssuedKey> {
  const { name: hubName, deletedAt } = await findHub(tx, fields.hubId);
  if (deletedAt !== null) {
    throw new AppError('not_found', `The Hub ${fields.hubId} was deleted. Restore it before you issue a key for it.`);
  }
  const token = generateToken(KEY_PREFIX, deps.random);
  const key: KeyRecord = {
    ...fields,
    id: deps.newId('key'),
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
  await tx.keys.insert(key, hashToken(token));
  const listing = { ...key, hubName, isHubDeleted: false, isIssuerGone: false, usedScopes: [] };
  return { ...keyView(deps, listing), key: token };
}

/** Returns the audit entry for an action on a key. */
export function keyAudit(
  deps: KeyDeps,
  caller: Caller,
  action: 'key.issued' | 'key.changed' | 'key.rotated' | 'key.replaced' | 'key.revoked',
  { id, name, hubId }: Pick<KeyRecord, 'id' | 'name' | 'hubId'>,
  details: Record<string, unknown>,
): AuditRecord {
  return auditRecord(deps, caller, { action, hubId, target: { id, name }, details });
}

/** Changes the description or the link of a key. */
export async function changeKey(deps: KeyDeps, caller: Caller, keyId: string, input: ChangeKeyBody): Promise<ApiKey> {
  const changed = await changeAs(deps, caller, async (tx, current) => {
    const key = await manageableKey(tx, current, keyId);
    const notes = { ...notesOf(input), ...(input.name !== undefined && { name: input.name.trim() }) };
    if (Object.entries(notes).every(([name, value]) => key[name as keyof ChangeKeyBody] === value)) return key;
    await tx.keys.update(keyId, notes);
    await tx.audit.insert(keyAudit(deps, current, 'key.changed', key, notes));
    return { ...key, ...notes };
  });
  return keyView(deps, changed);
}

/** How long the old key keeps working, or until its own expiry if that is earlier. A leaked one is revoked at once. */
const OVERLAP_MS = { rotated: ROTATION_OVERLAP_SECONDS * 1000, replaced: 0 };

/** Issues a successor with the same name, Hub and scopes. The old key is rotated, or replaced in the same transaction. */
export function issueSuccessor(
  deps: KeyDeps,
  caller: Caller,
  keyId: string,
  { how, ...expiry }: ExpiryChoice & { how: keyof typeof OVERLAP_MS },
): Promise<IssuedKey> {
  const overlapMs = OVERLAP_MS[how];
  return changeAs(deps, caller, async (tx, current) => {
    const now = deps.clock.now();
    const listing = await manageableKey(tx, current, keyId);
    const predecessor = { ...listing, revokedAt: listing.revokedAt ?? deps.revocations.revokedAt(listing.id) ?? null };
    requireReplaceable(predecessor, now);
    const { id: predecessorId, hubId, name, description, link, scopes, generation } = predecessor;
    const successor = await insertKey(deps, tx, current, {
      ...{ hubId, name, description, link, scopes, predecessorId },
      // A replaced key is revoked at exactly this time, which shows that both happened in one step.
      createdAt: now,
      expiresAt: await allowedExpiry(tx, expiry, now, sameLifetime(predecessor, now)),
      generation: generation + 1,
    });
    const overlapEndsAt = Math.min(now + overlapMs, predecessor.expiresAt ?? Number.POSITIVE_INFINITY);
    const isReplaced = overlapEndsAt <= now;
    await tx.keys.update(predecessorId, {
      successorId: successor.id,
      overlapEndsAt: isReplaced ? null : overlapEndsAt,
      revokedAt: isReplaced ? now : null,
    });
    // To users, the successor is the same program, so the mode of a muted key must carry over.
    await tx.notifications.copyModes(hubId, predecessorId, successor.id);
    const details = {
      successorId: successor.id,
      expiresAt: successor.expiresAt,
      ...(overlapMs > 0 ? { overlapEndsAt: isoTime(overlapEndsAt) } : {}),
    };
    await tx.audit.insert(keyAudit(deps, current, `key.${how}`, predecessor, details));
    return successor;
  });
}

function requireReplaceable(key: KeyListing, now: number): void {
  if (key.successorId !== null) {
    const end = isValid(key, now) ? ` To stop ${key.id} now, revoke it.` : '';
    throw new AppError(
      'conflict',
      `${key.id} already has a successor. Rotate or replace the successor instead: ${key.successorId}.${end}`,
    );
  }
  if (!isValid(key, now)) {
    const how = key.revokedAt === null ? 'has expired' : 'was revoked';
    throw new AppError('conflict', `${key.id} ${how} and cannot have a successor. Issue a new key.`);
  }
}

function sameLifetime(key: KeyListing, now: number): number | null {
  return key.expiresAt === null ? null : now + (key.expiresAt - key.createdAt);
}

/** Revokes a key for all requests that begin later. On a full disk, only in memory, and the error says so. */
export async function revokeKey(deps: KeyDeps, caller: Caller, keyId: string): Promise<ApiKey> {
  const at = deps.clock.now();
  try {
    const revoked = await changeAs(deps, caller, async (tx, current) => {
      const key = await manageableKey(tx, current, keyId);
      return revoke(tx, key, revocationAudit(deps, current, key, at));
    });
    return keyView(deps, revoked);
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    // The disk can still be read, so the rights can be checked.
    const key = await manageableKey(deps.store, caller, keyId);
    // Made now, since the audit log is in the order of the entries' ids.
    const audit = revocationAudit(deps, caller, key, at);
    const save = () => deps.store.transaction(async (tx) => revoke(tx, await findKey(tx, key.id), audit));
    deps.revocations.add({ id: key.id, at, save });
    deps.log.error({ err: error, keyId }, 'Failed to save a revocation; it stays in effect and will be retried');
    throw revocationNotSaved('The key is revoked');
  }
}

/** Revokes the key at the time of the audit entry, unless it is revoked already. */
async function revoke(tx: Repositories, key: KeyListing, audit: AuditRecord): Promise<KeyListing> {
  if (key.revokedAt !== null) return key;
  await tx.keys.update(key.id, { revokedAt: audit.at });
  await tx.audit.insert(audit);
  return { ...key, revokedAt: audit.at };
}

function revocationAudit(deps: KeyDeps, caller: Caller, key: KeyListing, at: number): AuditRecord {
  // During a rotation, the revocation only cuts the 24 hours of the old key short.
  const isInRotation = key.successorId !== null && isValid(key, at);
  const details = isInRotation ? { successorId: key.successorId } : {};
  return { ...keyAudit(deps, caller, 'key.revoked', key, details), at };
}
