import { HubExport, WORKSPACE_API_PATH } from '@hub/contract';
import { Elysia } from 'elysia';
import type { Deps } from '../deps.ts';
import { contextOf } from '../http/request-context.ts';
import { callerOf } from '../http/workspace-gate.ts';
import { idInPath, workspaceOperation } from '../http/workspace-operation.ts';
import { exportHub } from './export-hub.ts';

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
    answer: HubExport,
  });
  return new Elysia({ name: 'exports', prefix: `${WORKSPACE_API_PATH}/hubs/:hubId/export` }).get(
    '',
    async ({ request, params: { hubId } }) => {
      const { requestId, judgeAgain } = contextOf(request);
      const pieces = await exportHub(deps, callerOf(request), hubId, async () => judgeAgain?.());
      return attachment(`${hubId}.json`, pieces, (err) => deps.log.warn({ err, requestId }, 'An export broke off'));
    },
    // What is streamed cannot be checked as a whole before it leaves: `export.test.ts` does.
    { detail, beforeHandle, parse },
  );
}

/** What the pieces say, made only as fast as they are read. */
function attachment(fileName: string, pieces: AsyncIterable<string>, onFault: (error: unknown) => void): Response {
  const encoder = new TextEncoder();
  const iterator = pieces[Symbol.asyncIterator]();
  const body = new ReadableStream({
    pull: async (controller) => {
      try {
        const { done, value } = await iterator.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      } catch (error) {
        onFault(error);
        // The status is sent. All that can still be said is that this is not the end.
        controller.error(error);
      }
    },
    cancel: async () => void (await iterator.return?.()),
  });
  return new Response(body, {
    headers: {
      'content-type': 'application/json',
      'content-disposition': `attachment; filename="${fileName}"`,
    },
  });
}
