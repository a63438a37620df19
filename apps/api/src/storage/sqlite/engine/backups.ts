import { readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, StoreUnavailable } from '../../../platform/errors.ts';
import type { Clock } from '../../../platform/ports.ts';
import { isDamageCode, isStorageErrorCode } from '../../engine/storage-error.ts';
import type { BackupCopy, BackupFacts, BackupHistory, BackupRecord, BackupStore } from '../../store.ts';
import type { CopyOrder, FromBackupWorker } from './backup-worker.ts';
import { bytesOf } from './database.ts';
import { workerEnd } from './worker-end.ts';

/** Beside the database, since a copy restored into another folder would be wrong about that one. */
const LAST_BACKUP_FILE = 'last-backup.json';
const UNFINISHED_LAST_BACKUP = `${LAST_BACKUP_FILE}.unfinished`;
const COPY_FILE = 'backup.unfinished';
const COPY_JOURNAL = `${COPY_FILE}-journal`;
/** Files that a killed server can leave behind. */
const LEFTOVERS = [COPY_FILE, COPY_JOURNAL, UNFINISHED_LAST_BACKUP];
/** Files that a killed hubctl can leave behind while it restores a backup into this folder. */
const RESTORE_LEFTOVERS = /^\.hub\.db\..*\.part(-journal)?$/;

const PIECE_BYTES = 256 * 1024;
/** Limits a backup to 32 MiB per second: at full speed, it would monopolize the thread of requests, or the disk. */
const REST_MS = 8;
const MIB = 1024 * 1024;
/** Disk space that must stay free for posts made during the backup. */
const RESERVE_BYTES = 64 * MIB;
/** How many of the most recently sent backups can still be confirmed: the recipient may take a while to verify one. */
const UNCONFIRMED = 8;

interface BackupsOptions {
  dataDir: string;
  file: string;
  clock: Clock;
  freeBytes?: (folder: string) => number;
}

/** Backs up a database in use. A complete copy is unlinked, and then read through its open file. */
export function sqliteBackups(options: BackupsOptions): BackupStore & { close(): void } {
  const { dataDir, file, clock, freeBytes = freeBytesOf } = options;
  const history: BackupHistory = { last: readLastBackup(dataDir), confirmed: 0, broken: 0 };
  let sent: (BackupFacts & { begunAt: number })[] = [];
  let isTaken = false;
  remove(dataDir, [...LEFTOVERS, ...readdirSync(dataDir).filter((name) => RESTORE_LEFTOVERS.test(name))]);

  const takeOne = async (id: string): Promise<BackupCopy> => {
    const [free, needed] = [freeBytes(dataDir), (bytesOf(file) ?? 0) + (bytesOf(`${file}-wal`) ?? 0) + RESERVE_BYTES];
    if (free < needed)
      throw diskFull(`temporarily needs ${inMib(needed)} of disk space on the server, and ${inMib(free)} are free`);
    const [takenAt, begunAt] = [clock.now(), clock.monotonic()];
    const copy = join(dataDir, COPY_FILE);
    const sha256 = await copyInThread({ file, copy, takenAt });
    const facts = { id, takenAt, bytes: bytesOf(copy) ?? 0, sha256 };
    const handle = await open(copy);
    remove(dataDir, [COPY_FILE]);
    return openCopy(facts, handle, (outcome) => {
      isTaken = false;
      if (outcome === 'broken') history.broken += 1;
      else sent = [...sent.slice(1 - UNCONFIRMED), { ...facts, begunAt }];
    });
  };

  return {
    take: async (id) => {
      if (isTaken) throw new AppError('conflict', 'Another backup is in progress. Try again when it has finished.');
      isTaken = true;
      try {
        return await takeOne(id);
      } catch (error) {
        remove(dataDir, [COPY_FILE, COPY_JOURNAL]);
        isTaken = false;
        history.broken += 1;
        throw toAppError(error);
      }
    },
    confirm: async (id) => {
      const found = sent.find((each) => each.id === id);
      if (!found) return null;
      const { begunAt, ...facts } = found;
      const record = { ...facts, durationMs: clock.monotonic() - begunAt };
      sent = sent.filter((each) => each !== found);
      try {
        await writeLastBackup(dataDir, record);
      } catch (error) {
        // It can be confirmed again, for example once the disk has room.
        sent.push(found);
        throw error;
      }
      history.last = record;
      history.confirmed += 1;
      return record;
    },
    history: () => ({ ...history }),
    /** Removes the files of a copy that is being made. */
    close: () => remove(dataDir, [COPY_FILE, COPY_JOURNAL]),
  };
}

