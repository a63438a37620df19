import { expect, test } from 'bun:test';
import { createDatabase } from '@hub/testkit/in-process/postgres-under-test';
import { teamOn } from '@hub/testkit/in-process/team';
import { onlyOnPostgres, startTestHub, type TestHub } from '@hub/testkit/in-process/test-hub';
import { SQL } from 'bun';
import { items } from '../schema/items.table.ts';
import type { MoveSource } from './move-workspace.ts';
import { withPostgresSource } from './postgres-side.ts';
import { readRows } from './rows.ts';
import { withSqliteSource } from './sqlite-side.ts';

/** Writes notes of 200,000 characters, and stops the server. */
async function fill(hub: TestHub, notes: number): Promise<void> {
  const team = await teamOn(hub, ['Ada Lovelace', 'Bob Kahn']);
  for (let count = 0; count < notes; count += 1) await team.note(team.ada, { content: 'x'.repeat(200_000) });
  await hub.stop();
}

/** Returns the number of rows in each page of items. */
async function pagesOf({ on }: MoveSource): Promise<number[]> {
  const pages: number[] = [];
  for await (const rows of readRows(on, items)) pages.push(rows.length);
  return pages;
}

test('a workspace in SQLite is read in pages of about 1 MiB, so that they fit into memory', async () => {
  await using hub = await startTestHub({ databaseUrl: null });
  await fill(hub, 10);
  expect(await withSqliteSource(hub.dataDir, pagesOf)).toEqual([6, 4]);
});

onlyOnPostgres.describe('a workspace in PostgreSQL', () => {
  async function databaseWith(notes: number): Promise<string> {
    const databaseUrl = await createDatabase();
    await fill(await startTestHub({ databaseUrl }), notes);
    return databaseUrl;
  }

  test('is read in pages of about 1 MiB, so that they fit into memory', async () => {
    expect(await withPostgresSource(await databaseWith(10), pagesOf)).toEqual([6, 4]);
  });

  test('is read as soon as the last connection of a stopped node has ended', async () => {
    const url = await databaseWith(0);
    const node = new SQL(url, { max: 1, connection: { application_name: 'hub node_1' } });
    await node`SELECT 1`;
    const reading = withPostgresSource(url, async () => 'read');
    const other = new SQL(url, { max: 1 });
    // The move has connected, and waits.
    while ((await other`SELECT 1 FROM pg_stat_activity WHERE application_name = 'hub move'`).length === 0);
    await node.close();
    expect(await reading).toBe('read');
    await other.close();
  });
});
