import { expect, test } from 'bun:test';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { onlyOnSqlite, post, startTestHub } from '@hub/testkit/in-process/test-hub';
import { failPosts } from '@hub/testkit/storage/store-writes';
import { hashToken } from '../src/access/credentials.ts';
import { openDatabase } from '../src/storage/sqlite/engine/database.ts';
import { takeSnapshot } from '../src/storage/sqlite/engine/migrate.ts';

/** Returns every file in a folder and its subfolders, with its bytes. */
function allFiles(folder: string): { name: string; bytes: Buffer }[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(folder, name)).isFile())
    .map((name) => ({ name, bytes: readFileSync(join(folder, name)) }));
}

onlyOnSqlite('it reads the files of the database').test(
  'only the SHA-256 of a key is on disk: the database, its log, snapshots and backups hold no part of the key',
  async () => {
    await using hub = await startTestHub();
    const { id: hubId } = await hub.admin.createHub();
    const issued = await hub.admin.issueKey({ hubId });
    const rotated = await hub.admin.rotateKey(issued.id);
    const replaced = await hub.admin.replaceKey(rotated.id);
    const keys = [issued, rotated, replaced].map(({ key }) => key);
    for (const key of keys) await post(hub, 'messages', key, { text: 'hello' });
    for (let n = 0; n < 61; n += 1) await post(hub, 'messages', replaced.key, { text: 'hello' });
    await hub.admin.revokeKey(replaced.id);

    const db = openDatabase(join(hub.dataDir, 'hub.db'));
    takeSnapshot(db, { dataDir: hub.dataDir, now: 0 });
    db.$client.close(false);
    await Bun.write(join(hub.dataDir, 'backup.db'), await (await hub.admin.raw('POST', '/backups')).bytes());
    const whileServing = allFiles(hub.dataDir);
    expect(whileServing.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['hub.db', 'hub.db-wal', 'backup.db', expect.stringMatching(/^snapshots\/hub-.*\.db$/)]),
    );
    await hub.stop();

    for (const { name, bytes } of [...whileServing, ...allFiles(hub.dataDir)]) {
      for (const key of keys) {
        // The whole key, its random part, and every eight consecutive characters of it.
        const parts = [key, key.slice(9, 43), ...Array.from({ length: 27 }, (_, at) => key.slice(9 + at, 17 + at))];
        expect(parts.filter((part) => bytes.includes(part)).map(() => name)).toEqual([]);
      }
    }
    const database = readFileSync(join(hub.dataDir, 'hub.db'));
    for (const key of keys) expect(database.includes(hashToken(key))).toBe(true);
  },
);

test('no key appears in the log, in errors or in the audit log', async () => {
  await using hub = await startTestHub();
  const { id: hubId } = await hub.admin.createHub();
  const { key, id } = await hub.admin.issueKey({ hubId });
  const responses: string[] = [];
  const send = async (path: string, init: RequestInit) => {
    const response = await hub.fetch(path, init);
    responses.push(await response.text(), JSON.stringify([...response.headers]));
  };
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  await send('/api/public/v1/messages', { method: 'POST', headers, body: '{"text":7}' });
  await send(`/api/public/v1/messages?key=${key}`, { method: 'POST', body: '{}' });
  await send(`/api/public/v1/messages?access_token=${key}`, { method: 'POST', headers, body: '{}' });
  await send('/api/v1/keys', { headers });
  failPosts(hub.deps.store, () => new Error('a bug'));
  await send('/api/public/v1/messages', { method: 'POST', headers, body: '{"text":"x"}' });
  await hub.admin.revokeKey(id);
  await send('/api/public/v1/messages', { method: 'POST', headers, body: '{"text":"x"}' });

  responses.push(JSON.stringify((await hub.admin.audit()).items), Bun.inspect(hub.logged));
  expect(hub.logged.length).toBeGreaterThan(0);
  for (const result of responses) expect(result).not.toContain(key.slice(9, 43));
});
