import { accessSync, constants, mkdirSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { causeOf, StartError } from '../platform/errors.ts';

/** Creates the data folder (0700) if it is missing, and reports a problem with it before the first write does. */
export function prepareDataDir(path: string, userId: number | null): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new StartError(`The data directory ${resolve(path)} (HUB_DATA_DIR) ${explain(error, resolve(path), userId)}`);
  }
}

/** Returns a warning if other users can write to the folder, and so replace files, whatever their modes. */
export function openFolderWarning(path: string): string | null {
  const { mode } = statSync(path);
  if ((mode & 0o022) === 0) return null;
  return `Other users can write to the data directory ${resolve(path)}. Remove their write permission: chmod go-w ${resolve(path)}`;
}

function explain(error: unknown, path: string, userId: number | null): string {
  const cause = causeOf(error);
  if (cause === 'EACCES' || cause === 'EPERM') {
    const user = userId === null ? 'this user' : `user ${userId}`;
    const owner = ownerOf(path);
    if (owner === null)
      return `cannot be created by ${user}. Create it for that user, or set HUB_DATA_DIR to another directory.`;
    return `belongs to user ${owner}, and ${user} cannot write to it. Change its owner (chown -R ${userId ?? 'USER'} ${path}), or set HUB_DATA_DIR to another directory.`;
  }
  if (cause === 'EROFS') {
    return 'is on a read-only file system. Mount it writable, or set HUB_DATA_DIR to another directory.';
  }
  if (cause === 'EEXIST' || cause === 'ENOTDIR') {
    return 'is a file, or is inside one. Move the file away, or set HUB_DATA_DIR to a directory.';
  }
  if (cause === 'ENOSPC')
    return 'cannot be created: the disk is full. Free up space, or set HUB_DATA_DIR to a directory on another disk.';
  return `cannot be used: ${cause}. Set HUB_DATA_DIR to a directory that this user can write to.`;
}

/** Returns `null` if the folder does not exist, or this user cannot see it. */
function ownerOf(path: string): number | null {
  try {
    return statSync(path).uid;
  } catch {
    return null;
  }
}
