import { LIMITS } from '@hub/contract';
import { AppError } from '../errors.ts';
import { printable } from '../printable.ts';
import { readBody } from './read-body.ts';
import { isOpen } from './request-context.ts';

/**
 * Reads JSON of at most 1 MiB, or 16 KiB where anyone may ask. Refuses in the order of the product's rules: 413, then 415, then
 * 400; how it is read, `readBody` says.
 */
export async function readJsonBody(request: Request): Promise<unknown> {
  const wrongType = typeProblem(request.headers);
  const most = isOpen(request) ? LIMITS.openBodyBytes : LIMITS.bodyBytes;
  const tooLarge = (actual: string) =>
    new AppError(
      'too_large',
      `The body has ${actual} bytes; at most ${most} (${isOpen(request) ? '16 KiB' : '1 MiB'}) are accepted. Shorten it, or send it in parts.`,
    );
  return parseJson(decodeUtf8(await readBody(request, { most, tooLarge, wrongType })));
}

/** The same for a request that may have no body: then it is an object without fields, whatever its type. */
export async function readOptionalJsonBody(request: Request): Promise<unknown> {
  return request.body === null ? {} : readJsonBody(request);
}

function typeProblem(headers: Headers): AppError | null {
  const encoding = headers.get('content-encoding');
  if (encoding !== null && encoding.toLowerCase() !== 'identity') {
    return new AppError(
      'unsupported_media_type',
      `The Content-Encoding ${printable(encoding)} is not accepted. Leave that header out and send the JSON uncompressed, with the header "Content-Type: application/json".`,
    );
  }
  const sent = headers.get('content-type');
  if (sent !== null && isJson(sent)) return null;
  const found =
    sent === null ? 'The Content-Type is missing' : `The Content-Type ${printable(sent)} is not JSON in UTF-8`;
  return new AppError('unsupported_media_type', `${found}. Add the header "Content-Type: application/json".`);
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
    throw new AppError('invalid', 'The body is not valid UTF-8. Send JSON text encoded as UTF-8.');
  }
}

/** What people who write JSON by hand or in a shell most often run into, and the way out. */
const HINTS: readonly [RegExp, string][] = [
  [/^Unterminated string/, ' (a line break inside a string is written \\n, a quotation mark \\")'],
  [/^Unable to parse JSON string/, ' (something stands after its end)'],
];

function parseJson(text: string): unknown {
  if (text.trim() === '') throw new AppError('invalid', 'The body is empty. Send a JSON object.');
  try {
    return JSON.parse(text);
  } catch (error) {
    // Also what nests too deeply for the parser's stack.
    const reason =
      error instanceof SyntaxError ? error.message.replace(/^JSON Parse error: /, '') : 'It nests too deeply';
    const hint = HINTS.find(([pattern]) => pattern.test(reason))?.[1] ?? '';
    throw new AppError('invalid', `The body is not valid JSON: ${printable(reason)}${hint}.`);
  }
}
