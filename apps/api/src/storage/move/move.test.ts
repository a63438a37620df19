import { Database } from 'bun:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addApp } from '@hub/testkit/in-process/factors';
import { pngOf } from '@hub/testkit/in-process/images';
import { liveClient } from '@hub/testkit/in-process/live-client';
import { forgetStatements } from '@hub/testkit/in-process/query-plans';
import { teamOn } from '@hub/testkit/in-process/team';
import { createDatabase } from '@hub/testkit/in-process/test-databases';
import { onlyOnPostgres, post, startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';
import { signIn, tokenOf } from '@hub/testkit/in-process/users';
import { temporaryFolder } from '@hub/testkit/test-folder';
import { SQL } from 'bun';
import { getTableName } from 'drizzle-orm';
import { systemRandom } from '../../platform/adapters/system.ts';
import { createIds } from '../../platform/ids.ts';
import { sharedTables } from '../repositories.ts';
import { columnName, sharedColumns } from '../schema/columns.ts';
import { workspace } from '../schema/workspace.table.ts';
import { lockDataDir } from '../sqlite/engine/data-dir-lock.ts';
import { filePath } from '../sqlite/file-folder.ts';
import { move } from './move.ts';
import { type MoveSource, type MoveTarget, moveWorkspace } from './move-workspace.ts';
import { withPostgresTarget } from './postgres-side.ts';
import { withSqliteSource } from './sqlite-side.ts';

/** More than one chunk. */
const FILE = new Uint8Array(300_000).map((_, n) => n % 251);
const PUSH_KEYS = { p256dh: new Uint8Array(65).fill(200), auth: new Uint8Array(16).fill(255) };

const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());
let folders = 0;
/** Returns a path of a folder that does not exist yet. */
const newFolder = (): string => folder.file(String(++folders));
const newDatabase = (): Promise<string> => createDatabase({ template: 'template0' });

/** Starts a server on SQLite in a folder, or on a database in PostgreSQL. */
function startOn(dataDir: string, options: { databaseUrl?: string; clock?: TestHub['clock'] } = {}): Promise<TestHub> {
  mkdirSync(dataDir, { recursive: true });
  return startTestHub({ databaseUrl: null, ...options, dataDir });
}

/** Starts a server once, and stops it. */
async function opened(...given: Parameters<typeof startOn>) {
  const hub = await startOn(...given);
  const { epoch } = await hub.store.workspace.find();
  await hub.stop();
  return { hub, epoch };
}

const contextOf = (clock: TestHub['clock']) => ({ clock, newId: createIds(clock, systemRandom), onProgress: () => {} });

async function onDatabase(url: string, ...statements: string[]): Promise<void> {
  await using client = new SQL(url, { max: 1 });
  for (const statement of statements) await client.unsafe(statement);
}

function moved(from: string, to: string, { clock }: Pick<TestHub, 'clock'>) {
  if (!to.startsWith('postgres:')) mkdirSync(to, { recursive: true });
  return move({ from, to }, contextOf(clock)).finally(forgetStatements);
}

