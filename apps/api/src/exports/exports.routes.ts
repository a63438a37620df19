import { HubExport, WORKSPACE_API_PATH } from '@hub/contract';
import { Elysia } from 'elysia';
import type { Deps } from '../context/deps.ts';
import { contextOf } from '../http/request-context.ts';
import { readableHub } from '../hubs/hub-rights.ts';
import { callerOf } from '../workspace-api/workspace-gate.ts';
import { idInPath, workspaceOperation } from '../workspace-api/workspace-operation.ts';
import { attachment, attachmentHeaders } from './attachment.ts';
import { exportHub, Turns } from './export-hub.ts';

/** Exports everything a member can read in a Hub as one document. */
export function exportsRoutes(deps: Deps) {
  const { detail, beforeHandle, parse } = workspaceOperation({
    operationId: 'exportHub',
    summary: 'Export a Hub',
    description:
      'Members only. The export is streamed, so it can be of any size, and others can read and write meanwhile. An interrupted export is not complete JSON. Recorded in the audit log.',
    access: 'member',
    parameters: [idInPath('hubId', 'The id of the Hub.', 'hub')],
    response: HubExport,
  });
  const turns = new Turns();
  return new Elysia({ name: 'exports', prefix: `${WORKSPACE_API_PATH}/hubs/:hubId/export` }).get(
    '',
    async ({ request, params: { hubId } }) => {
      // HEAD is routed wherever GET is. It reveals no content, so it does not count as an export.
      if (request.method === 'HEAD') {
        const { id } = await readableHub(deps.store, callerOf(request), hubId);
        return new Response(null, { headers: attachmentHeaders(`${id}.json`) });
      }
      const { requestId, reauthorize } = contextOf(request);
      const pieces = await exportHub(deps, callerOf(request), hubId, {
        turns,
        reauthorize: async () => reauthorize?.(),
      });
      return attachment(`${hubId}.json`, pieces, {
        clock: deps.clock,
        onError: (err) => deps.log.warn({ err, requestId }, 'Export interrupted'),
        onLeft: () => deps.log.info({ requestId }, 'Export reader disconnected early'),
      });
    },
    // A streamed response cannot be validated before it is sent, so `export.test.ts` validates it instead.
    { detail, beforeHandle, parse },
  );
}
