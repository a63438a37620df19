import type {
  CreatePersonalTokenBody,
  IssuedPersonalToken,
  Me,
  PersonalToken,
  ServerInfo,
  SignInBody,
} from '@hub/contract';
import { LIMITS } from '@hub/contract/limits';
import type { Cli } from '../../runtime/cli.ts';
import type { Fetch } from '../../runtime/deps.ts';
import { CliError } from '../../runtime/errors.ts';
import { EXIT } from '../../runtime/exit-codes.ts';
import { networkFetch } from '../../runtime/network-fetch.ts';
import type { Profile } from '../../runtime/profile-file.ts';
import { plainLine } from '../../runtime/terminal-text.ts';
import { segment, WorkspaceApi } from '../../runtime/workspace-api.ts';

/** Asks who is there, before anybody types a password into it. */
export async function greetServer(cli: Cli, url: string): Promise<ServerInfo> {
  const info = await new WorkspaceApi(networkFetch(cli.deps, url), { url })
    .get<Partial<ServerInfo>>('')
    .catch((error) => {
      const isStranger =
        error instanceof CliError && (error.code === 'unexpected_answer' || error.code === 'not_found');
      throw isStranger ? noHubAt(url) : error;
    });
  if (info.name !== 'hub' || typeof info.baseUrl !== 'string') throw noHubAt(url);
  return info as ServerInfo;
}

function noHubAt(url: string): CliError {
  return new CliError('unexpected_answer', EXIT.failed, `There is no Hub at ${url}.`, {
    hint: 'Check the address: it is what stands in the address bar before the path.',
  });
}

/**
 * Signs in with the password, makes a personal access token, and ends the session: what stays on this machine is a token,
 * which has its own name in the list of the person and can be revoked there.
 */
export async function signIn(cli: Cli, url: string, info: ServerInfo, credentials: SignInBody): Promise<Profile> {
  const api = await openSession(cli, url, info, credentials);
  try {
    const name = plainLine(`hubctl on ${cli.deps.hostname}`);
    const body = { name: [...name].slice(0, LIMITS.keyNameCodePoints).join('').trim() };
    const { id, token } = await api.post<IssuedPersonalToken>('/me/tokens', body satisfies CreatePersonalTokenBody);
    return { ...(await profileOf(cli, url, token)), tokenId: id };
  } finally {
    // It would end by itself; that it cannot be ended now is no reason to fail.
    await api.delete('/session').catch(() => {});
  }
}

/**
 * With a cookie, the Origin must be what the server takes for its own: mostly the address that it is spoken to by, but
 * its `baseUrl` where that is set. A wrong one is refused before the password is looked at.
 */
async function openSession(cli: Cli, url: string, info: ServerInfo, credentials: SignInBody): Promise<WorkspaceApi> {
  const open = async (origin: string) => {
    const api = new WorkspaceApi(withCookies(networkFetch(cli.deps, url), origin), { url });
    await api.post('/session', credentials);
    return api;
  };
  const spokenTo = new URL(url).origin;
  const own = URL.canParse(info.baseUrl) ? new URL(info.baseUrl).origin : spokenTo;
  return await open(spokenTo).catch((error) => {
    if (own === spokenTo || !(error instanceof CliError) || error.code !== 'forbidden') throw error;
    return open(own);
  });
}

/** Sends the Origin, and whatever cookie the last answer has set. */
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

/** Whom a token belongs to, as the server says. */
export async function profileOf(cli: Cli, url: string, token: string): Promise<Profile> {
  const { id, name, email } = await new WorkspaceApi(networkFetch(cli.deps, url, token), { url }).get<Me>('/me');
  return { url, token, tokenId: null, person: { id, name, email } };
}

/** Revokes the token of a profile, if it can be known which one of the person's it is. */
export async function revokeToken(cli: Cli, { url, token, tokenId }: Profile): Promise<'revoked' | 'kept' | CliError> {
  if (tokenId === null) return 'kept';
  const api = new WorkspaceApi(networkFetch(cli.deps, url, token), { url });
  try {
    await api.delete<PersonalToken | undefined>(`/me/tokens/${segment(tokenId)}`);
    return 'revoked';
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    // It has expired, or somebody revoked it before.
    return error.code === 'unauthenticated' || error.code === 'not_found' ? 'revoked' : error;
  }
}
