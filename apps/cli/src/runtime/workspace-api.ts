import type * as contract from '@hub/contract';
import type { Fetch } from './deps.ts';
import { CliError, responseError } from './errors.ts';
import { EXIT } from './exit-codes.ts';

/** Written again, for loading the contract's schemas would cost more time than the rest of the start. */
const API_PATH = '/api/v1' satisfies typeof contract.WORKSPACE_API_PATH;

type Query = Readonly<Record<string, string | undefined>>;

interface WorkspaceApiOptions {
  /** What stands before the path of the API. Over a socket any host does, for the socket decides. */
  url?: string;
  /** What to do about a 401, beyond what the server says. */
  unauthenticatedHint?: string;
}

/** The workspace API: JSON in, JSON out, refusals as `CliError`. */
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

  /** Every item of a list, following `next` to the end. */
  async all<T>(path: string, query: Query = {}): Promise<T[]> {
    const items: T[] = [];
    let before: string | undefined;
    do {
      const page: { items: T[]; next: string | null } = await this.get(path, { ...query, limit: '100', before });
      items.push(...page.items);
      if (page.next !== null && page.next === before) throw notAHub('The list repeats itself.');
      before = page.next ?? undefined;
    } while (before !== undefined);
    return items;
  }

  /** An answer that is too large to hold: its body as it arrives, for as long as it goes on arriving. */
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
    if (result === undefined) throw notAHub('It answered with something that is not JSON.');
    return result as T;
  }

  #send(method: string, path: string, init: BunFetchRequestInit): Promise<Response> {
    return this.fetch(`${this.options.url ?? 'http://localhost'}${API_PATH}${path}`, { method, ...init });
  }

  #error(response: Response, result: unknown): CliError {
    return appErrorOf(response, result, response.status === 401 ? this.options.unauthenticatedHint : undefined);
  }
}

/** The whole body. It can fail to arrive although the answer has begun. */
async function textOf(response: Response): Promise<string> {
  try {
    return await response.text();
  } catch (error) {
    throw brokenOff(error);
  }
}

/** What fails while an answer arrives. */
export function brokenOff(error: unknown): CliError {
  const { code, name } = error as { code?: unknown; name?: unknown };
  const reason = typeof code === 'string' ? code : String(name ?? error);
  return new CliError(
    'unreachable',
    EXIT.unreachable,
    `The server broke off in the middle of its answer (${reason}).`,
    {
      hint: 'It may have done what was asked: look before you ask again.',
    },
  );
}

/** A path segment that a user typed. */
export function segment(text: string): string {
  return encodeURIComponent(text);
}

function appErrorOf(response: Response, result: unknown, hint: string | undefined): CliError {
  const { message } = (typeof result === 'object' && result !== null ? result : {}) as { message?: unknown };
  const retryAfter = response.headers.get('retry-after');
  return responseError({
    statusCode: response.status,
    message: typeof message === 'string' ? message : `The server answered ${response.status} without saying why.`,
    requestId: response.headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: retryAfter !== null && /^\d+$/.test(retryAfter) ? Number(retryAfter) : undefined,
    hint,
  });
}

function notAHub(detail: string): CliError {
  return new CliError('unexpected_answer', EXIT.failed, `The server does not behave like a Hub. ${detail}`, {
    hint: 'Check that hubctl and the server have the same version: hubctl status',
  });
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
