import { existsSync } from 'node:fs';
import type { ServerInfo } from '@hub/contract';
import { hasTokenFormat, KEY_PREFIX, PERSONAL_TOKEN_PREFIX } from '@hub/contract/key-token';
import type { Cli } from '../../runtime/cli.ts';
import { requireOneServer, type SocketConnection } from '../../runtime/connection.ts';
import type { Fetch } from '../../runtime/deps.ts';
import { CliError, EXIT, usageError } from '../../runtime/errors.ts';
import { readServerUrl, warnOfPlainHttp } from '../../runtime/network.ts';
import { emptyInput, readSource, STDIN } from '../../runtime/read-source.ts';
import type { PostOptions } from './options.ts';

/** The server that a post goes to. */
export interface PostServer {
  /** The base URL for the client. */
  baseUrl: string;
  /** The part of the post's URL before `/p/<id>`. */
  webUrl: string;
  fetch: Fetch;
}

/**
 * Returns the server that `--url`, `--profile` or `--local` selects, else the one in `HUB_URL`, else the current
 * server: that of the current profile, or the one on this machine, which reports its own URL.
 */
export async function findServer(cli: Cli, url: string | undefined): Promise<PostServer> {
  const isChosen = isServerChosen(cli);
  const given = url ?? (isChosen ? undefined : cli.deps.env.HUB_URL);
  if (given) return serverAt(cli, readServerUrl(given, url === undefined ? 'HUB_URL' : '--url'));
  const { connection } = cli;
  return connection.kind === 'profile' ? serverAt(cli, connection.url) : await localServer(cli, connection);
}

/**
 * Returns what identifies the server of `findServer`, without a request: its URL, or `unix:` and the path of its admin
 * socket.
 */
export function serverIdentity(cli: Cli, url: string | undefined): string {
  const given = url ?? (isServerChosen(cli) ? undefined : cli.deps.env.HUB_URL);
  if (given) return readServerUrl(given, url === undefined ? 'HUB_URL' : '--url');
  const { connection } = cli;
  return connection.kind === 'profile' ? connection.url : `unix:${connection.socketPath}`;
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
  return { baseUrl: url, webUrl: url, fetch: cli.deps.fetch };
}

async function localServer(cli: Cli, { socketPath }: SocketConnection): Promise<PostServer> {
  const { baseUrl: webUrl } = await cli.api.get<ServerInfo>('').catch((error) => {
    throw withPostHint(error);
  });
  return {
    baseUrl: 'http://localhost',
    webUrl: webUrl.replace(/\/+$/, ''),
    fetch: (address, init) => cli.deps.fetch(address, { ...init, unix: socketPath }),
  };
}

/** Adds a hint on how to post to a server on another machine. */
function withPostHint(error: unknown): unknown {
  if (!(error instanceof CliError) || error.details.hint === undefined) return error;
  const hint = `${error.details.hint}\nFor a server on another machine, set HUB_URL or add --url https://hub.example.com`;
  return error.with({ hint });
}

type KeyOptions = Pick<PostOptions, 'keyFile' | 'keyStdin' | 'skipWithoutKey'>;

const KEY_SOURCES = 'Set HUB_API_KEY, or add --key-file FILE or --key-stdin.';

/** Returns the key to post with, or `null` if there is none and --skip-without-key is set. */
export async function readKey(cli: Cli, options: KeyOptions): Promise<string | null> {
  const { text, source } = await findKey(cli, options);
  if (text !== '') return checkedKey(text, source);
  if (options.skipWithoutKey) return null;
  if (source === 'HUB_API_KEY') throw usageError('No API key: HUB_API_KEY is empty.', KEY_SOURCES);
  if (source !== undefined) throw emptyInput(`No API key: ${source} is empty.`, KEY_SOURCES);
  const missing = `No API key. ${KEY_SOURCES}`;
  const typed = await cli.response(undefined, missing, (prompts) => prompts.secret('API key (hub_live_…):'));
  const response = typed.trim();
  if (response === '') throw usageError('No API key.', KEY_SOURCES);
  return checkedKey(response, 'The input');
}

/** @throws a usage error for options that are wrong regardless of the environment. */
export function requireKeyOptions({ keyFile }: KeyOptions): void {
  if (keyFile === STDIN) throw usageError('To read the key from standard input, use --key-stdin.');
}

async function findKey(cli: Cli, options: KeyOptions): Promise<{ text: string; source?: string }> {
  if (options.keyStdin && cli.deps.stdin.isTTY) return { text: '' };
  if (options.keyStdin) return { text: (await readSource(cli, STDIN)).trim(), source: 'standard input' };
  if (options.keyFile !== undefined) {
    // In a build of a fork, the file may not exist at all.
    if (options.skipWithoutKey && !existsSync(options.keyFile)) return { text: '' };
    return { text: (await readSource(cli, options.keyFile)).trim(), source: options.keyFile };
  }
  // Builds without secrets often set the variable to an empty value.
  const text = cli.deps.env.HUB_API_KEY?.trim() ?? '';
  return text === '' ? { text } : { text, source: 'HUB_API_KEY' };
}

/**
 * Rejects a malformed key without sending it or showing it in the error, since it may be some other secret or the
 * content of an unrelated file.
 */
function checkedKey(text: string, source = 'The value'): string {
  if (hasTokenFormat(KEY_PREFIX, text)) return text;
  const problem = text.startsWith(PERSONAL_TOKEN_PREFIX)
    ? 'is a personal access token, which cannot post'
    : text.startsWith(KEY_PREFIX)
      ? 'is not a complete key: it was mistyped or truncated'
      : 'is not an API key';
  throw new CliError('unauthenticated', EXIT.notAllowed, `${source} ${problem}. Nothing was sent.`, {
    hint: 'API keys start with hub_live_. Ask an admin for one, or issue one: hubctl keys issue',
  });
}
