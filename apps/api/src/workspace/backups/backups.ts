import type { Backup } from '@hub/contract';
import { type Caller, recordAction } from '../../access/actor.ts';
import { changeAs } from '../../access/authenticate-user.ts';
import type { Deps } from '../../access/deps.ts';
import { requireOwner } from '../../access/user-rights.ts';
import { AppError } from '../../platform/errors.ts';
import type { Clock, Log } from '../../platform/ports.ts';
import { notFound } from '../../platform/printable.ts';
import { isoTime } from '../../platform/time.ts';
import type { BackupCopy, BackupRecord } from '../../storage/backup-store.ts';

/**
 * Copies everything committed before the call. The recipient is in the audit log before the first byte can be sent. The
 * caller must close the copy, or no other backup can be taken.
 */
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

/** A reader that reads nothing for this long has probably gone away, and would keep blocking other backups. */
const STALLED_MS = 60_000;

interface SendOptions {
  clock: Clock;
  log: Log;
  requestId: string;
  /** Called before each piece. Throws if nothing more may be sent. */
  check: () => Promise<void>;
}

/** Streams the copy piece by piece, only as fast as it is read. Releases the copy however the stream ends. */
export function sendBackup(copy: BackupCopy, options: SendOptions): ReadableStream<Uint8Array> {
  const { clock, log, requestId, check } = options;
  const pieces = copy.pieces()[Symbol.asyncIterator]();
  let asked = 0;
  let isOver = false;

  const end = async (outcome: 'whole' | 'broken', reason?: unknown): Promise<void> => {
    if (isOver) return;
    isOver = true;
    await copy.close(outcome);
    const fields = { requestId, bytes: copy.bytes };
    if (outcome === 'whole') log.info(fields, 'Backup sent');
    else log.warn({ ...fields, err: reason }, 'Backup interrupted');
  };
  const watch = async (stop: (reason: Error) => void): Promise<void> => {
    for (let before = -1; before < asked; ) {
      before = asked;
      await clock.sleep(STALLED_MS);
      if (isOver) return;
    }
    const reason = new Error(`No data was read for ${STALLED_MS / 1000} s`);
    await end('broken', reason);
    stop(reason);
  };

  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => void watch((reason) => controller.error(reason)),
      pull: async (controller) => {
        asked += 1;
        try {
          // Lets requests that arrived in the meantime go first.
          await new Promise(setImmediate);
          await check();
          const { done, value } = await pieces.next();
          if (!done) return controller.enqueue(value);
          await end('whole');
          controller.close();
        } catch (error) {
          await end('broken', error);
          // The status is already sent. All that is left is to signal that the body is incomplete.
          controller.error(error);
        }
      },
      cancel: () => end('broken', new Error('Connection closed')),
    },
    { highWaterMark: 0 },
  );
}

/**
 * Records that the recipient has verified the copy and kept it. Only then does the backup count: having sent all of it
 * does not prove that it is usable.
 */
export async function confirmBackup({ store }: Deps, id: string): Promise<Backup> {
  const record = await store.backups.confirm(id);
  if (!record) throw new AppError('not_found', notFound('backup', id));
  return backupView(record);
}

export function backupView({ takenAt, durationMs, ...facts }: BackupRecord): Backup {
  return { ...facts, takenAt: isoTime(takenAt), durationSeconds: durationMs / 1000 };
}
