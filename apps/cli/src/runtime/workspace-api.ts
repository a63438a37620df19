import type * as contract from '@hub/contract';
import type { Fetch } from './deps.ts';
import { CliError, refusalError } from './errors.ts';
import { EXIT } from './exit-codes.ts';

/** Written again, for loading the contract's schemas would cost more time than the rest of the start. */
const API_PATH = '/api/v1' satisfies typeof contract.WORKSPACE_API_PATH;

type Query = Readonly<Record<string, string | undefined>>;

/** The workspace API: JSON in, JSON out, refusals as `CliError`. The host is a placeholder, for the socket decides. */
export class WorkspaceApi {
  constructor(private readonly fetch: Fetch) {}

  get<T>(path: string, query: Query = {}): Promise<T> {
    return this.#call<T>('GET', path + queryText(query));
  }

  post<T>(path: string, body?: object): Promise<T> {
    return this.#call<T>('POST', path, body);
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

  async #call<T>(method: string, path: string, body?: object): Promise<T> {
    const response = await this.fetch(`http://localhost${API_PATH}${path}`, {
      method,
      headers: { accept: 'application/json', ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer = parseJson(await response.text());
    if (!response.ok) throw refusalOf(response, answer);
    if (answer === undefined) throw notAHub('It answered with something that is not JSON.');
    return answer as T;
  }
}

/** A path segment that a user typed. */
export function segment(text: string): string {
  return encodeURIComponent(text);
}

function refusalOf(response: Response, answer: unknown): CliError {
  const { message } = (typeof answer === 'object' && answer !== null ? answer : {}) as { message?: unknown };
  const retryAfter = response.headers.get('retry-after');
  return refusalError({
    statusCode: response.status,
    message: typeof message === 'string' ? message : `The server answered ${response.status} without saying why.`,
    requestId: response.headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: retryAfter !== null && /^\d+$/.test(retryAfter) ? Number(retryAfter) : undefined,
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
