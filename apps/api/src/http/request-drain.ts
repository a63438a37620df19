import { LIMITS } from '@hub/contract';
import type { Clock } from '../platform/ports.ts';
import { announcedBytes } from './read-body.ts';

/** How much of a body that is too large is read and discarded. */
export const DRAIN_BYTES = 64 * LIMITS.bodyBytes;

/** A sender that is silent for this long is assumed to be waiting for the response. */
export const DRAIN_QUIET_MS = 2_000;

/** The limit for the total time, since a body can also trickle in. */
export const DRAIN_MS = 16_000;

/**
 * Makes sure that a sender that writes its whole body before reading gets the 413, which closing would lose. Resolves
 * with whether the connection can stay open. A Content-Length within the limit needs nothing, since the server skips an
 * unread body; otherwise, the response waits for the end of the body, a limit or silence.
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
      // The sender has disconnected.
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
