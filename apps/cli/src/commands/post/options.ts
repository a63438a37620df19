import { resolve } from 'node:path';
import { type Command, Option, type OptionValues } from '@commander-js/extra-typings';
import { isBlank } from '@hub/contract/blank-text';
import { KEY_PREFIX } from '@hub/contract/key-token';
import { type ProxySetting, proxyFor } from '@hub/contract/proxy';
import { shellWord } from '@hub/contract/shell-word';
import type { Cli } from '../../runtime/cli.ts';
import { collect, type HelpNotes, type NoOptions, type OptionsOf, withoutSecrets } from '../../runtime/command-line.ts';
import { LOG_IN_ELSEWHERE, requireOneServer, type SocketConnection } from '../../runtime/connection.ts';
import type { Fetch } from '../../runtime/deps.ts';
import { CliError, failed, usageError } from '../../runtime/errors.ts';
import { readSource, STDIN } from '../../runtime/files.ts';
import { DURATIONS, parseDuration, readDuration } from '../../runtime/format.ts';
import { readServerUrl, warnOfPlainHttp } from '../../runtime/network.ts';
import type { LongTextOptions } from './long-text.ts';

export const POST_EXITS =
  '0 success, 1 error, 2 usage error, 3 server unreachable,\n' +
  '4 not allowed (the key is unknown or expired, or lacks the scope),\n' +
  '5 rate-limited (the message says for how long)';

export const SERVER_AND_KEY =
  'The server comes from --url, --profile or --local, else HUB_URL, else as for all commands: --data-dir,\n' +
  'HUB_PROFILE, HUB_ADMIN_SOCKET or HUB_DATA_DIR, else your current login, else this machine.\n' +
  'The key comes from --key-file or --key-stdin, else HUB_API_KEY. It is never an argument,\n' +
  'since other users can see arguments.';

/** Adds the options for the server and the key. */
export function addTargetOptions<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return addServerOptions(command).option('--key-stdin', 'Read the key from standard input');
}

/** Adds those of commands that do not read standard input. */
export function addServerOptions<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return command
    .option('--url <url>', 'Post to this server (default: HUB_URL, else the current server)')
    .addOption(
      new Option('--key-file <file>', 'Read the key from a file instead of HUB_API_KEY').conflicts('keyStdin'),
    );
}

export function addPostOptions<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return addTargetOptions(command)
    .option('--wait', 'Wait and retry if the key is rate-limited')
    .option('--wait-max <duration>', 'Like --wait, but for at most this long: 90s, 5m, 1h')
    .option('--outbox <dir>', 'Keep the post here if it cannot be sent now, and send it later (default: HUB_OUTBOX)')
    .option('--soft-fail', 'Warn and exit 0 if posting fails, so that the post never fails a build')
    .option('--skip-without-key', 'Skip the post and exit 0 if there is no key, such as in forks without secrets')
    .option('--timeout <seconds>', 'Set the request timeout, in seconds or as 2m (default: 30)')
    .option('-a, --attach <file>', 'Attach a file; repeat for more (up to 10), - is standard input', collect)
    .option('--attach-name <name>', 'Name the file from standard input')
    .option('--run-marker <word>', "Append a word such as build-4711, so that you can find a run's posts later");
}

/** Adds the options for long text and source code. */
export function addTextOptions<A extends unknown[], O extends OptionValues>(command: Command<A, O>) {
  return command
    .option('--code <language>', 'Post the text as a code block in this language, such as sh or diff')
    .addOption(truncateOption('text'));
}

/** The options of any kind of post. */
export type PostOptions = OptionsOf<typeof addPostOptions<[], NoOptions>> & LongTextOptions & { file?: string };

export function truncateOption(what: string) {
  const about = `Truncate ${what} over the limit: keep its head or its tail, and add a line with both sizes`;
  return new Option('--truncate <part>', about).choices(['head', 'tail']);
}

/** Returns the help of a kind of post. `data` is what its JSON has besides the ID and the URL. */
export function postNotes(examples: readonly string[], data: string): HelpNotes {
  const prints = `The ID and URL of the post.\nWith --json: {"id", "url", ${data}}.`;
  return { prints, more: { title: 'Server and key', text: SERVER_AND_KEY }, exits: POST_EXITS, examples };
}

/** Parses --timeout. Returns milliseconds. */
export function readTimeoutMs(text = '30'): number {
  const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : parseDuration(text);
  if (seconds !== null && seconds > 0 && seconds <= 86_400) return seconds * 1000;
  throw usageError(`Invalid --timeout "${text}".`, `Use seconds such as 30, or a duration (${DURATIONS}), up to 1d.`);
}

/** Parses --wait and --wait-max. Returns milliseconds; 0 without either. */
export function readWaitMs({ wait, waitMax }: Pick<PostOptions, 'wait' | 'waitMax'>): number {
  if (waitMax === undefined) return wait ? Infinity : 0;
  return readDuration('--wait-max', waitMax) * 1000;
}

/** The size of a log file that `--truncate` reads. */
const MAX_LONG_BYTES = 64 * 1024 * 1024;

/**
 * Validates the command line and returns a function that reads the text of a post: from the argument, else the file,
 * else standard input if that is not a terminal, else a prompt. Rejects an argument together with a file. With an
 * argument, standard input is not read, since in builds it is often a pipe that never ends. `what` is the name of the
 * field: `text`, `content` or `title`.
 */
