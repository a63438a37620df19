import { HubExport, WORKSPACE_API_PATH } from '@hub/contract';
import { Elysia } from 'elysia';
import type { Deps } from '../deps.ts';
import { contextOf } from '../http/request-context.ts';
import { callerOf } from '../http/workspace-gate.ts';
import { idInPath, workspaceOperation } from '../http/workspace-operation.ts';
import { readableHub } from '../hubs/hub-rights.ts';
import { attachment, attachmentHeaders } from './attachment.ts';
import { exportHub } from './export-hub.ts';
import { Turns } from './turns.ts';

/** Everything that one may read of a Hub, in one document. */
export function exportsRoutes(deps: Deps) {
  const { detail, beforeHandle, parse } = workspaceOperation({
    operationId: 'exportHub',
    summary: 'Export a Hub',
    description:
      'For its members. Streamed: it may be of any size, and others read and write while it is on its way. One that breaks off is no whole JSON. It is noted in the audit log.',
    access: 'member',
    parameters: [idInPath('hubId', 'The id of the Hub.')],
    status: 200,
    response: HubExport,
  });
  const turns = new Turns();
  return new Elysia({ name: 'exports', prefix: `${WORKSPACE_API_PATH}/hubs/:hubId/export` }).get(
    '',
    async ({ request, params: { hubId } }) => {
      // Where GET is answered, HEAD is too: nothing leaves the Hub by it, so it is no export.
      if (request.method === 'HEAD') {
        const { id } = await readableHub(deps, callerOf(request), hubId);
        return new Response(null, { headers: attachmentHeaders(`${id}.json`) });
      }
      const { requestId, authorizeAgain } = contextOf(request);
      const pieces = await exportHub(deps, callerOf(request), hubId, {
        turns,
        authorizeAgain: async () => authorizeAgain?.(),
      });
      return attachment(`${hubId}.json`, pieces, {
        clock: deps.clock,
        onError: (err) => deps.log.warn({ err, requestId }, 'An export broke off'),
        onLeft: () => deps.log.info({ requestId }, 'Whoever read an export left before its end'),
      });
    },
    // What is streamed cannot be checked as a whole before it leaves: `export.test.ts` does.
    { detail, beforeHandle, parse },
  );
}
