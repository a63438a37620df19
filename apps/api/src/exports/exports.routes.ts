import { HubExport, WORKSPACE_API_PATH } from '@hub/contract';
import { Elysia } from 'elysia';
import type { Deps } from '../context/deps.ts';
import { type AppError, tooManyRequests } from '../core/errors.ts';
import { FairGate } from '../core/fair-gate.ts';
import { contextOf } from '../http/request-context.ts';
import { readableHub } from '../hubs/hub-rights.ts';
import { callerOf } from '../workspace-api/workspace-gate.ts';
import { idInPath, workspaceOperation } from '../workspace-api/workspace-operation.ts';
import { attachment, attachmentHeaders } from './attachment.ts';
import { exportHub, Turns } from './export-hub.ts';

/** Each holds a page in memory for as long as its reader takes. */
const EXPORTS_PER_USER = 2;
const RETRY_SECONDS = 15;

function tooManyExports(): AppError {
  return tooManyRequests(
    `You already have ${EXPORTS_PER_USER} exports in progress, the maximum per user. Wait until one is complete, or cancel it.`,
    RETRY_SECONDS,
  );
}

/** Exports everything a member can read in a Hub as one document. */
export function exportsRoutes(deps: Deps) {
  const { detail, beforeHandle, parse } = workspaceOperation({
    operationId: 'exportHub',
    summary: 'Export a Hub',
    description:
      'Members only. The export is streamed, so it can be of any size, and others can read and write meanwhile. An interrupted export is not complete JSON. A user can have two in progress. Recorded in the audit log.',
    access: 'member',
    parameters: [idInPath('hubId', 'The id of the Hub.', 'hub')],
    response: HubExport,
  });
  const turns = new Turns();
  const perUser = new FairGate({
    clock: deps.clock,
    perCaller: EXPORTS_PER_USER,
    total: Number.POSITIVE_INFINITY,
    maxWaiting: 0,
    busy: tooManyExports,
  });
  return new Elysia({ name: 'exports', prefix: `${WORKSPACE_API_PATH}/hubs/:hubId/export` }).get(
    '',
    async ({ request, params: { hubId } }) => {
      const caller = callerOf(request);
      // Before the number of exports is checked: a Hub that the caller cannot read is not found, as everywhere.
      const { id } = await readableHub(deps.store, caller, hubId);
      // HEAD is routed wherever GET is. It reveals no content, so it does not count as an export.
      if (request.method === 'HEAD') return new Response(null, { headers: attachmentHeaders(`${id}.json`) });
      const { requestId, reauthorize } = contextOf(request);
      const release = caller.user === null ? () => {} : await perUser.enter(caller.user.id);
      const options = { turns, reauthorize: async () => reauthorize?.() };
      const pieces = await exportHub(deps, caller, hubId, options).catch((error) => {
        release();
        throw error;
      });
      return attachment(`${hubId}.json`, pieces, {
        clock: deps.clock,
        onEnd: release,
        onError: (err) => deps.log.warn({ err, requestId }, 'Export interrupted'),
        onLeft: () => deps.log.info({ requestId }, 'Export reader disconnected early'),
      });
    },
    // A streamed response cannot be validated before it is sent, so `export.test.ts` validates it instead.
    { detail, beforeHandle, parse },
  );
}
