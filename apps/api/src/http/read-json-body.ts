import { LIMITS } from '@hub/contract';
import { Refusal } from '../errors.ts';

/** After a body was found too large, so many bytes more are read and thrown away, so that its sender reads the answer. */
const DRAIN_BYTES = 16 * LIMITS.bodyBytes;

/** Reads JSON of at most 1 MiB. Refuses in the order of the product's rules: 413, then 415, then 400. */
export async function readJsonBody(request: Request): Promise<unknown> {
  const bytes = await readCapped(request, LIMITS.bodyBytes);
  refuseOtherTypes(request.headers);
  return parseJson(decodeUtf8(bytes));
}

/** The same for a request that may have no body: then it is an object without fields, whatever its type. */
export async function readOptionalJsonBody(request: Request): Promise<unknown> {
  return request.body === null ? {} : readJsonBody(request);
}

/** The whole body, or a 413. A body over the limit is never held in memory, whether or not it announced its length. */
async function readCapped(request: Request, maxBytes: number): Promise<Uint8Array> {
  const announced = request.headers.get('content-length');
  if (announced !== null && Number(announced) <= maxBytes) return request.bytes();
  if (!request.body) return new Uint8Array();

  const chunks: Uint8Array[] = [];
  let size = 0;
  // A sender who goes away meanwhile makes this throw: nobody is left to read the answer.
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    if (size <= maxBytes) chunks.push(chunk);
    else chunks.length = 0;
    if (size > maxBytes + DRAIN_BYTES) break;
  }
  if (size > maxBytes) {
    const actual = announced === null ? `more than ${maxBytes}` : announced;
    throw new Refusal('too_large', `The body has ${actual} bytes; at most ${maxBytes} (1 MiB) are accepted.`);
  }
  return Buffer.concat(chunks);
}

function refuseOtherTypes(headers: Headers): void {
  const encoding = headers.get('content-encoding');
  if (encoding !== null && encoding.toLowerCase() !== 'identity') {
    throw new Refusal(
      'unsupported_media_type',
      `Content-Encoding ${encoding} is not accepted: send the body as it is.`,
    );
  }
  const sent = headers.get('content-type');
  if (sent !== null && isJson(sent)) return;
  const found = sent === null ? 'The Content-Type is missing' : `The Content-Type ${sent} is not JSON`;
  throw new Refusal('unsupported_media_type', `${found}. Add the header "Content-Type: application/json".`);
}

/** `application/json` or a type with the suffix `+json` (RFC 6839, section 3.1); a charset may only be UTF-8. */
function isJson(contentType: string): boolean {
  const [type = '', ...parameters] = contentType
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  if (type !== 'application/json' && !/^[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+\+json$/.test(type)) return false;
  return parameters.every((parameter) => !parameter.startsWith('charset=') || /^charset="?utf-?8"?$/.test(parameter));
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    // Takes a leading byte order mark away.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Refusal('invalid', 'The body is not valid UTF-8. Send JSON text encoded as UTF-8.');
  }
}

function parseJson(text: string): unknown {
  if (text.trim() === '') throw new Refusal('invalid', 'The body is empty. Send a JSON object.');
  try {
    return JSON.parse(text);
  } catch (error) {
    // Also what nests too deeply for the parser's stack.
    const reason =
      error instanceof SyntaxError ? error.message.replace(/^JSON Parse error: /, '') : 'it nests too deeply';
    throw new Refusal('invalid', `The body is not valid JSON: ${reason}.`);
  }
}
