import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartError } from '../platform/errors.ts';
import { openFolderWarning, prepareDataDir } from './data-dir.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hub-data-dir-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a function without root privileges. */
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

test('a missing directory is created with its parents, for its user only', () => {
  const path = join(folder, 'a/b');
  prepareDataDir(path, 1000);
  expect(modeOf(path)).toBe(0o700);
});

test('an existing directory is not changed', () => {
  chmodSync(folder, 0o750);
  writeFileSync(join(folder, 'file'), 'x');
  prepareDataDir(folder, 1000);
  expect(modeOf(folder)).toBe(0o750);
});

describe('a data directory that cannot be used fails with its path and what to do:', () => {
  test.each([
    ['enter', 0o600],
    ['write to', 0o500],
  ])('a missing folder whose parent the user cannot %s', (_, mode) => {
    const locked = join(folder, 'locked');
    mkdirSync(locked);
    chmodSync(locked, mode);
    chmodSync(folder, 0o755);
    unprivileged(() => {
      expect(() => prepareDataDir(join(locked, 'data'), 1000)).toThrow(StartError);
      expect(() => prepareDataDir(join(locked, 'data'), 1000)).toThrow(
        /locked\/data \(HUB_DATA_DIR\) cannot be created by user 1000.*set HUB_DATA_DIR to another directory/,
      );
    });
  });
  // Skipped for root: access(2) checks the real user, and root may do everything.
  test.skipIf(process.getuid?.() === 0)('a directory that the user cannot write to', () => {
    chmodSync(folder, 0o500);
    const owner = process.getuid?.();
    expect(() => prepareDataDir(folder, 1000)).toThrow(
      new RegExp(`belongs to user ${owner} and cannot be written by user 1000.*chown -R 1000 `),
    );
    chmodSync(folder, 0o700);
  });
  test('a file at its path', () => {
    const path = join(folder, 'file');
    writeFileSync(path, '');
    expect(() => prepareDataDir(path, 1000)).toThrow(/is a file.*set HUB_DATA_DIR to a directory/);
    expect(() => prepareDataDir(join(path, 'data'), 1000)).toThrow(/is inside one/);
  });
});

test('a directory that others can write to causes a warning that says what to do', () => {
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
