import { expect, test } from 'bun:test';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { failureOf } from '@hub/testkit/concurrency';
import { perTest } from '@hub/testkit/in-process/shared';
import { TestClock } from '@hub/testkit/in-process/test-clock';
import { newKey, newPost } from '../../../../test/store/records.ts';
import { openSqliteUnderTest } from '../../../../test/store/under-test.ts';
import { insertHub, insertKey, insertPost } from '../../../../test/store/writes.ts';
import { sqliteBackups } from './backups.ts';

const subject = perTest(async () => openSqliteUnderTest());

const unavailable = (message: RegExp) => ({ code: 'unavailable', message: expect.stringMatching(message) });

test('a backup is rejected if the disk lacks space for the copy and for posts, without blocking later ones', async () => {
  let free = 1_000_000;
  const backups = sqliteBackups({ ...subject, clock: new TestClock(), freeBytes: () => free });
  const error = unavailable(/temporarily needs 6\d MiB .* 1 MiB are free\. Free disk space for the data directory/);
  for (const id of ['bak_1', 'bak_2']) expect(await failureOf(backups.take(id))).toMatchObject(error);
  expect(backups.history()).toMatchObject({ confirmed: 0, broken: 2 });
  free = 2 ** 30;
  await (await backups.take('bak_3')).close('broken');
});

test('a damaged database cannot be backed up, and the error says so', async () => {
  const { store, file, database } = subject;
  await insertHub(store);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  writeFileSync(file, readFileSync(file).fill(0xa5, 4096));
  const error = unavailable(/The database is damaged \(.*malformed\).*Keep your last good backup and restore it/);
  expect(await failureOf(store.backups.take('bak_1'))).toMatchObject(error);
  expect(store.backups.history()).toMatchObject({ confirmed: 0, broken: 1 });
});

test('only the leftovers of a killed process are removed at the next start', async () => {
  const { dataDir } = subject;
  const left = ['backup.unfinished', 'backup.unfinished-journal', 'last-backup.json.unfinished', '.hub.db.box-17.part'];
  for (const name of left) writeFileSync(join(dataDir, name), 'half');
  writeFileSync(join(dataDir, 'mine.unfinished'), 'kept');
  await using _ = await subject.reopen();
  const names = readdirSync(dataDir);
  expect(names).toEqual(expect.arrayContaining(['hub.db', 'mine.unfinished']));
  expect(names.filter((name) => left.includes(name))).toEqual([]);
});

test('a copy can be read after it was unlinked, and contains no later writes', async () => {
  const { store, dataDir } = subject;
  const key = await insertKey(store, newKey((await insertHub(store)).id));
  for (let n = 0; n < 50; n += 1) await insertPost(store, newPost(key, { body: `before ${n}` }));
  const copy = await store.backups.take('bak_1');
  await insertPost(store, newPost(key, { body: 'after it' }));
  expect(readdirSync(dataDir).filter((name) => name.includes('unfinished'))).toEqual([]);
  const bytes = Buffer.concat(await Array.fromAsync(copy.pieces()));
  await copy.close('whole');
  expect(bytes.length).toBe(copy.bytes);
  expect(new Bun.CryptoHasher('sha256').update(bytes).digest('hex')).toBe(copy.sha256);
  expect([bytes.includes('before 49'), bytes.includes('after it')]).toEqual([true, false]);
});
