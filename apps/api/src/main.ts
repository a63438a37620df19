import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import packageJson from '../package.json';
import { flushUsers } from './access/credentials.ts';
import type { ServerFacts } from './access/deps.ts';
import { createApp } from './app.ts';
import { createDeps } from './create-deps.ts';
import { type Listener, listen, plainHttpHost } from './http/listen.ts';
import { readWebApp } from './http/web/pages.routes.ts';
import { startMail } from './mail/mention-digest.ts';
import { smtpTransport } from './mail/smtp-transport.ts';
import { pushTransport } from './notifications/push-transport.ts';
import {
  announce,
  announceChecked,
  announceReady,
  announceWarning,
  damagedLogWarning,
  serviceAccount,
  startedBy,
} from './ops/announce.ts';
import { replyToArguments } from './ops/arguments.ts';
import { openFolderWarning, prepareDataDir } from './ops/data-dir.ts';
import { Lifecycle, stopSignal } from './ops/lifecycle.ts';
import { createLog, type ProcessLog } from './ops/observability/log.ts';
import { createMetrics, type Metrics } from './ops/observability/metrics.ts';
import { observeRequests } from './ops/observability/observe-requests.ts';
import { processRoutes } from './ops/observability/process.routes.ts';
import { pruneRegularly } from './ops/prune.ts';
import { systemClock as clock, argon2id as passwords, systemRandom as random } from './platform/adapters/system.ts';
import { type Config, ConfigError, readConfig } from './platform/config.ts';
import { readDatabaseAddress } from './platform/config-schemas.ts';
import { StartError } from './platform/errors.ts';
import { programFile } from './platform/program-files.ts';
import { repeat } from './platform/repeat.ts';
import { flushKeys, saveRevocationsAndBlocks } from './programs/flush-keys.ts';
import type { Node } from './storage/postgres/nodes/node.ts';
import { type SearchThread, startSearchThread } from './storage/search/search-thread.ts';
import { lockDataDir } from './storage/sqlite/engine/data-dir-lock.ts';
import { DATABASE_FILE, openStore } from './storage/sqlite/open-store.ts';
import type { BatchReport } from './storage/store.ts';
import { expireQuestionsRegularly } from './workspace/items/answer-question.ts';
import { checkIdentitiesRegularly } from './workspace/users/provider-sign-in.ts';

declare const HUB_VERSION: string | undefined;

/** Executables know the commit that they were built from, too (`scripts/build-version.ts`). */
const version = typeof HUB_VERSION === 'undefined' ? packageJson.version : HUB_VERSION;

const EXIT_FAILED = 1;
const EXIT_MISCONFIGURED = 2;
/** Two seconds less than Docker waits before SIGKILL, to leave time for closing the store. */
const GRACE_MS = 8_000;
const SAVE_MS = 5_000;
/** Each flush writes the row of every key in use, so a busy server must not do it often. A kill loses this much usage. */
const USAGE_FLUSH_MS = 20_000;
const LOG_FLUSH_MS = 500;
const WEB_FOLDER = programFile(import.meta.dir, '../../web/dist');

// All files that this process creates are readable by its user only: the database, its log, the lock.
process.umask(0o077);
process.exit(await main());

