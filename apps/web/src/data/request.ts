import { type JsonObject, messageIn, type RequestOf, workspaceClient } from '@hub/client/workspace';
import type { ErrorBody } from '@hub/contract';
import { RESPONSE_MS, takeEarly } from './early-requests.ts';

export { type Input, urlOf } from '@hub/client/workspace';

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
  override readonly message = 'Can’t reach the server. Check your connection and try again.';
}

/** Pending requests. Ending the session waits for them, up to `MAX_WAIT_MS`. */
const pending = new Set<Promise<unknown>>();
const MAX_WAIT_MS = 1_000;
/** Set while the session is ending; later requests wait for it. */
let sessionEnding: Promise<void> | null = null;

let signedOut: () => void = () => {};
export function onSignedOut(listener: () => void): void {
  signedOut = listener;
}

/** How the user confirms a change: with the password, or by signing in with the provider again. */
export type Confirmation = 'password' | 'provider';

/** Asks the user to confirm a change. Resolves to whether they did. */
let confirm: (way: Confirmation) => Promise<boolean> = async () => false;
export function onConfirm(listener: typeof confirm): void {
  confirm = listener;
}

function toError({ ok, status, headers }: Response, body: JsonObject | undefined): Error {
  // It was cut off, so the server has done what was asked.
  if (ok) return new NoResponse();
  if (status === 401) signedOut();
  const message = messageIn(body, `The server returned an error (${status}).`);
  return new ApiError({ statusCode: status, message }, headers.get('x-request-id'));
}

/**
 * Send requests to the workspace API as the signed-in user: `request('GET /hubs/{hubId}', { hubId })`. If the server
 * requires the password, they ask for it and send the request again.
 * @throws ApiError for an error response; NoResponse if none arrived.
 */
export const {
  request,
  pages: loadPages,
  all: allPages,
} = workspaceClient(async (url, init) => {
  if (sessionEnding) await sessionEnding;
  const response = ask(url, init);
  pending.add(response);
  return response.finally(() => pending.delete(response));
}, toError);

/**
 * Sends the request that ends the session, and holds back later requests, which would get a 401. If it fails, the
 * session continues.
 * @throws as `request` does.
 */
export async function requestLast(operation: 'DELETE /session'): Promise<void> {
  const freed = Promise.withResolvers<void>();
  sessionEnding = freed.promise;
  try {
    await Promise.race([Promise.allSettled(pending), new Promise((resolve) => setTimeout(resolve, MAX_WAIT_MS))]);
    await workspaceClient(ask, toError).request(operation);
  } catch (error) {
    sessionEnding = null;
    freed.resolve();
    throw error;
  }
}

let userId = '';

/** Sends all further requests for this user only. With another user's session, the server rejects them. */
export function requestAs(id: string): void {
  userId = id;
}

async function ask(url: string, init: RequestOf): Promise<Response> {
  const response = await send(url, init);
  const by = response.headers.get('hub-confirmation');
  const mustConfirm = by === 'password' || by === 'provider';
  return mustConfirm && (await confirm(by)) ? send(url, init) : response;
}

async function send(url: string, { signal, ...init }: RequestOf): Promise<Response> {
  const headers = { ...init.headers, ...(userId && { 'hub-user': userId }) };
  const deadline = AbortSignal.timeout(RESPONSE_MS);
  try {
    const early = init.method === 'GET' && !signal && takeEarly(url);
    return await (early ||
      fetch(url, { ...init, headers, signal: signal ? AbortSignal.any([signal, deadline]) : deadline }));
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new NoResponse();
  }
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
