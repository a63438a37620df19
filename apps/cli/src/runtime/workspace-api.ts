import type * as contract from '@hub/contract';
import type { Fetch } from './deps.ts';
import { CliError, EXIT, failed, responseError } from './errors.ts';

/** Duplicated here, since loading the contract's schemas would take longer than the rest of startup. */
const API_PATH = '/api/v1' satisfies typeof contract.WORKSPACE_API_PATH;

type Query = Readonly<Record<string, string | undefined>>;

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

  get<T>(path: string, query: Query = {}): Promise<T> {
    return this.#call<T>('GET', path + queryText(query));
  }

  post<T>(path: string, body?: object): Promise<T> {
    return this.#call<T>('POST', path, body);
  }

  put<T>(path: string, body: object = {}): Promise<T> {
    return this.#call<T>('PUT', path, body);
  }

  patch<T>(path: string, body: object): Promise<T> {
    return this.#call<T>('PATCH', path, body);
  }

  delete<T>(path: string): Promise<T> {
    return this.#call<T>('DELETE', path);
  }

  /** Returns all items of a list, following `next` to the end. */
  async all<T>(path: string, query: Query = {}): Promise<T[]> {
    const items: T[] = [];
    let before: string | undefined;
    do {
      const page: { items: T[]; next: string | null } = await this.get(path, { ...query, limit: '100', before });
      items.push(...page.items);
      if (page.next !== null && page.next === before) throw notAHub('A list returned the same page twice.');
      before = page.next ?? undefined;
    } while (before !== undefined);
    return items;
  }

  /** Requests a response that may be too large for memory, without reading its body and without a time limit. */
  async stream(path: string, signal: AbortSignal, method: 'GET' | 'POST' = 'GET'): Promise<Response> {
    const response = await this.#send(method, path, { signal, headers: { accept: 'application/json' } });
    if (!response.ok) throw this.#error(response, parseJson(await textOf(response)));
    return response;
  }

  async #call<T>(method: string, path: string, body?: object): Promise<T> {
    const headers = { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) };
    const response = await this.#send(method, path, { headers, ...(body && { body: JSON.stringify(body) }) });
    const text = await textOf(response);
    if (response.status === 204) return undefined as T;
    const result = parseJson(text);
    if (!response.ok) throw this.#error(response, result);
    if (result === undefined) throw notAHub('The response is not JSON.');
    return result as T;
  }

  #send(method: string, path: string, init: BunFetchRequestInit): Promise<Response> {
    return this.fetch(`${this.options.url ?? 'http://localhost'}${API_PATH}${path}`, { method, ...init });
  }

  #error(response: Response, result: unknown): CliError {
    return toCliError(response, result, response.status === 401 ? this.options.unauthenticatedHint : undefined);
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
  return new CliError('unreachable', EXIT.unreachable, `The server disconnected during its response (${reason}).`, {
    hint: 'The request may have succeeded. Check before you try again.',
  });
}

/** Escapes a path segment from user input. */
export function segment(text: string): string {
  return encodeURIComponent(text);
}

function toCliError(response: Response, result: unknown, hint: string | undefined): CliError {
  const { message } = (typeof result === 'object' && result !== null ? result : {}) as { message?: unknown };
  const retryAfter = response.headers.get('retry-after');
  return responseError({
    statusCode: response.status,
    message: typeof message === 'string' ? message : `The server returned ${response.status} without an error message.`,
    requestId: response.headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: retryAfter !== null && /^\d+$/.test(retryAfter) ? Number(retryAfter) : undefined,
    hint,
  });
}

function notAHub(detail: string): CliError {
  return failed(
    'unexpected_answer',
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

function queryText(query: Query): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
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
