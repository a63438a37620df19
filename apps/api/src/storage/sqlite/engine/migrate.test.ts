import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DATABASE } from '@hub/contract';
import { testFolder } from '@hub/testkit/test-folder';
import { fillDatabase, openingError, openSqliteUnderTest } from '../../../../test/store/under-test.ts';
import { migrationsIn } from '../../engine/migrations.ts';
import { APPLICATION_ID, openDatabase } from './database.ts';
import { MIGRATIONS_FOLDER, migrateDatabase, takeSnapshot } from './migrate.ts';

let dataDir: string;
let file: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'hub-migrate-'));
  file = join(dataDir, 'hub.db');
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const snapshots = (): string[] => readdirSync(join(dataDir, 'snapshots')).sort();

test('a fresh database is marked as one of Hub, in WAL mode, and flushed at every commit', () => {
  const db = openDatabase(file);
  migrateDatabase(db, { dataDir, now: 0 });
  const names = ['journal_mode', 'synchronous', 'fullfsync', 'foreign_keys', 'busy_timeout', 'application_id'];
  const values = names.map((name) => db.$client.query(`PRAGMA ${name}`).values()[0]?.[0]);
  expect(values).toEqual(['wal', 2, 1, 1, 0, APPLICATION_ID]);
  db.$client.close(false);
});

test('the newest three snapshots are kept', () => {
  const db = openDatabase(file);
  for (let now = 0; now < 5; now += 1) takeSnapshot(db, { dataDir, now });
  expect(snapshots()).toEqual([2, 3, 4].map((ms) => `hub-1970-01-01T00-00-00.00${ms}Z.db`));
  // The one just taken stays, even if a clock was set back.
  takeSnapshot(db, { dataDir, now: 0 });
  expect(snapshots()).toEqual([0, 3, 4].map((ms) => `hub-1970-01-01T00-00-00.00${ms}Z.db`));
  db.$client.close(false);
});

test('hubctl knows the number of migrations, to detect backups from a newer version', () => {
  expect(migrationsIn(MIGRATIONS_FOLDER)).toHaveLength(DATABASE.migrations);
});

