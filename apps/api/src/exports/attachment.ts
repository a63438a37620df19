import type { Clock } from '../ports.ts';

/** Whoever takes less than a slice in so long keeps a connection and a piece of the document for nothing. */
export const SLICE_BYTES = 64 * 1024;
export const SLICE_MS = 15_000;

interface Endings {
  clock: Clock;
  /** It could not be made to its end, or its reader is too slow. */
  onError: (error: unknown) => void;
  /** Whoever read it has gone, which is nobody's fault. */
  onLeft: () => void;
}

/** What the pieces say, made only as fast as they are read. */
export function attachment(
  fileName: string,
  pieces: AsyncIterable<string>,
  { clock, onError, onLeft }: Endings,
): Response {
  const iterator = slicesOf(pieces);
  let asked = 0;
  let isOver = false;
  const leave = async (): Promise<void> => {
    if (isOver) return;
    isOver = true;
    onLeft();
    await iterator.return?.();
  };
  const fail = (error: unknown): void => {
    isOver = true;
    onError(error);
  };
  const watch = async (controller: ReadableStreamDefaultController): Promise<void> => {
    for (let before = -1; before < asked; ) {
      before = asked;
      await clock.sleep(SLICE_MS);
      if (isOver) return;
    }
    const error = new Error(`Its reader took less than ${SLICE_BYTES} bytes in ${SLICE_MS / 1000} s`);
    fail(error);
    controller.error(error);
    await iterator.return?.();
  };
  const next = async (): Promise<IteratorResult<Uint8Array> | null> => {
    try {
      return await iterator.next();
    } catch (error) {
      if (isOver) return null;
      fail(error);
      // The status is sent. All that can still be said is that this is not the end.
      throw error;
    }
  };
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => void watch(controller),
    pull: async (controller) => {
      asked += 1;
      const slice = await next();
      // It may have been closed while the piece was made.
      if (isOver || slice === null) return;
      try {
        if (!slice.done) return controller.enqueue(slice.value);
        isOver = true;
        controller.close();
      } catch {
        // Only a stream that is closed already refuses: its reader has gone without a word.
        isOver = false;
        await leave();
      }
    },
    cancel: leave,
  });
  return new Response(body, { headers: attachmentHeaders(fileName) });
}

async function* slicesOf(pieces: AsyncIterable<string>): AsyncGenerator<Uint8Array, void, undefined> {
  const encoder = new TextEncoder();
  for await (const piece of pieces) {
    const bytes = encoder.encode(piece);
    for (let start = 0; start < bytes.length; start += SLICE_BYTES) yield bytes.subarray(start, start + SLICE_BYTES);
  }
}

/** Also of the answer to HEAD, for which nothing is made. */
export function attachmentHeaders(fileName: string): Record<string, string> {
  return { 'content-type': 'application/json', 'content-disposition': `attachment; filename="${fileName}"` };
}
