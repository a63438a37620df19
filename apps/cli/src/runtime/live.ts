import type { LiveOptions, LiveState } from '@hub/client/live';
import { LIVE_PATH } from '@hub/contract/paths';
import type { Cli } from './cli.ts';
import { requireOwnSocket } from './connection.ts';
import { failed } from './errors.ts';

/** Paths that a `ws+unix:` URL can contain as is. Other characters would be escaped, which changes the path. */
const PLAIN_PATH = /^[\w./~%-]+$/;

type ServerOptions = Required<Pick<LiveOptions, 'createSocket'>> &
  Pick<LiveOptions, 'baseUrl' | 'token' | 'url' | 'fetch'>;

/** Returns how to open a live connection to the server of a command: over the admin socket, or with a token. */
export function liveOptions({ connection, deps }: Cli): ServerOptions {
  const createSocket: ServerOptions['createSocket'] = (url, headers) =>
    deps.openSocket(url, { ...headers, 'user-agent': `hubctl/${deps.version}` });
  if (connection.kind === 'profile') {
    const { url: baseUrl, token } = connection;
    return { baseUrl, token, createSocket, fetch: (url, init) => deps.fetch(url, init as BunFetchRequestInit) };
  }
  const { socketPath } = connection;
  requireOwnSocket(socketPath);
  if (!PLAIN_PATH.test(socketPath)) {
    throw failed(
      'failed',
      `The path ${socketPath} has characters that the URL of a WebSocket cannot have.`,
      'Set HUB_ADMIN_SOCKET to another path, such as /run/hub/admin.sock, for the server and for hubctl.',
    );
  }
  return { url: `ws+unix://${socketPath}:${LIVE_PATH}`, createSocket };
}

/** Returns a listener that reports when the connection is lost, and when it is back. */
export function reportingState({ output }: Cli): (state: LiveState) => void {
  let isDisconnected = false;
  let isRejectionShown = false;
  return (state) => {
    if (state.status === 'waiting') {
      const isNew = state.isRejected ? !isRejectionShown : !isDisconnected;
      if (isNew) output.quiet(`Disconnected: ${state.reason} Reconnecting…`);
      isDisconnected = true;
      isRejectionShown ||= state.isRejected === true;
    } else if (state.status === 'live' && isDisconnected) {
      isDisconnected = isRejectionShown = false;
      output.quiet('Reconnected.');
    }
  };
}
