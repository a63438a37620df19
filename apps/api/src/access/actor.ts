import type { Actor, AuditAction } from '@hub/contract';
import type { NewId } from '../platform/ids.ts';
import type { Clock } from '../platform/ports.ts';
import type { AuditRecord } from '../storage/audit.ts';
import type { Repositories } from '../storage/repositories.ts';
import type { UserCredential } from '../storage/sessions-and-tokens.ts';
import type { UserRecord } from '../storage/users.ts';

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

/** Returns the audit entry for an action by this caller. The store writes it together with the change. */
export function auditRecord(
  { clock, newId }: { clock: Clock; newId: NewId },
  caller: Pick<Caller, 'actor' | 'address'>,
  { action, hubId = null, target, details = {} }: AuditSubject,
): AuditRecord {
  const { actor, address } = caller;
  const subject = { action, hubId, targetId: target.id, targetName: target.name, details };
  return { id: newId('aud'), at: clock.now(), actor, address, ...subject };
}

/** Writes the audit entry for an action by this caller in the transaction of the change. */
export async function recordAction(tx: Pick<Repositories, 'audit'>, ...entry: Parameters<typeof auditRecord>) {
  await tx.audit.insert(auditRecord(...entry));
}
