import type { Deps } from '../../access/deps.ts';
import { serve } from '../../http/operations/serve.ts';
import { type AppError, tooManyRequests } from '../../platform/errors.ts';
import { FairGate } from '../../platform/fair-gate.ts';
import { readableHub } from '../hubs/hub-rights.ts';
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
  const turns = new Turns();
  const perUser = new FairGate({
    clock: deps.clock,
    perCaller: EXPORTS_PER_USER,
    total: Number.POSITIVE_INFINITY,
    maxWaiting: 0,
    busy: tooManyExports,
  });
  return serve({
    'GET /hubs/{hubId}/export': async ({ caller, params: { hubId }, request, context }) => {
      // Before the number of exports is checked: a Hub that the caller cannot read is not found, as everywhere.
      const { id } = await readableHub(deps.store, caller, hubId);
      // HEAD is routed wherever GET is. It reveals no content, so it does not count as an export.
      if (request.method === 'HEAD') return new Response(null, { headers: attachmentHeaders(`${id}.json`) });
      const { requestId, reauthorize } = context;
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
  });
}
