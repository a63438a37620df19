import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  beginRequest,
  type Connection,
  createApp,
  createDeps,
  expireQuestions,
  flushKeys,
  flushUsers,
  type Log,
  type PasswordHasher,
  prune,
  readWebApp,
  type Store,
} from '../../../../apps/api/src/for-tests.ts';
import { adminOver } from '../admin.ts';
import type { PostKind } from '../http.ts';
import { REPOSITORY } from '../server-process.ts';
import { testFolder } from '../test-folder.ts';
import { checkQueryPlans } from './query-plans.ts';
import { TestClock } from './test-clock.ts';
import {
  copyStorage,
  dumpAndRestore,
  isOnPostgres,
  type OpenedStorage,
  openStorage,
  removeStorage,
} from './test-storage.ts';

export { isOnPostgres, onlyOnPostgres, onlyOnSqlite } from './test-storage.ts';

/** The real hash at the lowest cost: at the default cost, hashing would take most of the tests' time. */
const quickArgon2id: PasswordHasher = {
  hash: (password) => Bun.password.hash(password, { algorithm: 'argon2id', memoryCost: 8, timeCost: 1 }),
  verify: (password, hash) => Bun.password.verify(password, hash),
};

const WEB_FOLDER = join(REPOSITORY, 'apps/web/dist');

type Adapters = Parameters<typeof createDeps>[0];
type Replaceable = 'passwords' | 'secretKeys' | 'push' | 'provider' | 'mail' | 'limits' | 'web';

/** By default, it hashes fast, sends no pushes and no mails, and serves the last build of the web app. */
interface TestHubOptions extends Partial<Pick<Adapters, Replaceable>> {
  clock?: TestClock;
  /** The data folder of an earlier server. */
  dataDir?: string;
  /** An existing database in PostgreSQL, whichever storage is tested; `null`: SQLite, whichever storage is tested. */
  databaseUrl?: string | null;
  /** By how much the clock of the database in PostgreSQL is ahead of `clock`. */
  databaseAheadMs?: number;
  /** Wraps the store that the app uses, for example to make it fail or wait. */
  wrapStore?: (store: Store) => Store;
  /** `HUB_BASE_URL`: the address as seen by browsers. By default, the server's own address. */
  baseUrl?: string;
}

export interface LogLine {
  level: string;
  message: string;
  fields: object;
}

/**
 * Starts the real application with a real database and real HTTP on loopback, with a clock that the test controls.
 * `admin` sends requests to the admin socket, `fetch` to the public listener.
 */
