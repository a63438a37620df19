import type { ErrorBody } from '@hub/contract';

const API = '/api/v1';
/** An answer that takes longer is given up; what was asked for may have happened all the same. */
const RESPONSE_MS = 30_000;

/** A refusal of the server, in its own words: they say what to change. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly statusCode: number;
  /** For whoever runs the server. */
  readonly requestId: string | null;

  constructor(body: Pick<ErrorBody, 'statusCode' | 'message'>, requestId: string | null) {
    super(body.message);
    this.statusCode = body.statusCode;
    this.requestId = requestId;
  }
}

/** There was no answer: the network or the server is away. */
export class NoResponse extends Error {
  override readonly name = 'NoAnswer';
}

export interface RequestOptions {
  query?: Readonly<Record<string, string | number | null | undefined>>;
  /** JSON, or a file as it is. */
  body?: unknown;
  signal?: AbortSignal;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What is waited for before the session is ended, for so long at most. */
const underWay = new Set<Promise<unknown>>();
const MAX_WAIT_MS = 1_000;
/** What is asked meanwhile waits for this. */
let isFree: Promise<void> | null = null;

/** Whoever must know that the session is over. */
let signedOut: () => void = () => {};
export function onSignedOut(listener: () => void): void {
  signedOut = listener;
}

/** Resolves with whether the password was confirmed. */
let confirmPassword: () => Promise<boolean> = async () => false;
export function onConfirmPassword(listener: () => Promise<boolean>): void {
  confirmPassword = listener;
}

/**
 * Asks the workspace API as whoever is signed in. Where the server wants the password first, the user is asked for it, and the
 * request is sent again. `path` begins after /api/v1; its parts are encoded by `path`.
 * @throws ApiError if it was refused; NoAnswer if there was none.
 */
export async function request<T>(method: Method, to: string, options: RequestOptions = {}): Promise<T> {
  if (isFree) await isFree;
  const asked = ask<T>(method, to, options);
  underWay.add(asked);
  try {
    return await asked;
  } finally {
    underWay.delete(asked);
  }
}

/**
 * Asks for what ends the session, and for nothing behind it, since all of it would be refused. If it fails, the session goes on.
 * @throws as `request` does.
 */
export async function requestLast(method: Method, to: string): Promise<void> {
  const freed = Promise.withResolvers<void>();
  isFree = freed.promise;
  try {
    await Promise.race([Promise.allSettled(underWay), new Promise((resolve) => setTimeout(resolve, MAX_WAIT_MS))]);
    await ask(method, to, {});
  } catch (error) {
    isFree = null;
    freed.resolve();
    throw error;
  }
}

async function ask<T>(method: Method, to: string, options: RequestOptions): Promise<T> {
  let response = await send(method, to, options);
  if (response.headers.get('hub-confirmation') === 'password' && (await confirmPassword())) {
    response = await send(method, to, options);
  }
  if (response.status === 204) return undefined as T;
  const body: unknown = await response.json().catch(() => null);
  if (response.ok && body !== null) return body as T;
  const error = new ApiError(readError(body, response), response.headers.get('x-request-id'));
  if (response.status === 401) signedOut();
  throw error;
}

/** A path whose parts may hold anything: path`/hubs/${id}/messages`. */
export function path(texts: TemplateStringsArray, ...parts: string[]): string {
  return texts.reduce((whole, text, n) => `${whole}${partOf(parts[n - 1] ?? '')}${text}`);
}

/** A part of dots alone would lead upwards, to another path, however it is encoded. Nothing has such an id. */
function partOf(text: string): string {
  return /^\.{1,2}$/.test(text) ? 'none' : encodeURIComponent(text);
}

async function send(method: Method, to: string, { query = {}, body, signal }: RequestOptions): Promise<Response> {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== null && value !== undefined) search.set(name, String(value));
  const deadline = AbortSignal.timeout(RESPONSE_MS);
  try {
    return await fetch(`${API}${to}${search.size === 0 ? '' : `?${search}`}`, {
      method,
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': body instanceof Blob ? body.type : 'application/json' }),
      },
      ...(body === undefined ? {} : { body: body instanceof Blob ? body : JSON.stringify(body) }),
      signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new NoResponse('The server cannot be reached. Check your connection, then try again.');
  }
}

/** What stands between may answer in a form of its own. */
function readError(body: unknown, { status }: Response): Pick<ErrorBody, 'statusCode' | 'message'> {
  const { message } = (typeof body === 'object' && body !== null ? body : {}) as { message?: unknown };
  return { statusCode: status, message: typeof message === 'string' ? message : `The server answered ${status}.` };
}

/**
 * What to show of whatever was thrown. Nothing, if the session has ended: the cover says so, and what is said beneath it would
 * still stand there when somebody has signed in again.
 */
export function errorMessage(error: unknown): string {
  if (error instanceof ApiError && error.statusCode === 401) return '';
  if (error instanceof ApiError && error.statusCode >= 500 && error.requestId !== null) {
    return `${error.message} (request ${error.requestId})`;
  }
  return error instanceof Error ? error.message : String(error);
}
