import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryFolder } from '@hub/testkit/test-folder';
import { type Profile, type Profiles, readProfiles } from '../src/runtime/profile-file.ts';
import { type RunOptions, runHubctl } from './run-hubctl.ts';

/** Creates a temporary home folder, and a hubctl that saves its profiles there. */
export function temporaryHome() {
  const folder = temporaryFolder();
  const env = { HOME: folder.path };
  const file = join(folder.path, '.config/hubctl/profiles.json');
  return {
    env,
    hubctl: (argv: string[], options: RunOptions = {}) =>
      runHubctl(argv, { ...options, env: { ...env, ...options.env } }),
    profiles: (): Profiles => readProfiles(env),
    /** Saves a profile without a login. */
    give: (name: string, profile: Partial<Profile> & { url: string }) => {
      const saved = readProfiles(env);
      const user = { id: 'per_1', name: 'Ada', email: 'ada@example.org' };
      saved.profiles.set(name, { token: 'hub_pat_x', tokenId: null, user, ...profile });
      mkdirSync(dirname(file), { recursive: true });
      const profiles = Object.fromEntries(saved.profiles);
      writeFileSync(file, JSON.stringify({ current: name, profiles }), { mode: 0o600 });
    },
    [Symbol.dispose]: folder[Symbol.dispose],
  };
}
