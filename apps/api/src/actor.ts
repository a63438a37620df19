import type { Actor } from '@hub/contract';
import type { NewId } from './ids.ts';
import type { Clock } from './ports.ts';
import type { AuditAction, AuditRecord } from './store/store.ts';

/** Who asks for something, and from where. */
export interface Caller {
  actor: Actor;
  address: string;
}

/** Whoever may open the admin socket: the account that runs the server, and root. */
export const LOCAL_ADMIN: Actor = { kind: 'local', id: null, name: 'local admin' };

/** The server itself, where it acts by a rule and on nobody's word. */
export const SERVER: Actor = { kind: 'server', id: null, name: 'server' };

interface AuditSubject {
  action: AuditAction;
  hubId: string | null;
  targetId: string;
  targetName: string | null;
  details?: Record<string, unknown>;
}

/** The audit entry of what this caller does now. It is handed to the store together with the change itself. */
export function auditRecord(
  { clock, newId }: { clock: Clock; newId: NewId },
  caller: Caller,
  { details = {}, ...subject }: AuditSubject,
): AuditRecord {
  return { id: newId('aud'), at: clock.now(), actor: caller.actor, address: caller.address, details, ...subject };
}
