import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildToken, DATABASE, KEY_PREFIX, PERSONAL_TOKEN_PREFIX } from '@hub/contract';
import { clientAt } from '@hub/testkit/admin';
import { until } from '@hub/testkit/concurrency';
import { addApp } from '@hub/testkit/in-process/factors';
import { createDatabase } from '@hub/testkit/in-process/postgres-under-test';
import { onlyOnPostgres } from '@hub/testkit/in-process/test-storage';
import { addMember, signIn, uploadFile, type Workspace } from '@hub/testkit/in-process/users';
import { type ServerProcess, spawnServer, stopServer } from '@hub/testkit/server-process';
import { testFolder } from '@hub/testkit/test-folder';
import { Glob, SQL } from 'bun';

/**
 * `upgrade/1.0.0.*.sql` has the rows of a workspace as 1.0.0 wrote them, and in its first line what the server served of
 * them. Their tables are those of the first migration, which never changes after its release. Until then,
 * `HUB_WRITE_FIXTURES=1 bun run test:postgres upgrade` writes both again.
 */
const isWriting = process.env.HUB_WRITE_FIXTURES === '1';

/** Stand in the fixtures for the secrets that were issued. The servers of this test are the only ones that know them. */
const KEY = buildToken(KEY_PREFIX, 'b3'.repeat(17));
const TOKEN = buildToken(PERSONAL_TOKEN_PREFIX, 'b3'.repeat(17));
const ADA = { id: '', name: 'Ada Lovelace', email: 'ada@example.org', password: 'the password of Ada' };

/** A database of one kind, with what 1.0.0 knew of it. */
interface Subject {
  fixture: string;
  migrations: string;
  /** Creates the table that counts migrations. */
  journal: string;
  env: Record<string, string>;
  /** The names of all tables and columns. */
  columns: string;
  /** An expression for the literal of a column. */
  literal: (column: string) => string;
  /** Numbers that tables count on from, as statements. */
  counters?: string;
  before: string;
  run: (dataDir: string, sql: string) => Promise<string[][]>;
}

const storage = join(import.meta.dir, '../src/storage');
const SQLITE: Subject = {
  fixture: join(import.meta.dir, 'upgrade/1.0.0.sqlite.sql'),
  migrations: join(storage, 'sqlite/migrations'),
  journal: 'CREATE TABLE __drizzle_migrations (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at numeric);',
  env: {},
  columns: `SELECT t.name, c.name FROM sqlite_schema t, pragma_table_info(t.name) c
    WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%'`,
  literal: (column) => `quote("${column}")`,
  before: `PRAGMA application_id = ${DATABASE.applicationId};`,
  run: async (dataDir, sql) => {
    using database = new Database(join(dataDir, 'hub.db'));
    if (sql.startsWith('SELECT')) return database.query(sql).values() as string[][];
    database.exec(sql);
    return [];
  },
};
const postgres = (url: string): Subject => ({
  fixture: join(import.meta.dir, 'upgrade/1.0.0.postgres.sql'),
  migrations: join(storage, 'postgres/postgres-migrations'),
  journal: `CREATE TABLE hub_migrations (number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, hash text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now());`,
  env: { HUB_DATABASE_URL: url },
  columns: `SELECT relname, attname FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relpersistence = 'p' AND attnum > 0 AND attidentity <> 'a'
    ORDER BY relname, attnum`,
  literal: (column) => `coalesce(quote_literal("${column}"::text), 'NULL')`,
  counters: `SELECT format('SELECT setval(%L, %s);', sequencename, last_value) FROM pg_sequences WHERE last_value > 0`,
  before: 'SET session_replication_role = replica;',
  run: async (_, sql) => {
    await using database = new SQL(url, { max: 1 });
    return await database.unsafe(sql).values();
  },
});

/** Returns statements that insert all rows, without the columns that are null. */
async function dump({ columns, literal, counters, run }: Subject, dataDir: string): Promise<string> {
  const inserts = new Map<string, string[]>();
  for (const [table, all] of Map.groupBy(await run(dataDir, columns), ([name]) => name)) {
    const names = all.map(([, name]) => name ?? '');
    for (const row of await run(dataDir, `SELECT ${names.map(literal)} FROM ${table}`)) {
      const set = names.filter((_, n) => row[n] !== 'NULL');
      const insert = `INSERT INTO ${table} (${set})`;
      const values = `(${row.filter((value) => value !== 'NULL')})`;
      inserts.set(insert, [...(inserts.get(insert) ?? []), values]);
    }
  }
  const rows = [...inserts].map(([insert, values]) => `${insert} VALUES\n${values.join(',\n')};\n`).join('');
  return rows + (counters ? (await run(dataDir, counters)).join('\n') : '');
}

async function postWith(url: string, key: string, kind: string, body: object): Promise<number> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return (await fetch(`${url}/api/public/v1/${kind}`, { method: 'POST', headers, body: JSON.stringify(body) })).status;
}

