import { SQL } from 'bun';
import { migrateDatabase } from '../../../../apps/api/src/for-tests.ts';
import { PostgresServer } from '../postgres.ts';

/** The database that all others are copies of, so that it is migrated once. */
const TEMPLATE = 'hub_template';

/**
 * Starts a PostgreSQL for tests, with an empty database of Hub as a template. A crash of the machine is not tested with
 * it, so it need not flush.
 */
export async function startPostgresForTests(): Promise<PostgresServer> {
  const withoutFlushes = { fsync: 'off', full_page_writes: 'off' };
  // Tests use many short connections, where plans for the values of each statement take longer than they save.
  const forShortTests = {
    jit: 'off',
    autovacuum: 'off',
    plan_cache_mode: 'force_generic_plan',
    max_connections: '300',
  };
  const settings = { ...withoutFlushes, ...forShortTests };
  const server = await PostgresServer.start({ settings });
  const client = new SQL(await server.createDatabase(TEMPLATE), { max: 1 });
  await migrateDatabase(client, async () => {});
  await client.close();
  return server;
}

/** The server that `bun run test:postgres` has started for all its processes, or else the one of this process. */
let serverUrl: Promise<string> | undefined;

/** Creates a database, and returns its address. That of `template0` has no schema either. */
export async function createDatabase({ template = TEMPLATE } = {}): Promise<string> {
  const shared = process.env.HUB_TEST_POSTGRES_URL;
  serverUrl ??= shared ? Promise.resolve(shared) : startPostgresForTests().then((server) => server.url());
  const client = new SQL(await serverUrl, { max: 1 });
  const name = `hub_${crypto.randomUUID()}`;
  await client.unsafe(`CREATE DATABASE "${name}" TEMPLATE "${template}"`);
  await client.close();
  const url = new URL(await serverUrl);
  url.pathname = name;
  return url.href;
}

/** Databases that a test no longer uses. Creating one takes longer than most tests. */
const free: string[] = [];

/** Returns the address of a migrated database without content. */
export async function emptyDatabase(): Promise<string> {
  const used = free.pop();
  if (used === undefined) return createDatabase();
  const client = new SQL(used, { max: 1 });
  const tables: { name: string }[] = await client`SELECT tablename AS name FROM pg_tables
    WHERE schemaname = 'public' AND tablename <> 'hub_migrations'`;
  const erase = tables.map(({ name }) => `DELETE FROM "${name}"`);
  // Erases in any order: the foreign keys hold again afterwards.
  await client.unsafe(['SET session_replication_role = replica', ...erase].join(';'));
  await client.close();
  return used;
}

/** Makes a database available to other tests. Nothing may be connected to it anymore. */
export function releaseDatabase(url: string): void {
  free.push(url);
}

/** Restores a dump of a database into a new one, and returns its address. */
export async function copyDatabase(url: string): Promise<string> {
  const copy = await createDatabase({ template: 'template0' });
  // Debian has these programs in PATH, but not those of the server.
  const dump = Bun.spawn(['pg_dump', '--format=custom', url], { stdout: 'pipe' });
  const restore = Bun.spawn(['pg_restore', '--no-owner', '--exit-on-error', `--dbname=${copy}`], {
    stdin: dump.stdout,
  });
  if ((await restore.exited) !== 0 || (await dump.exited) !== 0) throw new Error('The dump was not restored');
  return copy;
}
