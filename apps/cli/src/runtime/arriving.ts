import { brokenOff } from './workspace-api.ts';

/** Between two pieces of an answer that may take as long as it likes. */
const STALLED_MS = 60_000;

interface Arriving {
  /** How long the answer may take to begin. */
  beginWithinMs?: number;
  /** Ends it from outside. */
  stop?: AbortSignal;
  /** Told of the answer when it begins. */
  onResponse?: (response: Response) => void;
}

/** An answer of any size, piece by piece as it arrives. Fails if the server breaks off, or if nothing comes for a minute. */
export async function* arriving(
  ask: (signal: AbortSignal) => Promise<Response>,
  { beginWithinMs = STALLED_MS, stop, onResponse }: Arriving = {},
): AsyncGenerator<Uint8Array> {
  const stalled = new AbortController();
  const waiting = (ms: number): NodeJS.Timeout =>
    setTimeout(() => stalled.abort(new DOMException('Nothing came for so long', 'TimeoutError')), ms);
  let timer = waiting(beginWithinMs);
  const signal = stop ? AbortSignal.any([stop, stalled.signal]) : stalled.signal;
  try {
    const response = await ask(signal);
    onResponse?.(response);
    for await (const piece of piecesOf(response.body)) {
      clearTimeout(timer);
      yield piece;
      timer = waiting(STALLED_MS);
    }
  } finally {
    clearTimeout(timer);
  }
}

/** Only what fails while reading is the server's; what fails while writing is told by who writes. */
async function* piecesOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader();
  if (!reader) return;
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error) => {
        throw brokenOff(error);
      });
      if (done) return;
      yield value;
    }
  } finally {
    // Nothing more is wanted, whether it has ended or not.
    await reader.cancel().catch(() => {});
  }
}
