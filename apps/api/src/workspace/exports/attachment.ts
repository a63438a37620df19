import { type StreamOptions, streamPieces } from '../../platform/stream-pieces.ts';

/** A reader that takes longer than `SLICE_MS` for `SLICE_BYTES` is disconnected. */
export const SLICE_BYTES = 64 * 1024;
export const SLICE_MS = 15_000;

interface Endings extends Omit<StreamOptions, 'stalledMs' | 'stalled' | 'onEnd'> {
  onEnd: () => void;
}

/** Streams the pieces as a file download. */
export function attachment(fileName: string, pieces: AsyncIterable<string>, endings: Endings): Response {
  const stalled = `The reader took less than ${SLICE_BYTES} bytes in ${SLICE_MS / 1000} s`;
  const body = streamPieces(slicesOf(pieces), { ...endings, stalledMs: SLICE_MS, stalled });
  return new Response(body, { headers: attachmentHeaders(fileName) });
}

async function* slicesOf(pieces: AsyncIterable<string>): AsyncGenerator<Uint8Array, void, undefined> {
  const encoder = new TextEncoder();
  for await (const piece of pieces) {
    const bytes = encoder.encode(piece);
    for (let start = 0; start < bytes.length; start += SLICE_BYTES) yield bytes.subarray(start, start + SLICE_BYTES);
  }
}

/** Also used for HEAD, for which no document is made. */
export function attachmentHeaders(fileName: string): Record<string, string> {
  return { 'content-type': 'application/json', 'content-disposition': `attachment; filename="${fileName}"` };
}
