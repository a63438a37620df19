import type { ApiKey, Hub, IssuedKey, Scope } from '../../packages/contract/src/index.ts';

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
    issueKey: (hubId: string, name: string, scopes = ALL_SCOPES, more: object = {}) =>
      call<IssuedKey>('POST', '/keys', { hubId, name, scopes, ...more }),
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
