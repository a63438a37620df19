import { Database } from 'bun:sqlite';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { hubctl, spawnServer, stopServer } from '@hub/testkit';

/** The expected contents of a restored database. */
interface Expected {
  /** The IDs of posts that must be in the database. */
  acknowledged: readonly string[];
  /** The epoch of the server that was backed up; the restored server must have a different one. */
  epoch: string;
}

/** Restores a backup into a new folder, starts a server on it, and returns the problems found. */
export async function problemsOfRestored(backup: string, dataDir: string, expected: Expected): Promise<string[]> {
  await hubctl(dataDir, ['restore', backup]);
  const server = spawnServer({ dataDir, env: { HUB_LOG_LEVEL: 'warn' } });
  await server.serving();
  const problems = problemsOfDatabase(join(dataDir, 'hub.db'), expected);
  const code = await stopServer(server);
  if (code !== 0) problems.push(`the server on it ended with ${code}: ${server.stderr()}`);
  rmSync(dataDir, { recursive: true });
  return problems;
}

export function problemsOfDatabase(file: string, { acknowledged, epoch }: Expected): string[] {
  using database = new Database(file, { readonly: true });
  const column = (sql: string): unknown[] =>
    database
      .query(sql)
      .values()
      .map((row) => row.join(' '));
  const stored = new Set(column('select id from items'));
  const lost = acknowledged.filter((id) => !stored.has(id));
  return [
    ...column('PRAGMA integrity_check').flatMap((found) => (found === 'ok' ? [] : [`not sound: ${found}`])),
    ...column('PRAGMA foreign_key_check').map((found) => `points at nothing: ${found}`),
    ...column(HUBS_OUT_OF_STEP).map((found) => `a Hub is out of step: ${found}`),
    ...(lost.length === 0 ? [] : [`${lost.length} acknowledged posts are not in it, such as ${lost[0]}`]),
    ...(column('select epoch from workspace')[0] === epoch ? ['it is not another epoch'] : []),
  ];
}

/** Selects Hubs whose sequence number or item count does not match their events and items. */
const HUBS_OUT_OF_STEP = `
  select h.id from hubs h
  where h.seq <> (select count(*) from events e where e.hub_number = h.number)
    or h.seq <> (select coalesce(max(seq), 0) from events e where e.hub_number = h.number)
    or h.item_count <> (select count(*) from items i where i.hub_number = h.number)`;
