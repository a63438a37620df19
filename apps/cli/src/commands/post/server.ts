import type { ServerInfo } from '@hub/contract';
import { requireOneServer, type SocketConnection } from '../../runtime/choose-connection.ts';
import type { Cli } from '../../runtime/cli.ts';
import type { Fetch } from '../../runtime/deps.ts';
import { CliError, usageError } from '../../runtime/errors.ts';
import { readServerUrl, warnOfPlainHttp } from '../../runtime/server-url.ts';

/** Where a post goes. */
export interface PostServer {
  /** What the client puts before the API's path. */
  baseUrl: string;
  /** What stands before `/p/<id>` in the web address. */
  webUrl: string;
  fetch: Fetch;
}

/**
 * The server of `--url`, `--profile` or `--local`, else of `HUB_URL`, else the one that every command speaks to: of the
 * profile, or the one on this machine, which is asked for its address.
 */
export async function findServer(cli: Cli, url: string | undefined): Promise<PostServer> {
  const isChosen = isServerChosen(cli);
  const given = url ?? (isChosen ? undefined : cli.deps.env.HUB_URL);
  if (given) return serverAt(cli, readServerUrl(given, url === undefined ? 'HUB_URL' : '--url'));
  const { connection } = cli;
  return connection.kind === 'profile' ? serverAt(cli, connection.url) : await localServer(cli, connection);
}

/** @throws what is wrong with these options whatever the run brings. */
export function requireServerOptions(cli: Cli, url: string | undefined): void {
  requireOneServer(cli.serverFlags);
  if (url === undefined) return;
  if (isServerChosen(cli)) {
    throw usageError('--url names the server, and so does --profile or --local.', 'Leave one of them out.');
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

/** Whoever posts may well be on another machine than the server. */
function withPostHint(error: unknown): unknown {
  if (!(error instanceof CliError) || error.details.hint === undefined) return error;
  const hint = `${error.details.hint}\nFor a server on another machine: set HUB_URL, or add --url https://hub.example.com`;
  return new CliError(error.code, error.exitCode, error.message, { ...error.details, hint });
}
