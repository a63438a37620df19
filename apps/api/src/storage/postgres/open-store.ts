import { SQL } from 'bun';
import { sql } from 'drizzle-orm';
import { readDatabaseAddress } from '../../platform/config-schemas.ts';
import { AppError, causeOf, StartError, StoreUnavailable } from '../../platform/errors.ts';
import { FairGate } from '../../platform/fair-gate.ts';
import type { NewId } from '../../platform/ids.ts';
import type { Clock } from '../../platform/ports.ts';
import { settings } from '../../platform/settings.ts';
import { auditEntries } from '../audit.ts';
import type { CommitReport } from '../commit-report.ts';
import { given, rawQuery } from '../engine/query.ts';
import { countSubscriptions } from '../notifications.ts';
import { readsOn, repositoriesOn } from '../repositories.ts';
import { hubs } from '../schema/hubs.table.ts';
import { events, items } from '../schema/items.table.ts';
import type { BackupStore, BatchReport, ItemSearch, Store } from '../store.ts';
import { Connection, ReadConnection } from './engine/connection.ts';
import { Connector } from './engine/connector.ts';
import { FIXED_PLANS, Pool } from './engine/pool.ts';
import { tooManyWaiting, transactionsOn } from './engine/transactions.ts';
import { STATEMENT_TIMEOUT_MS } from './engine/use-connection.ts';
import { chunkChanges, fileChunks } from './file-chunks.ts';
import { GatheredPosts } from './gathered-posts.ts';
import { keyCounting } from './key-usage.ts';
import { postChanges, SHORT_LOCKS } from './posts.ts';
import { findOrCreateWorkspace, migrateDatabase, rejectSharedSessions } from './prepare-database.ts';
import { itemTermsOn, mergeTerms, postgresSearch } from './search.ts';

/** One listens, one leads, and one is for health and rights, so that nothing else can keep a node from them. */
const RESERVED_CONNECTIONS = 3;

/** How many connections there are for each kind of work. */
type Connections = Readonly<Record<'transactions' | 'posts' | 'reads' | 'searches', number>>;

/** Shares out the connections of a node, of which there are at least ten, so that no kind of work takes those of another. */
export function shareConnections(total: number = settings.databasePool.default): Connections & { keys: number } {
  const shared = total - RESERVED_CONNECTIONS;
  const part = (of23: number, min: number) => Math.max(min, Math.floor((shared * of23) / 23));
  const [transactions, posts, reads, searches] = [part(6, 2), part(4, 2), part(6, 1), part(2, 1)];
  return { transactions, posts, reads, searches, keys: shared - transactions - posts - reads - searches };
}

export interface OpenPostgresOptions {
  url: string;
  clock: Clock;
  newId: NewId;
  /** Called at the end of each transaction, inside it. */
  onCommitting?: (on: Connection, report: CommitReport) => Promise<void>;
  /** Called after each commit of this node, before anyone else learns of its content. */
  onCommit?: (report: CommitReport) => void;
  onBatch?: (report: BatchReport) => void;
  /** How many connections there are for each kind of work. */
  maxConnections?: Connections;
  statementTimeoutMs?: number;
  /** Makes the connections of the node; by default, those of this store alone. */
  connector?: Connector;
  /** For the probe of the node; by default, the connections of reads. */
  health?: ReadConnection;
}

export interface PostgresStore extends Store {
  readonly search: ItemSearch;
  /** The number of transactions that run or wait for a connection, for the metrics. */
  runningTransactions(): number;
  /** How much of the connections is in use or waited for, by the kind of work; more than 1: some wait. */
  poolUse(): Record<keyof Connections, number>;
}

/** How long numbers about the whole database, which nobody waits for, are used before they are read again. */
const FIGURES_VALID_MS = 5_000;