/** Fills a workspace with rows in all tables, and stops its server. */
async function fullWorkspace(dataDir: string) {
  const hub = await startOn(dataDir);
  const team = await teamOn(hub, ['Ada Lovelace', 'Bob Kahn']);
  const { hubId, keyId, ada, bob } = team;
  const text = 'Plain "quotes", \\back\\slashes\\, {"json": [1]} and a 🎉\n\ttab, @Bob ﷽ naïve ÆØÅ';
  const message = await team.message(ada, text);
  await team.reply(bob, message, 'Reply');
  await bob.json('PUT', `/messages/${message.id}/reactions/${encodeURIComponent('👍🏽')}`);
  await bob.json('PUT', `/items/${message.id}/pin`);
  const ownTodo = await team.todo(bob, { title: 'Task' });
  await bob.json('PATCH', `/todos/${ownTodo.id}`, { priority: 'LOW' });
  await bob.json('POST', `/messages/${message.id}/conversion`, { to: 'todo', dueDate: '2026-05-01T10:00:00Z' });
  await team.note(ada, { title: 'Title', content: 'x'.repeat(100_000) });
  await team.post('todos', { title: 'Task', priority: 'HIGH' });
  await team.post('messages', { blocks: [{ type: 'paragraph', data: { text: 'A <b>block</b>' } }] });
  const { id: fileId } = await team.upload(ada, 'build.log', FILE);
  await ada.json('POST', `/hubs/${hubId}/messages`, { files: [fileId] });
  await ada.json('POST', `/hubs/${hubId}/messages`, { text: 'Deploy?', question: { expiresInSeconds: 60 } });
  await hub.admin.raw('POST', `/keys/${keyId}/removals`, {});
  await hub.admin.json('POST', `/keys/${keyId}/rotation`);
  await hub.admin.json('POST', '/invitations', { email: 'new@example.org', hubIds: [hubId] });
  await tokenOf(hub, ada.user);
  await addApp(ada, hub.clock.now());
  await hub.admin.raw('POST', '/device-logins', { name: 'laptop' });
  const { id: deleted } = await hub.admin.createHub();
  await hub.admin.raw('DELETE', `/hubs/${deleted}`);
  const { items: sessions } = (await ada.json<{ items: { id: string }[] }>('GET', '/me/sessions')).body;
  await hub.store.transaction(async ({ avatars, factors, identities, mails, notifications }) => {
    await factors.useChallenge('challenge', 1, 0);
    const identity = { issuer: 'https://id.example.org', subject: 'ada', createdAt: 1, checkedAt: 2 };
    await identities.insert({ ...identity, userId: ada.user.id, refreshToken: new Uint8Array([1, 2, 3]) });
    const mail = { id: 'mail_1', recipient: 'ada@example.org', linkKind: null, linkId: null, attempts: 1 };
    await mails.insert({ ...mail, content: { subject: 'Hi', paragraphs: [] }, createdAt: 1, dueAt: 2 });
    const bytes = pngOf({ width: 3, height: 2 });
    await avatars.set({ ownerId: ada.user.id, version: 'v', type: 'image/png', bytes });
    await notifications.changeChoices(ada.user.id, { replies: false });
    await notifications.setMode(ada.user.id, { targetId: hubId, hubId, mode: 'every' });
    await notifications.insertIdentity({ publicKey: PUSH_KEYS.p256dh, privateKey: PUSH_KEYS.auth });
    const [endpoint, origin] = ['https://push.example.net/', 'https://hub.example.org'];
    const of = { userId: ada.user.id, sessionId: sessions[0]?.id ?? '', createdAt: 1 };
    await notifications.setSubscription({ ...of, endpoint, origin, ...PUSH_KEYS });
  });
  await hub.stop();
  return { hub, team, fileId };
}

/** Columns of the embedded storage that say which server has opened it, and how far its counters are. */
const OWN_COLUMNS = ['workspace.run_id', 'workspace.counted_global_seq', 'api_keys.counted_global_seq'];

function rowsIn(dataDir: string, name: string): object[] {
  using client = new Database(join(dataDir, 'hub.db'), { readonly: true });
  const rows = client.query<Record<string, unknown>, []>(`SELECT * FROM ${name} ORDER BY 1, 2`).all();
  return rows.map((row) =>
    Object.fromEntries(Object.entries(row).filter(([column]) => !OWN_COLUMNS.includes(`${name}.${column}`))),
  );
}

const position = async ({ store }: TestHub, hubId: string) => ({
  seq: (await store.events.span(hubId))?.seq ?? 0,
  epoch: (await store.workspace.find()).epoch,
});

