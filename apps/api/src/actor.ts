import type { Actor } from '@hub/contract';
import type { NewId } from './ids.ts';
import type { Clock } from './ports.ts';
import type { AuditAction, AuditRecord } from './store/audit-store.ts';
import type { KeyStatus } from './store/state.ts';
import type { UserCredential, UserRecord } from './store/users-store.ts';

/** With what a caller of the workspace API has shown who he is. */
export type Credential =
  | { kind: 'local' }
  /** `id` is that of the session or of the token, not its secret. */
  | { kind: 'session' | 'token'; id: string };

/** Who asks for something, and from where. */
export interface Caller {
  actor: Actor;
  address: string;
  credential: Credential;
  /** `null` for the local admin, who is nobody in particular. */
  user: UserRecord | null;
  /** When the session or the token ends by itself; `null`: it does not. */
  expiresAt: number | null;
}

/** A caller who is somebody: not the local admin. */
export interface UserCaller extends Caller {
  credential: Exclude<Credential, { kind: 'local' }>;
  user: UserRecord;
}

/** Whoever may open the admin socket: the account that runs the server, and root. */
export const LOCAL_ADMIN: Actor = { kind: 'local', id: null, name: 'local admin' };

/** The server itself, where it acts by a rule and on nobody's word. */
export const SERVER: Actor = { kind: 'server', id: null, name: 'server' };

export function localCaller(address: string): Caller {
  return { actor: LOCAL_ADMIN, address, credential: { kind: 'local' }, user: null, expiresAt: null };
}

export function userActor({ id, name }: UserRecord): Actor {
  return { kind: 'person', id, name };
}

export function userCaller({ kind, id, user, expiresAt }: UserCredential, address: string): UserCaller {
  return { actor: userActor(user), address, credential: { kind, id }, user, expiresAt };
}

/** As whom the caller writes, for the store, which judges it again. */
export function stateOf({ user, credential }: Caller): KeyStatus | undefined {
  if (user === null || credential.kind === 'local') return undefined;
  return { personId: user.id, credential };
}

/** Owners, admins and the local admin manage the workspace. */
export function isAdmin({ user }: Pick<Caller, 'user'>): boolean {
  return user === null || user.role !== 'member';
}

interface AuditSubject {
  action: AuditAction;
  hubId?: string | null;
  targetId: string | null;
  targetName: string | null;
  details?: Record<string, unknown>;
}

/** The audit entry of what this caller does now. It is handed to the store together with the change itself. */
export function auditRecord(
  { clock, newId }: { clock: Clock; newId: NewId },
  caller: Pick<Caller, 'actor' | 'address'>,
  { details = {}, hubId = null, ...subject }: AuditSubject,
): AuditRecord {
  return {
    id: newId('aud'),
    at: clock.now(),
    actor: caller.actor,
    address: caller.address,
    details,
    hubId,
    ...subject,
  };
}
