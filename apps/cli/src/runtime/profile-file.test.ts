import { describe, expect, test } from 'bun:test';
import { chmodSync, lstatSync, mkdirSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { errorOf, runHubctl } from '../testing/run-hubctl.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { type Profile, profileFilePath, readProfiles, writeProfiles } from './profile-file.ts';

const WORK: Profile = {
  url: 'https://hub.example.com',
  token: 'secret',
  tokenId: 'pat_1',
  person: { id: 'per_1', name: 'Ada', email: 'ada@example.com' },
};
const WORK_ALONE = { current: 'work', profiles: new Map([['work', WORK]]) };

describe('the file of the profiles', () => {
  test('is in XDG_CONFIG_HOME if that is an absolute path, else in ~/.config', () => {
    expect(profileFilePath({ XDG_CONFIG_HOME: '/c', HOME: '/h' })).toBe('/c/hubctl/profiles.json');
    for (const configured of [undefined, '', 'c']) {
      expect(profileFilePath({ XDG_CONFIG_HOME: configured, HOME: '/h' })).toBe('/h/.config/hubctl/profiles.json');
    }
    expect(profileFilePath({})).toBeNull();
  });

  test('gives back what was written, and nothing if there is none', () => {
    using home = temporaryFolder();
    const env = { HOME: home.path };
    expect(readProfiles(env)).toEqual({ current: null, profiles: new Map() });
    expect(readProfiles({})).toEqual({ current: null, profiles: new Map() });
    writeProfiles(env, WORK_ALONE);
    expect(readProfiles(env)).toEqual(WORK_ALONE);
  });

  test('is readable by its owner alone, in a folder of which the same is true, and nothing is left beside it', () => {
    using home = temporaryFolder();
    const env = { XDG_CONFIG_HOME: home.path };
    writeProfiles(env, WORK_ALONE);
    writeProfiles(env, WORK_ALONE);
    const folder = home.file('hubctl');
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, 'profiles.json')).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['profiles.json']);
  });

  test('may be a link to a file elsewhere, which is then the one that is written', () => {
    using home = temporaryFolder();
    writeProfiles({ HOME: home.path }, WORK_ALONE);
    mkdirSync(home.file('linked/hubctl'), { recursive: true });
    const link = home.file('linked/hubctl/profiles.json');
    symlinkSync(home.file('.config/hubctl/profiles.json'), link);
    writeProfiles({ XDG_CONFIG_HOME: home.file('linked') }, { ...WORK_ALONE, current: null });
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readProfiles({ HOME: home.path }).current).toBeNull();
  });

  test('that others can read is refused, with the way to mend it; --local does without it', async () => {
    using home = temporaryFolder();
    const env = { HOME: home.path };
    writeProfiles(env, WORK_ALONE);
    const path = home.file('.config/hubctl/profiles.json');
    for (const mode of [0o640, 0o604, 0o620]) {
      chmodSync(path, mode);
      const ran = await runHubctl(['status', '--json'], { env });
      expect(ran.code).toBe(1);
      expect(errorOf(ran)).toMatchObject({ hint: expect.stringContaining(`chmod 600 ${path}`) });
      expect(ran.stdout).not.toContain('secret');
    }
    expect((await runHubctl(['status', '--local', '--json'], { env })).code).toBe(3);
  });

  test('with something else in it is told as such', async () => {
    using home = temporaryFolder();
    const env = { HOME: home.path };
    const path = home.file('.config/hubctl/profiles.json');
    for (const text of [
      '{',
      '{}',
      '[]',
      '{"profiles": {"work": {"url": "https://h"}}}',
      '{"profiles": {"work": null}}',
    ]) {
      await Bun.write(path, text);
      chmodSync(path, 0o600);
      const ran = await runHubctl(['status', '--json'], { env });
      expect(ran.code).toBe(1);
      expect(errorOf(ran).message).toBe(`${path} does not hold what hubctl has written there.`);
    }
  });

  test('that cannot be written is told with the reason', () => {
    using home = temporaryFolder();
    mkdirSync(home.file('.config/hubctl/profiles.json'), { recursive: true });
    expect(() => writeProfiles({ HOME: home.path }, WORK_ALONE)).toThrow(
      'profiles.json cannot be written: it is a folder.',
    );
    expect(readdirSync(home.file('.config/hubctl'))).toEqual(['profiles.json']);
  });
});
