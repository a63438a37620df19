import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { resolve } from 'node:path';
import { temporaryFolder } from '../testing/files.ts';
import { chooseConnection, type ServerFlags } from './connection.ts';
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

/** Returns the URL of the chosen profile or the path of the chosen socket. */
function chosen(flags: ServerFlags, env: Record<string, string> = {}): string {
  const connection = chooseConnection({ HOME: home.path, ...env }, flags);
  return connection.kind === 'profile' ? connection.url : connection.socketPath;
}

describe('a command', () => {
  test('uses --profile before any variable', () => {
    const env = { HUB_PROFILE: 'work', HUB_DATA_DIR: '/d', HUB_ADMIN_SOCKET: '/s' };
    expect(chosen({ profile: 'play' }, env)).toBe('https://play.example');
  });

  test('uses the local server with --local or --data-dir before any variable', () => {
    expect(chosen({ local: true }, { HUB_PROFILE: 'play' })).toBe(resolve('data/admin.sock'));
    expect(chosen({ local: true }, { HUB_PROFILE: 'play', HUB_ADMIN_SOCKET: '/s' })).toBe('/s');
    expect(chosen({ dataDir: '/d' }, { HUB_PROFILE: 'play', HUB_ADMIN_SOCKET: '/s' })).toBe('/d/admin.sock');
  });

  test('uses HUB_PROFILE, else HUB_ADMIN_SOCKET or HUB_DATA_DIR, if no option selects a server', () => {
    expect(chosen({}, { HUB_PROFILE: 'play', HUB_DATA_DIR: '/d' })).toBe('https://play.example');
    expect(chosen({}, { HUB_DATA_DIR: '/d' })).toBe('/d/admin.sock');
    expect(chosen({}, { HUB_ADMIN_SOCKET: '/s' })).toBe('/s');
  });

  test('uses the current profile, else the local server, if no option or variable selects a server', () => {
    expect(chosen({})).toBe('https://work.example');
    expect(chosen({}, { HUB_PROFILE: '', HUB_DATA_DIR: '', HUB_ADMIN_SOCKET: '' })).toBe('https://work.example');
    expect(chosen({}, { HOME: '/nonexistent' })).toBe(resolve('data/admin.sock'));
  });

  test('fails for an unknown profile', () => {
    expect(() => chosen({ profile: 'wrok' })).toThrow('No profile named "wrok".');
    expect(() => chosen({ profile: 'constructor' })).toThrow('No profile named');
    expect(() => chosen({}, { HUB_PROFILE: 'wrok' })).toThrow('No profile named');
  });

  test('rejects --profile with --local or --data-dir', () => {
    expect(() => chosen({ profile: 'work', local: true })).toThrow('--local');
    expect(() => chosen({ profile: 'work', dataDir: '/d' })).toThrow('--data-dir');
  });
});
