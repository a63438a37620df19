import { SQL } from 'bun';
import { sql } from 'drizzle-orm';
import { AppError, causeOf, StartError, StoreUnavailable } from '../../platform/errors.ts';
import { FairGate } from '../../platform/fair-gate.ts';
import type { NewId } from '../../platform/ids.ts';
import type { Clock } from '../../platform/ports.ts';
import { auditEntries } from '../audit.ts';
import type { CommitReport } from '../commit-report.ts';
import { given, rawQuery } from '../engine/query.ts';
import type { ItemSearch } from '../item-search.ts';
import { countSubscriptions } from '../notifications.ts';
import { readsOn, repositoriesOn } from '../repositories.ts';
import { events } from '../schema/events.table.ts';
import { hubs } from '../schema/hubs.table.ts';
import { items } from '../schema/items.table.ts';
import type { BackupStore, Store } from '../store.ts';
import { Connection, ReadConnection } from './engine/connection.ts';
import { openPool, STATEMENT_TIMEOUT_MS } from './engine/pool.ts';
import {
  type TransactionReport,
  type TransactionStatus,
  tooManyWaiting,
  transactionsOn,
} from './engine/transactions.ts';
import { GatheredPosts, postChanges } from './posts.ts';
import { findOrCreateWorkspace, migrateDatabase } from './prepare-database.ts';
import { keyCounting } from './save-usage.ts';
import { itemTermsOn, postgresSearch } from './search.ts';

export interface OpenPostgresOptions {
  url: string;
  clock: Clock;
  newId: NewId;
  /** Called at the end of each transaction, inside it. */
  onCommitting?: (on: Connection, report: CommitReport) => Promise<void>;
  /** Called after each commit of this node, before anyone else learns of its content. */
  onCommit?: (report: CommitReport) => void;
  onTransaction?: (report: TransactionReport) => void;
  /** Maximum numbers of connections for transactions, for posts of keys, for reads and for searches. */
  maxConnections?: { transactions: number; posts: number; reads: number; searches: number };
  statementTimeoutMs?: number;
}

export interface PostgresStore extends Store {
  readonly search: ItemSearch;
  /** The number of transactions that run or wait for a connection, for the metrics. */
  runningTransactions(): number;
}

/** Those of each node: `docs/postgresql.md` says so, and so does the error if there are too few. */
const CONNECTIONS = { transactions: 6, posts: 4, reads: 6, searches: 2 } as const;

/** How long numbers about the whole database, which nobody waits for, are used before they are read again. */
const FIGURES_VALID_MS = 5_000;

/** Opens and migrates a database that nodes share. Rejects with `StartError` if it cannot be used. */
export async function openPostgresStore(options: OpenPostgresOptions): Promise<PostgresStore> {
  const { url, clock, maxConnections = CONNECTIONS } = options;
  const timeoutMs = options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS;
  const writes = openPool(url, { max: maxConnections.transactions, timeoutMs });
  // Pools of their own: nothing that users do takes the connections that posts need, and no search those of other reads.
  const postPool = openPool(url, { max: maxConnections.posts, timeoutMs });
  const readPool = openPool(url, { max: maxConnections.reads, timeoutMs });
  const searchPool = openPool(url, { max: maxConnections.searches, timeoutMs });
  const close = async (): Promise<void> => {
    await Promise.all([writes, postPool, readPool, searchPool].map((pool) => pool.close({ timeout: 5 })));
  };
  try {
    await migrateDatabase(writes, (client) => findOrCreateWorkspace(new Connection(client, timeoutMs), options));
  } catch (error) {
    await close();
    throw error instanceof StartError ? error : unusableDatabase(url, error);
  }
  const on = new ReadConnection(readPool, timeoutMs);
  const shared = {
    timeoutMs,
    repositories: (client, report) => ({
      ...repositoriesOn(client, report, { indexing: itemTermsOn(client), counts: keyCounting }),
      posts: postChanges(client, report),
    }),
    clock,
    outcomeOf: (transactionId, witness) => on.first(transactionOutcome, { ...NO_WITNESS, ...witness, transactionId }),
    onCommitting: async (client, report) => options.onCommitting?.(client, report),
    onCommit: (report) => options.onCommit?.(report),
    onTransaction: (report) => options.onTransaction?.(report),
  } satisfies Partial<Parameters<typeof transactionsOn>[0]>;
  const transactions = transactionsOn({ ...shared, pool: writes });
  const turns = new FairGate({ clock, perCaller: 2, total: maxConnections.transactions, busy: tooManyWaiting });
  const postTransactions = transactionsOn({ ...shared, pool: postPool });
  const posts = new GatheredPosts({
    store: (work, turn) => postTransactions.run((tx) => work(tx.posts), turn),
    clock,
    maxApart: Math.max(1, maxConnections.posts - 1),
  });
  const figures = await databaseFigures(on, clock);
  const reads = readsOn(on);

  return {
    ...reads,
    notifications: { ...reads.notifications, countSubscriptions: () => figures().subscriptions },
    posts,
    backups: noBackups,
    search: postgresSearch(new ReadConnection(searchPool, timeoutMs)),
    probe: async () => {
      // A standby, or a primary that was demoted, reads but cannot write.
      if (await on.first(isReadOnly)) throw new Error('The database is read-only');
    },
    sizes: () => ({ databaseBytes: figures().bytes, walBytes: 0 }),
    transaction: (work, sender = 'server') => transactions.run(work, (from) => turns.enter(sender, from)),
    runningTransactions: () => transactions.running() + postTransactions.running() + posts.waiting,
    close,
  };
}

