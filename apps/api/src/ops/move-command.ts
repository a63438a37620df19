import { parseArgs } from 'node:util';
import { ConfigError, readConfig } from '../platform/config.ts';
import { ConfigProblem, databaseUrl } from '../platform/config-schemas.ts';
import { causeOf, StartError } from '../platform/errors.ts';
import { createIds } from '../platform/ids.ts';
import type { Clock, Random } from '../platform/ports.ts';
import { isPostgres, type MoveAddresses, move, shownAddress } from '../storage/move/move.ts';
import type { MoveReport, OnProgress } from '../storage/move/move-workspace.ts';
import { prepareDataDir } from './data-dir.ts';

interface Stream {
  isTTY: boolean;
  write(text: string): void;
}

interface CommandContext {
  env: Readonly<Record<string, string | undefined>>;
  stdout: Stream;
  stderr: Stream;
  platform: string;
  userId: number | null;
  readFile: (path: string) => string;
  clock: Clock;
  random: Random;
}

const EXIT_DONE = 0;
const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

const HELP = `Usage: hub move --from SOURCE --to TARGET [--json]

Copies the workspace of a stopped server from SQLite to PostgreSQL, or back, and compares every table afterwards.

SOURCE and TARGET are a data directory, a backup (only as SOURCE), or an address such as
postgres://user:password@host/hub. If you omit --from or --to, it comes from HUB_DATABASE_URL or HUB_DATABASE_URL_FILE.
This keeps the password out of the process list. The target must be empty. If anything goes wrong, it stays empty.

With --json, prints {"from", "to", "hubs", "items", "isNewEpoch", "tables": [{"name", "rows", "sha256"}]}, or
{"error": {"code", "message"}}. Exit codes: 0 success, 1 error, 2 usage error.
`;

class UsageError extends Error {}

/** Runs `hub move` with the arguments after it, and returns its exit code. */
export async function runMove(argv: readonly string[], context: CommandContext): Promise<number> {
  const { stdout, stderr } = context;
  const isJson = argv.includes('--json');
  try {
    const options = readOptions(argv);
    if (options.help) {
      stdout.write(HELP);
      return EXIT_DONE;
    }
    const addresses = readAddresses(options, context);
    const report = await moveWithProgress(addresses, context);
    const rowsOf = (table: string) => report.tables.find(({ name }) => name === table)?.rows ?? 0;
    const ends = { from: shownAddress(addresses.from), to: shownAddress(addresses.to) };
    const { isCopy, ...rest } = report;
    const result = { ...ends, hubs: rowsOf('hubs'), items: rowsOf('items'), ...rest };
    stdout.write(isJson ? `${JSON.stringify(result)}\n` : summary({ ...result, isCopy }));
    return EXIT_DONE;
  } catch (error) {
    const isUsage = error instanceof UsageError;
    const isExpected = isUsage || error instanceof StartError;
    const message = isExpected ? inArguments(error.message) : `The move failed: ${causeOf(error)}`;
    if (isJson) stdout.write(`${JSON.stringify({ error: { code: isUsage ? 'usage' : 'failed', message } })}\n`);
    else stderr.write(`error: ${message}\n`);
    return isUsage ? EXIT_USAGE : EXIT_FAILED;
  }
}

/** Rewords errors of the server's start: the directories of a move are arguments, not settings. */
function inArguments(message: string): string {
  return message
    .replace(' (HUB_DATA_DIR)', '')
    .replace(/([Ss]et) HUB_DATA_DIR to/, (_, set) => (set === 'Set' ? 'Use' : 'use'));
}

function readOptions(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      options: {
        from: { type: 'string' },
        to: { type: 'string' },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values;
  } catch (error) {
    throw new UsageError(`${(error as Error).message}. See: hub move --help`);
  }
}

function readAddresses({ from, to }: { from?: string; to?: string }, context: CommandContext): MoveAddresses {
  const configured = from === undefined || to === undefined ? configuredDatabase(context) : undefined;
  const [source, target] = [from ?? configured, to ?? configured];
  if (!source || !target || (from === undefined && to === undefined))
    throw new UsageError('Specify both --from and --to, or one of them and HUB_DATABASE_URL. See: hub move --help');
  for (const address of [source, target]) {
    if (isPostgres(address)) requireValid(address);
  }
  if (isPostgres(source) === isPostgres(target))
    throw new UsageError('A workspace moves from SQLite to PostgreSQL, or back. Within one of them, use a backup.');
  return { from: source, to: target };
}

function requireValid(address: string): void {
  try {
    databaseUrl.parse(address);
  } catch (error) {
    throw error instanceof ConfigProblem ? new UsageError(`The address of the database ${error.message}.`) : error;
  }
}

function configuredDatabase({ env, readFile, platform }: CommandContext): string | undefined {
  const { HUB_DATABASE_URL, HUB_DATABASE_URL_FILE } = env;
  try {
    return readConfig({ HUB_DATABASE_URL, HUB_DATABASE_URL_FILE }, { readFile, platform }).databaseUrl ?? undefined;
  } catch (error) {
    throw error instanceof ConfigError ? new UsageError(error.message) : error;
  }
}

async function moveWithProgress(addresses: MoveAddresses, context: CommandContext): Promise<MoveReport> {
  const { clock, random, stderr, userId } = context;
  if (!isPostgres(addresses.to)) prepareDataDir(addresses.to, userId);
  const progress = terminalProgress(stderr);
  try {
    return await move(addresses, { clock, newId: createIds(clock, random), onProgress: progress.step });
  } finally {
    progress.end();
  }
}

/** Shows the progress in one line of a terminal. */
function terminalProgress({ isTTY, write }: Stream): { step: OnProgress; end: () => void } {
  if (!isTTY) return { step: () => {}, end: () => {} };
  const draw = (text: string) => write(`\r\x1b[2K${text}`);
  return {
    step: ({ verb, table, rows, total }) => draw(`${verb} ${table}: ${rows} of ${total} rows …`),
    end: () => draw(''),
  };
}

function summary({
  from,
  to,
  hubs,
  items,
  tables,
  isNewEpoch,
  isCopy,
}: MoveReport & MoveAddresses & { hubs: number; items: number }) {
  const count = (amount: number, noun: string) => `${amount} ${noun}${amount === 1 ? '' : 's'}`;
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return [
    `Moved ${count(hubs, 'Hub')} with ${count(items, 'item')}, deleted ones included, from ${from} to ${to}: ${rows} rows in ${tables.length} tables, all verified`,
    isPostgres(to)
      ? `Start each node with HUB_DATABASE_URL. ${isCopy ? 'A server that still runs on the original goes on accepting posts, which are missing here.' : 'Keep the old directory until you no longer need it. No server starts on it.'}`
      : `Start the server with HUB_DATA_DIR=${to} and without HUB_DATABASE_URL. No node starts on the old database.`,
    ...(isNewEpoch ? ['Live clients reload once.'] : []),
    ...(isCopy ? ['All sessions and links have ended.'] : []),
    '',
  ].join('\n');
}
