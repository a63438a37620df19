import type { Actor } from '@hub/contract';
import type { NewId } from './ids.ts';
import type { Clock } from './ports.ts';
import type { AuditAction, AuditRecord } from './store/audit-store.ts';
import type { PersonCredential, PersonRecord } from './store/people-store.ts';
import type { Standing } from './store/standing.ts';

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
  person: PersonRecord | null;
  /** When the session or the token ends by itself; `null`: it does not. */
  expiresAt: number | null;
}

/** A caller who is somebody: not the local admin. */
export interface PersonCaller extends Caller {
  credential: Exclude<Credential, { kind: 'local' }>;
  person: PersonRecord;
}

/** Whoever may open the admin socket: the account that runs the server, and root. */
export const LOCAL_ADMIN: Actor = { kind: 'local', id: null, name: 'local admin' };

/** The server itself, where it acts by a rule and on nobody's word. */
export const SERVER: Actor = { kind: 'server', id: null, name: 'server' };

export function localCaller(address: string): Caller {
  return { actor: LOCAL_ADMIN, address, credential: { kind: 'local' }, person: null, expiresAt: null };
}

export function personActor({ id, name }: PersonRecord): Actor {
  return { kind: 'person', id, name };
}

export function personCaller({ kind, id, person, expiresAt }: PersonCredential, address: string): PersonCaller {
  return { actor: personActor(person), address, credential: { kind, id }, person, expiresAt };
}

/** As whom the caller writes, for the store, which judges it again. */
export function standingOf({ person, credential }: Caller): Standing | undefined {
  if (person === null || credential.kind === 'local') return undefined;
  return { personId: person.id, credential };
}

/** Owners, admins and the local admin manage the workspace. */
export function isAdmin({ person }: Pick<Caller, 'person'>): boolean {
  return person === null || person.role !== 'member';
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
