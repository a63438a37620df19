import { auditRecord, type Caller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import type { BackupCopy } from '../store/backup-store.ts';

/**
 * A copy of all that was committed when this was asked. Who gets it is in the audit log before its first byte can leave. It must
 * be closed, or there can be no other.
 */
export async function takeBackup(deps: Deps, caller: Caller): Promise<BackupCopy> {
  const id = deps.newId('bak');
  const copy = await deps.store.backups.take(id);
  try {
    const details = { bytes: copy.bytes, sha256: copy.sha256 };
    const audit = auditRecord(deps, caller, { action: 'workspace.backed_up', targetId: id, targetName: null, details });
    await deps.store.backups.note(audit);
    return copy;
  } catch (error) {
    await copy.close('broken');
    throw error;
  }
}
