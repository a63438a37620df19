import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Linux keeps the files of this folder in memory. */
const IN_MEMORY = '/dev/shm';
/** Containers often have 64 MiB there, which is too little for the servers of two test files at a time. */
const NEEDED_BYTES = 512 * 2 ** 20;

/**
 * Creates a folder for the data of a test that is not about durability: in memory where that is possible, since SQLite
 * flushes the log at each commit, and waiting for the disk takes most of the time of such a test.
 */
export function testFolder(prefix: string): string {
  const hasMemory = existsSync(IN_MEMORY);
  const { bavail, bsize } = statfsSync(hasMemory ? IN_MEMORY : tmpdir());
  return mkdtempSync(join(hasMemory && bavail * bsize >= NEEDED_BYTES ? IN_MEMORY : tmpdir(), prefix));
}

/** Creates a folder that is deleted after the test. */
export function temporaryFolder() {
  const path = testFolder('hub-files-');
  return {
    path,
    file: (name: string) => join(path, name),
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}
