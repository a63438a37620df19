import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from './database.ts';
import { MIGRATIONS_FOLDER, migrateDatabase } from './migrate.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'hub-former-'));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

/** Creates a database with the first `migrations` migrations, fills it, and migrates it to the current version. */
function migratedFrom(migrations: number, fill: string) {
  const folder = join(dataDir, 'former-migrations');
  cpSync(MIGRATIONS_FOLDER, folder, { recursive: true });
  const journalFile = join(folder, 'meta', '_journal.json');
  const journal = JSON.parse(readFileSync(journalFile, 'utf8')) as { entries: { idx: number }[] };
  const entries = journal.entries.filter(({ idx }) => idx < migrations);
  writeFileSync(journalFile, JSON.stringify({ ...journal, entries }));
  const db = openDatabase(join(dataDir, 'hub.db'));
  migrateDatabase(db, { dataDir, now: 0, migrationsFolder: folder });
  db.$client.exec('PRAGMA foreign_keys = off');
  db.$client.exec(fill);
  migrateDatabase(db, { dataDir, now: 1 });
  return db;
}

describe('a database from an older version', () => {
  test('with one read mark per Hub is migrated to the same mark for each kind', () => {
    const membership = "('h', 'p', 1, 7, 11)";
    const columns = '(hub_id, person_id, joined_at, read_seq, read_rank)';
    const db = migratedFrom(4, `INSERT INTO memberships ${columns} VALUES ${membership}`);
    const { hub_id, person_id, joined_at, ...marks } = db.$client.query('SELECT * FROM memberships').get() as Record<
      string,
      unknown
    >;
    expect(marks).toEqual({
      read_seq: 7,
      read_rank: 11,
      note_read_seq: 7,
      note_read_rank: 11,
      todo_read_seq: 7,
      todo_read_rank: 11,
    });
    db.$client.close(false);
  });

  test('with mentions that have no read state is migrated with all of them marked as read', () => {
    const columns = '(rank, id, hub_id, kind, seq, created_at, author_kind, author_id)';
    const db = migratedFrom(
      5,
      `INSERT INTO items ${columns} VALUES (3, 'msg_3', 'h', 'reply', 1, 1, 'person', 'q');
     INSERT INTO mentions (person_id, item_rank, item_id) VALUES ('p', 3, 'msg_3')`,
    );
    expect(db.$client.query('SELECT * FROM mentions').all()).toEqual([
      {
        person_id: 'p',
        item_rank: 3,
        item_id: 'msg_3',
        hub_id: 'h',
        kind: 'reply',
        is_named: 1,
        is_answered: 0,
        is_unread: 0,
      },
    ]);
    db.$client.close(false);
  });
});
