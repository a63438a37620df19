import { lstatSync, unlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { causeOf, StartError } from '../ops/start-error.ts';

/**
 * Runs `bind` so that a unix socket that it makes has mode 0600 from its first moment: bind(2) takes the mode from the
 * umask, and a chmod afterwards would leave a gap. `bind` must be synchronous, for the umask is that of the process.
 */
export function withPrivateSocketMode<T>(bind: () => T): T {
  const before = process.umask(0o177);
  try {
    return bind();
  } finally {
    process.umask(before);
  }
}

/** Makes way for a new socket: a file left by a server that was killed is removed, anything else is left alone. */
export async function removeStaleSocket(path: string): Promise<void> {
  const status = lstatSync(path, { throwIfNoEntry: false });
  if (!status) return;
  if (!status.isSocket()) {
    throw new StartError(
      `${path} is needed for the admin socket, but something else is there. Move it away, or set HUB_ADMIN_SOCKET to another path.`,
    );
  }
  const response = await knock(path);
  if (response === 'ENOENT') return;
  if (response === 'ECONNREFUSED') return unlinkSync(path);
  if (response === 'connected') {
    throw new StartError(
      `Another server answers on the admin socket ${path}. Stop it first, or set HUB_ADMIN_SOCKET to another path.`,
    );
  }
  throw new StartError(
    `The admin socket ${path} of an earlier server cannot be examined: ${response}. Remove the file, or set HUB_ADMIN_SOCKET to another path.`,
  );
}

function knock(path: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve('connected');
    });
    socket.once('error', (error) => resolve(causeOf(error)));
  });
}

/** Why the socket could not be made, for people. */
export function adminSocketError(error: unknown, path: string): StartError {
  const reasons: Record<string, string> = {
    ENOENT: 'its folder does not exist. Make the folder',
    EACCES: 'this user may not write to its folder. Change the permissions of the folder',
    EROFS: 'its folder is on a read-only file system. Mount it writable',
    ENAMETOOLONG: 'the path is too long for a socket. Choose a shorter one',
  };
  const reason = reasons[causeOf(error)] ?? `${causeOf(error)}. Make the path usable`;
  return new StartError(`The admin socket ${path} cannot be made: ${reason}, or set HUB_ADMIN_SOCKET to another path.`);
}
