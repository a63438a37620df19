import { CliError } from '../../runtime/errors.ts';
import { EXIT } from '../../runtime/exit-codes.ts';
import { streamResponse } from '../../runtime/stream-response.ts';

const CLOSING_BRACE = 0x7d;

/**
 * Streams the chunks of one JSON object. Fails if the server disconnects or stalls, or if the data does not end like an
 * object, so that a partial export is never taken for a complete one.
 */
export async function* wholeDocument(ask: (signal: AbortSignal) => Promise<Response>): AsyncGenerator<Uint8Array> {
  let last = 0;
  for await (const piece of streamResponse(ask)) {
    last = piece.findLast((byte) => byte > 0x20) ?? last;
    yield piece;
  }
  if (last === CLOSING_BRACE) return;
  throw new CliError('unreachable', EXIT.unreachable, 'The response from the server was incomplete.', {
    hint: "Try again. If it keeps failing, check the server's log.",
  });
}
