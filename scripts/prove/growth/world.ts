import type { Database, SQLQueryBindings } from 'bun:sqlite';
import { createIds, type IdPrefix } from '../../../apps/api/src/ids.ts';
import { type Random, seeded } from '../live/random.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const HISTORY_DAYS = 90;
export const EVENT_DAYS = 7;
/** Half of everything came within the time for which events are kept. */
const OLD_SHARE = 0.5;

export type Row = Readonly<Record<string, SQLQueryBindings>>;

/** The past of a workspace, as it is written into the tables of its database. */
export class World {
  readonly random: Random = seeded(20_261_121);
  readonly span: { from: number; weekAgo: number; until: number };
  readonly #database: Database;
  readonly #inserts = new Map<string, (row: Row) => void>();
  #now: number;
  readonly newId: (prefix: IdPrefix) => string;

  constructor(database: Database, until: number) {
    this.#database = database;
    this.span = { from: until - HISTORY_DAYS * DAY_MS, weekAgo: until - EVENT_DAYS * DAY_MS, until };
    this.#now = this.span.from;
    const clock = { now: () => this.#now, monotonic: () => 0, sinceBoot: () => null, sleep: async () => {} };
    this.newId = createIds(clock, { bytes: (count) => crypto.getRandomValues(new Uint8Array(count)) });
  }

  get now(): number {
    return this.#now;
  }

  /** Goes to the moment at which this share of all had come. It never goes back. */
  goTo(share: number): void {
    const { from, weekAgo, until } = this.span;
    const at =
      share < OLD_SHARE
        ? from + (share / OLD_SHARE) * (weekAgo - from)
        : weekAgo + ((share - OLD_SHARE) / (1 - OLD_SHARE)) * (until - weekAgo);
    this.#now = Math.max(this.#now, Math.floor(at));
  }

  /** All rows of a table have the same columns. */
  insert(table: string, row: Row): void {
    const known = this.#inserts.get(table) ?? this.#prepare(table, Object.keys(row));
    this.#inserts.set(table, known);
    known(row);
  }

  run(sql: string, ...bindings: SQLQueryBindings[]): void {
    this.#database.query(sql).run(...bindings);
  }

  #prepare(table: string, columns: readonly string[]): (row: Row) => void {
    const placeholders = columns.map(() => '?').join(', ');
    const statement = this.#database.query(`insert into ${table} (${columns.join(', ')}) values (${placeholders})`);
    return (row) => void statement.run(...columns.map((column) => row[column] ?? null));
  }
}
