import type { PictureRef } from '@hub/contract';
import type { Deps } from '../deps.ts';
import type { AuditAction } from '../store/audit-store.ts';
import type { PersonRecord } from '../store/people-store.ts';

/** Whose picture it is, and how the audit log tells of a change of it. */
export interface PictureOwner {
  id: string;
  kind: PictureRef['kind'];
  audited: { action: AuditAction; targetId: string | null; targetName: string };
}

export function personOwner({ id, name }: PersonRecord): PictureOwner {
  return { id, kind: 'person', audited: { action: 'person.changed', targetId: id, targetName: name } };
}

export async function botOwner({ store }: Pick<Deps, 'store'>): Promise<PictureOwner> {
  const { botId, botName } = await store.workspace();
  return { id: botId, kind: 'bot', audited: { action: 'workspace.changed', targetId: botId, targetName: botName } };
}
