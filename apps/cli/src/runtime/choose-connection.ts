import { adminSocketPath } from './connection.ts';
import type { Deps } from './deps.ts';
import { CliError, usageError } from './errors.ts';
import { EXIT } from './exit-codes.ts';
import { type Profile, type Profiles, readProfiles } from './profile-file.ts';

/** The server on this machine, over its admin socket: as the local admin. */
export interface SocketConnection {
  kind: 'socket';
  socketPath: string;
  /** Whether nobody said so, and it is merely what is left. */
  isDefault: boolean;
}

/** A server elsewhere, as the person who has logged in to it. */
export interface ProfileConnection extends Profile {
  kind: 'profile';
  /** The name of the profile. */
  name: string;
}

export type Connection = SocketConnection | ProfileConnection;

/** What the command line says about the server. */
export interface ServerFlags {
  profile?: string | undefined;
  local?: boolean | undefined;
  dataDir?: string | undefined;
}

/**
 * Which server a command speaks to: the one that the command line names, else the environment, else the profile that
 * somebody logged in to last or chose, else the one on this machine.
 */
export function chooseConnection(env: Deps['env'], flags: ServerFlags): Connection {
  requireOneServer(flags);
  const { profile, local, dataDir } = flags;
  const socketPath = adminSocketPath(env, dataDir);
  if (profile !== undefined) return profileNamed(env, profile);
  if (local || dataDir !== undefined) return { kind: 'socket', socketPath, isDefault: false };
  if (env.HUB_PROFILE) return profileNamed(env, env.HUB_PROFILE);
  if (env.HUB_DATA_DIR || env.HUB_ADMIN_SOCKET) return { kind: 'socket', socketPath, isDefault: false };
  const known = readProfiles(env);
  if (known.current !== null) return connectionOf(known, known.current);
  return { kind: 'socket', socketPath, isDefault: true };
}

/** @throws a usage error if the command line names two servers. */
export function requireOneServer({ profile, local, dataDir }: ServerFlags): void {
  if (profile === undefined || !(local || dataDir !== undefined)) return;
  throw usageError(
    '--profile names a server elsewhere, --local and --data-dir the one on this machine.',
    'Leave one of them out.',
  );
}

function profileNamed(env: Deps['env'], name: string): ProfileConnection {
  return connectionOf(readProfiles(env), name);
}

function connectionOf(known: Profiles, name: string): ProfileConnection {
  return { kind: 'profile', name, ...findProfile(known, name) };
}

export function findProfile({ profiles }: Profiles, name: string): Profile {
  const profile = profiles.get(name);
  if (profile) return profile;
  const names = [...profiles.keys()].join(', ');
  throw new CliError('not_found', EXIT.failed, `There is no profile "${name}".`, {
    hint: names === '' ? `Log in first: hubctl login URL --profile ${name}` : `There are: ${names}`,
  });
}