export async function startTestHub(options: TestHubOptions = {}) {
  const { clock = new TestClock(), dataDir = testFolder('hub-test-'), baseUrl, wrapStore, ...others } = options;
  const { databaseUrl, databaseAheadMs = 0, ...adapters } = others;
  const logged: LogLine[] = [];
  let storage!: OpenedStorage;
  const deps = await createDeps({
    clock,
    random: { bytes: (count) => crypto.getRandomValues(new Uint8Array(count)) },
    passwords: quickArgon2id,
    log: collectingLog(logged),
    openStore: async (newId, onCommit) => {
      const context = { dataDir, databaseUrl, databaseAheadMs, clock, log: collectingLog(logged), newId, onCommit };
      storage = await openStorage(context);
      return wrapStore?.(storage.store) ?? storage.store;
    },
    startSearch: () => storage.startSearch(),
    openedNode: () => storage.node,
    push: null,
    web: readWebApp(WEB_FOLDER),
    server: {
      version: '0.0.0-test',
      baseUrl: () => origin,
      plainHttpHost: null,
      certificate: () => null,
      dataDir,
      startedAt: clock.now(),
      startedAtMonotonic: clock.monotonic(),
    },
    ...adapters,
  });
  const app = createApp(deps);
  let clientAddress = '192.0.2.1';
  const respond = async (
    request: Request,
    from: Pick<Connection, 'transport' | 'address'>,
    server: Connection['server'],
  ): Promise<Response | undefined> => {
    // As the listener does: a function unless HUB_BASE_URL is set.
    const ownOrigin = from.transport === 'local' ? url : new URL(request.url).origin;
    const connection = { ...from, origin: baseUrl ?? (() => ownOrigin) };
    const context = beginRequest(request, { ...connection, startedAt: clock.monotonic(), server });
    const response = await app.fetch(request);
    context.responded();
    return context.isUpgraded ? undefined : response;
  };
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    // On a busy machine, a response may take longer than Bun's default timeout of 10 seconds.
    idleTimeout: 0,
    development: false,
    fetch: (request, self) => respond(request, { transport: 'public', address: clientAddress }, self),
    websocket: deps.live.websocket,
  });
  const socketPath = join(dataDir, 'test.sock');
  // Bun's types do not include `idleTimeout` for a Unix socket, but Bun applies it.
  const socket = Bun.serve({
    unix: socketPath,
    idleTimeout: 0,
    development: false,
    fetch: (request: Request, self: Bun.Server<unknown>) =>
      respond(request, { transport: 'local', address: 'local' }, self),
    websocket: deps.live.websocket,
  } as unknown as Bun.Serve.Options<unknown>);
  deps.live.start((topic, frame) => {
    for (const each of [server, socket]) each.publish(topic, frame, false);
  });
  // Only a leader notifies. Other tests need no connection to hear of other nodes.
  if (adapters.push) await storage.node?.start();
  const url = `http://127.0.0.1:${server.port}`;
  const origin = baseUrl ?? url;

  /** Stops as main.ts does. */
  const stop = async (): Promise<void> => {
    await deps.live.stop();
    await deps.notifications.stop();
    await Promise.all([server.stop(true), socket.stop(true)]);
    await flushKeys(deps).catch(() => {});
    await flushUsers(deps).catch(() => {});
    await storage.close();
  };

  return {
    url,
    origin,
    socketPath,
    dataDir,
    clock,
    deps,
    app,
    logged,
    store: storage.store,
    /** Runs a statement on the database, as another program would. Its parameters are `$1`, `$2`, … */
    query: <Row>(statement: string, ...values: (string | number)[]) => storage.query<Row>(statement, values),
    /** Sets the client address of the requests that follow. */
    setClientAddress: (address: string) => {
      clientAddress = address;
    },
    fetch: (path: string, init?: RequestInit) => fetch(url + path, init),
    admin: adminOver(socketPath),
    /** These run what a server does by itself from time to time. */
    prune: () => prune(deps),
    expireQuestions: () => expireQuestions(deps),
    flushKeys: () => flushKeys(deps),
    flushUsers: () => flushUsers(deps),
    stop,
    /** Stops the server, removes its data, and rejects if a statement that it ran scans or sorts a growing table. */
    [Symbol.asyncDispose]: async () => {
      await stop().catch(() => {});
      removeStorage(dataDir);
      await checkQueryPlans();
    },
  };
}

export type TestHub = Awaited<ReturnType<typeof startTestHub>>;

function collectingLog(lines: LogLine[]): Log {
  const at = (level: string) => (fields: object, message: string) => {
    lines.push({ level, message, fields });
  };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** Sends a POST request to the public API, as a program does. */
export function post(
  hub: TestHub,
  kind: PostKind | `relay/${'slack' | 'alertmanager' | 'grafana'}`,
  key: string,
  body: unknown,
): Promise<Response> {
  return hub.fetch(`/api/public/v1/${kind}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

/** Stops a server gracefully and starts another one on the same data and clock. */
export async function restartHub(hub: TestHub, options: TestHubOptions = {}): Promise<TestHub> {
  await hub.stop();
  return startTestHub({ ...options, clock: hub.clock, dataDir: hub.dataDir });
}

/** Starts another server on the data that would be on disk if this one were killed now. */
export async function startAfterKill(hub: TestHub, options: TestHubOptions = {}): Promise<TestHub> {
  return startTestHub({ ...options, clock: hub.clock, dataDir: copyStorage(hub.dataDir) });
}

/** Takes a backup of a server, or a dump of its database, and starts another server on it. */
export async function startRestored(hub: TestHub): Promise<TestHub> {
  if (isOnPostgres) return startTestHub({ clock: hub.clock, dataDir: await dumpAndRestore(hub.dataDir) });
  const backup = await hub.admin.raw('POST', '/backups');
  return startOnDatabase(hub, await backup.bytes());
}

/** Starts a server on a new folder that contains only this database. */
export function startOnDatabase(
  { clock }: Pick<TestHub, 'clock'>,
  database: Uint8Array,
  options: { baseUrl?: string } = {},
): Promise<TestHub> {
  const dataDir = testFolder('hub-restored-');
  writeFileSync(join(dataDir, 'hub.db'), database);
  return startTestHub({ ...options, clock, dataDir });
}
