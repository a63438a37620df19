import { auditRecord, type Caller } from '../context/actor.ts';
import type { Deps } from '../context/deps.ts';
import { requireOwner } from '../context/user-rights.ts';
import { changeAs } from '../credentials/authenticate-user.ts';
import type { BackupCopy } from '../storage/backup-store.ts';

/**
 * Copies everything committed before the call. The recipient is in the audit log before the first byte can be sent. The
 * caller must close the copy, or no other backup can be taken.
 */
export async function takeBackup(deps: Deps, sender: Caller): Promise<BackupCopy> {
  const id = deps.newId('bak');
  const copy = await deps.store.backups.take(id);
  try {
    const details = { bytes: copy.bytes, sha256: copy.sha256 };
    await changeAs(deps, sender, async (tx, caller) => {
      requireOwner(caller);
      await tx.audit.insert(
        auditRecord(deps, caller, { action: 'workspace.backed_up', targetId: id, targetName: null, details }),
      );
    });
    return copy;
  } catch (error) {
    await copy.close('broken');
    throw error;
  }
}
