import type { ServerInfo } from '@hub/contract';
import { requireOneServer, type SocketConnection } from '../../runtime/choose-connection.ts';
import type { Cli } from '../../runtime/cli.ts';
import type { Fetch } from '../../runtime/deps.ts';
import { CliError, usageError } from '../../runtime/errors.ts';
import { readServerUrl, warnOfPlainHttp } from '../../runtime/server-url.ts';

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
  return new CliError(error.code, error.exitCode, error.message, { ...error.details, hint });
}