const isReadOnly = rawQuery(sql`select 1 where pg_is_in_recovery()`, () => true);
const NO_WITNESS = { itemId: null, auditId: null, hubId: null, seq: null, at: null };
const transactionOutcome = rawQuery(
  sql`select pg_xact_status(${given('transactionId')}::text::xid8),
    exists (select 1 from ${items} where id = ${given('itemId')}::text)
    or exists (select 1 from ${auditEntries} where id = ${given('auditId')}::text)
    or exists (select 1 from ${events} where hub_number = (select number from ${hubs} where id = ${given('hubId')}::text)
      and seq = ${given('seq')}::bigint and at = ${given('at')}::bigint)`,
  ([status, isWitnessed]: readonly [TransactionStatus, boolean | string]) => ({
    status,
    isWitnessed: isWitnessed === true || isWitnessed === 't',
  }),
);
const databaseBytes = rawQuery(sql`select pg_database_size(current_database())`, ([bytes]: [string]) => Number(bytes));

/** Returns a function that returns numbers about the database at once, and reads them again if they are old. */
async function databaseFigures(on: ReadConnection, clock: Clock) {
  const read = async () => ({
    bytes: (await on.first(databaseBytes)) ?? 0,
    subscriptions: (await on.first(countSubscriptions))?.all ?? 0,
  });
  let latest = await read();
  let readAt = clock.monotonic();
  return () => {
    if (clock.monotonic() - readAt < FIGURES_VALID_MS) return latest;
    readAt = clock.monotonic();
    read().then(
      (figures) => {
        latest = figures;
      },
      // The database is away. The next call after a while tries again.
      () => {},
    );
    return latest;
  };
}

const noBackups: BackupStore = {
  take: async () => rejectBackup(),
  confirm: async () => null,
  history: () => ({ last: null, confirmed: 0, broken: 0 }),
};

function rejectBackup(): never {
  throw new AppError(
    'conflict',
    'This workspace is stored in PostgreSQL. Back it up there: pg_dump --format=custom --file=hub.dump DATABASE, or base backups with a log archive. See docs/postgresql.md.',
  );
}

/** Returns the error for a problem of the database at the start; other errors as they are. */
export function startErrorOf(url: string, error: unknown): unknown {
  const cause = error instanceof StoreUnavailable ? error.cause : error;
  return cause instanceof SQL.PostgresError ? unusableDatabase(url, cause) : error;
}

/** Returns the error for a database that cannot be used, without its password. */
export function unusableDatabase(url: string, error: unknown): StartError {
  const { host, pathname } = new URL(url);
  return new StartError(`The server cannot use the database ${pathname.slice(1)} at ${host}: ${reasonOf(error)}`);
}

const TOO_MANY_CONNECTIONS = '53300';

/** Returns what the server has said, or else why there is no connection. */
function reasonOf(error: unknown): string {
  const { errno, message, code } = error as { errno?: unknown; message?: unknown; code?: unknown };
  // Codes of Bun's client.
  if (String(code).startsWith('ERR_POSTGRES_CONNECTION_'))
    return 'there is no connection. Check the name of the host, the port, firewalls, and whether PostgreSQL runs.';
  if (code === 'ERR_POSTGRES_TLS_NOT_AVAILABLE')
    return 'it does not offer TLS. Turn TLS on there, or remove sslmode from the address.';
  if (errno === TOO_MANY_CONNECTIONS)
    return `${message}. A node needs up to 26 connections: raise max_connections, or the limit of the role or the database.`;
  return typeof errno === 'string' && typeof message === 'string' ? message : causeOf(error);
}