/** Opens and migrates a database that nodes share. Rejects with `StartError` if it cannot be used. */
export async function openPostgresStore(options: OpenPostgresOptions): Promise<PostgresStore> {
  const { url, clock, maxConnections = shareConnections() } = options;
  const timeoutMs = options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS;
  const connector = options.connector ?? new Connector({ url, statementTimeoutMs: timeoutMs });
  const open = (max: number, settings = ''): Pool => new Pool(connector, { max, clock, settings });
  const writes = open(maxConnections.transactions);
  // Pools of their own: nothing that users do takes the connections that posts need, and no search those of other reads.
  const postPool = open(maxConnections.posts, `${FIXED_PLANS}; ${SHORT_LOCKS}`);
  const readPool = open(maxConnections.reads);
  const searchPool = open(maxConnections.searches);
  const close = async (): Promise<void> => {
    await Promise.all([writes, postPool, readPool, searchPool].map((pool) => pool.close()));
  };
  const clients: SQL[] = [];
  const connect = async (client: SQL): Promise<void> => {
    await client.connect();
    clients.push(client);
  };
  const prepare = (client: SQL) => findOrCreateWorkspace(new Connection(client, timeoutMs), options);
  try {
    for (let n = 0; n < 2; n += 1) await connector.attempt(connect);
    const [migrating, other] = clients as [SQL, SQL];
    await rejectSharedSessions(migrating, other);
    await migrateDatabase(migrating, prepare);
  } catch (error) {
    throw error instanceof StartError ? error : unusableDatabase(url, error);
  } finally {
    await Promise.all(clients.map((client) => client.close({ timeout: 1 })));
  }
  const on = new ReadConnection(readPool, timeoutMs);
  const searches = new ReadConnection(searchPool, timeoutMs);
  const merge = mergeTerms(searches);
  const shared = {
    timeoutMs,
    repositories: (client, report) => ({
      ...repositoriesOn(client, report, { indexing: itemTermsOn(client), counts: keyCounting }),
      posts: postChanges(client, report),
      chunks: chunkChanges(client),
    }),
    clock,
    isStored: async (witness) => (await on.first(witnessed, { ...NO_WITNESS, ...witness })) !== undefined,
    hasEnded: async (session) => (await on.first(servingProcess, { session })) === undefined,
    onCommitting: async (client, report) => options.onCommitting?.(client, report),
    onCommit: (report) => {
      merge(report.posts.length);
      options.onCommit?.(report);
    },
    onBatch: (report) => options.onBatch?.(report),
  } satisfies Partial<Parameters<typeof transactionsOn>[0]>;
  const transactions = transactionsOn({ ...shared, pool: writes });
  const turns = new FairGate({ clock, perCaller: 2, total: maxConnections.transactions, busy: tooManyWaiting });
  const postTransactions = transactionsOn({ ...shared, pool: postPool });
  const posts = new GatheredPosts({
    store: (work, options) => postTransactions.run((tx) => work(tx.posts), options),
    reads: on,
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
    contents: fileChunks(
      (work) => transactions.run((tx) => work(tx.chunks), { turn: (from) => turns.enter('files', from) }),
      on,
    ),
    search: postgresSearch(searches),
    probe: async () => {
      // A standby, or a primary that was demoted, reads but cannot write.
      if (await (options.health ?? on).first(isReadOnly)) throw new Error('The database is read-only');
    },
    sizes: () => ({ databaseBytes: figures().bytes, walBytes: 0 }),
    transaction: (work, sender = 'server') => transactions.run(work, { turn: (from) => turns.enter(sender, from) }),
    poolUse: () => ({
      transactions: writes.use + turns.waiting / maxConnections.transactions,
      posts: postPool.use + posts.waiting / maxConnections.posts,
      reads: readPool.use,
      searches: searchPool.use,
    }),
    runningTransactions: () => transactions.running() + postTransactions.running() + posts.waiting,
    close,
  };
}

const isReadOnly = rawQuery(sql`select 1 where pg_is_in_recovery()`, () => true);
const NO_WITNESS = { itemId: null, auditId: null, hubId: null, seq: null, at: null };
const witnessed = rawQuery(
  sql`select 1 where exists (select 1 from ${items} where id = ${given('itemId')}::text)
    or exists (select 1 from ${auditEntries} where id = ${given('auditId')}::text)
    or exists (select 1 from ${events} where hub_number = (select number from ${hubs} where id = ${given('hubId')}::text)
      and seq = ${given('seq')}::bigint and at = ${given('at')}::bigint)`,
  () => true,
);
const servingProcess = rawQuery(sql`select 1 from pg_stat_activity where pid = ${given('session')}::int`, () => true);
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
  const { servers } = readDatabaseAddress(url) ?? {};
  const hosts = servers?.map(({ host }) => host).join(', ');
  return new StartError(
    `The server cannot use the database ${servers?.[0].pathname.slice(1)} at ${hosts}: ${reasonOf(error)}`,
  );
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
    return `${message}. A node needs up to HUB_DATABASE_POOL connections: raise max_connections, or the limit of the role or the database, or lower HUB_DATABASE_POOL.`;
  return typeof errno === 'string' && typeof message === 'string' ? message : causeOf(error);
}
