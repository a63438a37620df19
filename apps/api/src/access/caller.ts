import {
  type Actor,
  type AuditAction,
  hasTokenFormat,
  KEY_PREFIX,
  PERSONAL_TOKEN_PREFIX,
  SESSION_PREFIX,
} from '@hub/contract';
import { AppError } from '../platform/errors.ts';
import type { NewId } from '../platform/ids.ts';
import type { Clock } from '../platform/ports.ts';
import type { AuditRecord } from '../storage/audit.ts';
import type { Repositories } from '../storage/repositories.ts';
import type { UserCredential } from '../storage/sessions-and-tokens.ts';
import type { UserRecord } from '../storage/users.ts';
import { hashToken } from './credentials.ts';
import type { CredentialDeps, Deps } from './deps.ts';

type Credential =
  | { kind: 'local' }
  /** `id` is the id of the session or token, not its secret. */
  | { kind: 'session' | 'token'; id: string };

/** The authenticated caller of a request, and its address. */
export interface Caller {
  actor: Actor;
  address: string;
  credential: Credential;
  /** `null` for the local admin, who has no user account. */
  user: UserRecord | null;
  /** When the session or token expires; `null`: never. */
  expiresAt: number | null;
}

/** A caller with a user account: not the local admin. */
export interface UserCaller extends Caller {
  credential: Exclude<Credential, { kind: 'local' }>;
  user: UserRecord;
}

/** Anyone with access to the admin socket: the account that runs the server, and root. */
export const LOCAL_ADMIN: Actor = { kind: 'local', id: null, name: 'local admin' };

export function localCaller(address: string): Caller {
  return { actor: LOCAL_ADMIN, address, credential: { kind: 'local' }, user: null, expiresAt: null };
}

export function userActor({ id, name }: UserRecord): Actor {
  return { kind: 'user', id, name };
}

export function userCaller({ kind, id, user, expiresAt }: UserCredential, address: string): UserCaller {
  return { actor: userActor(user), address, credential: { kind, id }, user, expiresAt };
}

/**
 * When a session is locked because its user has not set up the second factor that the workspace requires; `null`: never.
 * Tokens are exempt: programs cannot set one up, and only a confirmed session makes them.
 */
export function factorDueAt({ credential, user }: Pick<Caller, 'credential' | 'user'>): number | null {
  return credential.kind === 'session' ? (user?.factorDueAt ?? null) : null;
}

/** Names whose requests take turns with each other. A leaked token cannot take the turns of its owner's sessions. */
export function senderOf({ credential, user }: Pick<Caller, 'credential' | 'user'>): string {
  return `${credential.kind} ${user?.id}`;
}

/** Whether the caller manages the workspace: an owner, an admin or the local admin. */
export function isAdmin({ user }: Pick<Caller, 'user'>): boolean {
  return user === null || user.role !== 'member';
}

interface AuditSubject {
  action: AuditAction;
  hubId?: string | null;
  target: { id: string | null; name: string | null };
  details?: Record<string, unknown>;
}

/** The actor of an action with its address; `null`: the server itself. */
export type Performer = Pick<Caller, 'actor'> & { address: string | null };

/** Returns the audit entry for an action by this caller. The store writes it together with the change. */
export function auditRecord(
  { clock, newId }: { clock: Clock; newId: NewId },
  caller: Performer,
  { action, hubId = null, target, details = {} }: AuditSubject,
): AuditRecord {
  const { actor, address } = caller;
  const subject = { action, hubId, targetId: target.id, targetName: target.name, details };
  return { id: newId('aud'), at: clock.now(), actor, address, ...subject };
}

/** Writes the audit entry for an action by this caller in the transaction of the change, and returns it. */
export async function recordAction(tx: Pick<Repositories, 'audit'>, ...entry: Parameters<typeof auditRecord>) {
  const record = auditRecord(...entry);
  await tx.audit.insert(record);
  return record;
}

