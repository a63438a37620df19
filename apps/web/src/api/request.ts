import type { ErrorBody } from '@hub/contract';

const API = '/api/v1';
/** A request that takes longer is aborted, but the server may still have processed it. */
const RESPONSE_MS = 30_000;

/** An error from the server. Its message says what to change. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly statusCode: number;
  /** For support: identifies the request in the server log. */
  readonly requestId: string | null;

  constructor(body: Pick<ErrorBody, 'statusCode' | 'message'>, requestId: string | null) {
    super(body.message);
    this.statusCode = body.statusCode;
    this.requestId = requestId;
  }
}

/** No response arrived: the network or the server is down. */
export class NoResponse extends Error {
  override readonly name = 'NoResponse';
}

export interface RequestOptions {
  query?: Readonly<Record<string, string | number | null | undefined>>;
  /** Sent as JSON; a file is sent unchanged. */
  body?: unknown;
  signal?: AbortSignal;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Pending requests. Ending the session waits for them, up to `MAX_WAIT_MS`. */
const underWay = new Set<Promise<unknown>>();
const MAX_WAIT_MS = 1_000;
/** Set while the session is ending; later requests wait for it. */
let isFree: Promise<void> | null = null;

/** Called when a response shows that the session has ended. */
let signedOut: () => void = () => {};
export function onSignedOut(listener: () => void): void {
  signedOut = listener;
}

/** Asks for the password. Resolves to whether the user confirmed it. */
let confirmPassword: () => Promise<boolean> = async () => false;
export function onConfirmPassword(listener: () => Promise<boolean>): void {
  confirmPassword = listener;
}

/**
 * Sends a request to the workspace API as the signed-in user. If the server requires the password, asks for it and
 * sends the request again. `to` begins after /api/v1; build it with `path`, which encodes its parts.
 * @throws ApiError for an error response; NoResponse if none arrived.
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
 * Sends the request that ends the session, and holds back later requests, which would get a 401. If it fails, the
 * session continues.
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

/** Builds a path with encoded parts: path`/hubs/${id}/messages`. */
export function path(texts: TemplateStringsArray, ...parts: string[]): string {
  return texts.reduce((whole, text, n) => `${whole}${partOf(parts[n - 1] ?? '')}${text}`);
}

/**
 * Encodes a path part. The parts "." and ".." would change the path even when encoded. They are replaced, since no id
 * looks like that.
 */
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
    throw new NoResponse("Can't reach the server. Check your connection and try again.");
  }
}

/** Reads an error body. A proxy may respond in its own format. */
function readError(body: unknown, { status }: Response): Pick<ErrorBody, 'statusCode' | 'message'> {
  const { message } = (typeof body === 'object' && body !== null ? body : {}) as { message?: unknown };
  return {
    statusCode: status,
    message: typeof message === 'string' ? message : `The server returned an error (${status}).`,
  };
}

/**
 * Returns the message to show for an error. It is empty if the session has ended: the sign-in dialog says so, and a
 * message below it would still be there after signing in again.
 */
export function errorMessage(error: unknown): string {
  if (error instanceof ApiError && error.statusCode === 401) return '';
  if (error instanceof ApiError && error.statusCode >= 500 && error.requestId !== null) {
    return `${error.message} (request ${error.requestId})`;
  }
  return error instanceof Error ? error.message : String(error);
}
