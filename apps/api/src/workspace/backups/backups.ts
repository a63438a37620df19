import type { Backup } from '@hub/contract';
import { type Caller, changeAs, recordAction } from '../../access/caller.ts';
import type { Deps } from '../../access/deps.ts';
import { requireOwner } from '../../access/user-rights.ts';
import { notFound } from '../../platform/errors.ts';
import { streamPieces } from '../../platform/stream-pieces.ts';
import { isoTime } from '../../platform/time.ts';
import type { BackupCopy, BackupRecord } from '../../storage/store.ts';

/** Copies all committed data, with the recipient in the audit log first. No other can begin until it is closed. */
export async function takeBackup(deps: Deps, caller: Caller): Promise<BackupCopy> {
  const id = deps.newId('bak');
  const copy = await deps.store.backups.take(id);
  try {
    const details = { bytes: copy.bytes, sha256: copy.sha256 };
    await changeAs(deps, caller, async (tx, current) => {
      requireOwner(current);
      await recordAction(tx, deps, current, { action: 'workspace.backed_up', target: { id, name: null }, details });
    });
    return copy;
  } catch (error) {
    await copy.close('broken');
    throw error;
  }
}

/** Streams the copy piece by piece, only as fast as it is read. Releases the copy however the stream ends. */
export function sendBackup(
  copy: BackupCopy,
  { clock, log, requestId, check }: Pick<Deps, 'clock' | 'log'> & { requestId: string; check: () => Promise<void> },
) {
  const fields = { requestId, bytes: copy.bytes };
  const interrupted = (err: unknown) => log.warn({ ...fields, err }, 'Backup interrupted');
  return streamPieces(copy.pieces(), {
    clock,
    check,
    onEnd: async (isComplete) => {
      await copy.close(isComplete ? 'whole' : 'broken');
      if (isComplete) log.info(fields, 'Backup sent');
    },
    onError: interrupted,
    onLeft: () => interrupted(new Error('Connection closed')),
  });
}

/** Records that the recipient has verified and kept the copy. Only then it counts: sending does not prove it usable. */
export async function confirmBackup({ store }: Deps, id: string): Promise<Backup> {
  const record = await store.backups.confirm(id);
  if (!record) throw notFound('backup', id);
  return backupView(record);
}

export function backupView({ takenAt, durationMs, ...facts }: BackupRecord): Backup {
  return { ...facts, takenAt: isoTime(takenAt), durationSeconds: durationMs / 1000 };
}