async function main(): Promise<number> {
  if (process.argv[2] === 'move') {
    const { runMove } = await import('./ops/move-command.ts');
    const { env, platform } = process;
    const [stdout, stderr] = [terminalStream(process.stdout), terminalStream(process.stderr)];
    const userId = process.getuid?.() ?? null;
    return runMove(process.argv.slice(3), { env, platform, userId, stdout, stderr, readFile, clock, random });
  }
  const reply = replyToArguments(process.argv.slice(2), version);
  if (reply !== null) {
    (reply.exitCode === 0 ? process.stdout : process.stderr).write(`${reply.text}\n`);
    return reply.exitCode;
  }

  let config: Config;
  try {
    config = readConfig(process.env, { readFile, platform: process.platform });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    announceReady(error.message);
    return EXIT_MISCONFIGURED;
  }
  if (process.argv[2] === 'check') return announceChecked(config, clock.now(), process.getuid?.() ?? null);

  const databasePassword = config.databaseUrl && readDatabaseAddress(config.databaseUrl)?.servers[0].password;
  const secrets = [config.metricsToken, databasePassword, config.smtpUrl?.password].flatMap((secret) => secret || []);
  const log = createLog({
    level: config.logLevel,
    format: config.logFormat ?? (process.stdout.isTTY ? 'text' : 'json'),
    colors: process.stdout.isTTY && process.stdout.hasColors(),
    secrets,
    clock,
  });
  const fail = (error: unknown): number => {
    const isExpected = error instanceof StartError;
    if (!isExpected) log.error({ err: error }, 'Server failed');
    announceReady(isExpected ? error.message : 'The server failed. See the last log record for the cause.');
    return EXIT_FAILED;
  };
  const failAndExit = async (error: unknown): Promise<void> => {
    const exitCode = fail(error);
    await flushLog(log);
    process.exit(exitCode);
  };
  process.on('uncaughtException', failAndExit);
  process.on('unhandledRejection', failAndExit);
  try {
    await serve(config, log);
    return 0;
  } catch (error) {
    return fail(error);
  } finally {
    await flushLog(log);
  }
}

function readFile(path: string): string {
  return readFileSync(path, 'utf8');
}

function terminalStream(stream: NodeJS.WriteStream) {
  return { isTTY: stream.isTTY === true, write: (text: string) => void stream.write(text) };
}

/** Runs the server until a stop signal, and resolves when all accepted writes are on disk. */
async function serve(config: Config, log: ProcessLog): Promise<void> {
  const stopRequested = stopSignal(clock, async () => {
    log.warn({}, 'Second stop signal: exiting immediately');
    await flushLog(log);
    process.exit(EXIT_FAILED);
  });
  const lifecycle = new Lifecycle();
  const metrics = createMetrics({ version });
  prepareDataDir(config.dataDir, process.getuid?.() ?? null);
  const openFolder = openFolderWarning(config.dataDir);
  if (openFolder !== null) announceWarning(log, 'warn', {}, openFolder);
  const lock = lockDataDir(config.dataDir);

  let listener: Listener | undefined;
  const { deps, node, closeSearch } = await openDeps({
    config,
    log,
    metrics,
    lifecycle,
    baseUrl: () => config.baseUrl ?? listener?.localUrl ?? '',
    certificate: () => listener?.certificate() ?? null,
  });
  const app = createApp(deps).use(processRoutes({ ...deps, lifecycle, metrics, metricsToken: config.metricsToken }));
  const opened = await listen({
    config,
    clock,
    log,
    fetch: app.fetch,
    observe: observeRequests({ routes: app.routes, metrics, log, clock }),
    websocket: deps.live.websocket,
    newRequestId: () => deps.newId('req'),
  });
  metrics.watchServer(deps);
  listener = opened;
  deps.live.start((topic, frame) => opened.publish(topic, frame, false));
  await node?.start();
  lifecycle.serve();
  const launcher = startedBy(process.env, Bun.isStandaloneExecutable);
  const account = serviceAccount(process.env, process.pid);
  await announce({ config, log, deps, localUrl: opened.localUrl, launcher, account });

  const failure = 'Failed to save the usage of keys, sessions and tokens, and key blocks';
  const flushUsage = () => Promise.all([flushKeys(deps), flushUsers(deps)]);
  const stopRegularWork = [
    repeat(deps, { everyMs: SAVE_MS, failure }, () => saveRevocationsAndBlocks(deps)),
    repeat(deps, { everyMs: USAGE_FLUSH_MS, failure }, flushUsage),
    pruneRegularly(deps, node?.isLeader),
    expireQuestionsRegularly(deps, node?.isLeader),
    startMail(deps, node?.isLeader),
    deps.provider && checkIdentitiesRegularly({ ...deps, provider: deps.provider }, node?.isLeader),
  ];

  const signal = await stopRequested;
  log.info({ signal }, 'Stopping');
  lifecycle.stop();
  if (config.drainSeconds > 0) {
    opened.closeAfterResponses();
    await clock.sleep(config.drainSeconds * 1_000);
  }
  const stopped = Promise.all(stopRegularWork.map((stop) => stop?.()));
  await deps.live.stop();
  await deps.notifications.stop();
  const aborted = await opened.drain(GRACE_MS);
  if (aborted > 0)
    log.warn({ requests: aborted }, `Requests that did not finish within ${GRACE_MS / 1000} s were aborted`);
  await flushUsage().catch((err) => log.warn({ err }, failure));
  await stopped;
  await closeSearch();
  await (node?.stop() ?? deps.store.close());
  lock.release();
  log.info({}, 'Stopped');
}

