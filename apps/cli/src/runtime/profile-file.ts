import { chownSync, mkdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import type { Deps } from './deps.ts';
import { failed } from './errors.ts';
import { writeNewFile } from './files.ts';

/** A saved login to a server. */
export interface Profile {
  url: string;
  /** A personal access token. */
  token: string;
  /** The ID of the token, for revoking it; `null` if hubctl did not create it. */
  tokenId: string | null;
  user: { id: string; name: string; email: string };
}

export interface Profiles {
  /** The profile that commands use by default. */
  current: string | null;
  profiles: Map<string, Profile>;
}

/** Returns the path of the profiles (XDG Base Directory Specification); `null` without a home directory. */
export function profileFilePath(env: Deps['env']): string | null {
  const { XDG_CONFIG_HOME: configured } = env;
  const home = env.HOME || env.USERPROFILE;
  // The specification says to ignore a relative path.
  const base = configured && isAbsolute(configured) ? configured : home ? join(home, '.config') : null;
  return base === null ? null : join(base, 'hubctl', 'profiles.json');
}

/** Reads the profiles; none if there is no file. Rejects a file that others can read, since it holds secrets. */
export function readProfiles(env: Deps['env']): Profiles {
  const path = profileFilePath(env);
  const status = path === null ? undefined : statSync(path, { throwIfNoEntry: false });
  if (path === null || status === undefined) return { current: null, profiles: new Map() };
  if (process.platform !== 'win32' && (status.mode & 0o077) !== 0) {
    throw failed(
      'failed',
      `Other users can read ${path} (mode ${(status.mode & 0o777).toString(8)}), which holds your tokens.`,
      `Restrict it: chmod 600 ${path}\nIf someone may have read it, log in again and revoke the old tokens.`,
    );
  }
  return parse(readFileSync(path, 'utf8'), path);
}

/** Writes the profiles. Follows a symbolic link, so that settings kept elsewhere stay there. */
export async function writeProfiles(env: Deps['env'], { current, profiles }: Profiles): Promise<void> {
  const path = profileFilePath(env);
  if (path === null) throw failed('failed', 'No directory for the profiles.', 'Set HOME or XDG_CONFIG_HOME.');
  const text = `${JSON.stringify({ current, profiles: Object.fromEntries(profiles) }, null, 2)}\n`;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const former = statSync(path, { throwIfNoEntry: false });
  await writeNewFile(former ? realpathSync(path) : path, [Buffer.from(text)], true, (temporary) => {
    // With sudo, the file must keep its owner.
    if (former && process.getuid?.() === 0) chownSync(temporary, former.uid, former.gid);
  });
}

function parse(text: string, path: string): Profiles {
  try {
    const { current, profiles } = JSON.parse(text) as { current: unknown; profiles: Record<string, unknown> };
    const profilesByName = new Map(Object.entries(profiles).map(([name, profile]) => [name, checked(profile)]));
    return {
      current: typeof current === 'string' && profilesByName.has(current) ? current : null,
      profiles: profilesByName,
    };
  } catch {
    throw failed(
      'failed',
      `${path} is damaged or was not written by hubctl.`,
      'Remove the file, then log in again: hubctl login URL',
    );
  }
}

function checked(value: unknown): Profile {
  const { url, token, tokenId, user } = value as Profile;
  if (![url, token, user.id, user.name, user.email].every((part) => typeof part === 'string')) {
    throw new TypeError('A profile is incomplete');
  }
  return { url, token, tokenId: typeof tokenId === 'string' ? tokenId : null, user };
}
