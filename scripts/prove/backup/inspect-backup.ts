import { Database } from 'bun:sqlite';
import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { HubServer, hubctl } from '@hub/testkit';

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
  const server = await new HubServer(dataDir).start();
  const problems = problemsOfDatabase(join(dataDir, 'hub.db'), expected);
  const code = await server.stop();
  if (code !== 0) problems.push(`the server on it ended with ${code}: ${server.process.stderr()}`);
  rmSync(dataDir, { recursive: true });
  return problems;
}

function problemsOfDatabase(file: string, { acknowledged, epoch }: Expected): string[] {
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

/** Kinds of damage that the inspection of a backup must detect, each applied to a copy of an intact one. */
const DAMAGES = [
  'delete from items where id = $id',
  'delete from events where item_id = $id',
  'update items set hub_number = -1 where id = $id',
  'update hubs set seq = seq + 1 where number = (select hub_number from items where id = $id)',
];

/** Returns the kinds of damage that the inspection does not detect. */
export function unseenDamages(backup: string, acknowledged: readonly string[]): string[] {
  const id = acknowledged[Math.floor(acknowledged.length / 2)] ?? '';
  const isGood = problemsOfDatabase(backup, { acknowledged, epoch: '' }).length === 0;
  return DAMAGES.filter((sql) => {
    const copy = `${backup}.damaged`;
    copyFileSync(backup, copy);
    {
      using database = new Database(copy, { strict: true });
      database.exec('PRAGMA foreign_keys = OFF');
      database.query(sql).run({ id });
    }
    return !isGood || problemsOfDatabase(copy, { acknowledged, epoch: '' }).length === 0;
  });
}

export function isIntact(file: string): boolean {
  try {
    using database = new Database(file, { readonly: true });
    return database.query('PRAGMA integrity_check').values().join() === 'ok';
  } catch {
    return false;
  }
}