const CHALLENGE = { 'www-authenticate': 'Bearer' };

const INVALID_MESSAGES = {
  session: 'Your session has ended. Sign in again.',
  token: 'This personal access token is invalid, expired or revoked. Create a new one.',
} as const;

/** Runs a change in one transaction, with the role that the caller has then. Throws `unauthenticated` if it ended. */
export function changeAs<T, C extends Caller>(
  deps: ChangeDeps,
  caller: C,
  work: (tx: Repositories, caller: C) => Promise<T>,
): Promise<T> {
  return deps.store.transaction((tx) => workAs(deps, tx, caller, work), senderOf(caller));
}

/** Like `changeAs`, for work on the caller's account or that of these users, which are locked before anything else. */
export function changeUsersAs<T, C extends Caller>(
  deps: ChangeDeps,
  caller: C,
  userIds: readonly string[],
  work: (tx: Repositories, caller: C) => Promise<T>,
): Promise<T> {
  return deps.store.transaction(async (tx) => {
    await tx.users.lock(caller.user ? [...userIds, caller.user.id] : userIds);
    return workAs(deps, tx, caller, work);
  }, senderOf(caller));
}

type ChangeDeps = Pick<Deps, 'store' | 'clock' | 'revocations'>;

async function workAs<T, C extends Caller>(
  deps: ChangeDeps,
  tx: Repositories,
  caller: C,
  work: (tx: Repositories, caller: C) => Promise<T>,
): Promise<T> {
  const { credential, address } = caller;
  if (credential.kind === 'local') return work(tx, caller);
  const current = await tx.users.findCredentialById(credential.id, credential.kind);
  if (!current || !isCredentialValid(deps, current)) {
    throw new AppError('unauthenticated', INVALID_MESSAGES[credential.kind], CHALLENGE);
  }
  return work(tx, { ...caller, ...userCaller(current, address) });
}

interface RequestCredential {
  kind: 'session' | 'token';
  /** `null` if the request has none. */
  secret: string | null;
}

/** Returns the user of a session or token. The `unauthenticated` error does not reveal if the secret was ever valid. */
export async function authenticateUser(
  deps: Pick<CredentialDeps, 'store' | 'clock' | 'failedAuthentication' | 'credentialUse' | 'revocations'>,
  { kind, secret }: RequestCredential,
  address: string,
): Promise<Caller> {
  const reject = async (message: string): Promise<never> => {
    await deps.failedAuthentication.slow(address);
    throw new AppError('unauthenticated', message, CHALLENGE);
  };
  if (secret === null) {
    // Not slowed: every browser that opens the sign-in page sends such a request, and many may share an address.
    throw new AppError(
      'unauthenticated',
      'Sign in, or send a personal access token as "Authorization: Bearer hub_pat_…".',
      CHALLENGE,
    );
  }
  const prefix = kind === 'session' ? SESSION_PREFIX : PERSONAL_TOKEN_PREFIX;
  if (kind === 'token' && secret.startsWith(KEY_PREFIX)) {
    return reject('API keys can only create posts. Send a personal access token (hub_pat_…) instead.');
  }
  const credential = hasTokenFormat(prefix, secret)
    ? await deps.store.users.findCredential(hashToken(secret), kind)
    : null;
  if (!credential || !isCredentialValid(deps, credential)) return reject(INVALID_MESSAGES[kind]);
  deps.credentialUse.record(credential, address);
  return userCaller(credential, address);
}

/** Whether it is neither expired nor revoked, not even in memory on a full disk, and the account is not disabled. */
export function isCredentialValid(
  { clock, revocations }: Pick<Deps, 'clock' | 'revocations'>,
  { id, expiresAt, user }: UserCredential,
): boolean {
  if (revocations.revokedAt(id) !== undefined) return false;
  return user.disabledAt === null && (expiresAt === null || clock.now() < expiresAt);
}
