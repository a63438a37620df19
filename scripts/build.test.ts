import { describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { temporaryFolder } from '@hub/testkit/test-folder';
import { version } from '../apps/api/package.json';
import { buildVersion, packageVersion } from './build-version.ts';
import { executableFormat } from './executable-format.ts';

test('the version of a build names the commit, unless the commit has the tag of the version', () => {
  using folder = temporaryFolder();
  const git = (...argv: string[]) =>
    Bun.spawnSync(['git', '-C', folder.path, '-c', 'user.name=a', '-c', 'user.email=a@example.org', ...argv]);
  expect(buildVersion(folder.path)).toBe(version);
  git('init');
  writeFileSync(folder.file('file'), 'one');
  git('add', '.');
  git('commit', '-m', 'One');
  expect(buildVersion(folder.path)).toMatch(new RegExp(`^${version}\\+[0-9a-f]{7,}$`));
  git('tag', `v${version}`);
  expect(buildVersion(folder.path)).toBe(version);
  writeFileSync(folder.file('file'), 'two');
  expect(buildVersion(folder.path)).toMatch(/\+[0-9a-f]{7,}\.dirty$/);
});

test('the version of a package is the tagged version, or a pre-release that names the commit', () => {
  const versions = ['1.0.0', '1.0.0+0123456', '1.0.0+b0c3f6c2.dirty'].map(packageVersion);
  expect(versions).toEqual(['1.0.0', '1.0.0-dev.g0123456', '1.0.0-dev.gb0c3f6c2.dirty']);
  expect(versions.map((version) => Bun.semver.satisfies(version, '>=1.0.0-a <=1.0.0'))).toEqual([true, true, true]);
});

describe('an executable', () => {
  /** A header with numbers at the places where each format has them. */
  const header = (start: string, numbers: Record<number, number>) => {
    const bytes = Buffer.alloc(256);
    bytes.write(start, 'latin1');
    for (const [at, value] of Object.entries(numbers)) bytes.writeUInt32LE(value, Number(at));
    return bytes;
  };

  test.each([
    ['linux-x64', header('\x7fELF', { 18: 0x3e })],
    ['linux-arm64', header('\x7fELF', { 18: 0xb7 })],
    ['darwin-x64', header('', { 0: 0xfeedfacf, 4: 0x01000007 })],
    ['darwin-arm64', header('', { 0: 0xfeedfacf, 4: 0x0100000c })],
    ['windows-x64', header('MZ', { 60: 128, 128: 0x4550, 132: 0x8664 })],
    ['unknown', header('#!/bin/sh', {})],
    ['unknown', Buffer.from('short')],
  ])('for %s is recognized', (format, bytes) => {
    expect(executableFormat(bytes)).toBe(format);
  });
});
