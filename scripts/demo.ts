/**
 * `bun run demo`: a server with a lively workspace in it, in which posts keep arriving until Ctrl-C. Everything goes through the
 * real APIs. The data is in a temporary folder, which is removed at the end; `--keep FOLDER` puts it into an empty one that stays.
 * HUB_HOST and HUB_PORT say where it listens.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { keepArriving } from './demo/arriving.ts';
import { fillWorkspace } from './demo/fill-workspace.ts';
import { openSetup } from './demo/setup.ts';
import { WORKSPACE } from './demo/workspace.ts';
import { spawnServer, stopServer } from './prove/start-server.ts';

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

/** Where the data goes: an empty folder that stays, or one that does not. */
function dataFolder(keep: string | undefined): string {
  if (keep === undefined) return mkdtempSync(join(tmpdir(), 'hub-demo-'));
  const folder = resolve(keep);
  if (existsSync(folder) && readdirSync(folder).length > 0) {
    console.error(`${folder} is not empty. To open a workspace that is in it: HUB_DATA_DIR=${folder} bun run start`);
    process.exit(1);
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

const { keep, port, quiet, help } = readOptions();
if (help) {
  console.log(`${USAGE}
  --keep FOLDER  put the data into this empty folder, and leave it there
  --port PORT    listen on this port; that of HUB_PORT, or any free one, otherwise
  --quiet        no more posts after those that are there at the beginning

It listens on HUB_HOST, on this machine alone if that is not set.`);
  process.exit(0);
}

const dataDir = dataFolder(keep);
const server = spawnServer({ dataDir, env: { HUB_PORT: port, HUB_HOST: process.env.HUB_HOST ?? '' } });
// However it ends, nothing is left behind. By then the server has been killed.
if (keep === undefined) process.on('exit', () => rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 }));
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort());

async function end(code: number): Promise<never> {
  await stopServer(server);
  process.exit(code);
}

try {
  const { url } = await server.serving();
  const setup = await openSetup(server.adminSocket, url);
  await fillWorkspace(setup);
  const signIns = WORKSPACE.users
    .slice(0, 3)
    .map(({ name, email, password, role }) =>
      [`  ${email.padEnd(22)} ${password.padEnd(20)}`, `${name}, ${role}`].join(' '),
    );
  console.log(
    [
      `${WORKSPACE.name} is at ${url}`,
      '',
      'Sign in as one of them, and in another browser as the next:',
      ...signIns,
      '',
      quiet ? 'Ctrl-C ends it.' : 'Posts keep arriving. Ctrl-C ends it.',
      ...(keep === undefined ? [] : [`The data is in ${dataDir}; later: HUB_DATA_DIR=${dataDir} bun run start`]),
    ].join('\n'),
  );
  if (!quiet) void keepArriving(setup, stop.signal);
  const ended = server.ended().then(() => 'server');
  const asked = new Promise<string>((done) => {
    if (stop.signal.aborted) done('asked');
    stop.signal.addEventListener('abort', () => done('asked'));
  });
  if ((await Promise.race([ended, asked])) === 'server' && !stop.signal.aborted) {
    console.error(`The server ended:\n${server.stderr()}`);
    await end(1);
  }
  console.log(keep === undefined ? '\nEnded. Nothing is left of it.' : `\nEnded. The data is in ${dataDir}.`);
  await end(0);
} catch (error) {
  const isAsked = stop.signal.aborted;
  if (!isAsked) console.error(`The demo did not come about: ${error instanceof Error ? error.message : error}`);
  await end(isAsked ? 0 : 1);
}
