import { LIMITS } from '@hub/contract/limits';
import type { Cli } from '../../runtime/cli.ts';
import { CliError, failed } from '../../runtime/errors.ts';
import { networkFetch } from '../../runtime/network.ts';
import { styled } from '../../runtime/output.ts';
import type { Profile } from '../../runtime/profile-file.ts';
import { plainLine } from '../../runtime/terminal-text.ts';
import { noHubAt, workspaceApi } from '../../runtime/workspace-api.ts';

/** Checks that a Hub server is at this URL. */
export async function greetServer(cli: Cli, url: string): Promise<void> {
  const info = await workspaceApi(networkFetch(cli.deps, url), url)
    .request('GET /')
    .catch((error) => {
      // A Hub has this address, but not at this path.
      throw error instanceof CliError && error.code === 'not_found' ? noHubAt(url) : error;
    });
  if (info.name !== 'hub') throw noHubAt(url);
}

/** Lets the user confirm this machine in a browser (RFC 8628), so that no password or token is typed here. */
export async function confirmInBrowser(cli: Cli, url: string): Promise<Profile> {
  const { output, deps } = cli;
  const api = workspaceApi(networkFetch(deps, url), url);
  const started = await api.request('POST /device-logins', { body: { name: tokenName(cli) } });
  const { deviceCode, userCode, verificationUrl, expiresAt } = started;
  // At the address that the user knows, whatever the server considers its own.
  const page = url + new URL(verificationUrl).pathname.replace(/^.*(?=\/settings\/)/, '');
  output.note('Your code: ', styled('bold', userCode));
  output.note('Enter it on this page, where you are signed in:');
  output.note(`  ${page}`);
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
