import { describe, expect, test } from 'bun:test';
import { chmodSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@hub/testkit/test-folder';
import { errorOf, runHubctl } from '../../test/run-hubctl.ts';
import { type Profile, profileFilePath, readProfiles, writeProfiles } from './profile-file.ts';

const WORK: Profile = {
  url: 'https://hub.example.com',
  token: 'secret',
  tokenId: 'pat_1',
  user: { id: 'per_1', name: 'Ada', email: 'ada@example.com' },
};
const ONLY_WORK = { current: 'work', profiles: new Map([['work', WORK]]) };

describe('the profile file', () => {
  test('is in XDG_CONFIG_HOME if that is an absolute path, else in ~/.config', () => {
    expect(profileFilePath({ XDG_CONFIG_HOME: '/c', HOME: '/h' })).toBe('/c/hubctl/profiles.json');
    for (const configured of [undefined, '', 'c']) {
      expect(profileFilePath({ XDG_CONFIG_HOME: configured, HOME: '/h' })).toBe('/h/.config/hubctl/profiles.json');
    }
    expect(profileFilePath({})).toBeNull();
  });

  test('and its folder are private, no temporary file stays, and it is read back; a missing one is empty', async () => {
    using home = temporaryFolder();
    const env = { XDG_CONFIG_HOME: home.path };
    for (const none of [env, {}]) expect(readProfiles(none)).toEqual({ current: null, profiles: new Map() });
    await writeProfiles(env, ONLY_WORK);
    await writeProfiles(env, ONLY_WORK);
    expect(readProfiles(env)).toEqual(ONLY_WORK);
    const folder = home.file('hubctl');
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, 'profiles.json')).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['profiles.json']);
  });

  test('stays as it was if the new one does not fit on the disk', async () => {
    using home = temporaryFolder();
    const owner = { HOME: home.path };
    await writeProfiles(owner, ONLY_WORK);
    const script = `
      const { writeProfiles } = await import(${JSON.stringify(join(import.meta.dir, 'profile-file.ts'))});
      const profile = { ...${JSON.stringify(WORK)}, token: 'x'.repeat(2000) };
      await writeProfiles({ HOME: ${JSON.stringify(home.path)} }, { current: null, profiles: new Map([['work', profile]]) });`;
    // The limit for files is 1 KiB. A write across it writes less than everything, as at the end of a full disk.
    const limit = `trap '' XFSZ; ulimit -f 1; exec "$0" -e "$1"`;
    const env = { BUN_RUNTIME_TRANSPILER_CACHE_PATH: '0' };
    const limited = Bun.spawnSync(['bash', '-c', limit, process.execPath, script], { env });
    expect(String(limited.stderr)).toContain('the file would be too large');
    expect(readProfiles(owner)).toEqual(ONLY_WORK);
  });

  test('is rejected if others can read it, except with --local, and the error includes the command to fix it', async () => {
    using home = temporaryFolder();
    const env = { HOME: home.path };
    await writeProfiles(env, ONLY_WORK);
    const path = home.file('.config/hubctl/profiles.json');
    for (const mode of [0o640, 0o604, 0o620]) {
      chmodSync(path, mode);
      const ran = await runHubctl(['status', '--json'], { env });
      expect(errorOf(ran)).toMatchObject({ exitCode: 1, hint: expect.stringContaining(`chmod 600 ${path}`) });
      expect(ran.stdout).not.toContain('secret');
    }
    expect((await runHubctl(['status', '--local', '--json'], { env })).code).toBe(3);
  });

  test('is reported as damaged if its content is invalid', async () => {
    using home = temporaryFolder();
    const env = { HOME: home.path };
    const path = home.file('.config/hubctl/profiles.json');
    const profiles = ['{"work": {"url": "https://h"}}', '{"work": null}'].map((each) => `{"profiles": ${each}}`);
    for (const text of ['{', '{}', '[]', ...profiles]) {
      await Bun.write(path, text);
      chmodSync(path, 0o600);
      const ran = await runHubctl(['status', '--json'], { env });
      const message = `${path} is damaged or was not written by hubctl.`;
      expect(errorOf(ran)).toMatchObject({ exitCode: 1, message });
    }
  });
});
