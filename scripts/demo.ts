/**
 * `bun run demo`: starts a server with a sample workspace, in which posts keep arriving until Ctrl-C. Everything goes
 * through the real APIs. The data is in a temporary folder that is removed at the end; `--keep FOLDER` stores it in
 * that folder, which must be empty, and keeps it. HUB_HOST and HUB_PORT set the address.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { spawnServer, stopServer } from '@hub/testkit';
import { keepArriving } from './demo/arriving.ts';
import { fillAlerts } from './demo/content/alerts.ts';
import { fillBackups } from './demo/content/backups.ts';
import { fillDeploys } from './demo/content/deploys.ts';
import { fillReleases } from './demo/content/releases.ts';
import { fillTeamRoom } from './demo/content/team-room.ts';
import { fillWebsite } from './demo/content/website.ts';
import { openSetup, type Setup } from './demo/setup.ts';
import { WORKSPACE } from './demo/workspace.ts';

const USAGE = 'Usage: bun run demo [--keep FOLDER] [--port PORT] [--quiet]\n';

function readOptions() {
  try {
    return parseArgs({
      options: {
        keep: { type: 'string' },
        port: { type: 'string', default: process.env.HUB_PORT || '0' },
        quiet: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n${USAGE}`);
    process.exit(2);
  }
}

/** Returns the data folder: the given one, which must be empty, or a temporary one. */
function dataFolder(keep: string | undefined): string {
  if (keep === undefined) return mkdtempSync(join(tmpdir(), 'hub-demo-'));
  const folder = resolve(keep);
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    console.error(`${folder} is not empty. To open the workspace in it, run: HUB_DATA_DIR=${folder} bun run start`);
    process.exit(1);
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** Fills the workspace with the posts and activity that it starts with. */
async function fillWorkspace(setup: Setup): Promise<void> {
  await fillTeamRoom(setup);
  await fillReleases(setup);
  await fillBackups(setup);
  await fillWebsite(setup);
  await fillAlerts(setup);
  await fillDeploys(setup);
}

const { keep, port, quiet, help } = readOptions();
if (help) {
  console.log(`${USAGE}
  --keep FOLDER  Store the data in this empty folder and keep it
  --port PORT    Listen on this port (default: HUB_PORT, or a free port)
  --quiet        Stop posting once the workspace is filled

Listens on HUB_HOST, or only on this machine if it is not set.`);
  process.exit(0);
}

const dataDir = dataFolder(keep);
const server = spawnServer({ dataDir, env: { HUB_PORT: port, HUB_HOST: process.env.HUB_HOST ?? '' } });
// Runs no matter how the process ends. By then, the server has been killed.
if (keep === undefined) process.on('exit', () => rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 }));
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort());

async function exit(code: number): Promise<never> {
  await stopServer(server);
  process.exit(code);
}

try {
  const { url } = await server.serving();
  const setup = await openSetup(server, url);
  await fillWorkspace(setup);
  const signIns = WORKSPACE.users
    .slice(0, 3)
    .map(({ name, email, password, role }) =>
      [`  ${email.padEnd(22)} ${password.padEnd(20)}`, `${name}, ${role}`].join(' '),
    );
  console.log(
    [
      `${WORKSPACE.name} is running at ${url}`,
      '',
      'Sign in as one of these users, and as another one in a second browser:',
      ...signIns,
      '',
      quiet ? 'Press Ctrl-C to stop.' : 'Posts keep arriving. Press Ctrl-C to stop.',
      ...(keep === undefined
        ? []
        : [`The data is in ${dataDir}. To open it again, run: HUB_DATA_DIR=${dataDir} bun run start`]),
    ].join('\n'),
  );
  if (!quiet) void keepArriving(setup, stop.signal);
  const serverExit = server.ended().then(() => 'server');
  const interruption = new Promise<string>((done) => {
    if (stop.signal.aborted) done('interrupted');
    stop.signal.addEventListener('abort', () => done('interrupted'));
  });
  if ((await Promise.race([serverExit, interruption])) === 'server' && !stop.signal.aborted) {
    console.error(`The server exited:\n${server.stderr()}`);
    await exit(1);
  }
  console.log(keep === undefined ? '\nStopped. The data was removed.' : `\nStopped. The data is in ${dataDir}.`);
  await exit(0);
} catch (error) {
  const isInterrupted = stop.signal.aborted;
  if (!isInterrupted) console.error(`Failed to start the demo: ${error instanceof Error ? error.message : error}`);
  await exit(isInterrupted ? 0 : 1);
}
