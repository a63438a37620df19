import type { Clock } from '../../platform/ports.ts';

/**
 * A reader that takes longer than `SLICE_MS` for `SLICE_BYTES` is disconnected, since it ties up a connection and a
 * piece of the document for nothing.
 */
export const SLICE_BYTES = 64 * 1024;
export const SLICE_MS = 15_000;

interface Endings {
  clock: Clock;
  /** Called once the response is over, whatever ends it. */
  onEnd: () => void;
  /** Called when the document cannot be completed, or when its reader is too slow. */
  onError: (error: unknown) => void;
  /** Called when the reader has disconnected, which is not an error. */
  onLeft: () => void;
}

/** Streams the pieces as a file download. Each piece is made only when the reader is ready for it. */
export function attachment(
  fileName: string,
  pieces: AsyncIterable<string>,
  { clock, onEnd, onError, onLeft }: Endings,
): Response {
  const iterator = slicesOf(pieces);
  let asked = 0;
  let isOver = false;
  const end = (): void => {
    isOver = true;
    onEnd();
  };
  const leave = async (): Promise<void> => {
    if (isOver) return;
    end();
    onLeft();
    await iterator.return?.();
  };
  const fail = (error: unknown): void => {
    end();
    onError(error);
  };
  const watch = async (controller: ReadableStreamDefaultController): Promise<void> => {
    for (let before = -1; before < asked; ) {
      before = asked;
      await clock.sleep(SLICE_MS);
      if (isOver) return;
    }
    const error = new Error(`The reader took less than ${SLICE_BYTES} bytes in ${SLICE_MS / 1000} s`);
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
      // The status is already sent. All that is left is to signal that the body is incomplete.
      throw error;
    }
  };
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => void watch(controller),
    pull: async (controller) => {
      asked += 1;
      const slice = await next();
      // The stream may have been closed while the piece was being made.
      if (isOver || slice === null) return;
      try {
        if (!slice.done) return controller.enqueue(slice.value);
        controller.close();
        end();
      } catch {
        // Only a closed stream throws here: the reader has disconnected without notice.
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

/** Also used for HEAD, for which no document is made. */
export function attachmentHeaders(fileName: string): Record<string, string> {
  return { 'content-type': 'application/json', 'content-disposition': `attachment; filename="${fileName}"` };
}