/** Creates a few of every noun. Returns the secrets. */
async function fill({ admin, url }: Workspace) {
  const { id: hubId } = await admin.createHub('Releases');
  const { id: other } = await admin.createHub('Deleted');
  const user = (name: string, email: string, role: 'member' | 'owner', password: string) =>
    admin.request('POST /users', { body: { name, email, role, password } });
  const ada = await user(ADA.name, ADA.email, 'owner', ADA.password);
  const bob = await user('Bob Kahn', 'bob@example.org', 'member', 'the password of Bob');
  const { id: eve } = await user('Eve', 'eve@example.org', 'member', 'the password of Eve');
  for (const { id } of [ada, bob]) await addMember({ admin, url }, hubId, { ...ADA, id });
  const session = await signIn({ admin, url }, ADA);
  const { request } = session;
  const { request: asBob } = await signIn({ admin, url }, { ...ADA, ...bob, password: 'the password of Bob' });
  const { token } = await request('POST /me/tokens', { body: { name: 'hubctl' } });
  const { key, id: keyId } = await admin.issueKey({ hubId, description: 'Releases', link: 'https://ci.example.org' });
  const { id: spamId, key: spamKey } = await admin.issueKey({ hubId, name: 'spam' });
  await postWith(url, key, 'messages', { blocks: [{ type: 'header', data: { text: 'Über <b>1</b> 🚀', level: 2 } }] });
  await postWith(url, key, 'notes', { title: 'Changes', content: "It's *faster*" });
  await postWith(url, key, 'todos', { title: 'Renew', dueDate: '2026-12-01T09:00:00Z', priority: 'HIGH' });
  await postWith(url, spamKey, 'messages', { text: 'removed' });
  await admin.request('POST /keys/{keyId}/removals', { keyId: spamId, body: {} });
  await admin.rotateKey(spamId);
  await admin.revokeKey(spamId);

  const files = [(await uploadFile(session, hubId, 'build.log', 'built')).id];
  const write = (text: string, more: object = {}) =>
    request('POST /hubs/{hubId}/messages', { hubId, body: { text, ...more } });
  const { id: messageId } = await write('Ready, @Bob Kahn?', { files });
  const { id: replyId } = await asBob('POST /items/{itemId}/replies', { itemId: messageId, body: { text: 'Yes' } });
  await asBob('PUT /messages/{messageId}/reactions/{emoji}', { messageId, emoji: '👍' });
  await request('PUT /items/{itemId}/pin', { itemId: messageId });
  const todo = await request('POST /messages/{messageId}/conversion', {
    ...{ messageId: replyId, body: { to: 'todo', assigneeId: bob.id } },
  });
  await asBob('PATCH /todos/{todoId}', { todoId: todo.id, body: { status: 'done' } });
  const question = await write('Deploy?', { question: { choices: ['yes', 'no'], expiresInSeconds: 600 } });
  await asBob('PUT /messages/{messageId}/answer', { messageId: question.id, body: { choice: 'yes' } });
  await request('DELETE /messages/{messageId}', { messageId: (await write('deleted')).id });
  const note = await request('POST /hubs/{hubId}/notes', { hubId, body: { content: 'Draft' } });
  await asBob('PATCH /notes/{noteId}', { noteId: note.id, body: { content: 'Final' } });

  await request('PATCH /hubs/{hubId}', { hubId, body: { topic: 'What we ship', retentionDays: 36_500 } });
  await request('PUT /hubs/{hubId}/favorite', { hubId });
  await request('PUT /hubs/{hubId}/read', { hubId, body: { seq: 3 } });
  await request('PATCH /me/notifications', { body: { replies: false } });
  await request('PUT /me/notifications/hubs/{hubId}', { hubId, body: { mode: 'muted' } });
  await request('PUT /me/notifications/keys/{keyId}', { keyId, body: { mode: 'every' } });
  await request('POST /me/push-subscriptions', {
    body: {
      endpoint: 'https://push.example.net/1',
      p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
      auth: 'BTBZMqHH6r4Tts7J_aSIgg',
    },
  });
  await addApp(
    await signIn({ admin, url }, { ...ADA, id: eve, email: 'eve@example.org', password: 'the password of Eve' }),
    Date.now(),
  );
  await admin.request('POST /users/{userId}/deactivation', { userId: eve });
  await admin.request('POST /invitations', { body: { email: 'dan@example.org', role: 'member', hubIds: [hubId] } });
  await admin.deleteHub(other);
  return { key, token };
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

async function write(subject: Subject): Promise<void> {
  const { fixture, migrations, journal, env } = subject;
  if (existsSync(join(migrations, 'meta/0000_snapshot.json'))) throw new Error('A released fixture does not change');
  await using hub = spawnServer({ env });
  const { url } = await hub.serving();
  const secrets = await fill({ admin: hub.admin, url });
  const contents = await contentsOf(hub, url, secrets.token);
  await stopServer(hub);
  const paths = [...new Glob('files/**').scanSync(hub.dataDir)];
  const files = Object.fromEntries(paths.map((path) => [path, readFileSync(join(hub.dataDir, path), 'utf8')]));
  const hash = (secret: string) => createHash('sha256').update(secret).digest('hex');
  let rows = await dump(subject, hub.dataDir);
  for (const [issued, known] of [
    [secrets.key, KEY],
    [secrets.token, TOKEN],
  ] as const)
    rows = rows.replace(new RegExp(hash(issued), 'i'), hash(known));
  mkdirSync(dirname(fixture), { recursive: true });
  writeFileSync(fixture, `-- ${JSON.stringify({ contents, files })}\n${journal}\n${rows}`);
}

async function expectUpgrade(newSubject: () => Subject | Promise<Subject>): Promise<void> {
  if (isWriting) await write(await newSubject());
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
