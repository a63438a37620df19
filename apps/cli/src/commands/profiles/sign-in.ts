import type { ServerInfo, SignInBody } from '@hub/contract';
import { LIMITS } from '@hub/contract/limits';
import type { Cli } from '../../runtime/cli.ts';
import type { Fetch, Prompts } from '../../runtime/deps.ts';
import { CliError, failed } from '../../runtime/errors.ts';
import { readPipedSecret } from '../../runtime/files.ts';
import { networkFetch } from '../../runtime/network.ts';
import { styled } from '../../runtime/output.ts';
import type { Profile } from '../../runtime/profile-file.ts';
import { plainLine } from '../../runtime/terminal-text.ts';
import { noHubAt, type WorkspaceApi, workspaceApi } from '../../runtime/workspace-api.ts';

/** Checks that a Hub server is at this URL before the user enters a password. */
export async function greetServer(cli: Cli, url: string): Promise<ServerInfo> {
  const info = await workspaceApi(networkFetch(cli.deps, url), url)
    .request('GET /')
    .catch((error) => {
      // A Hub has this address, but not at this path.
      throw error instanceof CliError && error.code === 'not_found' ? noHubAt(url) : error;
    });
  if (info.name !== 'hub' || typeof info.baseUrl !== 'string') throw noHubAt(url);
  return info;
}

/**
 * Lets the user confirm this machine in a browser (RFC 8628), so that no password or token is typed here. Returns `null`
 * if the server is too old for it.
 */
export async function confirmInBrowser(cli: Cli, url: string): Promise<Profile | null> {
  const { output, deps } = cli;
  const api = workspaceApi(networkFetch(deps, url), url);
  const started = await api.request('POST /device-logins', { body: { name: tokenName(cli) } }).catch((error) => {
    if (error instanceof CliError && error.code === 'not_found') return null;
    throw error;
  });
  if (started === null) return null;
  const { deviceCode, userCode, verificationUrl, expiresAt } = started;
  // At the address that the user knows, whatever the server considers its own.
  const page = url + new URL(verificationUrl).pathname.replace(/^.*(?=\/settings\/)/, '');
  output.note('Your code: ', styled('bold', userCode));
  output.note(`Enter it on this page, where you are signed in: ${page}`);
  output.quiet('Waiting until you have confirmed… Press Ctrl-C to cancel.');
  deps.openPage(page);
  let waitMs = started.intervalSeconds * 1000;
  for (;;) {
    await deps.clock.sleep(waitMs);
    const polled = await api.request('POST /device-logins/poll', { body: { deviceCode } }).catch((error) => {
      // The server may be restarting. The codes outlast that.
      const isTemporary = error instanceof CliError && ['unreachable', 'timeout', 'unavailable'].includes(error.code);
      if (isTemporary && deps.clock.now() < Date.parse(expiresAt)) return null;
      const hasExpired = error instanceof CliError && error.code === 'not_found';
      throw hasExpired ? failed('expired', 'The code has expired.', `Start again: hubctl login ${url}`) : error;
    });
    if (polled === null) continue;
    waitMs = polled.intervalSeconds * 1000;
    if (polled.state === 'denied') throw failed('denied', 'The login was denied.');
    if (polled.issued) return { ...(await profileOf(cli, url, polled.issued.token)), tokenId: polled.issued.id };
  }
}

/** The name of this machine's token in the list of the user's tokens. */
function tokenName({ deps }: Cli): string {
  const name = plainLine(`hubctl on ${deps.hostname}`);
  return [...name].slice(0, LIMITS.keyNameCodePoints).join('').trim();
}

export interface AccountOptions {
  email?: string | undefined;
  passwordStdin?: boolean | undefined;
}

/** Returns the e-mail address and the password of the account at this server, and asks for what is not given. */
export async function askCredentials(cli: Cli, url: string, given: AccountOptions): Promise<SignInBody> {
  const email = await cli.text(given.email, `E-mail at ${new URL(url).host}:`, '--email');
  const piped = given.passwordStdin ? await readPipedSecret(cli, '--password-stdin') : undefined;
  const ask = (prompts: Prompts) => prompts.secret(`Password of ${email}:`);
  return { email, password: await cli.valueOrPrompt(piped, ask, '--password-stdin') };
}

/**
 * Creates the token of this machine with the password. Only the token is stored here. It has its own name in the list of
 * the user's tokens and can be revoked there.
 */
export function signIn(cli: Cli, url: string, info: ServerInfo, credentials: SignInBody): Promise<Profile> {
  return withSession(cli, url, info, credentials, async (session) => {
    const { id, token } = await session.request('POST /me/tokens', { body: { name: tokenName(cli) } });
    return { ...(await profileOf(cli, url, token)), tokenId: id };
  });
}

/** Signs in with the password, and ends the session after `work`. */
export async function withSession<T>(
  cli: Cli,
  url: string,
  info: ServerInfo,
  credentials: SignInBody,
  work: (session: WorkspaceApi) => Promise<T>,
): Promise<T> {
  const session = await openSession(cli, url, info, credentials);
  try {
    return await work(session);
  } finally {
    // The session expires by itself, so a failure to end it is ignored.
    await session.request('DELETE /session').catch(() => {});
  }
}

/**
 * Opens a session. Requests with a cookie must have the server's own Origin: that of its `baseUrl` if it is set, else
 * that of the request URL. The server rejects a wrong Origin before it checks the password.
 */
async function openSession(cli: Cli, url: string, info: ServerInfo, credentials: SignInBody): Promise<WorkspaceApi> {
  const open = async (origin: string) => {
    const api = workspaceApi(withCookies(networkFetch(cli.deps, url), origin), url);
    await api.request('POST /session', { body: credentials });
    return api;
  };
  const requested = new URL(url).origin;
  const own = URL.canParse(info.baseUrl) ? new URL(info.baseUrl).origin : requested;
  const isForbidden = (error: unknown) => error instanceof CliError && error.code === 'forbidden';
  return await open(requested).catch((error) => {
    if (own === requested || !isForbidden(error)) throw error;
    // The first error names the address that the user knows.
    return open(own).catch((second) => {
      throw isForbidden(second) ? error : second;
    });
  });
}

/** Adds the Origin, and the cookie that the last response set. */
function withCookies(fetch: Fetch, origin: string): Fetch {
  let cookie = '';
  return async (url, init) => {
    const headers = new Headers(init.headers);
    headers.set('origin', origin);
    if (cookie !== '') headers.set('cookie', cookie);
    const response = await fetch(url, { ...init, headers });
    const set = response.headers.getSetCookie().map((line) => line.split(';')[0] ?? '');
    if (set.length > 0) cookie = set.join('; ');
    return response;
  };
}

/** Looks up the user of a token. */
export async function profileOf(cli: Cli, url: string, token: string): Promise<Profile> {
  const { id, name, email } = await workspaceApi(networkFetch(cli.deps, url, token), url).request('GET /me');
  return { url, token, tokenId: null, user: { id, name, email } };
}

/** Revokes the token of a profile, unless its ID is unknown. */
export async function revokeToken(cli: Cli, { url, token, tokenId }: Profile): Promise<'revoked' | 'kept' | CliError> {
  if (tokenId === null) return 'kept';
  const api = workspaceApi(networkFetch(cli.deps, url, token), url);
  try {
    await api.request('DELETE /me/tokens/{tokenId}', { tokenId });
    return 'revoked';
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    // The token had expired or was already revoked.
    return error.code === 'unauthenticated' || error.code === 'not_found' ? 'revoked' : error;
  }
}
