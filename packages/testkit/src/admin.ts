import type { ApiKey, Hub, IssuedKey, Scope } from '@hub/contract';
import { withConcurrency } from './concurrency.ts';

export const ALL_SCOPES: readonly Scope[] = ['messages:create', 'notes:create', 'todos:create'];

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
  return {
    raw,
    call,
    createHub: (name: string) => call<Hub>('POST', '/hubs', { name }),
    /** Creates this many Hubs and returns their IDs. */
    createHubs: (count: number): Promise<string[]> =>
      withConcurrency(Array.from({ length: count }), async (_, n) => {
        return (await call<Hub>('POST', '/hubs', { name: `Hub ${n}` })).id;
      }),
    issueKey: (hubId: string, name: string, scopes = ALL_SCOPES, more: object = {}) =>
      call<IssuedKey>('POST', '/keys', { hubId, name, scopes, ...more }),
    /** Issues this many keys, divided evenly among the Hubs. */
    issueKeys: (hubIds: readonly string[], count: number, scopes = ALL_SCOPES): Promise<IssuedKey[]> =>
      withConcurrency(Array.from({ length: count }), (_, n) =>
        call<IssuedKey>('POST', '/keys', { hubId: hubIds[n % hubIds.length], name: `key ${n}`, scopes }),
      ),
    /** Returns the keys from all pages. */
    listKeys: async (): Promise<ApiKey[]> => {
      const keys: ApiKey[] = [];
      for (let before: string | null = ''; before !== null; ) {
        const query: string = before && `&before=${before}`;
        const page: { items: ApiKey[]; next: string | null } = await call('GET', `/keys?limit=100${query}`);
        keys.push(...page.items);
        before = page.next;
      }
      return keys;
    },
  };
}
