/**
 * `bun run db:generate [--check | --release]`: writes the migrations of both databases from the tables that
 * src/storage/repositories.ts lists. `--check` writes nothing, and exits with 1 if a migration is out of date or missing.
 *
 * Until the first release there is one migration, written again after each change, and named in the fixtures of its
 * upgrade. `--release` saves the schema as it was released; from then on, a change adds a migration, to be completed by
 * hand if data must change, too.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  generateDrizzleJson,
  generateMigration,
  generateSQLiteDrizzleJson,
  generateSQLiteMigration,
} from 'drizzle-kit/api';
import { getTableName, type Table } from 'drizzle-orm';
import { postgresTables } from './src/storage/postgres-tables.ts';
import { sqliteTables, WITHOUT_ROWID } from './src/storage/repositories.ts';

const storage = join(import.meta.dir, 'src/storage');
const BETWEEN_STATEMENTS = '--> statement-breakpoint\n';
const HASH_IN_FIXTURE = /(?<=migrations \(hash,\w+\) VALUES\n\(')[0-9a-f]{64}/;

interface Dialect {
  folder: string;
  /** The rows of a workspace of 1.0.0, which test/upgrade.test.ts opens. */
  fixture: string;
  /** The schema in drizzle-kit's form. */
  toSnapshot(tables: readonly Table[]): object | Promise<object>;
  /** Returns the statements that turn one schema into another. */
  toStatements(from: object, to: object): Promise<string[]>;
  tables: readonly Table[];
  /** Adds to the statements of the first migration what drizzle-kit cannot generate. */
  complete(statements: readonly string[]): string[];
}

const DIALECTS: readonly Dialect[] = [
  {
    folder: join(storage, 'sqlite/migrations'),
    fixture: join(import.meta.dir, 'test/upgrade/1.0.0.sqlite.sql'),
    toSnapshot: (tables) => generateSQLiteDrizzleJson({ ...tables }, undefined, 'snake_case'),
    toStatements: (from, to) => generateSQLiteMigration(from as never, to as never),
    tables: sqliteTables,
    complete: (statements) => statements.map(withoutRowid),
  },
  {
    folder: join(storage, 'postgres/postgres-migrations'),
    fixture: join(import.meta.dir, 'test/upgrade/1.0.0.postgres.sql'),
    toSnapshot: (tables) => generateDrizzleJson({ ...tables }, undefined, undefined, 'snake_case'),
    toStatements: (from, to) => generateMigration(from as never, to as never),
    tables: postgresTables,
    complete: (statements) => [...statements, '\n', readFileSync(join(storage, 'schema/postgres.sql'), 'utf8')],
  },
];

function withoutRowid(statement: string): string {
  const isWithout = WITHOUT_ROWID.some((table) => statement.startsWith(`CREATE TABLE \`${getTableName(table)}\``));
  return isWithout ? statement.replace(/\);\n$/, ') WITHOUT ROWID;\n') : statement;
}

interface Journal {
  entries: { idx: number; version: string; when: number; tag: string; breakpoints: boolean }[];
}

/** Returns the files to write, by their paths. */
async function filesToWrite(
  { folder, fixture, toSnapshot, toStatements, tables, complete }: Dialect,
  isRelease: boolean,
): Promise<Map<string, string>> {
  const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`;
  const journalFile = join(folder, 'meta/_journal.json');
  const journal = JSON.parse(readFileSync(journalFile, 'utf8')) as Journal;
  const snapshotFile = (index: number) => join(folder, `meta/${String(index).padStart(4, '0')}_snapshot.json`);
  const last = journal.entries.at(-1);
  if (!last) throw new Error(`${journalFile} names no migration`);
  const present = await toSnapshot(tables);
  const files = new Map<string, string>();
  if (existsSync(snapshotFile(last.idx))) {
    const statements = await toStatements(JSON.parse(readFileSync(snapshotFile(last.idx), 'utf8')), present);
    if (statements.length === 0) return files;
    const idx = last.idx + 1;
    const tag = `${String(idx).padStart(4, '0')}_change`;
    files.set(join(folder, `${tag}.sql`), statements.join(BETWEEN_STATEMENTS));
    files.set(
      journalFile,
      json({ ...journal, entries: [...journal.entries, { ...last, idx, tag, when: Date.now() }] }),
    );
    return files.set(snapshotFile(idx), json(present));
  }
  const statements = complete(await toStatements(await toSnapshot([]), present)).join(BETWEEN_STATEMENTS);
  files.set(join(folder, `${last.tag}.sql`), statements);
  const hash = new Bun.CryptoHasher('sha256').update(statements).digest('hex');
  files.set(fixture, readFileSync(fixture, 'utf8').replace(HASH_IN_FIXTURE, hash));
  return isRelease ? files.set(snapshotFile(last.idx), json(present)) : files;
}

const { values } = parseArgs({ options: { check: { type: 'boolean' }, release: { type: 'boolean' } } });
for (const dialect of DIALECTS) {
  for (const [path, text] of await filesToWrite(dialect, values.release ?? false)) {
    if (existsSync(path) && readFileSync(path, 'utf8') === text) continue;
    if (!values.check) writeFileSync(path, text);
    else {
      console.log(`${path} is out of date: bun run db:generate`);
      process.exitCode = 1;
    }
  }
}
