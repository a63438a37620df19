import { statfsSync } from 'node:fs';

/** The page size of SQLite and of memory. */
const PAGE_BYTES = 4096;
/** Space for `hub.db-shm` and `search.db-shm`, 32 KiB each, and for other files written before the first post. */
const SPACE_BYTES = 128 * 1024;

type Statfs = (folder: string) => { bsize: number; bavail: number };

/**
 * SQLite maps its shared memory from a file in which it has written only the last byte of each page. Where blocks are
 * smaller than pages, the rest is allocated only when it is touched; if the disk is full then, the kernel kills the
 * process immediately (SIGBUS). So starting on such a disk requires some free space. On other disks, running out of
 * space is an error that can be handled.
 */
export function requireSpaceForSharedMemory(folder: string, statfs: Statfs = statfsSync): void {
  const { bsize, bavail } = statfs(folder);
  if (bsize >= PAGE_BYTES || bsize * bavail >= SPACE_BYTES) return;
  throw Object.assign(new Error('Not enough disk space for shared memory'), { code: 'ENOSPC' });
}
