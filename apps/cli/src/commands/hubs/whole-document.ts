import { CliError } from '../../runtime/errors.ts';
import { EXIT } from '../../runtime/exit-codes.ts';
import { brokenOff } from '../../runtime/workspace-api.ts';

/** Between two pieces of an answer that may take as long as it likes. */
const STALLED_MS = 60_000;
const CLOSING_BRACE = 0x7d;

/**
 * The pieces of one JSON object as they arrive. Fails if the server breaks off or stalls, and if what has come does not
 * end as such an object does: half of an export must not pass for one.
 */
export async function* wholeDocument(ask: (signal: AbortSignal) => Promise<Response>): AsyncGenerator<Uint8Array> {
  const stalled = new AbortController();
  const restart = (): NodeJS.Timeout =>
    setTimeout(() => stalled.abort(new DOMException('Nothing came for a minute', 'TimeoutError')), STALLED_MS);
  let timer = restart();
  let last = 0;
  try {
    const { body } = await ask(stalled.signal);
    for await (const chunk of pieces(body)) {
      clearTimeout(timer);
      last = chunk.findLast((byte) => byte > 0x20) ?? last;
      yield chunk;
      timer = restart();
    }
  } finally {
    clearTimeout(timer);
  }
  if (last === CLOSING_BRACE) return;
  throw new CliError('unreachable', EXIT.unreachable, 'The answer of the server ended before it was whole.', {
    hint: 'Try again. If it happens again, look at the log of the server.',
  });
}

/** Only what fails while reading is the server's; what fails while writing is told by who writes. */
async function* pieces(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
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
