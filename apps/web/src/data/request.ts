import type { ErrorBody } from '@hub/contract';
import type { ListItem, ListOperation, Operation, RequestTo, ResponseOf } from '@hub/contract/operations';
import { RESPONSE_MS, takeEarly } from './early-requests.ts';

const API = '/api/v1';
const JSON_TYPE = 'application/json';
/** The page size unless a request has its own: the most that the server allows. */
const PAGE_ITEMS = 100;

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

/** Path parameters, query and body of a request, and what aborts it. A `Blob` as body is sent unchanged. */
export type Input<O extends Operation> = RequestTo<O> & { readonly signal?: AbortSignal };
/** The input comes after the operation, and can be left out if nothing in it is required. */
type Inputs<O extends Operation> = object extends Input<O> ? [input?: Input<O>] : [input: Input<O>];

/** Any input. The types above make sure that it fits the operation. */
interface AnyInput {
  readonly query?: Readonly<Record<string, string | number | null | undefined>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
  readonly [parameter: string]: unknown;
}

/** Pending requests. Ending the session waits for them, up to `MAX_WAIT_MS`. */
const pending = new Set<Promise<unknown>>();
const MAX_WAIT_MS = 1_000;
/** Set while the session is ending; later requests wait for it. */
let sessionEnding: Promise<void> | null = null;

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
 * Sends a request to the workspace API as the signed-in user: `request('GET /hubs/{hubId}', { hubId })`. If the server
 * requires the password, asks for it and sends the request again.
 * @throws ApiError for an error response; NoResponse if none arrived.
 */
export async function request<O extends Operation>(operation: O, ...[input]: Inputs<O>): Promise<ResponseOf<O>> {
  if (sessionEnding) await sessionEnding;
  const response = ask(operation, input);
  pending.add(response);
  try {
    return (await response) as ResponseOf<O>;
  } finally {
    pending.delete(response);
  }
}

/**
 * Sends the request that ends the session, and holds back later requests, which would get a 401. If it fails, the
 * session continues.
 * @throws as `request` does.
 */
export async function requestLast(operation: Operation): Promise<void> {
  const freed = Promise.withResolvers<void>();
  sessionEnding = freed.promise;
  try {
    await Promise.race([Promise.allSettled(pending), new Promise((resolve) => setTimeout(resolve, MAX_WAIT_MS))]);
    await ask(operation);
  } catch (error) {
    sessionEnding = null;
    freed.resolve();
    throw error;
  }
}

/**
 * Loads page after page of a list, until there are at least `min` items. Returns them with the cursor of the next page,
 * which is `null` at the end of the list.
 * @throws as `request` does.
 */
export async function loadPages<O extends ListOperation>(operation: O, input: Input<O>, min: number) {
  const load = request as (operation: O, input: AnyInput) => Promise<{ items: ListItem<O>[]; next: string | null }>;
  const items: ListItem<O>[] = [];
  let query: AnyInput['query'] = { limit: PAGE_ITEMS, ...(input as AnyInput).query };
  let next: string | null;
  do {
    const page = await load(operation, { ...input, query });
    items.push(...page.items);
    next = page.next;
    query = { ...query, before: next };
  } while (next !== null && items.length < min);
  return { items, next };
}

/** Returns every item of a list. @throws as `request` does. */
export async function allPages<O extends ListOperation>(operation: O, input: Input<O>): Promise<ListItem<O>[]> {
  return (await loadPages(operation, input, Infinity)).items;
}

async function ask(operation: string, input?: AnyInput): Promise<unknown> {
  let response = await send(operation, input);
  if (response.headers.get('hub-confirmation') === 'password' && (await confirmPassword())) {
    response = await send(operation, input);
  }
  const body: unknown = await response.json().catch(() => null);
  if (response.ok && body !== null) return body;
  // It was cut off, so the server has done what was asked.
  if (response.ok) throw new NoResponse();
  if (response.status === 401) signedOut();
  // A proxy may respond in its own format.
  const { message } = (body ?? {}) as { message?: unknown };
  const { status: statusCode } = response;
  throw new ApiError(
    { statusCode, message: typeof message === 'string' ? message : `The server returned an error (${statusCode}).` },
    response.headers.get('x-request-id'),
  );
}

function addressOf(operation: string, { query = {}, ...parts }: AnyInput = {}): string {
  const path = operation.replace(/^\w+ /, API).replace(/{(\w+)}/g, (_, name) => partOf(String(parts[name])));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== null && value !== undefined) search.set(name, String(value));
  return search.size === 0 ? path : `${path}?${search}`;
}

/** Returns the URL of an operation, relative to the server. */
export const urlOf = addressOf as <O extends Operation>(operation: O, ...input: Inputs<O>) => string;

/** Encodes a path part. "." and ".." would change the path even when encoded, and no id looks like that. */
function partOf(text: string): string {
  return /^\.{1,2}$/.test(text) ? 'none' : encodeURIComponent(text);
}

let userId = '';

/** Sends all further requests for this user only. With another user's session, the server rejects them. */
export function requestAs(id: string): void {
  userId = id;
}

async function send(operation: string, input?: AnyInput): Promise<Response> {
  const { body, signal } = input ?? {};
  const isFile = body instanceof Blob;
  const url = addressOf(operation, input);
  const method = operation.slice(0, operation.indexOf(' '));
  const deadline = AbortSignal.timeout(RESPONSE_MS);
  try {
    const early = method === 'GET' && !signal && takeEarly(url);
    return await (early ||
      fetch(url, {
        method,
        headers: {
          accept: JSON_TYPE,
          ...(userId && { 'hub-user': userId }),
          ...(body === undefined ? {} : { 'content-type': isFile ? body.type : JSON_TYPE }),
        },
        body: isFile ? body : body === undefined ? null : JSON.stringify(body),
        signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
      }));
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
