import type { Live, LiveOptions } from '@hub/client/live';
import { connectLive } from '@hub/client/live';
import type { Cli } from '../../runtime/cli.ts';
import { requireOwnSocket } from '../../runtime/connection.ts';
import { socketAlias } from './socket-alias.ts';

/** Duplicated here, since importing it would load the contract's schemas. */
const LIVE_PATH = '/api/v1/live';

/** Opens the live connection for this command: over the admin socket, or with the token of a profile. */
export function openLive(
  { connection, deps }: Cli,
  listeners: Pick<LiveOptions, 'onState' | 'onHubsChanged' | 'onError'>,
): { live: Live; close: () => void } {
  const createSocket: LiveOptions['createSocket'] = (url, headers) =>
    deps.openSocket(url, { ...headers, 'user-agent': `hubctl/${deps.version}` });
  if (connection.kind === 'profile') {
    const { url, token } = connection;
    const ask: LiveOptions['fetch'] = (address, init) => deps.fetch(address, init as BunFetchRequestInit);
    const live = connectLive({ ...listeners, baseUrl: url, token, createSocket, fetch: ask });
    return { live, close: () => live.close() };
  }
  requireOwnSocket(connection.socketPath);
  const { path, remove } = socketAlias(connection.socketPath);
  const live = connectLive({ ...listeners, url: `ws+unix://${path}:${LIVE_PATH}`, createSocket });
  const close = () => {
    live.close();
    remove();
  };
  return { live, close };
}