function openCopy(facts: BackupFacts, handle: FileHandle, onClose: (outcome: 'whole' | 'broken') => void): BackupCopy {
  let isOpen = true;
  return {
    ...facts,
    async *pieces() {
      for (let position = 0; position < facts.bytes; ) {
        const piece = new Uint8Array(Math.min(PIECE_BYTES, facts.bytes - position));
        const { bytesRead } = await handle.read(piece, 0, piece.length, position);
        if (bytesRead === 0) throw new Error('The copy was truncated');
        yield piece.subarray(0, bytesRead);
        position += bytesRead;
        await Bun.sleep(REST_MS);
      }
    },
    close: async (outcome) => {
      if (!isOpen) return;
      isOpen = false;
      await handle.close();
      onClose(outcome);
    },
  };
}

const inMib = (bytes: number): string => `${Math.ceil(bytes / MIB)} MiB`;

function diskFull(reason: string): AppError {
  return new AppError('unavailable', `The backup ${reason}. Free disk space for the data directory, then try again.`);
}

function toAppError(error: unknown): unknown {
  const { code, message } = error as { code?: unknown; message: string };
  if (typeof code !== 'string') return error;
  if (code === 'SQLITE_FULL' || code === 'ENOSPC') return diskFull('ran out of disk space');
  if (isDamageCode(code))
    return new AppError(
      'unavailable',
      `The database is damaged (${message}), so it cannot be backed up. Keep your last good backup and restore it.`,
    );
  return isStorageErrorCode(code) ? new StoreUnavailable(error) : error;
}

function remove(dataDir: string, names: readonly string[]): void {
  for (const name of names) rmSync(join(dataDir, name), { force: true });
}

function freeBytesOf(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** Copies the database on a separate thread, which ends afterwards. Resolves with the SHA-256 of the copy. */
async function copyInThread(order: CopyOrder): Promise<string> {
  const worker = new Worker(new URL('./backup-worker.ts', import.meta.url).href);
  const gone = workerEnd(worker);
  try {
    const response = await new Promise<FromBackupWorker>((resolve, reject) => {
      worker.onmessage = ({ data }: MessageEvent<FromBackupWorker>) => resolve(data);
      worker.onerror = ({ message }) => reject(new Error(`The backup thread ended: ${message}`));
      worker.postMessage(order);
    });
    if ('sha256' in response) return response.sha256;
    throw Object.assign(new Error(response.message), { code: response.code });
  } finally {
    worker.terminate();
    await gone;
  }
}

/** Returns `null` if there was none. An unreadable record is treated as missing: taking another backup does no harm. */
function readLastBackup(dataDir: string): BackupRecord | null {
  try {
    const found = JSON.parse(readFileSync(join(dataDir, LAST_BACKUP_FILE), 'utf8')) as Partial<BackupRecord> | null;
    const { id, takenAt, bytes, sha256, durationMs } = found ?? {};
    if (typeof takenAt !== 'number' || typeof bytes !== 'number' || typeof durationMs !== 'number') return null;
    if (typeof id !== 'string' || typeof sha256 !== 'string') return null;
    return { id, takenAt, bytes, sha256, durationMs };
  } catch {
    return null;
  }
}

async function writeLastBackup(dataDir: string, record: BackupRecord): Promise<void> {
  const unfinished = join(dataDir, UNFINISHED_LAST_BACKUP);
  await rm(unfinished, { force: true });
  const file = await open(unfinished, 'wx', 0o600);
  try {
    await file.writeFile(`${JSON.stringify(record)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(unfinished, join(dataDir, LAST_BACKUP_FILE));
}
