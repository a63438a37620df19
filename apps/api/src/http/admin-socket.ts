import { lstatSync, unlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { causeOf, StartError } from '../platform/errors.ts';

/**
 * Runs `bind` so that the unix socket it creates has mode 0600 from the start: bind(2) takes the mode from the umask,
 * and a later chmod would leave a gap. `bind` must be synchronous, because the umask belongs to the whole process.
 */
export function withPrivateSocketMode<T>(bind: () => T): T {
  const before = process.umask(0o177);
  try {
    return bind();
  } finally {
    process.umask(before);
  }
}

/** Removes a socket that a killed server left behind. Throws a StartError if the path is in use or not a socket. */
export async function removeStaleSocket(path: string): Promise<void> {
  const status = lstatSync(path, { throwIfNoEntry: false });
  if (!status) return;
  if (!status.isSocket()) {
    throw new StartError(
      `${path} cannot be used for the admin socket: another file is already there. Move that file, or set HUB_ADMIN_SOCKET to another path.`,
    );
  }
  const response = await probeSocket(path);
  if (response === 'ENOENT') return;
  if (response === 'ECONNREFUSED') return unlinkSync(path);
  if (response === 'connected') {
    throw new StartError(
      `Another server is already listening on the admin socket ${path}. Stop it, or set HUB_ADMIN_SOCKET to another path.`,
    );
  }
  throw new StartError(
    `Cannot check the existing admin socket ${path}: ${response}. Remove the file, or set HUB_ADMIN_SOCKET to another path.`,
  );
}

function probeSocket(path: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve('connected');
    });
    socket.once('error', (error) => resolve(causeOf(error)));
  });
}

/** Returns a StartError that says why the socket cannot be created, and what to do. */
export function adminSocketError(error: unknown, path: string): StartError {
  const reasons: Record<string, string> = {
    ENOENT: 'its directory does not exist. Create it',
    EACCES: 'this user cannot write to its directory. Change the permissions of the directory',
    EROFS: 'its directory is on a read-only file system. Mount it writable',
    ENAMETOOLONG: 'the path is too long for a socket. Choose a shorter one',
  };
  const reason = reasons[causeOf(error)] ?? `${causeOf(error)}. Fix the path`;
  return new StartError(`Cannot create the admin socket ${path}: ${reason}, or set HUB_ADMIN_SOCKET to another path.`);
}
