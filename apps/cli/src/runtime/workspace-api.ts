import type * as contract from '@hub/contract';
import type { ListItem, ListOperation, Operation, RequestTo, ResponseOf } from '@hub/contract/operations';
import { retryAfterSeconds } from '@hub/contract/retry-after';
import type { Fetch } from './deps.ts';
import { CliError, failed, responseError } from './errors.ts';

/** Duplicated here, since loading the contract's schemas would take longer than the rest of startup. */
const API_PATH = '/api/v1' satisfies typeof contract.WORKSPACE_API_PATH;

/** The input comes after the operation, and can be left out if nothing in it is required. */
type Inputs<O extends Operation> = object extends RequestTo<O> ? [input?: RequestTo<O>] : [input: RequestTo<O>];

/** Any input. The types above make sure that it fits the operation. */
interface AnyInput {
  readonly query?: Readonly<Record<string, string | number | null | undefined>>;
  readonly body?: unknown;
  readonly [parameter: string]: unknown;
}

/** The page size: the most that the server allows. */
const PAGE_ITEMS = 100;

interface WorkspaceApiOptions {
  /** The base URL before the API path. Over a socket, any host works. */
  url?: string;
  /** An additional hint for a 401. */
  unauthenticatedHint?: string;
}

/** The workspace API with JSON requests and responses, and errors as `CliError`. */
export class WorkspaceApi {
  constructor(
    private readonly fetch: Fetch,
    private readonly options: WorkspaceApiOptions = {},
  ) {}

  /** Sends a request: `request('GET /hubs/{hubId}', { hubId })`. */
  async request<O extends Operation>(operation: O, ...[input]: Inputs<O>): Promise<ResponseOf<O>> {
    return (await this.#call(operation, input)) as ResponseOf<O>;
  }

  /** Returns the items of a list, following `next` to the end or until there are `max`. */
  async all<O extends ListOperation>(
    operation: O,
    input: Omit<RequestTo<O>, 'body'> = {} as RequestTo<O>,
    max = Infinity,
  ): Promise<ListItem<O>[]> {
    const { query, ...parameters } = input as AnyInput;
    const items: ListItem<O>[] = [];
    let before: string | null = null;
    do {
      const limit = Math.min(PAGE_ITEMS, max - items.length);
      const page = (await this.#call(operation, { ...parameters, query: { ...query, limit, before } })) as {
        items: ListItem<O>[];
        next: string | null;
      };
      if (!Array.isArray(page.items)) throw this.#notAHub('The response is not a list.');
      items.push(...page.items);
      if (page.next !== null && page.next === before) throw unexpected('A list returned the same page twice.');
      before = page.next;
    } while (before !== null && items.length < max);
    return items;
  }

  /** Requests a response that may be too large for memory, without reading its body and without a time limit. */
  async stream(operation: Operation, signal: AbortSignal, input?: AnyInput): Promise<Response> {
    const response = await this.#send(operation, input, { signal });
    if (!response.ok) throw this.#error(response, parseJson(await textOf(response)));
    return response;
  }

  async #call(operation: Operation, input: AnyInput = {}): Promise<unknown> {
    const response = await this.#send(operation, input);
    const text = await textOf(response);
    if (response.status === 204) return undefined;
    const result = parseJson(text);
    if (!response.ok) throw this.#error(response, result);
    if (typeof result !== 'object' || result === null || Array.isArray(result)) {
      throw this.#notAHub('The response is not a JSON object.');
    }
    return result;
  }

  #send(operation: Operation, input: AnyInput = {}, init: BunFetchRequestInit = {}): Promise<Response> {
    const { body } = input;
    const [method = ''] = operation.split(' ', 1);
    return this.fetch(`${this.options.url ?? 'http://localhost'}${API_PATH}${pathOf(operation, input)}`, {
      method,
      headers: { accept: 'application/json', ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...init,
    });
  }

  #error(response: Response, result: unknown): CliError {
    const { status } = response;
    const { url, unauthenticatedHint } = this.options;
    if (url === undefined || isOfHub(status, result)) {
      return toCliError(response, result, status === 401 ? unauthenticatedHint : undefined);
    }
    if (!isOfProxy(status)) return noHubAt(url);
    const message = `${url} returned ${status}, but the response is not from a Hub server.`;
    return toCliError(response, { message }, 'Check the URL, and the proxy in front of the server.');
  }

  #notAHub(detail: string): CliError {
    return this.options.url === undefined ? unexpected(detail) : noHubAt(this.options.url);
  }
}

