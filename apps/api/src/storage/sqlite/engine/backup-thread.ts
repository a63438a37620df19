import { workerEnd } from '../../worker-end.ts';
import type { FromBackupWorker } from './backup-worker.ts';
import type { CopyOrder } from './copy-database.ts';

/** SQLite or the operating system failed to read the database or to write its copy. */
export class CopyFailed extends Error {
  constructor(
    readonly code: string | null,
    message: string,
  ) {
    super(message);
  }
}

/** Copies the database on a separate thread, which ends afterwards. Resolves with the SHA-256 of the copy. */
export async function copyInThread(order: CopyOrder): Promise<string> {
  const worker = new Worker(new URL('./backup-worker.ts', import.meta.url).href);
  const gone = workerEnd(worker);
  try {
    const response = await new Promise<FromBackupWorker>((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<FromBackupWorker>) => resolve(data);
      worker.onerror = ({ message }) => reject(new Error(`The backup thread ended: ${message}`));
      worker.postMessage(order);
    });
    if ('sha256' in response) return response.sha256;
    throw new CopyFailed(response.code, response.message);
  } finally {
    worker.terminate();
    await gone;
  }
}
