import { readdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, StoreUnavailable } from '../../errors.ts';
import type { Clock } from '../../ports.ts';
import type { BackupCopy, BackupFacts, BackupHistory, BackupStore } from '../backup-store.ts';
import { CopyFailed, copyInThread } from './backup-thread.ts';
import { readLastBackup, UNFINISHED_LAST_BACKUP, writeLastBackup } from './last-backup.ts';
import { isDamageCode, isStorageErrorCode } from './storage-error.ts';
import type { Writer } from './writer.ts';

const COPY_FILE = 'backup.unfinished';
const COPY_JOURNAL = `${COPY_FILE}-journal`;
/** What a server that was killed may leave behind. */
const LEFTOVERS = [COPY_FILE, COPY_JOURNAL, UNFINISHED_LAST_BACKUP];
/** The same of a hubctl that restored a backup into this folder. */
const RESTORE_LEFTOVERS = /^\.hub\.db\..*\.part(-journal)?$/;

const PIECE_BYTES = 256 * 1024;
/**
 * Between two pieces, which makes it 32 MiB a second at most. Sent as fast as it can be read, a backup would take up the thread that
 * answers requests, and its receiver the disk, if it writes to the same one.
 */
const REST_MS = 8;
const MIB = 1024 * 1024;
/** What must be left on the disk for those who post meanwhile. */
const RESERVE_BYTES = 64 * MIB;
/** So many of those that were sent can be confirmed: whoever got one may take a while to check it. */
const UNCONFIRMED = 8;

interface BackupsOptions {
  dataDir: string;
  /** The database. */
  file: string;
  clock: Clock;
  writer: Pick<Writer, 'write'>;
  /** How much room the disk of a folder has. */
  freeBytes?: (folder: string) => number;
}

export interface SqliteBackups extends BackupStore {
  /** Leaves nothing behind of a copy that is being made. */
  close(): void;
}

/** Backups of a database in use. The copy lies in the data folder; once it is whole it loses its name and can be read. */
export function sqliteBackups(options: BackupsOptions): SqliteBackups {
  const { dataDir, file, clock, writer, freeBytes = freeBytesOf } = options;
  const history: BackupHistory = { last: readLastBackup(dataDir), confirmed: 0, broken: 0 };
  let sent: (BackupFacts & { begunAt: number })[] = [];
  let isTaken = false;
  remove(dataDir, [...LEFTOVERS, ...readdirSync(dataDir).filter((name) => RESTORE_LEFTOVERS.test(name))]);

  const takeOne = async (id: string): Promise<BackupCopy> => {
    requireRoom(freeBytes(dataDir), bytesOf(file) + bytesOf(`${file}-wal`) + RESERVE_BYTES);
    const [takenAt, begunAt] = [clock.now(), clock.monotonic()];
    const copy = join(dataDir, COPY_FILE);
    const sha256 = await copyInThread({ file, copy, takenAt });
    const facts = { id, takenAt, bytes: bytesOf(copy), sha256 };
    const handle = await open(copy);
    remove(dataDir, [COPY_FILE]);
    return heldCopy(facts, handle, (outcome) => {
      isTaken = false;
      if (outcome === 'broken') history.broken += 1;
      else sent = [...sent.slice(1 - UNCONFIRMED), { ...facts, begunAt }];
    });
  };

  return {
    take: async (id) => {
      if (isTaken) {
        throw new AppError('conflict', 'Another backup is being taken. Wait until it is done, then try again.');
      }
      isTaken = true;
      try {
        return await takeOne(id);
      } catch (error) {
        remove(dataDir, [COPY_FILE, COPY_JOURNAL]);
        isTaken = false;
        history.broken += 1;
        throw appErrorOf(error);
      }
    },
    note: (audit) => writer.write('noteBackup', { audit }),
    confirm: async (id) => {
      const found = sent.find((each) => each.id === id);
      if (!found) return null;
      sent = sent.filter((each) => each !== found);
      const { begunAt, ...facts } = found;
      const record = { ...facts, durationMs: clock.monotonic() - begunAt };
      history.last = record;
      history.confirmed += 1;
      await writeLastBackup(dataDir, record);
      return record;
    },
    history: () => ({ ...history }),
    close: () => remove(dataDir, [COPY_FILE, COPY_JOURNAL]),
  };
}

function heldCopy(facts: BackupFacts, handle: FileHandle, onClose: (outcome: 'whole' | 'broken') => void): BackupCopy {
  let isOpen = true;
  return {
    ...facts,
    async *pieces() {
      for (let position = 0; position < facts.bytes; ) {
        const piece = new Uint8Array(Math.min(PIECE_BYTES, facts.bytes - position));
        const { bytesRead } = await handle.read(piece, 0, piece.length, position);
        if (bytesRead === 0) throw new Error('The copy has become shorter');
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

function requireRoom(free: number, needed: number): void {
  const mib = (bytes: number): string => `${Math.ceil(bytes / MIB)} MiB`;
  if (free < needed) throw noRoom(`needs ${mib(needed)} of the server's disk for a while, and ${mib(free)} are free`);
}

function noRoom(why: string): AppError {
  return new AppError('unavailable', `The backup ${why}. Make room in the data folder, then try again.`);
}

/** What kept the copy from being made, for whoever asked for it. */
function appErrorOf(error: unknown): unknown {
  if (!(error instanceof CopyFailed) || error.code === null) return error;
  if (error.code === 'SQLITE_FULL' || error.code === 'ENOSPC') return noRoom('found no more room on the disk');
  if (isDamageCode(error.code)) {
    return new AppError(
      'unavailable',
      `The database is damaged (${error.message}), so there can be no backup of it. Keep the last good one and restore it.`,
    );
  }
  return isStorageErrorCode(error.code) ? new StoreUnavailable(error) : error;
}

function remove(dataDir: string, names: readonly string[]): void {
  for (const name of names) rmSync(join(dataDir, name), { force: true });
}

function bytesOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function freeBytesOf(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
