import { MAX_PAGE_ITEMS } from '@hub/contract/common-limits';
import type { ListItem, ListOperation, Operation, RequestTo, ResponseOf } from '@hub/contract/operations';
import { WORKSPACE_API_PATH } from '@hub/contract/paths';
import { type JsonObject, parseObject } from '../json-body.ts';

export { errorBodyOf, type JsonObject, messageIn } from '../json-body.ts';

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

/** The method, headers and body of a request. */
export type RequestOf = ReturnType<typeof requestOf>;

/** Sends a request to a URL on the server. Credentials, time limits and errors of the connection are its business. */
type Send = (url: string, request: RequestOf) => Promise<Response>;

/**
 * Returns the error to throw for a response other than a success with the JSON object that was asked for. `body` is
 * undefined if it has no JSON object. `interruption` is the error that cut off the body.
 */
type ToError = (response: Response, body: JsonObject | undefined, interruption: unknown) => Error;

export type WorkspaceClient = ReturnType<typeof workspaceClient>;

/**
 * A client of the workspace API. Operations are named as in the contract: `request('GET /hubs/{hubId}', { hubId })`.
 * All functions throw what `send` throws, and `toError` returns.
 */
export function workspaceClient(send: Send, toError: ToError) {
  /** Returns the response, the body of a list, which has `items`, or any other body. */
  const receive = async (operation: string, input: AnyInput = {}, part?: 'response' | 'items') => {
    const response = await send(pathOf(operation, input), requestOf(operation, input));
    if (response.ok && part === 'response') return response;
    let interruption: unknown;
    const body = await response.text().then(parseObject, (error: unknown) => {
      interruption = error;
      return undefined;
    });
    if (response.ok && body && (!part || Array.isArray(body[part]))) return body;
    throw toError(response, body, interruption);
  };

  /**
   * Loads page after page of a list, until there are at least `min` items. Returns them with the cursor of the next
   * page, which is `null` at the end of the list. Pages are as large as possible, unless `input` says otherwise.
   */
  const pages = async <O extends ListOperation>(operation: O, input: Input<O>, min: number) => {
    const items: ListItem<O>[] = [];
    let query: AnyInput['query'] = { limit: MAX_PAGE_ITEMS, ...(input as AnyInput).query };
    let next: string | null;
    do {
      const page = await receive(operation, { ...input, query }, 'items');
      ({ next } = page as { next: string | null });
      items.push(...(page as { items: typeof items }).items);
      query = { ...query, before: next };
    } while (next !== null && items.length < min);
    return { items, next };
  };

  return {
    pages,
    /** Sends a request, and returns the body of the response. */
    request: receive as <O extends Operation>(operation: O, ...input: Inputs<O>) => Promise<ResponseOf<O>>,
    /** Sends a request, and returns its response without reading the body, which may be too large for memory. */
    open: <O extends Operation>(operation: O, ...[input]: Inputs<O>) =>
      receive(operation, input, 'response') as Promise<Response>,
    /** Returns every item of a list. */
    all: async <O extends ListOperation>(operation: O, ...[input]: Inputs<O>) =>
      (await pages(operation, (input ?? {}) as Input<O>, Infinity)).items,
  };
}

/** Returns the path and the query of an operation. */
export const urlOf = pathOf as <O extends Operation>(operation: O, ...input: Inputs<O>) => string;

function pathOf(operation: string, { query = {}, ...parts }: AnyInput = {}): string {
  const path = operation
    .replace(/^\w+ (\/$)?/, WORKSPACE_API_PATH)
    .replace(/{(\w+)}/g, (_, name) => partOf(String(parts[name])));
  const search = new URLSearchParams(Object.entries(query).filter(([, value]) => value != null) as [string, string][]);
  return search.size === 0 ? path : `${path}?${search}`;
}

/** Encodes a path part. "." and ".." would change the path even when encoded, and no id looks like that. */
const partOf = (text: string): string => (/^\.{1,2}$/.test(text) ? 'none' : encodeURIComponent(text));

/** Returns a request to an operation, or to another method and path. `fetch` adds the type of a `Blob`. */
export function requestOf(operation: string, { body, signal }: Pick<AnyInput, 'body' | 'signal'>) {
  const json = 'application/json';
  const sent = body instanceof Blob ? body : (JSON.stringify(body) as string | undefined);
  return {
    method: operation.slice(0, operation.indexOf(' ')),
    headers: { accept: json, ...(typeof sent === 'string' && { 'content-type': json }) },
    body: sent ?? null,
    signal: signal ?? null,
  };
}
