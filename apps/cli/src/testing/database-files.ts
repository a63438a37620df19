import { Database } from 'bun:sqlite';
import { closeSync, openSync, writeSync } from 'node:fs';

const PAGE_BYTES = 4096;

/** Runs SQL on a SQLite file that nothing else uses. */
export function changeDatabase(file: string, sql: string): void {
  using database = new Database(file);
  database.exec(sql);
}

/** Returns the first value of the first row of a query. */
export function valueIn(file: string, sql: string): unknown {
  using database = new Database(file, { readonly: true });
  return database.query(sql).values()[0]?.[0];
}

/** Overwrites a page, as a failing disk does. */
export function damagePage(file: string): void {
  const opened = openSync(file, 'r+');
  writeSync(opened, new Uint8Array(PAGE_BYTES).fill(0x5a), 0, PAGE_BYTES, 7 * PAGE_BYTES);
  closeSync(opened);
}