describe('a database from an older version', () => {
  const SECOND = `ALTER TABLE \`hubs\` ADD \`color\` text;--> statement-breakpoint
UPDATE \`hubs\` SET \`color\` = 'blue' WHERE \`deleted_at\` is null;--> statement-breakpoint
CREATE TABLE \`__new_events\` (
	\`hub_number\` integer NOT NULL,
	\`seq\` integer NOT NULL,
	\`at\` integer NOT NULL,
	\`event\` text NOT NULL,
	\`item_id\` text,
	\`data\` text,
	\`is_about_item\` integer NOT NULL,
	PRIMARY KEY(\`hub_number\`, \`seq\`),
	FOREIGN KEY (\`hub_number\`) REFERENCES \`hubs\`(\`number\`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO \`__new_events\` SELECT \`hub_number\`, \`seq\`, \`at\`, \`event\`, \`item_id\`, \`data\`, \`item_id\` is not null FROM \`events\`;--> statement-breakpoint
DROP TABLE \`events\`;--> statement-breakpoint
ALTER TABLE \`__new_events\` RENAME TO \`events\`;
`;

  /** Returns the migrations in this version plus one more, as the next version might have. */
  function nextMigrations(sql = SECOND): string {
    const folder = join(dataDir, 'newer-migrations');
    cpSync(MIGRATIONS_FOLDER, folder, { recursive: true });
    const journalFile = join(folder, 'meta', '_journal.json');
    const journal = JSON.parse(readFileSync(journalFile, 'utf8')) as { entries: { idx: number; when: number }[] };
    const last = journal.entries.at(-1);
    journal.entries.push({ ...last, idx: 99, when: (last?.when ?? 0) + 1, tag: '0099_newer' } as never);
    writeFileSync(journalFile, JSON.stringify(journal));
    writeFileSync(join(folder, '0099_newer.sql'), sql);
    return folder;
  }

  async function expectUnchanged(hubId: string): Promise<void> {
    await using subject = openSqliteUnderTest(dataDir);
    expect(await subject.store.hubs.find(hubId)).not.toBeNull();
    const bodies = subject.database.query('SELECT body, count(*) FROM items GROUP BY body').values();
    expect(bodies).toEqual([['x'.repeat(1_000), 50]]);
    for (const query of ['SELECT color FROM hubs', 'SELECT is_about_item FROM events']) {
      expect(() => subject.database.query(query).all()).toThrow('no such column');
    }
  }

  test('is copied before it is migrated, and the older version can open the copy', async () => {
    const hubId = await fillDatabase(dataDir);
    const db = openDatabase(file);
    migrateDatabase(db, { dataDir, now: Date.parse('2026-03-01T09:30:00.123Z'), migrationsFolder: nextMigrations() });
    expect(db.$client.query('SELECT color FROM hubs').values()).toEqual([['blue']]);
    const events = 'SELECT is_about_item, count(*) FROM events GROUP BY is_about_item';
    expect(db.$client.query(events).values()).toEqual([[1, 50]]);
    db.$client.close(false);

    expect(snapshots()).toEqual(['hub-2026-03-01T09-30-00.123Z.db']);
    const older = testFolder('hub-older-');
    cpSync(join(dataDir, 'snapshots', 'hub-2026-03-01T09-30-00.123Z.db'), join(older, 'hub.db'));
    await using restored = openSqliteUnderTest(older);
    expect(await restored.store.hubs.find(hubId)).not.toBeNull();
    expect(await restored.itemsOf(hubId)).toHaveLength(50);
  });

  test('is unchanged after a failed migration, and can be opened again', async () => {
    const hubId = await fillDatabase(dataDir);
    const folder = nextMigrations(`${SECOND}--> statement-breakpoint\nSELEKT`);
    const db = openDatabase(file);
    expect(() => migrateDatabase(db, { dataDir, now: 0, migrationsFolder: folder })).toThrow();
    db.$client.close(false);
    await expectUnchanged(hubId);
  });

  test('is unchanged after the server was killed during a migration, and can be opened again', async () => {
    const hubId = await fillDatabase(dataDir);
    // With a small cache, SQLite writes changed pages to the log before the commit. The last statement never ends.
    const endless =
      'WITH RECURSIVE endless(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM endless) SELECT max(n) FROM endless';
    const statements = ['PRAGMA cache_size = 2', SECOND, "UPDATE items SET body = body || 'y'", endless];
    const folder = nextMigrations(statements.join(';--> statement-breakpoint\n'));
    const program = `
      import { openDatabase } from ${JSON.stringify(join(import.meta.dir, 'database.ts'))};
      import { migrateDatabase } from ${JSON.stringify(join(import.meta.dir, 'migrate.ts'))};
      const [file, dataDir, migrationsFolder] = process.argv.slice(-3);
      migrateDatabase(openDatabase(file), { dataDir, now: 0, migrationsFolder });`;
    const server = Bun.spawn([process.execPath, '-e', program, file, dataDir, folder], { stderr: 'inherit' });
    const logBytes = () => statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
    while (logBytes() < 32 * 1024 && server.exitCode === null) await Bun.sleep(5);
    server.kill('SIGKILL');
    await server.exited;
    expect(server.signalCode).toBe('SIGKILL');
    expect(snapshots()).toHaveLength(1);
    await expectUnchanged(hubId);
  });
});

test('a database that a newer version has written is rejected and left untouched, and the error says what to do', async () => {
  await fillDatabase(dataDir);
  const database = new Database(file);
  // The log has been moved into the file, but SQLite would still create an empty log to read that file.
  database.exec('PRAGMA journal_mode = WAL');
  database.exec("INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('of-the-future', 9999999999999)");
  database.close(true);
  const before = readFileSync(file);
  expect(openingError(dataDir)).toMatch(/hub\.db was written by a newer version.*Start that version.*snapshots/s);
  expect(readFileSync(file).equals(before)).toBe(true);
  expect(readdirSync(dataDir).sort()).toEqual(['hub.db', 'hub.run']);
});
