import { requestOf, workspaceClient } from '@hub/client/workspace';
import type { Hub, IssuedKey, IssueKeyBody, Scope } from '@hub/contract';
import { withConcurrency } from './concurrency.ts';

const ALL_SCOPES: readonly Scope[] = ['messages:create', 'notes:create', 'todos:create'];

/** By default, the key is named `ci`, has all scopes, and belongs to a new Hub. */
type KeyFields = Partial<Omit<IssueKeyBody, 'scopes'>> & { scopes?: readonly Scope[] };

export type Admin = ReturnType<typeof adminOver>;

/** A response with its parsed body. */
export interface HubResponse<T = Record<string, unknown>> {
  status: number;
  body: T;
  headers: Headers;
}

export async function parsed<T>(response: Response): Promise<HubResponse<T>> {
  return { status: response.status, body: (await response.json()) as T, headers: response.headers };
}

/** Returns the status and the message of an error, such as `409 There is no way.`, or the status alone. */
export function outcomeOf({ status, body }: HubResponse): string {
  return status < 400 ? String(status) : `${status} ${body.message}`;
}

type ClientInit = Omit<BunFetchRequestInit, 'headers'> & { headers?: Readonly<Record<string, string>> };

/** A client of the workspace API, for a credential or a socket in `init`. Its `request` throws for error responses. */
export function clientAt(url: string, { headers, ...init }: ClientInit) {
  /** `path` is the whole path, unlike below. Headers of the request come before those of the client. */
  const send = (path: string, request: RequestInit = {}): Promise<Response> =>
    fetch(url + path, { ...request, ...init, headers: { ...headers, ...(request.headers as object) } });
  const toError = (response: Response, body: object = {}): Error =>
    new Error(`${response.url}: ${response.status} ${JSON.stringify(body)}`);
  /** Returns the response to any method and path, which starts after `/api/v1`, whatever its status. */
  const raw = (method: string, path: string, body?: unknown): Promise<Response> =>
    send(`/api/v1${path}`, requestOf(`${method} `, { body }));
  const json = async <T = Record<string, unknown>>(...sent: Parameters<typeof raw>) => parsed<T>(await raw(...sent));
  return {
    ...workspaceClient(send, toError),
    fetch: send,
    raw,
    /** As `raw`, with the parsed body. */
    json,
    /** As `raw`, but returns the status, and the message of an error. */
    outcome: async (...sent: Parameters<typeof raw>): Promise<string> => outcomeOf(await json(...sent)),
    /** As `json`, but returns the body. Throws for an error response. */
    call: async <T = { id: string }>(...sent: Parameters<typeof raw>): Promise<T> => {
      const response = await raw(...sent);
      if (response.ok) return (await response.json()) as T;
      throw toError(response, (await response.json()) as object);
    },
  };
}

/** The workspace API over the admin socket of a running server. Throws for error responses. */
export function adminOver(socketPath: string) {
  const client = clientAt('http://localhost', { unix: socketPath });
  const { request, raw } = client;
  /** Creates a Hub. If a live Hub has the name, adds a number: most tests need a Hub of their own, whatever its name. */
  const createHub = async (name = 'Releases'): Promise<Hub> => {
    for (let count = 1; ; count += 1) {
      const response = await raw('POST', '/hubs', { name: count === 1 ? name : `${name} ${count}` });
      if (response.ok) return (await response.json()) as Hub;
      if (response.status !== 409) throw new Error(`POST /hubs: ${response.status} ${await response.text()}`);
    }
  };
  const issueKey = async ({ scopes = ALL_SCOPES, ...fields }: KeyFields = {}): Promise<IssuedKey> => {
    const hubId = fields.hubId ?? (await createHub()).id;
    return request('POST /keys', { body: { name: 'ci', scopes: [...scopes], ...fields, hubId } });
  };
  /** Reads a query such as `?limit=1`. */
  const inputOf = (query: string) => ({ query: Object.fromEntries(new URLSearchParams(query)) as object });
  return {
    ...client,
    createHub,
    /** Creates this many Hubs and returns their IDs. */
    createHubs: (count: number): Promise<string[]> =>
      withConcurrency(Array.from({ length: count }), async (_, n) => {
        return (await createHub(`Hub ${n}`)).id;
      }),
    deleteHub: (hubId: string) => request('DELETE /hubs/{hubId}', { hubId }),
    restoreHub: (hubId: string) => request('POST /hubs/{hubId}/restoration', { hubId }),
    listHubs: (query = '') => request('GET /hubs', inputOf(query)),
    issueKey,
    /** Issues this many keys, divided evenly among the Hubs. */
    issueKeys: (hubIds: readonly string[], count: number, scopes = ALL_SCOPES): Promise<IssuedKey[]> =>
      withConcurrency(Array.from({ length: count }), (_, n) =>
        issueKey({ hubId: hubIds[n % hubIds.length] ?? '', name: `key ${n}`, scopes }),
      ),
    showKey: (keyId: string) => request('GET /keys/{keyId}', { keyId }),
    listKeys: (query = '') => request('GET /keys', inputOf(query)),
    rotateKey: (keyId: string, body = {}) => request('POST /keys/{keyId}/rotation', { keyId, body }),
    replaceKey: (keyId: string, body = {}) => request('POST /keys/{keyId}/replacement', { keyId, body }),
    revokeKey: (keyId: string) => request('POST /keys/{keyId}/revocation', { keyId }),
    audit: (query = '') => request('GET /audit', inputOf(query)),
    status: () => request('GET /status'),
    nodes: () => request('GET /nodes'),
  };
}
