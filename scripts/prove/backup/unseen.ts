import { Database } from 'bun:sqlite';
import { copyFileSync } from 'node:fs';
import { problemsOfDatabase } from './restored.ts';

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
