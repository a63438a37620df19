import { LIMITS } from '@hub/contract';
import { clientNetwork } from '../access/failed-authentication.ts';
import { AppError, printable } from '../platform/errors.ts';
import type { Clock } from '../platform/ports.ts';
import type { WatchOptions } from './body-watch.ts';
import { contextOf, type RequestContext } from './request-context.ts';

/** Reads JSON of at most 1 MiB, or 16 KiB without authentication. Checks, in this order: 413, 415, 400. */
export async function readJsonBody(request: Request): Promise<unknown> {
  return parseJson(await readJsonText(request));
}

/** Like `readJsonBody`, but `parseJson` is left to the caller. The JSON may also be in the field of a form. */
export async function readJsonText(request: Request, formField?: string): Promise<string> {
  const wrongType = typeProblem(request.headers, formField);
  const { isOpen } = contextOf(request);
  const maxBytes = isOpen ? LIMITS.openBodyBytes : LIMITS.bodyBytes;
  const tooLarge = (actual: string) =>
    new AppError(
      'too_large',
      `The body has ${actual} bytes; at most ${maxBytes} (${isOpen ? '16 KiB' : '1 MiB'}) are accepted. Shorten it, or split it up.`,
    );
  const text = decodeUtf8(await readBody(request, { maxBytes, tooLarge, wrongType }));
  if (formField === undefined || !isInUtf8(request.headers.get('content-type') ?? '', FORM)) return text;
  return formValue(text, formField);
}

/** Reads an optional body. If there is none, returns an object without fields, whatever the content type. */
export async function readOptionalJsonBody(request: Request): Promise<unknown> {
  return request.body === null ? {} : readJsonBody(request);
}

const FORM = /^application\/x-www-form-urlencoded$/;
const JSON_HEADER = 'the header "Content-Type: application/json"';
const AS_JSON = ` and send the JSON uncompressed, with ${JSON_HEADER}.`;

function typeProblem(headers: Headers, formField?: string): AppError | null {
  const encoded = encodingProblem(headers, AS_JSON);
  if (encoded !== null) return encoded;
  const contentType = headers.get('content-type');
  if (contentType !== null && (isJson(contentType) || (formField !== undefined && isInUtf8(contentType, FORM))))
    return null;
  return wrongContentType(contentType, 'not JSON in UTF-8', `Add ${JSON_HEADER}.`);
}

export function wrongContentType(contentType: string | null, problem: string, remedy: string): AppError {
  const found = contentType === null ? 'is missing' : `${printable(contentType)} is ${problem}`;
  return new AppError('unsupported_media_type', `The Content-Type ${found}. ${remedy}`);
}

/** Returns the error for a compressed body; `remedy` follows "Remove the header". */
export function encodingProblem(headers: Headers, remedy: string): AppError | null {
  const encoding = headers.get('content-encoding');
  if (encoding === null || encoding.toLowerCase() === 'identity') return null;
  const problem = `The Content-Encoding ${printable(encoding)} is not supported. Remove the header${remedy}`;
  return new AppError('unsupported_media_type', problem);
}

/** Whether a type is `application/json` or has the suffix `+json` (RFC 6839, section 3.1). */
function isJson(contentType: string): boolean {
  if (contentType === 'application/json') return true;
  return isInUtf8(contentType, /^application\/json$|^[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+\+json$/);
}

/** Whether a content type matches a pattern, and its charset, if any, is UTF-8. */
function isInUtf8(contentType: string, pattern: RegExp): boolean {
  const [type = '', ...parameters] = contentType.toLowerCase().split(/\s*;\s*/);
  const isUtf8 = (parameter: string) =>
    !/^charset\s*=/.test(parameter) || /^charset=(utf-?8|"utf-?8")$/.test(parameter);
  return pattern.test(type.trim()) && parameters.every((parameter) => isUtf8(parameter.trim()));
}

/** Removes a leading byte order mark. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Returns the value of a field in a form (https://url.spec.whatwg.org/#application/x-www-form-urlencoded). */
function formValue(form: string, field: string): string {
  const value = new URLSearchParams(form).get(field);
  if (value !== null) return value;
  throw new AppError(
    'invalid',
    `The form has no field "${field}". Send ${field}=… with the JSON, URL-encoded, or send the JSON itself with ${JSON_HEADER}.`,
  );
}

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

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (text.trim() === '') throw new AppError('invalid', 'The body is empty. Send a JSON object.');
    // Also thrown when the nesting is too deep for the parser's stack.
    const reason =
      error instanceof SyntaxError ? error.message.replace(/^JSON Parse error: /, '') : 'it is nested too deeply';
    const hint = HINTS.find(([pattern]) => pattern.test(reason))?.[1] ?? '';
    throw new AppError('invalid', `The body is not valid JSON: ${printable(reason)}${hint}.`);
  }
}

/** Bodies up to this size are read in one piece: their progress could earn them one more second at most. */
const SMALL_BYTES = 8 * 1024;

interface BodyRules {
  readonly maxBytes: number;
  readonly tooLarge: (actual: string) => AppError;
  readonly wrongType: AppError | null;
}

/**
 * Reads the bytes of a body. Checks 413, then 415 (408 if it is too slow). A body that will be rejected is counted, but
 * never held. Afterwards, the sender's rights are checked again, since a body can take minutes.
 */
