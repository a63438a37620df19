import type { ServerInfo } from '@hub/contract';
import type { Cli } from '../../runtime/cli.ts';
import type { Fetch } from '../../runtime/deps.ts';
import { CliError, usageError } from '../../runtime/errors.ts';

/** Where a post goes. */
export interface PostServer {
  /** What the client puts before the API's path. */
  baseUrl: string;
  /** What stands before `/p/<id>` in the web address. */
  webUrl: string;
  fetch: Fetch;
}

const PUBLIC_API = /\/api\/public\/v1$/;

/** The server of `--url` or `HUB_URL`, else the one on this machine, which is asked for its address. */
export async function findServer(cli: Cli, url: string | undefined): Promise<PostServer> {
  const given = url ?? cli.deps.env.HUB_URL;
  if (given) {
    const baseUrl = readServerUrl(given, url === undefined ? 'HUB_URL' : '--url');
    warnOfPlainHttp(cli, baseUrl);
    return { baseUrl, webUrl: baseUrl, fetch: cli.deps.fetch };
  }
  const unix = cli.socketPath;
  const { baseUrl: webUrl } = await cli.api.get<ServerInfo>('').catch((error) => {
    throw withPostHint(error);
  });
  return {
    baseUrl: 'http://localhost',
    webUrl: webUrl.replace(/\/+$/, ''),
    fetch: (address, init) => cli.deps.fetch(address, { ...init, unix }),
  };
}

/** Whoever posts may well be on another machine than the server. */
function withPostHint(error: unknown): unknown {
  if (!(error instanceof CliError) || error.details.hint === undefined) return error;
  const hint = `${error.details.hint}\nFor a server on another machine: set HUB_URL, or add --url https://hub.example.com`;
  return new CliError(error.code, error.exitCode, error.message, { ...error.details, hint });
}

/** The messages do not repeat the value: addresses and keys get swapped. */
function readServerUrl(text: string, source: string): string {
  const fault = (what: string) => usageError(`${source} ${what}.`, 'Write the address as https://hub.example.com');
  if (!URL.canParse(text)) throw fault('is no address');
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw fault('must begin with https:// or http://');
  if (url.username !== '' || url.password !== '') throw fault('must not hold a user or a password');
  if (url.search !== '' || url.hash !== '') throw fault('must not have a query or a fragment');
  return url.origin + url.pathname.replace(/\/+$/, '').replace(PUBLIC_API, '');
}

function warnOfPlainHttp(cli: Cli, baseUrl: string): void {
  const { protocol, hostname, host } = new URL(baseUrl);
  if (protocol === 'https:' || isLoopback(hostname)) return;
  cli.output.warn(`The key travels to ${host} unencrypted, where others can read it. Use https://`);
}

/** RFC 6761, section 6.3, and the loopback addresses. */
export function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(\.\d+){3}$/.test(hostname)
  );
}
