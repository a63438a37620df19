import { expect } from 'bun:test';
import { UnusableDatabase } from '../storage/sqlite/engine/unusable-database.ts';
import { openSqliteUnderTest } from './sqlite-under-test.ts';
import { hubRecord, newKey, newPost } from './store-records.ts';
import { insertHub, insertKey, insertPost } from './store-writes.ts';

/** Creates a database with real content and closes it. Returns the id of its Hub. */
export async function fillDatabase(dataDir: string): Promise<string> {
  const subject = openSqliteUnderTest(dataDir);
  const hub = hubRecord();
  await insertHub(subject.store, hub);
  const key = await insertKey(subject.store, newKey(hub.id));
  for (let n = 0; n < 50; n += 1) await insertPost(subject.store, newPost(key, { body: 'x'.repeat(1_000) }));
  subject.database.close(false);
  await subject.store.close();
  return hub.id;
}

/** Returns the error message from opening the database in this folder. Throws if it opens. */
export function openingError(dataDir: string): string {
  try {
    openSqliteUnderTest(dataDir);
  } catch (error) {
    expect(error).toBeInstanceOf(UnusableDatabase);
    return (error as Error).message;
  }
  throw new Error('The database was opened');
}
