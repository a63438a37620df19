import { connectionLost } from './workspace-api.ts';

/** The maximum time between two chunks of a response. */
const STALL_TIMEOUT_MS = 60_000;

interface StreamOptions {
  /** The maximum time until the response starts. */
  beginWithinMs?: number;
  /** Cancels the request. */
  stop?: AbortSignal;
  /** Called with the response when it starts. */
  onResponse?: (response: Response) => void;
}

/** Streams a response of any size. Fails if the server disconnects, or sends nothing for a minute. */
export async function* streamResponse(
  ask: (signal: AbortSignal) => Promise<Response>,
  { beginWithinMs = STALL_TIMEOUT_MS, stop, onResponse }: StreamOptions = {},
): AsyncGenerator<Uint8Array> {
  const stalled = new AbortController();
  const waiting = (ms: number): NodeJS.Timeout =>
    setTimeout(() => stalled.abort(new DOMException('The response stalled', 'TimeoutError')), ms);
  let timer = waiting(beginWithinMs);
  const signal = stop ? AbortSignal.any([stop, stalled.signal]) : stalled.signal;
  try {
    const response = await ask(signal);
    onResponse?.(response);
    for await (const piece of piecesOf(response.body)) {
      clearTimeout(timer);
      yield piece;
      timer = waiting(STALL_TIMEOUT_MS);
    }
  } finally {
    clearTimeout(timer);
  }
}

/** Attributes only read errors to the server; write errors are reported by the writer. */
async function* piecesOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader();
  if (!reader) return;
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error) => {
        throw connectionLost(error);
      });
      if (done) return;
      yield value;
    }
  } finally {
    // Release the connection, whether or not the response has ended.
    await reader.cancel().catch(() => {});
  }
}
