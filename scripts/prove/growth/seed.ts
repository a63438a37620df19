import { Database } from 'bun:sqlite';
import { join } from 'node:path';
import { seedAudit } from './seed-audit.ts';
import { seedItems } from './seed-items.ts';
import { seedKeys } from './seed-keys.ts';
import { seedHubs, seedUsers } from './seed-users.ts';
import { World } from './world.ts';

export interface Scale {
  readonly messages: number;
  readonly keys: number;
  readonly hubs: number;
}

export type SeededData = ReturnType<typeof seed>;

/**
 * Writes the history of a large workspace into the database of a data folder that a server has created but is no longer
 * using. The rows are inserted directly into the server's own tables, since going through the store would take hours.
 */
export function seed(dataDir: string, scale: Scale) {
  using database = new Database(join(dataDir, 'hub.db'));
  database.exec(
    'PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY; PRAGMA foreign_keys = ON; PRAGMA cache_size = -262144',
  );
  const world = new World(database, Date.now() - 60_000);
  const fill = database.transaction(() => {
    const bot = String(database.query('select bot_id from workspace').values()[0]?.[0]);
    const hubIds = seedHubs(world, scale.hubs);
    const users = seedUsers(world, hubIds);
    const keys = seedKeys(world, { count: scale.keys, hubIds, issuer: users.admin });
    const items = seedItems(world, { bot, hubIds, users, keys, messages: scale.messages });
    seedAudit(world, { hubIds, keys, users, count: scale.keys * 2 });
    return { hubIds, users, keys, items, span: world.span };
  });
  return fill();
}
