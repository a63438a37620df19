import { LIMITS } from '@hub/contract';
import type { Clock } from '../ports.ts';
import { announcedBytes } from './read-body.ts';

/** So much of a body that was refused for its size is read and thrown away. */
export const DRAIN_BYTES = 64 * LIMITS.bodyBytes;

/** A sender that is quiet for so long waits for the answer already. */
export const DRAIN_QUIET_MS = 2_000;

/** And for so long, since it can also come in drops. */
export const DRAIN_MS = 16_000;

/**
 * Sees to it that a sender who writes the whole body before it reads can read a 413: closing the connection while it
 * still sends would lose the answer on the way. Resolves with whether the connection can go on; if not, the body is
 * over the bound and the answer has to say `Connection: close`.
 *
 * What is announced within the bound needs nothing, because the server itself reads past a body that nobody took. For
 * the rest the answer waits until the body has ended, a bound is reached or the sender is quiet.
 */
export async function drainRequest(request: Request, clock: Clock): Promise<boolean> {
  const announced = announcedBytes(request);
  if (announced !== null && announced <= DRAIN_BYTES) return true;
  if (!request.body || request.body.locked) return false;
  const reader = request.body.getReader();
  let size = 0;
  let isOver = false;

  const readOn = async (): Promise<boolean> => {
    try {
      while (size <= DRAIN_BYTES) {
        const { done, value } = await reader.read();
        if (done) return true;
        size += value.byteLength;
      }
    } catch {
      // The sender has gone away.
    } finally {
      isOver = true;
    }
    return false;
  };
  const watchQuiet = async (): Promise<boolean> => {
    const deadline = clock.monotonic() + DRAIN_MS;
    for (let before = -1; !isOver && size !== before && clock.monotonic() < deadline; ) {
      before = size;
      await clock.sleep(DRAIN_QUIET_MS);
    }
    return false;
  };
  return Promise.race([readOn(), watchQuiet()]);
}
