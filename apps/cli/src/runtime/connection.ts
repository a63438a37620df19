import { statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { hasTokenFormat, PERSONAL_TOKEN_PREFIX } from '@hub/contract/key-token';
import type { Deps, Fetch } from './deps.ts';
import { failed, unreachableError, usageError } from './errors.ts';
import { RESPONSE_TIMEOUT_MS, readServerUrl, timedOut } from './network.ts';
import { type Profile, type Profiles, readProfiles } from './profile-file.ts';

/** A connection to the server on this machine over its admin socket, as the local admin. */
export interface SocketConnection {
  kind: 'socket';
  socketPath: string;
  /** Whether this server is used only because none was selected. */
  isDefault: boolean;
}

/** A connection to another server, as the logged-in user. */
export interface ProfileConnection extends Profile {
  kind: 'profile';
  /** The name of the profile; `null` if the token comes from HUB_TOKEN. */
  name: string | null;
}

export type Connection = SocketConnection | ProfileConnection;

/** The options that select the server. */
export interface ServerFlags {
  profile?: string | undefined;
  local?: boolean | undefined;
  dataDir?: string | undefined;
}

/** Chooses the server: from the command line, else the environment, else the profile, else the one on this machine. */
export function chooseConnection(env: Deps['env'], flags: ServerFlags): Connection {
  requireOneServer(flags);
  const { profile, local, dataDir } = flags;
  const socketPath = adminSocketPath(env, dataDir);
  if (profile !== undefined) return connectionOf(readProfiles(env), profile);
  if (local || dataDir !== undefined) return { kind: 'socket', socketPath, isDefault: false };
  if (env.HUB_TOKEN) return tokenConnection(env.HUB_TOKEN, env.HUB_URL);
  if (env.HUB_PROFILE) return connectionOf(readProfiles(env), env.HUB_PROFILE);
  if (env.HUB_DATA_DIR || env.HUB_ADMIN_SOCKET) return { kind: 'socket', socketPath, isDefault: false };
  const saved = readProfiles(env);
  if (saved.current !== null) return connectionOf(saved, saved.current);
  return { kind: 'socket', socketPath, isDefault: true };
}

/** @throws a usage error if the command line selects two servers. */
export function requireOneServer({ profile, local, dataDir }: ServerFlags): void {
  if (profile === undefined || !(local || dataDir !== undefined)) return;
  throw usageError('--profile cannot be combined with --local or --data-dir.', 'Remove one of them.');
}

/** Returns the connection for a script that has a token, but no profile. */
function tokenConnection(text: string, url: string | undefined): ProfileConnection {
  if (!url) throw usageError('HUB_TOKEN is set, but HUB_URL is not.', 'Set HUB_URL to the server of the token.');
  const token = checkedToken(text, 'HUB_TOKEN', url);
  const user = { id: '', name: '', email: '' };
  return { kind: 'profile', name: null, url: readServerUrl(url, 'HUB_URL'), token, tokenId: null, user };
}

/** Rejects a malformed token without sending it or showing it in the error, since it may be some other secret. */
export function checkedToken(text: string, source: string, url: string): string {
  const token = text.trim();
  if (hasTokenFormat(PERSONAL_TOKEN_PREFIX, token)) return token;
  const isCut = token.startsWith(PERSONAL_TOKEN_PREFIX);
  const problem = isCut ? 'is incomplete or mistyped' : 'is not a personal access token';
  const hint = `Personal access tokens start with ${PERSONAL_TOKEN_PREFIX}. ${newToken(url)}`;
  throw failed('unauthenticated', `${source} ${problem}. Nothing was sent.`, hint);
}

/** Returns what to do if the server rejects the token of a connection. */
export function expiredTokenHint({ name, url }: ProfileConnection): string {
  if (name === null) return `The token in HUB_TOKEN has expired or was revoked. ${newToken(url)}`;
  return `The login of the profile "${name}" has expired. Log in again: hubctl login ${url} --profile ${name}`;
}

/** Says how to create a token. */
function newToken(url: string): string {
  return `Create one in your account settings: ${url}/settings/tokens`;
}

function connectionOf(profiles: Profiles, name: string): ProfileConnection {
  return { kind: 'profile', name, ...findProfile(profiles, name) };
}

export function findProfile({ profiles }: Profiles, name: string): Profile {
  const profile = profiles.get(name);
  if (profile) return profile;
  const names = [...profiles.keys()].join(', ');
  throw failed(
    'not_found',
    `No profile named "${name}".`,
    names === '' ? `Log in first: hubctl login URL --profile ${name}` : `Your profiles: ${names}`,
  );
}

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

export const LOG_IN_ELSEWHERE = 'For a server on another machine, log in: hubctl login https://hub.example.com';

function socketFailure(error: unknown, path: string, isDefault: boolean): unknown {
  const { code, name } = error as { code?: unknown; name?: unknown };
  if (name === 'AbortError') return error;
  if (name === 'TimeoutError') return timedOut(`The server at ${path}`);
  if (code === 'EACCES' || code === 'EPERM') {
    const hint = `Only the user that runs the server can connect. Try:\n${asUser(path, ownerOf(path) ?? ownerOf(dirname(path)))}`;
    return failed('forbidden', `Permission denied for the admin socket ${path}.`, hint);
  }
  const elsewhere = isDefault ? `\n${LOG_IN_ELSEWHERE}` : '';
  const missing = [
    `No server found at ${path}.`,
    `Start the server, or specify its data directory: set HUB_DATA_DIR or add --data-dir DIR.${elsewhere}`,
  ];
  const texts: Readonly<Record<string, readonly string[]>> = {
    ENOENT: missing,
    ENOTDIR: missing,
    ECONNREFUSED: [`The server at ${path} is not running.`, 'Start the server, then try again.'],
    ENAMETOOLONG: [
      `The path ${path} is too long for a socket.`,
      'Set HUB_ADMIN_SOCKET to a short path, such as /run/hub/admin.sock, for the server and for hubctl.',
    ],
  };
  const lost = `Lost the connection to the server at ${path} (${typeof code === 'string' ? code : String(name ?? error)}).`;
  const [message = lost, hint = "Check the server's log."] = texts[String(code)] ?? [];
  return unreachableError(message, hint);
}

/**
 * Rejects a socket that belongs to another user, since an attacker who replaced the server's socket would get passwords
 * and keys. Accepts a missing path, which fails later when hubctl connects.
 */
export function requireOwnSocket(path: string): void {
  const uid = ownerOf(path);
  if (uid === undefined || uid === 0 || uid === process.getuid?.()) return;
  throw failed(
    'forbidden',
    `The admin socket ${path} belongs to another user (id ${uid}).`,
    `Only servers that run as you or as root can be trusted. If that user runs your server:\n${asUser(path, uid)}`,
  );
}

/** Returns the command to run hubctl as this user, else as root. Includes the path, since sudo drops HUB_DATA_DIR. */
function asUser(path: string, uid: number | undefined): string {
  const way =
    basename(path) === 'admin.sock' ? `hubctl --data-dir ${dirname(path)}` : `env HUB_ADMIN_SOCKET=${path} hubctl`;
  return `  sudo ${uid ? `-u '#${uid}' ` : ''}${way} …`;
}

function ownerOf(path: string): number | undefined {
  try {
    return statSync(path).uid;
  } catch {
    return undefined;
  }
}