/** Reads the whole body, which can fail even after the response has started. */
async function textOf(response: Response): Promise<string> {
  try {
    return await response.text();
  } catch (error) {
    throw connectionLost(error);
  }
}

/** The error for a response that was interrupted. */
function connectionLost(error: unknown): CliError {
  const { code, name } = error as { code?: unknown; name?: unknown };
  const reason = typeof code === 'string' ? code : String(name ?? error);
  return new CliError('unreachable', `The server disconnected during its response (${reason}).`, {
    hint: 'The request may have succeeded. Check before you try again.',
  });
}

function toCliError(response: Response, result: unknown, hint: string | undefined): CliError {
  const { message } = (typeof result === 'object' && result !== null ? result : {}) as { message?: unknown };
  return responseError({
    statusCode: response.status,
    message: typeof message === 'string' ? message : `The server returned ${response.status} without an error message.`,
    requestId: response.headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: retryAfterSeconds(response.headers),
    hint,
  });
}

/** Returns whether an error response has the body that every error of a Hub server has. */
function isOfHub(status: number, result: unknown): boolean {
  const { statusCode, message } = (result ?? {}) as { statusCode?: unknown; message?: unknown };
  return statusCode === status && typeof message === 'string';
}

/** Returns whether a proxy in front of a Hub server may send this status itself. */
function isOfProxy(status: number): boolean {
  return status >= 500 || [401, 403, 407, 408, 413, 429].includes(status);
}

/** The error for a URL at which there is another server. */
export function noHubAt(url: string): CliError {
  return failed(
    'unexpected_response',
    `There is no Hub server at ${url}.`,
    'Check the URL: use the address from your browser, without the path.',
  );
}

function unexpected(detail: string): CliError {
  return failed(
    'unexpected_response',
    `Unexpected response from the server. ${detail}`,
    'Check that hubctl and the server have the same version: hubctl status',
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the path of an operation with its parameters, escaped since users type them, and the query. */
function pathOf(operation: Operation, { query = {}, ...parameters }: AnyInput): string {
  const path = operation
    .replace(/^\w+ /, '')
    .replace(/{(\w+)}/g, (_, name) => encodeURIComponent(String(parameters[name])))
    .replace(/\/$/, '');
  const given = Object.entries(query).flatMap(([name, value]) =>
    value == null ? [] : [[name, String(value)] as [string, string]],
  );
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}

/** The maximum time between two chunks of a response. */
const STALL_TIMEOUT_MS = 60_000;

interface StreamOptions {
  /** The maximum time until the response starts. */
  beginWithinMs?: number;
  /** Cancels the request. */
  stop?: AbortSignal;
  /** Called with the response when it starts. */
  onResponse?: (response: Response) => void;
}

/** Streams a response of any size. Fails if the server disconnects, or sends nothing for a minute. */
export async function* streamResponse(
  ask: (signal: AbortSignal) => Promise<Response>,
  { beginWithinMs = STALL_TIMEOUT_MS, stop, onResponse }: StreamOptions = {},
): AsyncGenerator<Uint8Array> {
  const stalled = new AbortController();
  const waiting = (ms: number): NodeJS.Timeout =>
    setTimeout(() => stalled.abort(new DOMException('The response stalled', 'TimeoutError')), ms);
  let timer = waiting(beginWithinMs);
  const signal = stop ? AbortSignal.any([stop, stalled.signal]) : stalled.signal;
  try {
    const response = await ask(signal);
    onResponse?.(response);
    for await (const piece of piecesOf(response.body)) {
      clearTimeout(timer);
      yield piece;
      timer = waiting(STALL_TIMEOUT_MS);
    }
  } finally {
    clearTimeout(timer);
  }
}

/** Attributes only read errors to the server; write errors are reported by the writer. */
async function* piecesOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader();
  if (!reader) return;
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error) => {
        throw connectionLost(error);
      });
      if (done) return;
      yield value;
    }
  } finally {
    // Release the connection, whether or not the response has ended.
    await reader.cancel().catch(() => {});
  }
}
