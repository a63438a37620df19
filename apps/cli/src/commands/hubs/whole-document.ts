import { arriving } from '../../runtime/arriving.ts';
import { CliError } from '../../runtime/errors.ts';
import { EXIT } from '../../runtime/exit-codes.ts';

const CLOSING_BRACE = 0x7d;

/**
 * The pieces of one JSON object as they arrive. Fails if the server breaks off or stalls, and if what has come does not
 * end as such an object does: half of an export must not pass for one.
 */
export async function* wholeDocument(ask: (signal: AbortSignal) => Promise<Response>): AsyncGenerator<Uint8Array> {
  let last = 0;
  for await (const piece of arriving(ask)) {
    last = piece.findLast((byte) => byte > 0x20) ?? last;
    yield piece;
  }
  if (last === CLOSING_BRACE) return;
  throw new CliError('unreachable', EXIT.unreachable, 'The answer of the server ended before it was whole.', {
    hint: 'Try again. If it happens again, look at the log of the server.',
  });
}
