/** The thread that copies the database for a backup: `copyInThread` in backup-thread.ts is its other end. */
import { constants, setPriority } from 'node:os';
import { type CopyOrder, copyDatabase } from './copy-database.ts';

declare const self: Worker;

export type FromBackupWorker = { sha256: string } | { code: string | null; message: string };

// Linux gives each thread a priority of its own: whoever waits for an answer comes before a backup.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW);

self.onmessage = ({ data }: MessageEvent<CopyOrder>) => self.postMessage(copied(data));

/** An error does not cross a thread with its code. */
function copied(order: CopyOrder): FromBackupWorker {
  try {
    return { sha256: copyDatabase(order) };
  } catch (error) {
    const { code, message } = error as { code?: unknown; message: string };
    return { code: typeof code === 'string' ? code : null, message };
  }
}
