import { expect, test } from 'bun:test';
import { copyFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { TestClock } from '@hub/testkit/in-process/test-clock';
import { testIds } from '@hub/testkit/storage/store-records';
import { testFolder } from '@hub/testkit/test-folder';
import { RUN_FILE } from './engine/inspect-database.ts';
import { DATABASE_FILE, openStore } from './open-store.ts';

/** Starts and stops the store once. Returns its epoch. */
async function epochOf(dataDir: string): Promise<string> {
  const store = openStore({ dataDir, clock: new TestClock(), newId: testIds });
  const { epoch } = await store.workspace.find();
  await store.close();
  return epoch;
}

function folder() {
  const path = testFolder('hub-run-');
  const database = join(path, DATABASE_FILE);
  return {
    path,
    saveCopy: () => copyFileSync(database, `${database}.copy`),
    restoreCopy: () => copyFileSync(`${database}.copy`, database),
    [Symbol.dispose]: () => rmSync(path, { recursive: true }),
  };
}

test("the epoch is kept across starts, and only the server's OS user can read the mark", async () => {
  using data = folder();
  const epoch = await epochOf(data.path);
  expect(await epochOf(data.path)).toBe(epoch);
  expect(await epochOf(data.path)).toBe(epoch);
  expect(statSync(join(data.path, RUN_FILE)).mode & 0o777).toBe(0o600);
});

test('restoring an older copy of the database starts a new epoch, once', async () => {
  using data = folder();
  const epoch = await epochOf(data.path);
  data.saveCopy();
  expect(await epochOf(data.path)).toBe(epoch);
  data.restoreCopy();
  const other = await epochOf(data.path);
  expect(other).not.toBe(epoch);
  expect(await epochOf(data.path)).toBe(other);
});

test('a database without its mark starts a new epoch', async () => {
  using data = folder();
  const epoch = await epochOf(data.path);
  rmSync(join(data.path, RUN_FILE));
  expect(await epochOf(data.path)).not.toBe(epoch);
});
