import type { Database, SQLQueryBindings } from 'bun:sqlite';
import { type Random, seeded } from '@hub/testkit';
import { createIds, type IdPrefix } from '../../../apps/api/src/core/ids.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const HISTORY_DAYS = 90;
export const EVENT_DAYS = 7;
/** The fraction of everything that is older than the retention period of events. */
const OLD_SHARE = 0.5;

export type Row = Readonly<Record<string, SQLQueryBindings>>;

/** The history of a workspace, written directly into the tables of its database. */
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

  /** Moves to the time by which this fraction of everything had been created. Time never goes backward. */
  goTo(share: number): void {
    const { from, weekAgo, until } = this.span;
    const at =
      share < OLD_SHARE
        ? from + (share / OLD_SHARE) * (weekAgo - from)
        : weekAgo + ((share - OLD_SHARE) / (1 - OLD_SHARE)) * (until - weekAgo);
    this.#now = Math.max(this.#now, Math.floor(at));
  }

  /** Inserts rows into a table; all must have the same columns. */
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
