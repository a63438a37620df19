import { Database } from 'bun:sqlite';
import { beforeEach, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Backup } from '@hub/contract';
import { perTest } from '@hub/testkit/in-process/shared';
import { startTeam } from '@hub/testkit/in-process/team';
import { onlyOnSqlite, post, restartHub, startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';
import { signedIn, tokenOf, type UserCaller } from '@hub/testkit/in-process/users';
import { DATABASE_FILE } from '../../storage/sqlite/open-store.ts';

const { describe } = onlyOnSqlite('PostgreSQL has backups of its own');
const JSON_TYPE = { 'content-type': 'application/json' };

const take = (hub: TestHub): Promise<Response> => hub.admin.raw('POST', '/backups');
const takeBy = ({ fetch, user: { password } }: UserCaller): Promise<Response> =>
  fetch('/api/v1/backups', { method: 'POST', headers: JSON_TYPE, body: JSON.stringify({ password }) });
const sha256 = (bytes: Uint8Array, form: 'hex' | 'base64' = 'hex'): string =>
  new Bun.CryptoHasher('sha256').update(bytes).digest(form);

/** Reads a backup to the end and opens it. */
async function taken(hub: TestHub, response: Response) {
  expect(response.status).toBe(200);
  const bytes = await response.bytes();
  const file = join(hub.dataDir, 'taken.db');
  await Bun.write(file, bytes);
  const database = new Database(file, { readonly: true });
  const column = (sql: string): unknown[] => database.query(sql).values().flat();
  return { bytes, id: response.headers.get('hub-backup-id') ?? '', column };
}

const confirm = (hub: TestHub, id: string) => hub.admin.raw('POST', `/backups/${id}/confirmation`);

/** Stores 12 MB in one row: more than the buffers at both ends of a connection can hold. */
async function fill(team: Awaited<ReturnType<typeof startTeam>>): Promise<void> {
  const { id } = await team.note(team.ada, { content: 'Long' });
  using database = new Database(join(team.hub.dataDir, DATABASE_FILE));
  database.run('UPDATE items SET body = hex(zeroblob(6000000)) WHERE id = ?', [id]);
}

test('a backup is an intact database with everything committed before, and in the audit log with its recipient before it can be read', async () => {
  await using hub = await startTestHub();
  const { key } = await hub.admin.issueKey();
  const owner = await signedIn(hub, { role: 'owner' });
  const texts = Array.from({ length: 20 }, (_, n) => `message ${n}`);
  for (const text of texts) await post(hub, 'messages', key, { text });
  const response = await takeBy(owner);
  const entry = (await hub.admin.audit('?limit=1')).items[0];
  const { bytes, id, column } = await taken(hub, response);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'application/vnd.sqlite3',
    'content-disposition': 'attachment; filename="hub-2026-03-01T09-30-00Z.db"',
    'hub-backup-bytes': String(bytes.length),
    'repr-digest': `sha-256=:${sha256(bytes, 'base64')}:`,
    'cache-control': 'no-store',
  });
  expect(id).toStartWith('bak_');
  expect(entry).toMatchObject({
    ...{ action: 'workspace.backed_up', actor: { kind: 'user', id: owner.user.id }, address: '192.0.2.1' },
    ...{ targetId: id, details: { bytes: bytes.length, sha256: sha256(bytes) } },
  });
  expect(column('PRAGMA integrity_check')).toEqual(['ok']);
  expect(column('SELECT body FROM items ORDER BY global_seq')).toEqual(texts);
  expect(Buffer.from(bytes).includes(key)).toBe(false);
});

