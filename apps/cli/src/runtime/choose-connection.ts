import { adminSocketPath } from './connection.ts';
import type { Deps } from './deps.ts';
import { CliError, usageError } from './errors.ts';
import { EXIT } from './exit-codes.ts';
import { type Profile, type Profiles, readProfiles } from './profile-file.ts';

/** A connection to the server on this machine over its admin socket, as the local admin. */
export interface SocketConnection {
  kind: 'socket';
  socketPath: string;
  /** Whether this server is used only because none was selected. */
  isDefault: boolean;
}

/** A connection to another server, as the logged-in user. */
interface ProfileConnection extends Profile {
  kind: 'profile';
  /** The name of the profile. */
  name: string;
}

export type Connection = SocketConnection | ProfileConnection;

/** The options that select the server. */
export interface ServerFlags {
  profile?: string | undefined;
  local?: boolean | undefined;
  dataDir?: string | undefined;
}

/**
 * Chooses the server for a command: from the command line, else the environment, else the current profile, else the
 * server on this machine.
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

/** @throws a usage error if the command line selects two servers. */
export function requireOneServer({ profile, local, dataDir }: ServerFlags): void {
  if (profile === undefined || !(local || dataDir !== undefined)) return;
  throw usageError('--profile cannot be combined with --local or --data-dir.', 'Remove one of them.');
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
  throw new CliError('not_found', EXIT.failed, `No profile named "${name}".`, {
    hint: names === '' ? `Log in first: hubctl login URL --profile ${name}` : `Your profiles: ${names}`,
  });
}
