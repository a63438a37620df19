interface Endings {
  /** It could not be made to its end. */
  onFault: (error: unknown) => void;
  /** Whoever read it has gone, which is nobody's fault. */
  onLeft: () => void;
}

/** What the pieces say, made only as fast as they are read. */
export function attachment(fileName: string, pieces: AsyncIterable<string>, { onFault, onLeft }: Endings): Response {
  const encoder = new TextEncoder();
  const iterator = pieces[Symbol.asyncIterator]();
  let hasLeft = false;
  const leave = async (): Promise<void> => {
    if (hasLeft) return;
    hasLeft = true;
    onLeft();
    await iterator.return?.();
  };
  const next = async (): Promise<IteratorResult<string> | null> => {
    try {
      return await iterator.next();
    } catch (error) {
      if (hasLeft) return null;
      onFault(error);
      // The status is sent. All that can still be said is that this is not the end.
      throw error;
    }
  };
  const body = new ReadableStream({
    pull: async (controller) => {
      const piece = await next();
      // It may have been closed while the piece was made.
      if (hasLeft || piece === null) return;
      try {
        if (piece.done) controller.close();
        else controller.enqueue(encoder.encode(piece.value));
      } catch {
        // Only a stream that is closed already refuses: its reader has gone without a word.
        await leave();
      }
    },
    cancel: leave,
  });
  return new Response(body, { headers: attachmentHeaders(fileName) });
}

/** Also of the answer to HEAD, for which nothing is made. */
export function attachmentHeaders(fileName: string): Record<string, string> {
  return { 'content-type': 'application/json', 'content-disposition': `attachment; filename="${fileName}"` };
}