test('a backup counts as the last backup only once it is confirmed, and still does after a restart', async () => {
  await using hub = await startTestHub();
  expect(await hub.admin.status()).toMatchObject({ storage: 'sqlite', node: null, lastBackup: null });
  const { bytes, id } = await taken(hub, await take(hub));
  hub.clock.advance(2_500);
  expect((await hub.admin.status()).lastBackup).toBeNull();
  const digest = { bytes: bytes.length, sha256: sha256(bytes) };
  const expected: Backup = { id, ...digest, takenAt: '2026-03-01T09:30:00.000Z', durationSeconds: 2.5 };
  expect(await (await confirm(hub, id)).json()).toEqual(expected);
  expect((await hub.admin.status()).lastBackup).toEqual(expected);
  expect(hub.store.backups.history()).toMatchObject({ confirmed: 1, broken: 0 });
  await using again = await restartHub(hub);
  expect((await again.admin.status()).lastBackup).toEqual(expected);
});

test('a backup must be the only one in progress: a second one returns 409 until the first has ended', async () => {
  await using team = await startTeam();
  await fill(team);
  const first = await take(team.hub);
  const second = await team.hub.admin.outcome('POST', '/backups');
  expect(second).toBe('409 Another backup is in progress. Try again when it has finished.');
  expect((await first.bytes()).length).toBe(Number(first.headers.get('hub-backup-bytes')));
  expect((await take(team.hub)).status).toBe(200);
});

describe('an incomplete backup', () => {
  const team = perTest(startTeam);
  beforeEach(() => fill(team));

  /** Asserts that nothing remains of the backup, that it is not counted, and that the next one can be taken. */
  async function expectEnded(response: Response, reason: string): Promise<void> {
    const { hub } = team;
    expect(hub.logged).toContainEqual(expect.objectContaining({ level: 'warn', message: 'Backup interrupted' }));
    expect(JSON.stringify(hub.logged.map(({ fields }) => String((fields as { err?: unknown }).err)))).toContain(reason);
    expect((await confirm(hub, response.headers.get('hub-backup-id') ?? '')).status).toBe(404);
    expect(hub.store.backups.history()).toMatchObject({ last: null, broken: 1 });
    expect(readdirSync(hub.dataDir).filter((name) => name.includes('backup'))).toEqual([]);
    const next = await take(hub);
    expect(next.status).toBe(200);
    await next.body?.cancel();
  }

  test('ends when its reader stops reading', async () => {
    const response = await take(team.hub);
    await team.hub.clock.untilSleeping(1);
    team.hub.clock.advance(60_000);
    // Data that was buffered by then counts as progress.
    await team.hub.clock.untilSleeping(1);
    team.hub.clock.advance(60_000);
    // This thread would otherwise take the processor from the one that makes the copy.
    while (!team.hub.logged.some(({ message }) => message === 'Backup interrupted')) await Bun.sleep(1);
    await expectEnded(response, 'No data was read for 60 s');
    expect(response.bytes()).rejects.toThrow();
  });

  test('ends when the owner reading it is demoted to admin', async () => {
    const [bob] = [await signedIn(team.hub, { role: 'owner' }), await signedIn(team.hub, { role: 'owner' })];
    const response = await takeBy(bob);
    await team.hub.admin.raw('PATCH', `/users/${bob.user.id}`, { role: 'admin' });
    expect(await response.bytes().catch(() => 'interrupted')).toBe('interrupted');
    await expectEnded(response, 'AppError');
  });
});

test('access to backups requires the password with every session, even right after signing in, and rejects it with any other credential', async () => {
  await using hub = await startTestHub();
  const ada = await signedIn(hub, { role: 'owner' });
  const token = await tokenOf(hub, ada.user);
  for (const [caller, password, error] of [
    [ada, undefined, '400 password is required: confirm it to take a backup'],
    [ada, 'a wrong guess', '400 The password is incorrect. Enter the password you sign in with.'],
    [token, ada.user.password, '400 password is only accepted with a session. Remove it.'],
  ] as const)
    expect(await caller.outcome('POST', '/backups', { password })).toBe(error);
  expect(hub.store.backups.history()).toEqual({ last: null, confirmed: 0, broken: 0 });
});
