/**
 * `bun run db:generate [--check]`: adds a migration to both databases if the tables that src/storage/repositories.ts lists
 * have changed since the last one. It is completed by hand with what drizzle-kit cannot generate, and if data must change,
 * too. `--check` writes nothing, and exits with 1 if a migration is missing.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  generateDrizzleJson,
  generateMigration,
  generateSQLiteDrizzleJson,
  generateSQLiteMigration,
} from 'drizzle-kit/api';
import type { Table } from 'drizzle-orm';
import { postgresTables } from './src/storage/postgres-tables.ts';
import { sqliteTables } from './src/storage/repositories.ts';

const storage = join(import.meta.dir, 'src/storage');
const BETWEEN_STATEMENTS = '--> statement-breakpoint\n';

interface Dialect {
  folder: string;
  /** The schema in drizzle-kit's form. */
  toSnapshot(tables: readonly Table[]): object | Promise<object>;
  /** Returns the statements that turn one schema into another. */
  toStatements(from: object, to: object): Promise<string[]>;
  tables: readonly Table[];
}

const DIALECTS: readonly Dialect[] = [
  {
    folder: join(storage, 'sqlite/migrations'),
    toSnapshot: (tables) => generateSQLiteDrizzleJson({ ...tables }, undefined, 'snake_case'),
    toStatements: (from, to) => generateSQLiteMigration(from as never, to as never),
    tables: sqliteTables,
  },
  {
    folder: join(storage, 'postgres/postgres-migrations'),
    toSnapshot: (tables) => generateDrizzleJson({ ...tables }, undefined, undefined, 'snake_case'),
    toStatements: (from, to) => generateMigration(from as never, to as never),
    tables: postgresTables,
  },
];

interface Journal {
  entries: { idx: number; version: string; when: number; tag: string; breakpoints: boolean }[];
}

/** Returns the files to write, by their paths. */
async function filesToWrite({ folder, toSnapshot, toStatements, tables }: Dialect): Promise<Map<string, string>> {
  const journalFile = join(folder, 'meta/_journal.json');
  const journal = JSON.parse(readFileSync(journalFile, 'utf8')) as Journal;
  const snapshotFile = (index: number) => join(folder, `meta/${String(index).padStart(4, '0')}_snapshot.json`);
  const last = journal.entries.at(-1);
  if (!last) throw new Error(`${journalFile} names no migration`);
  const present = await toSnapshot(tables);
  const statements = await toStatements(JSON.parse(readFileSync(snapshotFile(last.idx), 'utf8')), present);
  if (statements.length === 0) return new Map();
  const idx = last.idx + 1;
  const tag = `${String(idx).padStart(4, '0')}_change`;
  const entries = [...journal.entries, { ...last, idx, tag, when: Date.now() }];
  return new Map([
    [join(folder, `${tag}.sql`), statements.join(BETWEEN_STATEMENTS)],
    [journalFile, `${JSON.stringify({ ...journal, entries }, null, 2)}\n`],
    // In one line: nobody reads it.
    [snapshotFile(idx), `${JSON.stringify(present)}\n`],
  ]);
}

const { values } = parseArgs({ options: { check: { type: 'boolean' } } });
for (const dialect of DIALECTS) {
  for (const [path, text] of await filesToWrite(dialect)) {
    console.log(values.check ? `${path} is missing: bun run db:generate` : path);
    if (values.check) process.exitCode = 1;
    else writeFileSync(path, text);
  }
}
