import { WORKSPACE_API_PATH } from '@hub/contract';
import { type Caller, LOCAL_ADMIN } from '../actor.ts';
import { Refusal } from '../errors.ts';
import { connectionOf } from './connection.ts';
import { isUnder, requestPath } from './request-path.ts';

/** What anyone may read of the workspace API. Everything else under it is refused unless the gate knows who asks. */
const OPEN_PATHS = new Set([WORKSPACE_API_PATH]);

/**
 * Judges every request under the workspace API before anything of it is read: denied, unless it came through the
 * admin socket, whose file mode lets in only the account that runs the server.
 */
export function workspaceGate({ request }: { request: Request }): void {
  const path = requestPath(request);
  if (!isUnder(path, WORKSPACE_API_PATH)) return;
  if (OPEN_PATHS.has(path) && (request.method === 'GET' || request.method === 'HEAD')) return;
  if (connectionOf(request).transport === 'local') return;
  throw new Refusal(
    'unauthenticated',
    "This part of the API is for admins. On the server's own machine use hubctl, which needs no login.",
    { 'www-authenticate': 'Bearer' },
  );
}

/** Who asks, behind the gate. */
export function callerOf(request: Request): Caller {
  const { transport, address } = connectionOf(request);
  if (transport !== 'local') throw new Error('A route of the workspace API was reached without its gate');
  return { actor: LOCAL_ADMIN, address };
}