interface OpenDepsOptions extends Pick<ServerFacts, 'baseUrl' | 'certificate'> {
  config: Config;
  log: ProcessLog;
  metrics: Metrics;
  lifecycle: Lifecycle;
}

async function openDeps({ config, log, metrics, lifecycle, baseUrl, certificate }: OpenDepsOptions) {
  const { dataDir } = config;
  let search: SearchThread | undefined;
  let node: Node | undefined;
  const deps = await createDeps({
    clock,
    random,
    passwords,
    log,
    ...(config.databaseUrl !== null && { openedNode: () => node }),
    openStore: async (newId, onCommit) => {
      const onBatch = (report: BatchReport) => {
        metrics.batch(report);
        lifecycle.isCommitFailing = report.failed;
        // Clients only learn that the write failed; the cause is logged for the admin.
        if (report.failed) log.error({ err: report.cause, writes: report.writes }, 'Commit failed');
      };
      if (config.databaseUrl !== null) {
        // Loaded only where it is needed, so that the embedded storage starts as fast as without it.
        const { openNode } = await import('./storage/postgres/nodes/node.ts');
        node = await openNode({
          url: config.databaseUrl,
          maxConnections: config.databasePool,
          clock,
          newId,
          log,
          onCommit,
          onBatch,
          onAway: () => deps.live.interrupt(),
          facts: () => ({ version, startedAt: deps.server.startedAt, liveConnections: deps.live.counts.sockets }),
        });
        if (existsSync(join(dataDir, DATABASE_FILE)))
          log.warn({}, `The workspace is in PostgreSQL, and ${DATABASE_FILE} in the data directory is not used`);
        const { store } = node;
        metrics.watchStore({ waitingWrites: () => store.runningTransactions(), sizes: () => store.sizes() });
        return store;
      }
      const store = openStore({
        dataDir,
        clock,
        newId,
        onCommit: (report) => {
          onCommit(report);
          if (report.heads.size > 0) search?.itemsCommitted();
        },
        onBatch,
        onDamagedLog: (commits) => {
          const warning = damagedLogWarning(dataDir, commits);
          announceWarning(log, 'error', { commits }, warning);
        },
      });
      metrics.watchStore(store);
      metrics.watchBackups(() => ({ history: store.backups.history(), now: clock.now() }));
      return store;
    },
    startSearch: () => {
      if (node) return node.store.search;
      search = startSearchThread({ dataDir, clock, log });
      return search;
    },
    secretKeys: config.secretsKey,
    push: config.push === 'off' ? null : pushTransport({ isLocalAllowed: config.push === 'local' }),
    pushContact: config.pushContact,
    provider: config.provider,
    mail: config.smtpUrl && config.mailFrom && smtpTransport(config.smtpUrl, config.mailFrom),
    web: readWebApp(WEB_FOLDER),
    limits: config,
    server: {
      version,
      baseUrl,
      certificate,
      plainHttpHost: plainHttpHost(config),
      // Absolute, since hubctl has a different working directory.
      dataDir: resolve(dataDir),
      startedAt: clock.now(),
      startedAtMonotonic: clock.monotonic(),
    },
  });
  return { deps, node, closeSearch: async () => search?.close() };
}

/** Flushes the log, for at most `LOG_FLUSH_MS`, since its reader may have stalled. */
function flushLog(log: ProcessLog): Promise<void> {
  return Promise.race([log.flush(), clock.sleep(LOG_FLUSH_MS)]);
}
