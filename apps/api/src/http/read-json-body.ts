import { LIMITS } from '@hub/contract';
import { AppError } from '../errors.ts';
import { printable } from '../printable.ts';
import { readBody } from './read-body.ts';
import { isOpen } from './request-context.ts';

/**
 * Reads JSON of at most 1 MiB, or 16 KiB without authentication. Checks in the documented order: 413, then 415, then
 * 400. See `readBody`.
 */
export async function readJsonBody(request: Request): Promise<unknown> {
  const wrongType = typeProblem(request.headers);
  const maxBytes = isOpen(request) ? LIMITS.openBodyBytes : LIMITS.bodyBytes;
  const tooLarge = (actual: string) =>
    new AppError(
      'too_large',
      `The body has ${actual} bytes; at most ${maxBytes} (${isOpen(request) ? '16 KiB' : '1 MiB'}) are accepted. Shorten it, or split it up.`,
    );
  return parseJson(decodeUtf8(await readBody(request, { maxBytes, tooLarge, wrongType })));
}

/** Reads an optional body. If there is none, returns an object without fields, whatever the content type. */
export async function readOptionalJsonBody(request: Request): Promise<unknown> {
  return request.body === null ? {} : readJsonBody(request);
}

function typeProblem(headers: Headers): AppError | null {
  const encoding = headers.get('content-encoding');
  if (encoding !== null && encoding.toLowerCase() !== 'identity') {
    return new AppError(
      'unsupported_media_type',
      `The Content-Encoding ${printable(encoding)} is not supported. Remove the header and send the JSON uncompressed, with the header "Content-Type: application/json".`,
    );
  }
  const sent = headers.get('content-type');
  if (sent !== null && isJson(sent)) return null;
  const found =
    sent === null ? 'The Content-Type is missing' : `The Content-Type ${printable(sent)} is not JSON in UTF-8`;
  return new AppError('unsupported_media_type', `${found}. Add the header "Content-Type: application/json".`);
}

/**
 * Whether a type is `application/json` or has the suffix `+json` (RFC 6839, section 3.1); a charset can only be UTF-8.
 */
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

/** Removes a leading byte order mark. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new AppError('invalid', 'The body is not valid UTF-8. Send JSON text encoded as UTF-8.');
  }
}

/** Hints for the most common mistakes in JSON written by hand or in a shell. */
const HINTS: readonly [RegExp, string][] = [
  [/^Unterminated string/, ' (write a line break inside a string as \\n and a quotation mark as \\")'],
  [/^Unable to parse JSON string/, ' (there is unexpected content after the JSON value)'],
];

function parseJson(text: string): unknown {
  if (text.trim() === '') throw new AppError('invalid', 'The body is empty. Send a JSON object.');
  try {
    return JSON.parse(text);
  } catch (error) {
    // Also thrown when the nesting is too deep for the parser's stack.
    const reason =
      error instanceof SyntaxError ? error.message.replace(/^JSON Parse error: /, '') : 'it is nested too deeply';
    const hint = HINTS.find(([pattern]) => pattern.test(reason))?.[1] ?? '';
    throw new AppError('invalid', `The body is not valid JSON: ${printable(reason)}${hint}.`);
  }
}
