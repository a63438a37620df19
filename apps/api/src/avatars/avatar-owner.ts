import type { AvatarRef } from '@hub/contract';
import type { Deps } from '../deps.ts';
import type { AuditAction } from '../storage/audit-store.ts';
import type { UserRecord } from '../storage/users-store.ts';

/** The owner of an avatar, and the audit entry for changing it. */
export interface AvatarOwner {
  id: string;
  kind: AvatarRef['kind'];
  audited: { action: AuditAction; targetId: string | null; targetName: string };
}

export function userOwner({ id, name }: UserRecord): AvatarOwner {
  return { id, kind: 'person', audited: { action: 'person.changed', targetId: id, targetName: name } };
}

export async function botOwner({ store }: Pick<Deps, 'store'>): Promise<AvatarOwner> {
  const { botId, botName } = await store.workspace();
  return { id: botId, kind: 'bot', audited: { action: 'workspace.changed', targetId: botId, targetName: botName } };
}