export async function readBody(request: Request, rules: BodyRules): Promise<Uint8Array> {
  const announced = announcedBytes(request);
  const rejected = rejection(request, announced, rules);
  if (rejected !== null) await rejected;
  const context = contextOf(request);
  const signal = announced === null ? request.signal : null;
  let bytes: Uint8Array;
  try {
    bytes =
      announced !== null && announced <= SMALL_BYTES
        ? await context.bodies.inTime(request.bytes(), { open: openSender(context, announced) })
        : await readWhole(request, rules);
  } catch (error) {
    throw notWhole(error);
  }
  if (signal) await requireConnection(signal);
  if (context.bodyArrived) await context.bodyArrived();
  return bytes;
}

async function readWhole(request: Request, rules: BodyRules): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  await readCounted(request, rules, (chunk) => void chunks.push(chunk));
  return Buffer.concat(chunks);
}

/** Returns a body for a use case that reads it like `readBody`, but chunk by chunk, as fast as it can take them. */
export function streamedBody(request: Request) {
  const announced = announcedBytes(request);
  const { headers, signal } = request;
  return {
    contentType: headers.get('content-type'),
    wrongType: encodingProblem(headers, ', and send the file as it is.'),
    announcedBytes: announced,
    /** Passes on all chunks, each when the one before was taken. Returns the size. */
    async stream(rules: BodyRules, take: (chunk: Uint8Array) => Promise<void>): Promise<number> {
      await rejection(request, announced, rules);
      const size = await readCounted(request, rules, take);
      if (announced === null) await requireConnection(signal);
      await contextOf(request).bodyArrived?.();
      return size;
    },
    /** Passes on the body of an announced size as it is. `received` tells how much of it has arrived. */
    async pass(
      rules: BodyRules,
      { take, received }: { take: (body: ReadableStream<Uint8Array>) => Promise<void>; received: () => number },
    ): Promise<void> {
      await rejection(request, announced, rules);
      const { bodies, bodyArrived } = contextOf(request);
      const taking = request.body ? take(request.body) : Promise.resolve();
      await bodies.inTime(taking, { received }).catch((error) => Promise.reject(notWhole(error)));
      await bodyArrived?.();
    },
  };
}

/** Rejects a body that is too large or of the wrong type; returns `null` if neither is known before it is read. */
function rejection(
  request: Request,
  announced: number | null,
  { wrongType, ...rules }: BodyRules,
): Promise<never> | null {
  if (announced !== null && announced > rules.maxBytes) throw rules.tooLarge(String(announced));
  if (wrongType === null) return null;
  const counted = announced === null ? readCounted(request, rules, () => {}) : Promise.resolve();
  return counted.then(() => Promise.reject(wrongType));
}

/** Returns the Content-Length, or `null` for a chunked body or a length sent twice, which is counted as well. */
export function announcedBytes(request: Request): number | null {
  const length = request.headers.get('content-length');
  return length === null || !/^\d+$/.test(length) ? null : Number(length);
}

/** Returns how much memory the body of a request can take: what it announces, or the limit if it is chunked. */
export function bodyBytes(request: Request): number {
  if (request.body === null) return 0;
  return Math.min(announcedBytes(request) ?? LIMITS.bodyBytes, LIMITS.bodyBytes);
}

/** Reads a body chunk by chunk, and returns its size. Throws a 413 as soon as it is over the limit. */
async function readCounted(
  request: Request,
  { maxBytes, tooLarge }: Pick<BodyRules, 'maxBytes' | 'tooLarge'>,
  take: (chunk: Uint8Array) => void | Promise<void>,
): Promise<number> {
  if (!request.body) return 0;
  const reader = request.body.getReader();
  let size = 0;
  const readOn = async (): Promise<boolean> => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return true;
      size += value.byteLength;
      if (size > maxBytes) return false;
      await take(value);
    }
  };
  try {
    const context = contextOf(request);
    const options = { received: () => size, open: openSender(context, maxBytes) };
    if (await context.bodies.inTime(readOn(), options)) return size;
  } catch (error) {
    throw notWhole(error);
  } finally {
    reader.releaseLock();
  }
  throw tooLarge(`more than ${maxBytes}`);
}

/**
 * Throws if the connection is closed. Bun itself responds with 400, and disconnects, if what follows the last chunk is
 * invalid. That shows one turn of the event loop later, and such a request must have no effect.
 */
async function requireConnection(signal: AbortSignal): Promise<void> {
  await new Promise(setImmediate);
  if (signal.aborted) throw notWhole(signal.reason);
}

function openSender({ isOpen, address }: RequestContext, bytes: number): WatchOptions['open'] {
  return isOpen ? { network: clientNetwork(address), bytes } : undefined;
}

/** The sender can no longer read this error, but it keeps the failure from being logged as a server error. */
function notWhole(error: unknown): AppError {
  if (error instanceof AppError) return error;
  return new AppError('invalid', 'The request body is incomplete. Send it again.');
}

/** How much of a body that is too large is read and discarded. */
export const DRAIN_BYTES = 64 * LIMITS.bodyBytes;

/** A sender that is silent for this long is assumed to be waiting for the response. */
export const DRAIN_QUIET_MS = 2_000;

/** The limit for the total time, since a body can also trickle in. */
const DRAIN_MS = 16_000;

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
