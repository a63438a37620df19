import type { Deps } from '../../access/deps.ts';
import { type Input, serve } from '../../http/operations/serve.ts';
import { type AppError, tooManyRequests } from '../../platform/errors.ts';
import { FairGate } from '../../platform/fair-gate.ts';
import { type StreamOptions, streamPieces } from '../../platform/stream-pieces.ts';
import { readableHub } from '../hubs/hub-rights.ts';
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

type ExportInput = Pick<Input<'GET /hubs/{hubId}/export'>, 'caller' | 'params' | 'request' | 'context'>;

/** Exports everything a member can read in a Hub as one document, or as an archive with the files. */
export function exportsRoutes(deps: Deps) {
  const turns = new Turns();
  const perUser = new FairGate({ clock: deps.clock, perCaller: EXPORTS_PER_USER, maxWaiting: 0, busy: tooManyExports });
  const exportAs =
    (extension: 'json' | 'zip') =>
    async ({ caller, params: { hubId }, request, context }: ExportInput) => {
      // Before the number of exports is checked: a Hub that the caller cannot read is not found, as everywhere.
      const { id } = await readableHub(deps.store, caller, hubId);
      const fileName = `${id}.${extension}`;
      // HEAD is routed wherever GET is. It reveals no content, so it does not count as an export.
      if (request.method === 'HEAD') return new Response(null, { headers: attachmentHeaders(fileName) });
      const { requestId, reauthorize } = context;
      const release = caller.user === null ? () => {} : await perUser.enter(caller.user.id);
      const options = { turns, reauthorize: async () => reauthorize?.(), withFiles: extension === 'zip' };
      const pieces = await exportHub(deps, caller, id, options).catch((error) => {
        release();
        throw error;
      });
      return attachment(fileName, pieces, {
        clock: deps.clock,
        onEnd: release,
        onError: (err) => deps.log.warn({ err, requestId }, 'Export interrupted'),
        onLeft: () => deps.log.info({ requestId }, 'Export reader disconnected early'),
      });
    };
  return serve({ 'GET /hubs/{hubId}/export': exportAs('json'), 'GET /hubs/{hubId}/archive': exportAs('zip') });
}

/** A reader that takes longer than `SLICE_MS` for `SLICE_BYTES` is disconnected. */
export const SLICE_BYTES = 64 * 1024;
export const SLICE_MS = 15_000;

interface Endings extends Omit<StreamOptions, 'stalledMs' | 'stalled' | 'onEnd'> {
  onEnd: () => void;
}

/** Streams the pieces, of text or of bytes, as a file download. */
export function attachment(fileName: string, pieces: AsyncIterable<string | Uint8Array>, endings: Endings): Response {
  const stalled = `The reader took less than ${SLICE_BYTES} bytes in ${SLICE_MS / 1000} s`;
  const body = streamPieces(slicesOf(pieces), { ...endings, stalledMs: SLICE_MS, stalled });
  return new Response(body, { headers: attachmentHeaders(fileName) });
}

async function* slicesOf(pieces: AsyncIterable<string | Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  const encoder = new TextEncoder();
  for await (const piece of pieces) {
    const bytes = typeof piece === 'string' ? encoder.encode(piece) : piece;
    for (let start = 0; start < bytes.length; start += SLICE_BYTES) yield bytes.subarray(start, start + SLICE_BYTES);
  }
}

/** Also used for HEAD, for which no document is made. */
function attachmentHeaders(fileName: string): Record<string, string> {
  const type = fileName.endsWith('.zip') ? 'application/zip' : 'application/json';
  return { 'content-type': type, 'content-disposition': `attachment; filename="${fileName}"` };
}
