import { chmodSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Profile, Profiles } from '../runtime/profile-file.ts';
import { readProfiles, writeProfiles } from '../runtime/profile-file.ts';
import { type RunOptions, runHubctl } from './run-hubctl.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Creates a temporary home folder, and a hubctl that saves its profiles there. */
export function temporaryHome() {
  const folder = temporaryFolder();
  const env = { HOME: folder.path };
  const file = join(folder.path, '.config/hubctl/profiles.json');
  return {
    env,
    profileFile: file,
    hubctl: (argv: string[], options: RunOptions = {}) =>
      runHubctl(argv, { ...options, env: { ...env, ...options.env } }),
    profiles: (): Profiles => readProfiles(env),
    /** Saves a profile without a login. */
    give: (name: string, profile: Partial<Profile> & { url: string }) => {
      const known = readProfiles(env);
      const user = { id: 'per_1', name: 'Ada', email: 'ada@example.org' };
      known.profiles.set(name, { token: 'hub_pat_x', tokenId: null, person: user, ...profile });
      writeProfiles(env, { ...known, current: name });
    },
    modeOfFile: () => statSync(file).mode & 0o777,
    openToOthers: () => chmodSync(file, 0o644),
    [Symbol.dispose]: folder[Symbol.dispose],
  };
}
