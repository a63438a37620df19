import type { Clock, Log } from '../ports.ts';
import type { BackupCopy } from '../store/backup-store.ts';

/** Who takes nothing for so long has gone away, and keeps others from a backup of theirs. */
const STALLED_MS = 60_000;

interface SendOptions {
  clock: Clock;
  log: Log;
  requestId: string;
  /** Asked before each piece. Throws if no more of it is to go out. */
  check: () => Promise<void>;
}

/** The copy, piece by piece, only as fast as it is read. However that ends, the copy is let go of. */
export function sendBackup(copy: BackupCopy, options: SendOptions): ReadableStream<Uint8Array> {
  const { clock, log, requestId, check } = options;
  const pieces = copy.pieces()[Symbol.asyncIterator]();
  let asked = 0;
  let isOver = false;

  const end = async (outcome: 'whole' | 'broken', reason?: unknown): Promise<void> => {
    if (isOver) return;
    isOver = true;
    await copy.close(outcome);
    const notified = { requestId, bytes: copy.bytes };
    if (outcome === 'whole') log.info(notified, 'A backup was sent');
    else log.warn({ ...notified, err: reason }, 'A backup broke off');
  };
  const watch = async (stop: (reason: Error) => void): Promise<void> => {
    for (let before = -1; before < asked; ) {
      before = asked;
      await clock.sleep(STALLED_MS);
      if (isOver) return;
    }
    const reason = new Error(`Nobody has read on for ${STALLED_MS / 1000} s`);
    await end('broken', reason);
    stop(reason);
  };

  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => void watch((reason) => controller.error(reason)),
      pull: async (controller) => {
        asked += 1;
        try {
          // Requests that came meanwhile go first.
          await new Promise(setImmediate);
          await check();
          const { done, value } = await pieces.next();
          if (!done) return controller.enqueue(value);
          await end('whole');
          controller.close();
        } catch (error) {
          await end('broken', error);
          // The status is sent. All that can still be said is that this is not the end.
          controller.error(error);
        }
      },
      cancel: () => end('broken', new Error('The connection ended')),
    },
    { highWaterMark: 0 },
  );
}
