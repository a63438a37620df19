import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { resolve } from 'node:path';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { chooseConnection, type ServerFlags } from './choose-connection.ts';
import { type Profile, writeProfiles } from './profile-file.ts';

const profile = (url: string): Profile => ({
  url,
  token: 'secret',
  tokenId: null,
  person: { id: 'per_1', name: 'Ada', email: 'ada@example.com' },
});

let home: ReturnType<typeof temporaryFolder>;
beforeAll(() => {
  home = temporaryFolder();
  const profiles = new Map([
    ['work', profile('https://work.example')],
    ['play', profile('https://play.example')],
  ]);
  writeProfiles({ HOME: home.path }, { current: 'work', profiles });
});
afterAll(() => home[Symbol.dispose]());

/** The address of the profile or the path of the socket that is chosen. */
function chosen(flags: ServerFlags, env: Record<string, string> = {}): string {
  const connection = chooseConnection({ HOME: home.path, ...env }, flags);
  return connection.kind === 'profile' ? connection.url : connection.socketPath;
}

describe('a command speaks to', () => {
  test('the server of --profile, whatever the environment says', () => {
    const env = { HUB_PROFILE: 'work', HUB_DATA_DIR: '/d', HUB_ADMIN_SOCKET: '/s' };
    expect(chosen({ profile: 'play' }, env)).toBe('https://play.example');
  });

  test('the one on this machine with --local or --data-dir, whatever the environment says', () => {
    expect(chosen({ local: true }, { HUB_PROFILE: 'play' })).toBe(resolve('data/admin.sock'));
    expect(chosen({ local: true }, { HUB_PROFILE: 'play', HUB_ADMIN_SOCKET: '/s' })).toBe('/s');
    expect(chosen({ dataDir: '/d' }, { HUB_PROFILE: 'play', HUB_ADMIN_SOCKET: '/s' })).toBe('/d/admin.sock');
  });

  test('else the one of HUB_PROFILE, else of HUB_ADMIN_SOCKET or HUB_DATA_DIR', () => {
    expect(chosen({}, { HUB_PROFILE: 'play', HUB_DATA_DIR: '/d' })).toBe('https://play.example');
    expect(chosen({}, { HUB_DATA_DIR: '/d' })).toBe('/d/admin.sock');
    expect(chosen({}, { HUB_ADMIN_SOCKET: '/s' })).toBe('/s');
  });

  test('else the one of the current profile, else the one on this machine', () => {
    expect(chosen({})).toBe('https://work.example');
    expect(chosen({}, { HUB_PROFILE: '', HUB_DATA_DIR: '', HUB_ADMIN_SOCKET: '' })).toBe('https://work.example');
    expect(chosen({}, { HOME: '/nonexistent' })).toBe(resolve('data/admin.sock'));
  });

  test('no profile that does not exist; the message names those that do', () => {
    expect(() => chosen({ profile: 'wrok' })).toThrow('There is no profile "wrok".');
    expect(() => chosen({ profile: 'constructor' })).toThrow('There is no profile');
    expect(() => chosen({}, { HUB_PROFILE: 'wrok' })).toThrow('There is no profile');
  });

  test('one server alone: --profile beside --local or --data-dir is wrong usage', () => {
    expect(() => chosen({ profile: 'work', local: true })).toThrow('--local');
    expect(() => chosen({ profile: 'work', dataDir: '/d' })).toThrow('--data-dir');
  });
});