onlyOnPostgres.describe('a move', () => {
  test('copies every table to PostgreSQL and back, where all rows are equal', async () => {
    const [from, back] = [newFolder(), newFolder()];
    const { hub, fileId } = await fullWorkspace(from);
    const url = await newDatabase();
    const there = await moved(from, url, hub);
    expect(there.tables.filter(({ rows }) => rows === 0)).toEqual([]);
    expect(there.isNewEpoch).toBe(false);
    expect((await moved(url, back, hub)).tables).toEqual(there.tables);
    for (const { name } of there.tables) {
      const rows = rowsIn(back, name);
      expect(rows.length).toBeGreaterThan(0);
      expect(rows).toEqual(rowsIn(from, name));
    }
    expect(readFileSync(filePath(join(back, 'files'), fileId))).toEqual(Buffer.from(FILE));
  });

  test('knows all tables and columns of both storages', async () => {
    const dataDir = newFolder();
    await (await startOn(dataDir)).stop();
    using client = new Database(join(dataDir, 'hub.db'));
    const inSqlite = client
      .query(
        `SELECT t.name || '.' || c.name FROM sqlite_schema t, pragma_table_info(t.name) c
          WHERE t.type = 'table' AND t.name NOT IN ('__drizzle_migrations', 'sqlite_sequence', 'touched_items')`,
      )
      .values()
      .flat() as string[];
    const url = await newDatabase();
    await (await startOn(newFolder(), { databaseUrl: url })).stop();
    await using database = new SQL(url, { max: 1 });
    // Nodes share the tables named here while they run; `item_terms` is derived from the items, and `file_chunks` has bytes.
    const inPostgres: string[][] =
      await database`SELECT table_name || '.' || column_name FROM information_schema.columns
      WHERE table_schema = 'public' AND table_name NOT IN ('file_chunks', 'hub_migrations', 'item_terms', 'key_windows', 'node_state',
        'notification_positions', 'password_guesses', 'presence', 'waiting_notifications')`.values();
    const known = sharedTables.flatMap((table) =>
      Object.values(sharedColumns(table)).map((column) => `${getTableName(table)}.${columnName(column)}`),
    );
    expect([...known, ...OWN_COLUMNS].toSorted()).toEqual(inSqlite.toSorted());
    expect([...known, 'workspace.database_id'].toSorted()).toEqual(inPostgres.flat().toSorted());
  });

  test('counts the posts that a killed server had not counted, and leaves a workspace that goes on', async () => {
    const killed = newFolder();
    await using hub = await startTestHub({ databaseUrl: null });
    const team = await teamOn(hub, ['Ada Lovelace', 'Bob Kahn']);
    for (const kind of ['messages', 'messages', 'todos'] as const)
      await team.post(kind, { [kind === 'todos' ? 'title' : 'text']: 'x' });
    const before = await position(hub, team.hubId);
    mkdirSync(killed);
    for (const name of ['hub.db', 'hub.db-wal', 'hub.run']) {
      if (existsSync(join(hub.dataDir, name))) cpSync(join(hub.dataDir, name), join(killed, name));
    }
    const url = await newDatabase();
    await moved(killed, url, hub);
    const onPostgres = await startOn(newFolder(), { databaseUrl: url, clock: hub.clock });
    const usedScopes = ['messages:create', 'todos:create'];
    expect(await onPostgres.store.keys.find(team.keyId)).toMatchObject({ postCount: 3, usedScopes });
    expect((await onPostgres.store.keys.usageByDay([team.keyId], 0)).get(team.keyId)).toMatchObject([{ posts: 3 }]);

    // The workspace goes on: keys, numbers and search, and live clients without a reload.
    const goesOn = async (after: TestHub) => {
      const live = await liveClient(after);
      const { seq, epoch } = await position(after, team.hubId);
      expect(await live.subscribe(team.hubId, { after: seq, epoch: before.epoch })).toMatchObject({ seq, epoch });
      expect((await post(after, 'messages', team.key, { text: 'after the move' })).status).toBe(201);
      expect(await live.upTo(team.hubId, seq + 1)).toMatchObject([{ seq: seq + 1, event: 'message.created' }]);
      live.socket.close();
      const ada = await signIn(after, team.ada.user);
      // The search index of a new folder is built in the background.
      while ((await ada.json<{ items: unknown[] }>('GET', '/search?q=move')).body.items.length === 0);
      await after.stop();
    };
    await goesOn(onPostgres);
    const back = newFolder();
    await moved(url, back, hub);
    await goesOn(await startOn(back, hub));
  });

  test('gives a backup or a dump a new epoch and no sessions or links, and records that it was restored', async () => {
    const [file, back] = [folder.file('backup.db'), newFolder()];
    await using hub = await startTestHub({ databaseUrl: null });
    const team = await teamOn(hub, ['Ada Lovelace', 'Bob Kahn']);
    writeFileSync(file, await (await hub.admin.raw('POST', '/backups')).bytes());
    const before = readFileSync(file);
    const url = await newDatabase();
    expect((await moved(file, url, hub)).isNewEpoch).toBe(true);
    expect(readFileSync(file)).toEqual(before);
    const onPostgres = await startOn(newFolder(), { databaseUrl: url, clock: hub.clock });
    expect((await position(onPostgres, team.hubId)).epoch).not.toBe((await position(hub, team.hubId)).epoch);
    const ofAda = { limit: 9, userId: team.ada.user.id, now: 0 };
    expect(await onPostgres.store.users.listSessions(ofAda)).toEqual([]);
    const restored = async ({ admin }: TestHub) =>
      (await admin.audit()).items.filter(({ action }) => action === 'workspace.restored').length;
    expect(await restored(onPostgres)).toBe(1);
    await signIn(onPostgres, team.ada.user);
    const { epoch } = await position(onPostgres, team.hubId);
    await onPostgres.stop();

    await onDatabase(url, "UPDATE workspace SET database_id = 'of the dumped database'");
    expect((await moved(url, back, hub)).isNewEpoch).toBe(true);
    const onSqlite = await startOn(back, hub);
    expect((await position(onSqlite, team.hubId)).epoch).not.toBe(epoch);
    expect(await onSqlite.store.users.listSessions(ofAda)).toEqual([]);
    expect(await restored(onSqlite)).toBe(2);
    await onSqlite.stop();
  });

  test('leaves a source on which no server starts until an admin says so, and then with a new epoch', async () => {
    const [from, back] = [newFolder(), newFolder()];
    const { hub, epoch } = await opened(from);
    const url = await newDatabase();
    await moved(from, url, hub);
    await moved(url, back, hub);
    const inPostgres = { databaseUrl: url, clock: hub.clock };
    await expect(startOn(from, hub)).rejects.toThrow(
      `was moved to ${url}. Set HUB_DATABASE_URL. To use this directory again, without what was posted there, delete ${from}/hub.run`,
    );
    await expect(startOn(newFolder(), inPostgres)).rejects.toThrow(`was moved to ${back}. Start the server there`);

    rmSync(join(from, 'hub.run'));
    await onDatabase(url, "UPDATE workspace SET database_id = ''");
    for (const options of [hub, inPostgres]) {
      expect((await opened(from, options)).epoch).not.toBe(epoch);
    }
    expect((await opened(back, hub)).epoch).toBe(epoch);
    // A move also begins one if the source is an older copy that was put in place.
    rmSync(join(back, 'hub.run'));
    const again = await newDatabase();
    expect((await moved(back, again, hub)).isNewEpoch).toBe(true);
    expect((await opened(newFolder(), { databaseUrl: again, clock: hub.clock })).epoch).not.toBe(epoch);
  });

  test('keeps nothing if the target lacks a row, and leaves a source that can be used if it fails at the end', async () => {
    const from = newFolder();
    const { hub, epoch } = await opened(from);
    const url = await newDatabase();
    const context = { to: 'elsewhere', ...contextOf(hub.clock) };
    type Changes = { source?: Partial<MoveSource>; target?: Partial<MoveTarget> };
    const movedWith = (changes: (source: MoveSource, target: MoveTarget) => Changes) =>
      withSqliteSource(from, (one) =>
        withPostgresTarget(url, (other) => {
          const { source, target } = changes(one, other);
          return moveWorkspace({ ...one, ...source }, { ...other, ...target }, context);
        }),
      );
    const losing = movedWith((_, { insert }) => ({
      target: { insert: async (table, rows) => (table === workspace ? undefined : insert(table, rows)) },
    }));
    await expect(losing).rejects.toThrow('workspace differs after the copy: 1 rows were copied and 0 were found.');
    const fail = () => Promise.reject(new Error('The target failed'));
    const failing = movedWith(({ retire }) => ({ source: { retire: (to) => retire(to).then(fail) } }));
    await expect(failing).rejects.toThrow('The target failed');
    expect((await opened(from, hub)).epoch).toBe(epoch);
    expect((await moved(from, url, hub)).isNewEpoch).toBe(false);
  });

  describe('refuses', () => {
    let hub: TestHub;
    let from: string;
    beforeAll(async () => {
      from = newFolder();
      hub = await startOn(from);
      await hub.admin.createHub();
      await hub.stop();
    });
    /** Copies the source, with a change. */
    const newSource = (change = 'SELECT 1'): string => {
      const dataDir = newFolder();
      cpSync(from, dataDir, { recursive: true });
      using client = new Database(join(dataDir, 'hub.db'));
      client.exec(change);
      return dataDir;
    };
    const refused = (from: string, to: string, error: RegExp) => expect(moved(from, to, hub)).rejects.toThrow(error);

    test('a source that a server uses', async () => {
      const lock = lockDataDir(from);
      const url = await newDatabase();
      await refused(from, url, /Another Hub server is running.*Stop it first/);
      lock.release();
      const running = await startOn(newFolder(), { databaseUrl: url });
      await refused(url, newFolder(), /Nodes are running on this database. Stop all of them/);
      await running.stop();
    });

    test('a source that does not exist, has no workspace, or was moved', async () => {
      await refused(newFolder(), await newDatabase(), /does not exist/);
      await refused(await newDatabase(), newFolder(), /has no workspace of Hub/);
      const [once, url] = [newSource(), await newDatabase()];
      await moved(once, url, hub);
      await refused(once, await newDatabase(), /was moved to .* delete .*hub\.run/);
      await moved(url, newFolder(), hub);
      await refused(url, newFolder(), /was moved to .* UPDATE workspace/);
    });

    test('a target that is not empty', async () => {
      const [url, address, foreign] = [await newDatabase(), await newDatabase(), await newDatabase()];
      await moved(newSource(), url, hub);
      await refused(newSource(), url, /already has a workspace \(Hubs: 1, users: 0\)/);
      await refused(url, newSource(), /is not empty: it has hub\.\w+\. Choose another directory/);
      const node = await startOn(newFolder(), { databaseUrl: address });
      await refused(newSource(), address, /Nodes are running on this database/);
      await node.stop();
      await refused(newSource(), address, /empty workspace.*create it again: CREATE DATABASE/);
      await onDatabase(foreign, 'CREATE TABLE orders ()');
      await refused(newSource(), foreign, /belongs to another program.*orders/);
    });

    test('a source of a newer or an older version, and rows that PostgreSQL cannot store, and leaves the target empty', async () => {
      const url = await newDatabase();
      for (const [statement, error] of [
        ["INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('later', 1)", /written by a newer version/],
        ['DELETE FROM __drizzle_migrations', /older version of Hub. Start this version on it once/],
        ["UPDATE hubs SET name = 'a' || char(0) || 'b'", /cannot use the database/],
      ] as const)
        await refused(newSource(statement), url, error);
      await using client = new SQL(url, { max: 1 });
      expect([...(await client`SELECT FROM pg_tables WHERE schemaname = 'public'`)]).toEqual([]);
      expect((await moved(newSource(), url, hub)).tables.length).toBe(sharedTables.length);
      for (const change of [
        "INSERT INTO hub_migrations (hash) VALUES ('later')",
        "UPDATE hub_migrations SET hash = 'other'",
      ]) {
        await onDatabase(url, change);
        await refused(url, newFolder(), /written by a newer version/);
      }
    });
  });
});
