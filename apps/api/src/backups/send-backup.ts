import type { Clock, Log } from '../core/ports.ts';
import type { BackupCopy } from '../storage/backup-store.ts';

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
