import { WORKSPACE_API_PATH } from '@hub/contract';
import { type DocumentDecoration, Elysia } from 'elysia';
import type { Caller } from '../actor.ts';
import type { Deps } from '../deps.ts';
import { AppError, tooManyRequests } from '../errors.ts';
import { connectionOf } from '../http/connection.ts';
import { contextOf } from '../http/request-context.ts';
import { callerOf, requireAccess } from '../http/workspace-gate.ts';
import { errorsBy, workspaceErrors, workspaceHeaders } from '../ops/openapi-errors.ts';
import { audienceOf, securityOf } from '../ops/openapi-security.ts';
import type { LiveConnection } from './live-socket.ts';

/** As long as a client waits between its attempts at most. */
const RETRY_SECONDS = 15;

/** The one WebSocket of the product. All that is said over it is in docs/live.md. */
export function liveRoutes({ live, limits }: Pick<Deps, 'live' | 'limits'>) {
  /** The local admin is not limited. */
  const requireRoom = ({ user }: Caller): void => {
    if (user === null || live.connectionsOf(user.id).length < limits.maxLiveConnections) return;
    const most = limits.maxLiveConnections.toLocaleString('en');
    const many = `You have ${most} live connections already, the most that a user can have.`;
    throw tooManyRequests(`${many} Close one of them first.`, RETRY_SECONDS);
  };
  return new Elysia({ name: 'live', prefix: `${WORKSPACE_API_PATH}/live` }).get(
    '',
    ({ request }) => {
      if (live.isStopped) throw new AppError('unavailable', 'The server is stopping. Come back in a moment.');
      const caller = callerOf(request);
      // Before the upgrade header: a browser's page, which sees no status of a failed handshake, asks without one.
      requireRoom(caller);
      if (request.headers.get('upgrade')?.toLowerCase() !== 'websocket') {
        throw new AppError('upgrade_required', 'This is a WebSocket. Open it as one: see docs/live.md.', {
          upgrade: 'websocket',
          connection: 'Upgrade',
        });
      }
      // Bun answers other versions by itself, without the error body.
      if (request.headers.get('sec-websocket-version') !== '13') {
        throw new AppError('upgrade_required', 'Sec-WebSocket-Version must be 13: see RFC 6455, section 4.1.', {
          'sec-websocket-version': '13',
          upgrade: 'websocket',
          connection: 'Upgrade',
        });
      }
      const { requestId } = contextOf(request);
      const connection: LiveConnection = { caller, requestId, expiresAt: caller.expiresAt };
      if (connectionOf(request).upgrade?.(connection, { 'x-request-id': requestId })) return;
      throw new AppError('invalid', 'The WebSocket handshake is incomplete: see RFC 6455, section 4.1.');
    },
    {
      parse: 'none',
      beforeHandle: ({ request }) => requireAccess(request, 'member'),
      detail: {
        operationId: 'followHubs',
        summary: 'Follow Hubs live',
        description: `A WebSocket (RFC 6455) over which the events of Hubs come, each once and in order. Its frames are JSON text: see docs/live.md.\n\n${audienceOf('member')}`,
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
