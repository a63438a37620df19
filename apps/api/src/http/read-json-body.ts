import { LIMITS } from '@hub/contract';
import { Refusal } from '../errors.ts';
import { printable } from '../printable.ts';
import { contextOf } from './request-context.ts';

/** A body of no more is taken as a whole: if it is too slow, it does not matter how much of it has come. */
const SMALL_BYTES = 64 * 1024;

/**
 * Reads JSON of at most 1 MiB. Refuses in the order of the product's rules: 413, then 415, then 400. What will be refused
 * is counted at most, and never held. After a 413 the rest is still to come: see `request-drain.ts`. One that comes too slowly is 408.
 * Within that bound a body takes as long as its sender likes, so he is judged by the rights that he has when all of it is there.
 */
export async function readJsonBody(request: Request): Promise<unknown> {
  const announced = announcedBytes(request);
  if (announced !== null && announced > LIMITS.bodyBytes) throw tooLarge(String(announced));
  const wrongType = typeFault(request.headers);
  if (wrongType !== null) {
    if (announced === null) await readCounted(request, { isHeld: false });
    throw wrongType;
  }
  const isSmall = announced !== null && announced <= SMALL_BYTES;
  const bytes = isSmall ? await readWhole(request) : await readCounted(request, { isHeld: true });
  await contextOf(request).judgeAgain?.();
  return parseJson(decodeUtf8(bytes));
}

/** The same for a request that may have no body: then it is an object without fields, whatever its type. */
export async function readOptionalJsonBody(request: Request): Promise<unknown> {
  return request.body === null ? {} : readJsonBody(request);
}

/**
 * The length that the sender has announced, or `null` for a body in chunks. The server lets no other length through, but
 * the same one twice, which shows as a list: such a body is counted as it comes.
 */
export function announcedBytes(request: Request): number | null {
  const length = request.headers.get('content-length');
  return length === null || !/^\d+$/.test(length) ? null : Number(length);
}

async function readWhole(request: Request): Promise<Uint8Array> {
  try {
    return await contextOf(request).bodies.inTime(request.bytes());
  } catch (error) {
    throw notWhole(error);
  }
}

/** A body of unknown length, or a 413 as soon as it is over the limit. */
async function readCounted(request: Request, { isHeld }: { isHeld: boolean }): Promise<Uint8Array> {
  if (!request.body) return new Uint8Array();
  const reader = request.body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  const readOn = async (): Promise<boolean> => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return true;
      size += value.byteLength;
      if (size > LIMITS.bodyBytes) return false;
      if (isHeld) chunks.push(value);
    }
  };
  try {
    if (await contextOf(request).bodies.inTime(readOn(), () => size)) return Buffer.concat(chunks);
  } catch (error) {
    throw notWhole(error);
  } finally {
    reader.releaseLock();
  }
  throw tooLarge(`more than ${LIMITS.bodyBytes}`);
}

function tooLarge(actual: string): Refusal {
  return new Refusal(
    'too_large',
    `The body has ${actual} bytes; at most ${LIMITS.bodyBytes} (1 MiB) are accepted. Shorten it, or send it in parts.`,
  );
}

/** That it ended early nobody is left to read, but it is the sender's fault and not the server's. */
function notWhole(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  return new Refusal('invalid', 'The body ended before all of it had come. Send it again.');
}

function typeFault(headers: Headers): Refusal | null {
  const encoding = headers.get('content-encoding');
  if (encoding !== null && encoding.toLowerCase() !== 'identity') {
    return new Refusal(
      'unsupported_media_type',
      `The Content-Encoding ${printable(encoding)} is not accepted. Leave that header out and send the JSON uncompressed, with the header "Content-Type: application/json".`,
    );
  }
  const sent = headers.get('content-type');
  if (sent !== null && isJson(sent)) return null;
  const found =
    sent === null ? 'The Content-Type is missing' : `The Content-Type ${printable(sent)} is not JSON in UTF-8`;
  return new Refusal('unsupported_media_type', `${found}. Add the header "Content-Type: application/json".`);
}

/** `application/json` or a type with the suffix `+json` (RFC 6839, section 3.1); a charset may only be UTF-8. */
function isJson(contentType: string): boolean {
  const [type = '', ...parameters] = contentType
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  if (type !== 'application/json' && !/^[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+\+json$/.test(type)) return false;
  return parameters.every(
    (parameter) => !/^charset\s*=/.test(parameter) || /^charset=(utf-?8|"utf-?8")$/.test(parameter),
  );
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    // Takes a leading byte order mark away.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Refusal('invalid', 'The body is not valid UTF-8. Send JSON text encoded as UTF-8.');
  }
}

/** What people who write JSON by hand or in a shell most often run into, and the way out. */
const HINTS: readonly [RegExp, string][] = [
  [/^Unterminated string/, ' (a line break inside a string is written \\n, a quotation mark \\")'],
  [/^Unable to parse JSON string/, ' (something stands after its end)'],
];

function parseJson(text: string): unknown {
  if (text.trim() === '') throw new Refusal('invalid', 'The body is empty. Send a JSON object.');
  try {
    return JSON.parse(text);
  } catch (error) {
    // Also what nests too deeply for the parser's stack.
    const reason =
      error instanceof SyntaxError ? error.message.replace(/^JSON Parse error: /, '') : 'It nests too deeply';
    const hint = HINTS.find(([pattern]) => pattern.test(reason))?.[1] ?? '';
    throw new Refusal('invalid', `The body is not valid JSON: ${printable(reason)}${hint}.`);
  }
}
