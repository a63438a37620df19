import { expect, setDefaultTimeout, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { teamOn } from '@hub/testkit/in-process/team';
import { createDatabase } from '@hub/testkit/in-process/test-databases';
import { onlyOnPostgres, post, startTestHub } from '@hub/testkit/in-process/test-hub';
import { signIn } from '@hub/testkit/in-process/users';
import { findPostgres } from '@hub/testkit/postgres';
import { SQL } from 'bun';

setDefaultTimeout(180_000);

const PAGE = readFileSync(join(import.meta.dir, '../../../docs/postgresql.md'), 'utf8');

/** Returns the shell commands in a section of the page. */
function commandsIn(section: string): string {
  const [, text = ''] = PAGE.split(`\n## ${section}\n`);
  const [content = ''] = text.split('\n## ');
  return [...content.matchAll(/```sh\n(.*?)```/gs)].map(([, commands]) => commands).join('');
}

onlyOnPostgres.describe('docs/postgresql.md', () => {
  test('dumps a workspace in use and restores it with the commands in "Backups": sessions end, keys work, clients reload', async () => {
    const address = new URL(await createDatabase({ template: 'template0' }));
    // The names that the page uses. The account of these tests is called hub, too.
    const server = new SQL(address.href, { max: 1 });
    await server`CREATE DATABASE hub TEMPLATE template0`;
    await server`CREATE ROLE postgres SUPERUSER LOGIN`;
    await server.close();
    address.pathname = '/hub';
    const folder = mkdtempSync(join(tmpdir(), 'hub-drill-'));
    await using hub = await startTestHub({ databaseUrl: address.href });
    const team = await teamOn(hub, ['Ada Lovelace', 'Bob Kahn']);
    await team.message(team.ada, 'kept');

    const commands = commandsIn('Backups');
    expect(commands).toContain('pg_restore');
    const PATH = `${findPostgres()}:/usr/bin:/bin`;
    const env = { PGHOST: address.hostname, PGPORT: address.port, PGUSER: address.username, PATH };
    const shell = Bun.spawn(['sh', '-ec', commands], { cwd: folder, env, stderr: 'pipe' });
    expect([await shell.stderr.text(), await shell.exited]).toEqual(['', 0]);
    expect(statSync(join(folder, 'hub.dump')).mode & 0o077).toBe(0);
    await team.message(team.ada, 'lost');

    const databaseUrl = new URL('/hub_restored', address).href;
    await using restored = await startTestHub({ clock: hub.clock, databaseUrl });
    const epochs = await Promise.all([hub, restored].map(async ({ store }) => (await store.workspace.find()).epoch));
    expect(epochs[0]).not.toBe(epochs[1]);
    const ofAda = { limit: 9, userId: team.ada.user.id, now: 0 };
    expect(await hub.store.users.listSessions(ofAda)).not.toEqual([]);
    expect(await restored.store.users.listSessions(ofAda)).toEqual([]);
    const ada = await signIn(restored, team.ada.user);
    const { items } = (await ada.json<{ items: { text: string }[] }>('GET', `/hubs/${team.hubId}/messages`)).body;
    expect(items.map(({ text }) => text)).toEqual(['kept']);
    expect((await post(restored, 'messages', team.key, { text: 'goes on' })).status).toBe(201);
    expect((await ada.json<{ items: object[] }>('GET', '/search?q=kept')).body.items).toHaveLength(1);
    rmSync(folder, { recursive: true });
  });
});
