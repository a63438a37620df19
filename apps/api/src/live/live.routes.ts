import { WORKSPACE_API_PATH } from '@hub/contract';
import { type DocumentDecoration, Elysia } from 'elysia';
import type { Caller } from '../access/caller.ts';
import { errorsBy, workspaceErrors, workspaceHeaders } from '../http/openapi/errors.ts';
import { audienceOf, securityOf } from '../http/openapi/security.ts';
import { callerOf, requireAccess } from '../http/operations/workspace-gate.ts';
import { contextOf } from '../http/request-context.ts';
import { AppError, tooManyRequests } from '../platform/errors.ts';
import type { LiveDeps } from './live-server.ts';
import type { LiveConnection } from './live-socket.ts';

const UPGRADE = { upgrade: 'websocket', connection: 'Upgrade' };
/** The longest time that a client waits between two connection attempts. */
const RETRY_SECONDS = 15;

/** The product's only WebSocket. docs/live.md describes its frames. */
export function liveRoutes({ live, limits }: Pick<LiveDeps, 'live' | 'limits'>) {
  /** Throws if the user has too many live connections. The local admin has no limit. */
  const requireRoom = ({ user }: Caller): void => {
    if (user === null || live.connectionsOf(user.id).length < limits.maxLiveConnections) return;
    const max = limits.maxLiveConnections.toLocaleString('en');
    throw tooManyRequests(
      `You already have ${max} live connections, the maximum per user. Close one first.`,
      RETRY_SECONDS,
    );
  };
  return new Elysia({ name: 'live', prefix: `${WORKSPACE_API_PATH}/live` }).get(
    '',
    ({ request }) => {
      if (live.isStopped) throw new AppError('unavailable', 'The server is stopping. Reconnect in a moment.');
      const caller = callerOf(request);
      // Checked before the upgrade header: a web page cannot see the status of a failed handshake, so it repeats the
      // request without that header to get the status.
      requireRoom(caller);
      if (request.headers.get('upgrade')?.toLowerCase() !== 'websocket') {
        throw new AppError(
          'upgrade_required',
          'This endpoint requires a WebSocket connection. See docs/live.md.',
          UPGRADE,
        );
      }
      // For other versions, Bun itself would respond, but without the error body.
      if (request.headers.get('sec-websocket-version') !== '13') {
        const headers = { 'sec-websocket-version': '13', ...UPGRADE };
        throw new AppError('upgrade_required', 'Sec-WebSocket-Version must be 13: see RFC 6455, section 4.1.', headers);
      }
      const { requestId } = contextOf(request);
      const connection: LiveConnection = { caller, requestId };
      if (contextOf(request).upgrade(connection, { 'x-request-id': requestId })) return;
      throw new AppError('invalid', 'The WebSocket handshake is incomplete: see RFC 6455, section 4.1.');
    },
    {
      parse: 'none',
      beforeHandle: ({ request }) => requireAccess(request, 'member'),
      detail: {
        operationId: 'followHubs',
        summary: 'Follow Hubs live',
        description: `Opens a WebSocket (RFC 6455) that delivers the events of Hubs, each once and in order. Its frames are JSON text: see docs/live.md.\n\n${audienceOf('member')}`,
        'x-access': 'member',
        security: securityOf('member'),
        responses: {
          101: { description: 'The connection is a WebSocket from here on.', headers: workspaceHeaders },
          ...errorsBy(workspaceErrors, [400, 401, 403, 405, 426, 429, 500, 503]),
        },
      } as unknown as DocumentDecoration,
    },
  );
}
