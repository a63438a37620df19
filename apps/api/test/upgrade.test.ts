import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildToken, DATABASE, KEY_PREFIX, PERSONAL_TOKEN_PREFIX } from '@hub/contract';
import { clientAt } from '@hub/testkit/admin';
import { until } from '@hub/testkit/concurrency';
import { createDatabase } from '@hub/testkit/in-process/test-databases';
import { onlyOnPostgres } from '@hub/testkit/in-process/test-storage';
import { signIn } from '@hub/testkit/in-process/users';
import { type ServerProcess, spawnServer } from '@hub/testkit/server-process';
import { testFolder } from '@hub/testkit/test-folder';
import { SQL } from 'bun';

/*
 * `upgrade/1.0.0.*.sql` has the rows of a workspace as 1.0.0 wrote them, and in its first line what the server served of
 * them. Their tables are those of the first migration, which never changes.
 */

/** Stand in the fixtures for the secrets that were issued. The servers of this test are the only ones that know them. */
const KEY = buildToken(KEY_PREFIX, 'b3'.repeat(17));
const TOKEN = buildToken(PERSONAL_TOKEN_PREFIX, 'b3'.repeat(17));
const ADA = { id: '', name: 'Ada Lovelace', email: 'ada@example.org', password: 'the password of Ada' };

/** A database of one kind, with what 1.0.0 wrote into it. */
interface Subject {
  fixture: string;
  migrations: string;
  env: Record<string, string>;
  before: string;
  run: (dataDir: string, sql: string) => Promise<unknown>;
}

const storage = join(import.meta.dir, '../src/storage');
const SQLITE: Subject = {
  fixture: join(import.meta.dir, 'upgrade/1.0.0.sqlite.sql'),
  migrations: join(storage, 'sqlite/migrations'),
  env: {},
  before: `PRAGMA application_id = ${DATABASE.applicationId};`,
  run: async (dataDir, sql) => {
    using database = new Database(join(dataDir, 'hub.db'));
    database.exec(sql);
  },
};
const postgres = (url: string): Subject => ({
  fixture: join(import.meta.dir, 'upgrade/1.0.0.postgres.sql'),
  migrations: join(storage, 'postgres/postgres-migrations'),
  env: { HUB_DATABASE_URL: url },
  before: 'SET session_replication_role = replica;',
  run: async (_, sql) => {
    await using database = new SQL(url, { max: 1 });
    await database.unsafe(sql);
  },
});

async function postWith(url: string, key: string, kind: string, body: object): Promise<number> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return (await fetch(`${url}/api/public/v1/${kind}`, { method: 'POST', headers, body: JSON.stringify(body) })).status;
}

/** Returns what the server serves of everything, without nulls and what every start or request changes. */
async function contentsOf({ admin }: ServerProcess, url: string, token: string): Promise<unknown> {
  const { request, raw } = clientAt(url, { headers: { authorization: `Bearer ${token}` } });
  const hubs = await request('GET /hubs');
  const hubId = hubs.items[0]?.id ?? '';
  const actions = (await admin.audit('?limit=100')).items.map(({ action, targetId }) => `${action} ${targetId}`);
  const audit = actions.filter((action) => !/^(hub.exported|workspace.restored) /.test(action));
  const exported = await request('GET /hubs/{hubId}/export', { hubId });
  const [file] = exported.messages.flatMap(({ files = [] }) => files);
  const [users, keys] = [await admin.request('GET /users'), await admin.listKeys()];
  const text = await (await raw('GET', `/files/${file?.id}`)).text();
  const isLeftOut = (name: string, value: unknown) =>
    value === null || /^(lastSeenAt|lastUsedAt|exportedAt|epoch)$/.test(name);
  const contents = { hubs, exported, text, users, keys, audit };
  return JSON.parse(JSON.stringify(contents, (name, value) => (isLeftOut(name, value) ? undefined : value)));
}

async function expectUpgrade(newSubject: () => Subject | Promise<Subject>): Promise<void> {
  const { fixture, migrations, env, before, run } = await newSubject();
  const rows = readFileSync(fixture, 'utf8');
  const { contents, files } = JSON.parse(rows.slice(3, rows.indexOf('\n')));
  const dataDir = testFolder('hub-upgrade-');
  for (const [path, text] of Object.entries<string>(files)) {
    mkdirSync(dirname(join(dataDir, path)), { recursive: true });
    writeFileSync(join(dataDir, path), text);
  }
  await run(dataDir, `${before}\n${readFileSync(join(migrations, '0000_initial.sql'), 'utf8')};\n${rows}`);
  await using hub = spawnServer({ dataDir, env });
  const { url } = await hub.serving();
  expect(await contentsOf(hub, url, TOKEN)).toMatchObject(contents);
  const { request } = await signIn({ admin: hub.admin, url }, ADA);
  expect(await postWith(url, KEY, 'messages', { text: 'It goes on' })).toBe(201);
  const found = async (q: string) => (await request('GET /search', { query: { q } })).items.length;
  expect(await until(60_000, async () => (await found('goes')) + (await found('faster')) === 2)).toBe(true);
  rmSync(dataDir, { recursive: true });
}

test('a data folder of 1.0.0 opens with all that 1.0.0 served of it', () => expectUpgrade(() => SQLITE));

onlyOnPostgres.test('a database of 1.0.0 in PostgreSQL opens with all that 1.0.0 served of it', () =>
  expectUpgrade(async () => postgres(await createDatabase({ template: 'template0' }))),
);
