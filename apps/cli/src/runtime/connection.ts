import { statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import type { Deps, Fetch } from './deps.ts';
import { CliError, unreachableError } from './errors.ts';
import { EXIT } from './exit-codes.ts';
import { RESPONSE_TIMEOUT_MS } from './network-fetch.ts';

/** Returns the path of the local admin socket, by the same rule and settings as the server. */
export function adminSocketPath(env: Deps['env'], dataDirFlag: string | undefined): string {
  if (dataDirFlag !== undefined) return resolve(dataDirFlag, 'admin.sock');
  if (env.HUB_ADMIN_SOCKET) return resolve(env.HUB_ADMIN_SOCKET);
  return resolve(env.HUB_DATA_DIR || './data', 'admin.sock');
}

/**
 * Returns a `fetch` over the admin socket. Connection errors get a hint for the admin. `isDefault`: the local server
 * was not selected explicitly, so the user may have meant another one.
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
      `No server found at ${path}.`,
      'Start the server, or specify its data directory: set HUB_DATA_DIR or add --data-dir DIR.' +
        (isDefault ? '\nFor a server on another machine, log in: hubctl login https://hub.example.com' : ''),
    );
  }
  if (code === 'ECONNREFUSED') {
    return unreachableError(`The server at ${path} is not running.`, 'Start the server, then try again.');
  }
  if (code === 'ENAMETOOLONG') {
    return unreachableError(
      `The path ${path} is too long for a socket.`,
      'Set HUB_ADMIN_SOCKET to a short path, such as /run/hub/admin.sock, for the server and for hubctl.',
    );
  }
  if (name === 'TimeoutError') {
    return new CliError('timeout', EXIT.unreachable, `The server at ${path} did not respond within 30 seconds.`, {
      hint: 'The request may have succeeded. Check before you try again.',
    });
  }
  const reason = typeof code === 'string' ? code : String(name ?? error);
  return unreachableError(`Lost the connection to the server at ${path} (${reason}).`, "Check the server's log.");
}

/**
 * Rejects a socket that belongs to another user, since an attacker who replaced the server's socket would get passwords
 * and keys. Accepts a missing path, which fails later when hubctl connects.
 */
export function requireOwnSocket(path: string): void {
  const uid = ownerOf(path);
  if (uid === undefined || uid === 0 || uid === process.getuid?.()) return;
  throw new CliError('forbidden', EXIT.notAllowed, `The admin socket ${path} belongs to another user (id ${uid}).`, {
    hint: `hubctl connects only to servers that run as you or as root. If that user runs your server:\n${asUser(path, uid)}`,
  });
}

/** Returns the error for a socket whose file mode lets only its owner and root connect. */
function notPermitted(path: string): CliError {
  const uid = ownerOf(path) ?? ownerOf(dirname(path));
  const isKnown = uid !== undefined && uid !== 0;
  return new CliError('forbidden', EXIT.notAllowed, `Permission denied for the admin socket ${path}.`, {
    hint:
      `Only root and the user that runs the server${isKnown ? ` (id ${uid})` : ''} can connect. Try:\n` +
      asUser(path, isKnown ? uid : undefined),
  });
}

/** Returns the command to run hubctl as this user, else as root. Includes the path, since sudo drops HUB_DATA_DIR. */
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
