import { AppError } from '../errors.ts';
import { clientNetwork } from '../keys/client-network.ts';
import type { WatchOptions } from './body-watch.ts';
import { connectionOf } from './connection.ts';
import { contextOf, isOpen } from './request-context.ts';

/** A body of no more is taken as a whole: if it is too slow, it does not matter how much of it has come. */
const SMALL_BYTES = 64 * 1024;

/** What a body may be. */
export interface BodyRules {
  /** How many bytes it may have. */
  readonly most: number;
  /** The 413 of one that has so many. */
  readonly tooLarge: (actual: string) => AppError;
  /** The 415 of what its header fields say, if they are wrong. */
  readonly wrongType: AppError | null;
}

/**
 * Reads the bytes of a body, and refuses in the order of the product's rules: 413, then 415. What will be refused is counted at
 * most, and never held. After a 413 the rest is still to come: see `request-drain.ts`. One that comes too slowly is 408.
 * Within that bound a body takes as long as its sender likes, so he is judged by the rights that he has when all of it is there.
 */
export async function readBody(request: Request, { most, tooLarge, wrongType }: BodyRules): Promise<Uint8Array> {
  const announced = announcedBytes(request);
  if (announced !== null && announced > most) throw tooLarge(String(announced));
  if (wrongType !== null) {
    if (announced === null) await readCounted(request, { most, tooLarge, isHeld: false });
    throw wrongType;
  }
  const isSmall = announced !== null && announced <= SMALL_BYTES;
  const signal = announced === null ? request.signal : null;
  const bytes = isSmall
    ? await readWhole(request, announced)
    : await readCounted(request, { most, tooLarge, isHeld: true });
  if (signal) await requireConnection(signal);
  await contextOf(request).authorizeAgain?.();
  return bytes;
}

/**
 * The length that the sender has announced, or `null` for a body in chunks. The server lets no other length through, but
 * the same one twice, which shows as a list: such a body is counted as it comes.
 */
export function announcedBytes(request: Request): number | null {
  const length = request.headers.get('content-length');
  return length === null || !/^\d+$/.test(length) ? null : Number(length);
}

async function readWhole(request: Request, announced: number): Promise<Uint8Array> {
  try {
    return await contextOf(request).bodies.inTime(request.bytes(), { open: openSender(request, announced) });
  } catch (error) {
    throw notWhole(error);
  }
}

/** A body of unknown length, or a 413 as soon as it is over the limit. */
async function readCounted(
  request: Request,
  { most, tooLarge, isHeld }: Pick<BodyRules, 'most' | 'tooLarge'> & { isHeld: boolean },
): Promise<Uint8Array> {
  if (!request.body) return new Uint8Array();
  const reader = request.body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  const readOn = async (): Promise<boolean> => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return true;
      size += value.byteLength;
      if (size > most) return false;
      if (isHeld) chunks.push(value);
    }
  };
  try {
    const options = { received: () => size, open: openSender(request, most), sender: knownSender(request) };
    if (await contextOf(request).bodies.inTime(readOn(), options)) return Buffer.concat(chunks);
  } catch (error) {
    throw notWhole(error);
  } finally {
    reader.releaseLock();
  }
  throw tooLarge(`more than ${most}`);
}

/**
 * Bun's parser answers by itself, with 400, what it cannot read behind the last chunk, such as trailer fields, and hangs up.
 * It shows one turn after the body. Nothing may come of such a request, as that answer says.
 */
async function requireConnection(signal: AbortSignal): Promise<void> {
  await new Promise(setImmediate);
  if (signal.aborted) throw notWhole(signal.reason);
}

function openSender(request: Request, bytes: number): WatchOptions['open'] {
  return isOpen(request) ? { network: clientNetwork(connectionOf(request).address), bytes } : undefined;
}

function knownSender(request: Request): string | undefined {
  const { key, caller } = contextOf(request);
  return key?.id ?? caller?.user?.id;
}

/** That it ended early nobody is left to read, but it is the sender's fault and not the server's. */
function notWhole(error: unknown): AppError {
  if (error instanceof AppError) return error;
  return new AppError('invalid', 'The body ended before all of it had come. Send it again.');
}
