import { accessSync, constants, mkdirSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { causeOf, StartError } from './start-error.ts';

/**
 * Makes the data folder (0700) if it is missing, and sees that it can be used, so that a mistake shows at once and in
 * plain words instead of in the first write.
 */
export function prepareDataDir(path: string, userId: number | null): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new StartError(`The data folder ${resolve(path)} (HUB_DATA_DIR) ${explain(error, resolve(path), userId)}`);
  }
}

/** Others who may write into the folder can put files of their own in the place of the server's, whatever modes those have. */
export function openFolderWarning(path: string): string | null {
  const { mode } = statSync(path);
  if ((mode & 0o022) === 0) return null;
  return `Others may write into the data folder ${resolve(path)}. Take that from them: chmod go-w ${resolve(path)}`;
}

function explain(error: unknown, path: string, userId: number | null): string {
  const cause = causeOf(error);
  if (cause === 'EACCES' || cause === 'EPERM') {
    const user = userId === null ? 'this user' : `user ${userId}`;
    const owner = ownerOf(path);
    if (owner === null)
      return `cannot be made by ${user}. Make it for that user, or set HUB_DATA_DIR to another folder.`;
    return `belongs to user ${owner} and cannot be written by ${user}. Give it to that user (chown -R ${userId ?? 'USER'} ${path}), or set HUB_DATA_DIR to another folder.`;
  }
  if (cause === 'EROFS') {
    return 'is on a read-only file system. Mount it writable, or set HUB_DATA_DIR to another folder.';
  }
  if (cause === 'EEXIST' || cause === 'ENOTDIR') {
    return 'is a file, or lies below one. Move the file away, or set HUB_DATA_DIR to a folder.';
  }
  if (cause === 'ENOSPC') return 'cannot be made: the disk is full. Make room, or set HUB_DATA_DIR to another disk.';
  return `cannot be used: ${cause}. Set HUB_DATA_DIR to a folder that this user may write.`;
}

/** Null if the folder is not there, or if this user may not even see it. */
function ownerOf(path: string): number | null {
  try {
    return statSync(path).uid;
  } catch {
    return null;
  }
}
