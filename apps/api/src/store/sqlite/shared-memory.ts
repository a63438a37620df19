import { statfsSync } from 'node:fs';

/** Of SQLite, and of memory. */
const PAGE_BYTES = 4096;
/** For `hub.db-shm` and `search.db-shm`, of 32 KiB each, and what is written beside them before a post can fill the disk. */
const ROOM_BYTES = 128 * 1024;

type Statfs = (folder: string) => { bsize: number; bavail: number };

/**
 * SQLite maps its shared memory from a file in which it has written the last byte of each page. Where blocks are smaller than pages
 * the rest finds its place only when it is touched; if there is none, the kernel ends the process at once (SIGBUS). So a start there
 * needs some room. On all others a full disk is an error that can be answered.
 */
export function requireRoomForSharedMemory(folder: string, statfs: Statfs = statfsSync): void {
  const { bsize, bavail } = statfs(folder);
  if (bsize >= PAGE_BYTES || bsize * bavail >= ROOM_BYTES) return;
  throw Object.assign(new Error('There is no room for shared memory'), { code: 'ENOSPC' });
}
