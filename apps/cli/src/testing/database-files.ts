import { Database } from 'bun:sqlite';
import { closeSync, openSync, writeSync } from 'node:fs';

const PAGE_BYTES = 4096;

/** Does something to a SQLite file that nobody else uses. */
export function changeDatabase(file: string, sql: string): void {
  using database = new Database(file);
  database.exec(sql);
}

/** The first value of what a query of a SQLite file gives. */
export function valueIn(file: string, sql: string): unknown {
  using database = new Database(file, { readonly: true });
  return database.query(sql).values()[0]?.[0];
}

/** As a failing disk does: one page is not what was written. */
export function damagePage(file: string): void {
  const opened = openSync(file, 'r+');
  writeSync(opened, new Uint8Array(PAGE_BYTES).fill(0x5a), 0, PAGE_BYTES, 7 * PAGE_BYTES);
  closeSync(opened);
}
