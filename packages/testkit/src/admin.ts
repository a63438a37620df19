import type { ApiKey, AuditEntry, Hub, IssuedKey, IssueKeyBody, Scope, ServerStatus } from '@hub/contract';
import { withConcurrency } from './concurrency.ts';

export const ALL_SCOPES: readonly Scope[] = ['messages:create', 'notes:create', 'todos:create'];

interface Page<Item> {
  items: Item[];
  next: string | null;
}

/** By default, the key is named `ci` and has all scopes. */
type KeyFields = Partial<Omit<IssueKeyBody, 'scopes'>> & { hubId: string; scopes?: readonly Scope[] };

export type Admin = ReturnType<typeof adminOver>;

/** The workspace API over the admin socket of a running server. Throws for error responses. */
export function adminOver(socketPath: string) {
  const raw = (method: string, path: string, body?: unknown): Promise<Response> =>
    fetch(`http://localhost/api/v1${path}`, {
      method,
      unix: socketPath,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } as const }),
    });
  const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const response = await raw(method, path, body);
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  };
  /** Returns the items of a list from all pages. */
  const all = async <T>(path: string): Promise<T[]> => {
    const items: T[] = [];
    for (let before: string | null = ''; before !== null; ) {
      const query: string = before && `&before=${before}`;
      const page: Page<T> = await call('GET', `${path}?limit=100${query}`);
      items.push(...page.items);
      before = page.next;
    }
    return items;
  };
  /** Creates a Hub. If a live Hub has the name, adds a number: most tests need a Hub of their own, whatever its name. */
  const createHub = async (name = 'Releases'): Promise<Hub> => {
    for (let count = 1; ; count += 1) {
      const response = await raw('POST', '/hubs', { name: count === 1 ? name : `${name} ${count}` });
      if (response.ok) return (await response.json()) as Hub;
      if (response.status !== 409) throw new Error(`POST /hubs: ${response.status} ${await response.text()}`);
    }
  };
  return {
    raw,
    call,
    createHub,
    /** Creates this many Hubs and returns their IDs. */
    createHubs: (count: number): Promise<string[]> =>
      withConcurrency(Array.from({ length: count }), async (_, n) => {
        return (await createHub(`Hub ${n}`)).id;
      }),
    /** Returns the newest event number of each Hub. */
    seqs: async (hubIds: readonly string[]): Promise<Map<string, number>> => {
      const seqs = new Map<string, number>();
      for (const id of hubIds) seqs.set(id, (await call<{ seq: number }>('GET', `/hubs/${id}`)).seq);
      return seqs;
    },
    deleteHub: (hubId: string) => call<Hub>('DELETE', `/hubs/${hubId}`),
    restoreHub: (hubId: string) => call<Hub>('POST', `/hubs/${hubId}/restoration`),
    listHubs: (query = '') => call<Page<Hub>>('GET', `/hubs${query}`),
    issueKey: (body: KeyFields) => call<IssuedKey>('POST', '/keys', { name: 'ci', scopes: ALL_SCOPES, ...body }),
    /** Issues this many keys, divided evenly among the Hubs. */
    issueKeys: (hubIds: readonly string[], count: number, scopes = ALL_SCOPES): Promise<IssuedKey[]> =>
      withConcurrency(Array.from({ length: count }), (_, n) =>
        call<IssuedKey>('POST', '/keys', { hubId: hubIds[n % hubIds.length], name: `key ${n}`, scopes }),
      ),
    showKey: (keyId: string) => call<ApiKey>('GET', `/keys/${keyId}`),
    listKeys: (query = '') => call<Page<ApiKey>>('GET', `/keys${query}`),
    all,
    allKeys: () => all<ApiKey>('/keys'),
    rotateKey: (keyId: string, body = {}) => call<IssuedKey>('POST', `/keys/${keyId}/rotation`, body),
    replaceKey: (keyId: string, body = {}) => call<IssuedKey>('POST', `/keys/${keyId}/replacement`, body),
    revokeKey: (keyId: string) => call<ApiKey>('POST', `/keys/${keyId}/revocation`),
    audit: (query = '') => call<Page<AuditEntry>>('GET', `/audit${query}`),
    status: () => call<ServerStatus>('GET', '/status'),
  };
}
