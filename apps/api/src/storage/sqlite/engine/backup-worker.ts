/** The thread that copies the database for a backup; `copyInThread` in backup-thread.ts starts it. */
import { constants, setPriority } from 'node:os';
import { type CopyOrder, copyDatabase } from './copy-database.ts';

declare const self: Worker;

export type FromBackupWorker = { sha256: string } | { code: string | null; message: string };

// Linux gives each thread its own priority: requests come before a backup.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW);

self.onmessage = ({ data }: MessageEvent<CopyOrder>) => self.postMessage(copied(data));

/** An error loses its code when it is sent to another thread, so the code is sent separately. */
function copied(order: CopyOrder): FromBackupWorker {
  try {
    return { sha256: copyDatabase(order) };
  } catch (error) {
    const { code, message } = error as { code?: unknown; message: string };
    return { code: typeof code === 'string' ? code : null, message };
  }
}
