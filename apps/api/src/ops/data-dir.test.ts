import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openFolderWarning, prepareDataDir } from './data-dir.ts';
import { StartError } from './start-error.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hub-data-dir-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** As a user who may not do everything. */
function unprivileged(run: () => void): void {
  const isRoot = process.getuid?.() === 0;
  if (isRoot) process.seteuid?.(65_534);
  try {
    run();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}

const modeOf = (path: string): number => statSync(path).mode & 0o777;

test('a missing folder is made, with those above it, for its user alone', () => {
  const path = join(folder, 'a/b');
  prepareDataDir(path, 1000);
  expect(modeOf(path)).toBe(0o700);
});

test('a folder that is there stays as it is', () => {
  chmodSync(folder, 0o750);
  writeFileSync(join(folder, 'file'), 'x');
  prepareDataDir(folder, 1000);
  expect(modeOf(folder)).toBe(0o750);
});

describe('what cannot be used is told with its path and what to do', () => {
  test.each([
    ['out of sight', 0o600],
    ['in sight', 0o500],
  ])('a folder that the user may not make, %s', (_, mode) => {
    const locked = join(folder, 'locked');
    mkdirSync(locked);
    chmodSync(locked, mode);
    chmodSync(folder, 0o755);
    unprivileged(() => {
      expect(() => prepareDataDir(join(locked, 'data'), 1000)).toThrow(StartError);
      expect(() => prepareDataDir(join(locked, 'data'), 1000)).toThrow(
        /locked\/data \(HUB_DATA_DIR\) cannot be made by user 1000.*set HUB_DATA_DIR to another folder/,
      );
    });
  });
  // access(2) asks for the real user, and to root everything is allowed.
  test.skipIf(process.getuid?.() === 0)('a folder that the user may not write', () => {
    chmodSync(folder, 0o500);
    const owner = process.getuid?.();
    expect(() => prepareDataDir(folder, 1000)).toThrow(
      new RegExp(`belongs to user ${owner} and cannot be written by user 1000.*chown -R 1000 `),
    );
    chmodSync(folder, 0o700);
  });
  test('a file in its place', () => {
    const path = join(folder, 'file');
    writeFileSync(path, '');
    expect(() => prepareDataDir(path, 1000)).toThrow(/is a file.*set HUB_DATA_DIR to a folder/);
    expect(() => prepareDataDir(join(path, 'data'), 1000)).toThrow(/lies below one/);
  });
});

test('a folder into which others may write is warned about, with what to do', () => {
  for (const [mode, isWarned] of [
    [0o700, false],
    [0o755, false],
    [0o775, true],
    [0o777, true],
  ] as const) {
    chmodSync(folder, mode);
    expect(openFolderWarning(folder) !== null).toBe(isWarned);
  }
  expect(openFolderWarning(folder)).toContain(`chmod go-w ${folder}`);
});
