import { readFileSync } from 'node:fs';
import { version } from '../package.json';
import { systemClock as clock } from './adapters/system-clock.ts';
import { systemRandom as random } from './adapters/system-random.ts';
import { createApp } from './app.ts';
import { type Config, ConfigError } from './config.ts';
import { createDeps } from './create-deps.ts';
import { listen, plainHttpWarning } from './http/listen.ts';
import { prepareDataDir } from './ops/data-dir.ts';
import { databaseError } from './ops/database-error.ts';
import { healthRoutes } from './ops/health.routes.ts';
import { Lifecycle } from './ops/lifecycle.ts';
import { createLog, type ProcessLog } from './ops/log.ts';
import { metricsRoutes } from './ops/metrics.routes.ts';
import { createMetrics } from './ops/metrics.ts';
import { observeRequests } from './ops/observe-requests.ts';
import { StartError } from './ops/start-error.ts';
import { greeting, hubctlCommand, startedBy } from './ops/start-messages.ts';
import { stopSignal } from './ops/stop-signals.ts';
import { defaultAdminSocket, readConfig } from './read-config.ts';
import { type SearchThread, startSearchThread } from './store/search/search-thread.ts';
import { lockDataDir } from './store/sqlite/data-dir-lock.ts';
import { UnusableDatabase } from './store/sqlite/migrate.ts';
import { openStore } from './store/sqlite/open-store.ts';

const EXIT_FAILED = 1;
const EXIT_MISCONFIGURED = 2;
/** Two seconds less than Docker waits before it kills, for closing the store. */
const GRACE_MS = 8_000;
const USAGE_FLUSH_MS = 5_000;

// Every file that this process makes is its user's alone: the database, its log, the lock.
process.umask(0o077);
process.exit(await main());

async function main(): Promise<number> {
  let config: Config;
  try {
    config = readConfig(process.env, { readFile: (path) => readFileSync(path, 'utf8'), platform: process.platform });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    tell(error.message);
    return EXIT_MISCONFIGURED;
  }

  const log = createLog({ level: config.logLevel, secrets: config.metricsToken ? [config.metricsToken] : [] });
  const fail = (error: unknown): number => {
    const foreseen =
      error instanceof StartError || error instanceof UnusableDatabase ? error : databaseError(error, config.dataDir);
    if (!foreseen) log.error({ err: error }, 'The server failed');
    tell(foreseen?.message ?? 'The server failed. The last record of the log says how.');
    log.flush();
    return EXIT_FAILED;
  };
  process.on('uncaughtException', (error) => process.exit(fail(error)));
  process.on('unhandledRejection', (error) => process.exit(fail(error)));
  try {
    await serve(config, log);
    return 0;
  } catch (error) {
    return fail(error);
  } finally {
    log.flush();
  }
}

/** Serves until it is told to stop, and resolves when all that was promised is on disk. */
async function serve(config: Config, log: ProcessLog): Promise<void> {
  const toldToStop = stopSignal(() => {
    log.warn({}, 'Told to stop once more: ending at once');
    log.flush();
    process.exit(EXIT_FAILED);
  });
  const lifecycle = new Lifecycle();
  const metrics = createMetrics({ version });
  prepareDataDir(config.dataDir, process.getuid?.() ?? null);
  const lock = lockDataDir(config.dataDir);

  let localUrl = '';
  let search: SearchThread | undefined;
  const deps = await createDeps({
    clock,
    random,
    log,
    openStore: (newId) => {
      const store = openStore({
        dataDir: config.dataDir,
        clock,
        newId,
        onBatch: metrics.batch,
        onItems: () => search?.itemsCommitted(),
      });
      metrics.watchStore(store);
      return store;
    },
    server: {
      version,
      baseUrl: () => config.baseUrl ?? localUrl,
      dataDir: config.dataDir,
      startedAt: clock.now(),
      startedAtMonotonic: clock.monotonic(),
    },
  });
  search = startSearchThread({ dataDir: config.dataDir, clock, log });
  const app = createApp(deps)
    .use(healthRoutes({ ...deps, lifecycle }))
    .use(metricsRoutes({ metrics, metricsToken: config.metricsToken }));

  const fetch = observeRequests((request) => app.fetch(request), { routes: app.routes, metrics, log, clock });
  const listener = await listen({ config, clock, log, fetch });
  localUrl = listener.localUrl;
  lifecycle.serve();
  await announce();

  const flushUsage = () =>
    deps.usage.flush(deps.store).catch((err) => log.warn({ err }, 'The use of keys is not noted'));
  const flushing = setInterval(flushUsage, USAGE_FLUSH_MS);

  const signal = await toldToStop;
  log.info({ signal }, 'Stopping');
  lifecycle.stop();
  clearInterval(flushing);
  const cut = await listener.drain(GRACE_MS);
  if (cut > 0) log.warn({ requests: cut }, `Requests that did not end within ${GRACE_MS / 1000} s were cut off`);
  await flushUsage();
  await search.close();
  await deps.store.close();
  lock.release();
  log.info({}, 'Stopped');

  async function announce(): Promise<void> {
    const isCompiled = import.meta.dir.startsWith('/$bunfs');
    const by = startedBy(process.env, isCompiled);
    const { hubs } = await deps.store.totals(clock.now());
    const hubctl = hubctlCommand(by, config, defaultAdminSocket(config.dataDir));
    const plainHttp = plainHttpWarning(config);
    for (const warning of plainHttp ? [...config.warnings, plainHttp] : config.warnings) {
      log.warn({}, warning);
      tell(`Warning: ${warning}`);
    }
    const url = config.baseUrl ?? localUrl;
    log.info({ version, url, localUrl, adminSocket: config.adminSocket }, 'Serving');
    tell(greeting({ version, url, localUrl, hasHubs: hubs > 0, hubctl }));
  }
}

/** For people; the log goes to standard output. */
function tell(text: string): void {
  process.stderr.write(`${text.trimEnd()}\n`);
}