export function textReader(
  cli: Cli,
  what: string,
  argument: string | undefined,
  file: string | undefined,
  { keyStdin, truncate }: PostOptions,
): () => Promise<string> {
  if (argument !== undefined && file !== undefined) {
    throw usageError(
      `The ${what} is given both as an argument and with --file.`,
      'Remove one of them. To attach a file, use --attach FILE.',
    );
  }
  const isPiped = !cli.deps.stdin.isTTY;
  const source = argument === STDIN ? STDIN : (file ?? (argument === undefined && isPiped ? STDIN : undefined));
  if (source === STDIN && keyStdin) throw stdinTakenTwice(what);
  const prompt = `${what.charAt(0).toUpperCase()}${what.slice(1)}:`;
  if (source === undefined) return async () => argument ?? cli.text(undefined, prompt);
  return async () => {
    const original = await readSource(cli, source, truncate && MAX_LONG_BYTES);
    // `env | hubctl post`, or `--file` instead of `--key-file`: everybody in the Hub could use the key.
    const text = withoutSecrets(original);
    if (text !== original)
      cli.output.warn(`A key or token in the ${what} is not posted. To pass a key, use --key-file FILE.`);
    if (!isBlank(text)) return text;
    throw failed('empty', `The ${what} is empty: ${source === STDIN ? 'standard input' : source} has no text.`);
  };
}

export function stdinTakenTwice(what: string): Error {
  return usageError(
    `--key-stdin reads standard input, so the ${what} cannot come from there.`,
    `Pass the ${what} as an argument or in a file.`,
  );
}

/** The server that a post goes to. */
export interface PostServer {
  /** The base URL for the client. */
  baseUrl: string;
  /** The part of the post's URL before `/p/<id>`. */
  webUrl: string;
  fetch: Fetch;
  /** The proxy on the way. */
  proxy: ProxySetting | undefined;
}

/**
 * Returns the server that `--url`, `--profile` or `--local` selects, else the one in `HUB_URL`, else the current
 * server: that of the current profile, or the one on this machine, which reports its own URL.
 */
export async function findServer(cli: Cli, url: string | undefined): Promise<PostServer> {
  const given = givenUrl(cli, url);
  if (given !== undefined) return serverAt(cli, given);
  const { connection } = cli;
  return connection.kind === 'profile' ? serverAt(cli, connection.url) : await localServer(cli, connection);
}

/** Returns the URL of a post. */
export function postUrl({ webUrl }: PostServer, id: string): string {
  return `${webUrl}/p/${encodeURIComponent(id)}`;
}

/**
 * Returns what identifies the key and the server of `findServer`, without a request. A server on this machine is
 * `unix:` and the path of its admin socket.
 */
export function outboxTarget(cli: Cli, url: string | undefined, key: string): { server: string; key: string } {
  const { connection } = cli;
  const current = connection.kind === 'profile' ? connection.url : `unix:${connection.socketPath}`;
  return { server: givenUrl(cli, url) ?? current, key: `${KEY_PREFIX}…${key.slice(-4)}` };
}

/** Returns the path of the outbox from --outbox or HUB_OUTBOX; undefined without either. */
export function outboxPath(cli: Cli, option: string | undefined): string | undefined {
  return option ?? (cli.deps.env.HUB_OUTBOX?.trim() || undefined);
}

/** Returns a command line for the outbox at an absolute path, such as `hubctl outbox list`. */
export function outboxCommand(cli: Cli, path: string, words: string): string {
  const defaultPath = outboxPath(cli, undefined);
  const option = defaultPath !== undefined && resolve(defaultPath) === path ? '' : ` --outbox ${shellWord(path)}`;
  return `hubctl outbox ${words}${option}`;
}

/** Returns the URL from `--url`, or from `HUB_URL` unless another option selects the server. */
function givenUrl(cli: Cli, url: string | undefined): string | undefined {
  const given = url ?? (isServerChosen(cli) ? undefined : cli.deps.env.HUB_URL);
  return given ? readServerUrl(given, url === undefined ? 'HUB_URL' : '--url') : undefined;
}

/** @throws a usage error for options that are wrong regardless of the environment. */
export function requireServerOptions(cli: Cli, url: string | undefined): void {
  requireOneServer(cli.serverFlags);
  if (url === undefined) return;
  if (isServerChosen(cli)) {
    throw usageError('--url cannot be combined with --profile or --local.', 'Remove one of them.');
  }
  readServerUrl(url, '--url');
}

function isServerChosen({ serverFlags: { profile, local } }: Cli): boolean {
  return profile !== undefined || local === true;
}

function serverAt(cli: Cli, url: string): PostServer {
  warnOfPlainHttp(cli.output, url, 'The key');
  return { baseUrl: url, webUrl: url, fetch: cli.deps.fetch, proxy: proxyFor(url, cli.deps.env) };
}

async function localServer(cli: Cli, { socketPath }: SocketConnection): Promise<PostServer> {
  const { baseUrl: webUrl } = await cli.api.request('GET /').catch((error) => {
    throw withPostHint(error);
  });
  return {
    baseUrl: 'http://localhost',
    webUrl: webUrl.replace(/\/+$/, ''),
    fetch: (address, init) => cli.deps.fetch(address, { ...init, unix: socketPath }),
    proxy: undefined,
  };
}

/** Says first how to post to a server on another machine, as CI jobs do: that needs no login. */
function withPostHint(error: unknown): unknown {
  if (!(error instanceof CliError) || error.details.hint === undefined) return error;
  const here = error.details.hint.replace(`\n${LOG_IN_ELSEWHERE}`, '');
  const hint = `For a server on another machine, set HUB_URL or add --url https://hub.example.com\n${here}`;
  return error.with({ hint });
}
