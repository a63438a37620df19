import { statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import type { Deps, Fetch } from './deps.ts';
import { CliError, unreachableError } from './errors.ts';
import { EXIT } from './exit-codes.ts';
import { RESPONSE_TIMEOUT_MS } from './network-fetch.ts';

/** Where the admin socket of the server on this machine is: the server's own rule, read from the same settings. */
export function adminSocketPath(env: Deps['env'], dataDirFlag: string | undefined): string {
  if (dataDirFlag !== undefined) return resolve(dataDirFlag, 'admin.sock');
  if (env.HUB_ADMIN_SOCKET) return resolve(env.HUB_ADMIN_SOCKET);
  return resolve(env.HUB_DATA_DIR || './data', 'admin.sock');
}

/**
 * `fetch` over the admin socket. Failures to connect become what the admin has to do about them. `isDefault`: nobody asked
 * for the server on this machine, so one elsewhere may be meant.
 */
export function socketFetch(deps: Pick<Deps, 'fetch'>, socketPath: string, isDefault = false): Fetch {
  return async (url, init) => {
    requireOwnSocket(socketPath);
    try {
      return await deps.fetch(url, {
        ...init,
        unix: socketPath,
        signal: init.signal ?? AbortSignal.timeout(RESPONSE_TIMEOUT_MS),
      });
    } catch (error) {
      throw socketFailure(error, socketPath, isDefault);
    }
  };
}

function socketFailure(error: unknown, path: string, isDefault: boolean): unknown {
  const { code, name } = error as { code?: unknown; name?: unknown };
  if (name === 'AbortError') return error;
  if (code === 'EACCES' || code === 'EPERM') return notPermitted(path);
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return unreachableError(
      `There is no server at ${path}.`,
      'Start the server, or say where its data is: set HUB_DATA_DIR, or add --data-dir DIR.' +
        (isDefault ? '\nFor a server on another machine, log in: hubctl login https://hub.example.com' : ''),
    );
  }
  if (code === 'ECONNREFUSED') {
    return unreachableError(`The server behind ${path} is not running.`, 'Start the server, then try again.');
  }
  if (code === 'ENAMETOOLONG') {
    return unreachableError(
      `The path ${path} is too long for a socket.`,
      'Set HUB_ADMIN_SOCKET to a short path, such as /run/hub/admin.sock, for the server and for hubctl.',
    );
  }
  if (name === 'TimeoutError') {
    return new CliError('timeout', EXIT.unreachable, `The server behind ${path} did not answer within 30 seconds.`, {
      hint: 'It may have done what was asked: look before you ask again.',
    });
  }
  const reason = typeof code === 'string' ? code : String(name ?? error);
  return unreachableError(`The connection to the server behind ${path} broke (${reason}).`, 'Look at its log.');
}

/**
 * Refuses a socket of another user: whoever can put one in the place of the server's would be given passwords and keys. A path
 * that leads nowhere is left to the connection.
 */
export function requireOwnSocket(path: string): void {
  const uid = ownerOf(path);
  if (uid === undefined || uid === 0 || uid === process.getuid?.()) return;
  throw new CliError('forbidden', EXIT.notAllowed, `The admin socket ${path} belongs to another user (id ${uid}).`, {
    hint: `hubctl talks only to a server of its own user or of root. If that user runs your server:\n${asUser(path, uid)}`,
  });
}

/** The socket's file mode is the admin's login, so only its owner and root get in. */
function notPermitted(path: string): CliError {
  const uid = ownerOf(path) ?? ownerOf(dirname(path));
  const isKnown = uid !== undefined && uid !== 0;
  return new CliError('forbidden', EXIT.notAllowed, `You may not use the admin socket ${path}.`, {
    hint:
      `Only root and the user that runs the server${isKnown ? ` (id ${uid})` : ''} may administer it. Try:\n` +
      asUser(path, isKnown ? uid : undefined),
  });
}

/** The command that runs hubctl as this user, else as root. sudo drops HUB_DATA_DIR, so the path of the socket is in it. */
function asUser(path: string, uid: number | undefined): string {
  const way =
    basename(path) === 'admin.sock' ? `hubctl --data-dir ${dirname(path)}` : `env HUB_ADMIN_SOCKET=${path} hubctl`;
  return `  sudo ${uid === undefined ? '' : `-u '#${uid}' `}${way} …`;
}

function ownerOf(path: string): number | undefined {
  try {
    return statSync(path).uid;
  } catch {
    return undefined;
  }
}
