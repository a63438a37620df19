import type { Clock } from './ports.ts';

export interface StreamOptions {
  clock: Clock;
  /** Called before each piece, after the requests that arrived meanwhile. Throws if nothing more may be sent. */
  check?: () => Promise<void>;
  /** A reader that takes no piece for this long is disconnected: it ties up a connection and a piece for nothing. */
  stalledMs?: number;
  stalled?: string;
  /** Called once the response is over, whatever ends it, and before the reader sees the end of a complete one. */
  onEnd?: (isComplete: boolean) => void | Promise<void>;
  /** Called when the response cannot be completed, or when its reader has stalled. */
  onError: (error: unknown) => void;
  onLeft?: () => void;
}

/** Streams the body of a response. Each piece is made only when the reader is ready for it. */
export function streamPieces(
  pieces: AsyncIterable<Uint8Array>,
  {
    clock,
    check,
    stalledMs = 60_000,
    stalled = `No data was read for ${stalledMs / 1000} s`,
    onEnd,
    onError,
    onLeft,
  }: StreamOptions,
): ReadableStream<Uint8Array> {
  const iterator = pieces[Symbol.asyncIterator]();
  let requests = 0;
  let isOver = false;
  const end = async (isComplete: boolean): Promise<void> => {
    isOver = true;
    await onEnd?.(isComplete);
  };
  const leave = async (): Promise<void> => {
    if (isOver) return;
    await end(false);
    onLeft?.();
    await iterator.return?.();
  };
  const fail = async (error: unknown): Promise<void> => {
    await end(false);
    onError(error);
  };
  const watch = async (controller: ReadableStreamDefaultController): Promise<void> => {
    for (let before = -1; before < requests; ) {
      before = requests;
      await clock.sleep(stalledMs);
      if (isOver) return;
    }
    const error = new Error(stalled);
    await fail(error);
    controller.error(error);
    await iterator.return?.();
  };
  const next = async (): Promise<IteratorResult<Uint8Array> | null> => {
    try {
      if (check) await new Promise(setImmediate);
      await check?.();
      return await iterator.next();
    } catch (error) {
      if (isOver) return null;
      await fail(error);
      // The status is already sent. All that is left is to signal that the body is incomplete.
      throw error;
    }
  };
  return new ReadableStream<Uint8Array>({
    start: (controller) => void watch(controller),
    pull: async (controller) => {
      requests += 1;
      const piece = await next();
      // The stream may have been closed while the piece was being made.
      if (isOver || piece === null) return;
      try {
        if (!piece.done) return controller.enqueue(piece.value);
        await end(true);
        controller.close();
      } catch {
        // Only a closed stream throws here: the reader has disconnected without notice.
        await leave();
      }
    },
    cancel: leave,
  });
}
